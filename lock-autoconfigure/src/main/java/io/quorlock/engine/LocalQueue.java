package io.quorlock.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;

/**
 * The queue of one name: its occupants, and the requests that wait. Everything but
 * {@link #hasWaiters()} is called under its lock. To add, to take and to remove a waiter
 * take constant time, however many there are.
 */
final class LocalQueue {

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

	private final ReentrantLock lock = new ReentrantLock();

	private final List<Member> occupants = new ArrayList<>(1);

	/** Not made before the first has to wait: most names are uncontended. */
	private @Nullable Set<Waiter> waiters;

	private int nested;

	private volatile int size;

	private boolean removed;

	LocalQueue(String name) {
		this.name = name;
	}

	void lock() {
		this.lock.lock();
	}

	void unlock() {
		this.lock.unlock();
	}

	boolean isRemoved() {
		return this.removed;
	}

	boolean hasWaiters() {
		return this.size > 0;
	}

	/**
	 * An empty queue costs no memory; a thread that locked it meanwhile makes a new one.
	 */
	void removeIfEmpty(Map<String, LocalQueue> queues) {
		if (this.occupants.isEmpty() && this.size == 0) {
			this.removed = true;
			queues.remove(this.name, this);
		}
	}

	/** Return the occupant because of which a member has to wait, or null. */
	@Nullable Member occupantBefore(Member member) {
		for (Member occupant : this.occupants) {
			boolean shares = occupant.mode() == LockMode.SHARED && member.mode() == LockMode.SHARED
					&& !(isSharable(occupant) && isSharable(member));
			boolean permitLeft = !isMixed(occupant, member) && this.occupants.size() < member.permits();
			if (!shares && !permitLeft) {
				return occupant;
			}
		}
		return null;
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
		Waiter first = first();
		boolean mixed = first != null && isMixed(first, member);
		for (Member occupant : this.occupants) {
			mixed |= isMixed(occupant, member);
		}
		if (mixed) {
			throw new IllegalArgumentException("Lock '%s' is used with permits and without, which do not exclude "
				.formatted(LogText.escape(this.name)) + "each other: use two names");
		}
	}

	List<Member> occupants() {
		return this.occupants;
	}

	@Nullable Waiter first() {
		Set<Waiter> waiters = this.waiters;
		return (waiters == null || waiters.isEmpty()) ? null : waiters.iterator().next();
	}

	void occupy(Member member) {
		this.occupants.add(member);
	}

	void replace(Member before, Member after) {
		this.occupants.remove(before);
		this.occupants.add(after);
	}

	void add(Waiter waiter) {
		if (this.waiters == null) {
			this.waiters = new LinkedHashSet<>();
		}
		this.waiters.add(waiter);
		this.size = this.waiters.size();
		this.nested += waiter.isNested() ? 1 : 0;
	}

	/** Remove an occupant or a waiter. */
	void remove(Member member) {
		if (!this.occupants.remove(member) && this.waiters != null && this.waiters.remove(member)) {
			this.size = this.waiters.size();
			this.nested -= ((Waiter) member).isNested() ? 1 : 0;
		}
	}

	/** Take the first, and all readers behind a reader. */
	List<Waiter> takeNext(Predicate<Waiter> eligible) {
		List<Waiter> taken = new ArrayList<>(1);
		Waiter next = first();
		while (next != null && eligible.test(next) && (taken.isEmpty() || next.mode() == LockMode.SHARED)) {
			remove(next);
			taken.add(next);
			next = (next.mode() == LockMode.SHARED) ? first() : null;
		}
		return taken;
	}

	/** Add those whose turn it may be in this queue. */
	void addCandidates(List<Waiter> candidates) {
		Waiter first = first();
		if (first == null) {
			return;
		}
		add(candidates, first);
		if (this.nested > 0 && this.waiters != null) {
			this.waiters.stream().filter(Waiter::isNested).forEach((waiter) -> add(candidates, waiter));
		}
	}

	private static void add(List<Waiter> candidates, Waiter waiter) {
		if (!candidates.contains(waiter)) {
			candidates.add(waiter);
		}
	}

	boolean isTurnOf(Waiter waiter) {
		boolean waits = this.waiters != null && this.waiters.contains(waiter);
		return waits && occupantBefore(waiter) == null && (waiter.isNested() || first() == waiter);
	}

	void admit(Waiter waiter) {
		remove(waiter);
		occupy(waiter);
	}

}
