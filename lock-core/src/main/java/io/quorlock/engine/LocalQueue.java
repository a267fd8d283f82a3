/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.LogText;

/**
 * The queue of one name: its occupants, and the requests that wait. It changes under the
 * lock of the name. To add, to take and to remove a waiter take constant time, however
 * many there are.
 *
 * @param <W> the type of the requests
 */
final class LocalQueue<W extends LocalQueue.Waiter> {

	/** Occupies queues, or waits in them. */
	interface Member {

		List<String> names();

		/** How it excludes others. */
		LockMode mode();

		/** How many permits the name has, 0 for none. */
		int permits();

	}

	/** Waits in queues until its turn has come. */
	interface Waiter extends Member {

		/** Whether the call that asks holds a lock already. */
		boolean isNested();

		/** Whether readers of this process may share the lease that it asks for (R19). */
		boolean isSharable();

		/** It occupies its queues now, and asks the store. */
		void onTurn();

	}

	private final String name;

	/** One is the usual: it stands for itself, others for a list of their own. */
	private volatile @Nullable Member occupant;

	private volatile List<Member> furtherOccupants = List.of();

	/** Null if there is none: most names are uncontended. */
	private volatile @Nullable Set<W> waiters;

	private int nested;

	LocalQueue(String name) {
		this.name = name;
	}

	boolean hasWaiters() {
		return this.waiters != null;
	}

	boolean isEmpty() {
		return this.occupant == null && this.waiters == null;
	}

	/** An empty queue costs no memory. */
	void removeIfEmpty(Map<String, LocalQueue<W>> queues) {
		if (isEmpty()) {
			queues.remove(this.name, this);
		}
	}

	/**
	 * Return the occupant because of which a member has to wait, or null. Of permits it
	 * is one that is only asked for, if there is any: the member may still have that.
	 */
	@Nullable Member occupantBefore(Member member) {
		Member first = null;
		for (Member occupant : occupants()) {
			boolean shares = occupant.mode() == LockMode.SHARED && member.mode() == LockMode.SHARED
					&& !(isSharable(occupant) && isSharable(member));
			boolean permitLeft = !isMixed(occupant, member) && occupants().size() < member.permits();
			if (!shares && !permitLeft) {
				if (member.permits() == 0 || occupant instanceof Waiter) {
					return occupant;
				}
				first = (first != null) ? first : occupant;
			}
		}
		return first;
	}

	/**
	 * Return whether a member asks for a lease that others may share: they wait for it
	 * rather than ask, too.
	 */
	private static boolean isSharable(Member member) {
		return member instanceof Waiter waiter && waiter.isSharable();
	}

	/** On the nodes, the two do not exclude each other. */
	private static boolean isMixed(Member one, Member other) {
		return (one.permits() > 0) != (other.permits() > 0);
	}

	/** Refuse a name that is used with permits and without, where both are seen. */
	void checkKind(Member member) {
		W first = first();
		boolean mixed = first != null && isMixed(first, member);
		for (Member occupant : occupants()) {
			mixed |= isMixed(occupant, member);
		}
		if (mixed) {
			throw new IllegalArgumentException("Lock '%s' is used with permits and without, which do not exclude "
				.formatted(LogText.escape(this.name)) + "each other: use two names");
		}
	}

	List<Member> occupants() {
		// In the opposite order of their change: who looks without the lock misses none.
		List<Member> further = this.furtherOccupants;
		Member single = this.occupant;
		if (single == null || further.isEmpty()) {
			return (single != null) ? List.of(single) : List.of();
		}
		List<Member> all = new ArrayList<>(further);
		all.add(0, single);
		return all;
	}

	@Nullable W first() {
		Set<W> waiters = this.waiters;
		return (waiters != null) ? waiters.iterator().next() : null;
	}

	void occupy(Member member) {
		if (this.occupant == null) {
			this.occupant = member;
			return;
		}
		List<Member> further = new ArrayList<>(this.furtherOccupants);
		further.add(member);
		this.furtherOccupants = List.copyOf(further);
	}

	boolean vacate(Member member) {
		if (this.furtherOccupants.isEmpty()) {
			boolean only = member.equals(this.occupant);
			this.occupant = only ? null : this.occupant;
			return only;
		}
		List<Member> further = new ArrayList<>(this.furtherOccupants);
		boolean first = member.equals(this.occupant);
		boolean removed = first || further.remove(member);
		if (first) {
			this.occupant = further.isEmpty() ? null : further.remove(0);
		}
		this.furtherOccupants = List.copyOf(further);
		return removed;
	}

	void replace(Member before, Member after) {
		vacate(before);
		occupy(after);
	}

	void add(W waiter) {
		Set<W> waiters = (this.waiters != null) ? this.waiters : new LinkedHashSet<>();
		waiters.add(waiter);
		this.waiters = waiters;
		this.nested += waiter.isNested() ? 1 : 0;
	}

	/** Remove an occupant or a waiter, and add those whose turn it may be then. */
	void remove(Member member, Set<W> candidates) {
		W first = first();
		if (vacate(member)) {
			addCandidates(candidates);
			return;
		}
		// Nested waiters do not wait for those in front of them.
		W next = (removeWaiter(member) && first == member) ? first() : null;
		if (next != null) {
			candidates.add(next);
		}
	}

	private boolean removeWaiter(Member member) {
		Set<W> waiters = this.waiters;
		boolean removed = waiters != null && waiters.remove(member);
		if (waiters != null && removed) {
			this.waiters = waiters.isEmpty() ? null : waiters;
			this.nested -= ((Waiter) member).isNested() ? 1 : 0;
		}
		return removed;
	}

	/** Take the first, and all readers behind a reader. */
	List<W> takeNext(Predicate<? super W> eligible) {
		List<W> taken = new ArrayList<>(1);
		W next = first();
		while (next != null && eligible.test(next) && (taken.isEmpty() || next.mode() == LockMode.SHARED)) {
			removeWaiter(next);
			taken.add(next);
			next = (next.mode() == LockMode.SHARED) ? first() : null;
		}
		return taken;
	}

	/**
	 * Add those whose turn it may be in this queue: the first, and nested ones. Behind
	 * one that waits for nothing else there is no need to look further, since it is
	 * admitted, and the next are looked for then.
	 */
	void addCandidates(Set<W> candidates) {
		W first = first();
		if (first == null || isExclusive()) {
			return;
		}
		if (addCandidate(first, candidates) || this.nested == 0) {
			return;
		}
		for (W waiter : Objects.requireNonNull(this.waiters)) {
			if (waiter.isNested() && addCandidate(waiter, candidates)) {
				return;
			}
		}
	}

	/** Return whether it is admitted unless it leaves. */
	private boolean addCandidate(W waiter, Set<W> candidates) {
		boolean free = occupantBefore(waiter) == null;
		if (free) {
			candidates.add(waiter);
		}
		return free && waiter.names().size() == 1;
	}

	/** Return whether its occupant excludes everything else. */
	private boolean isExclusive() {
		Member first = this.occupant;
		return first != null && first.mode() == LockMode.EXCLUSIVE && first.permits() == 0;
	}

	boolean isTurnOf(W waiter) {
		boolean waits = this.waiters != null && this.waiters.contains(waiter);
		return waits && occupantBefore(waiter) == null && (waiter.isNested() || first() == waiter);
	}

	void admit(W waiter) {
		removeWaiter(waiter);
		occupy(waiter);
	}

}
