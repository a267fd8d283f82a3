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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InstanceMessage;

/**
 * The channel of this instance on each node, and the claims and grants that its messages
 * concern. It is listened to from the first grant or wait on.
 */
final class InstanceChannel {

	static final String FORCED = "an operator released it by force";

	private static final int MAX_CONTENDED = 1_024;

	private static final long CONTENDED_NANOS = 1_000_000_000;

	/** A claim that stands in the queues of the nodes (R21). */
	interface Waiter {

		/** A node offered the name. */
		void onOffered(int slot);

		/** A node offered the name to another claim, and this one is the next. */
		void onNext();

		/** A node sends messages again: earlier ones may have been missed. */
		void onListening(int slot);

	}

	/** A lease that is held. */
	interface Lease {

		List<String> names();

		String owner();

		/** Return whether it has this owner. */
		boolean isOf(String owner);

		int permit();

		/** The release was requested. Follows {@link #wanted()}. */
		void releaseRequested(String id, Duration deadline);

		/** Another instance wants the lock, so that the lease must not be retained. */
		void wanted();

		/**
		 * An operator takes the lock away.
		 * @return its release, to be sent when the operator has seen who holds the name
		 */
		Runnable revoke(String reason);

	}

	/** Whatever no claim of this instance waits for any more is withdrawn. */
	interface Withdrawals {

		void withdraw(int slot, String ticket, String name);

	}

	private final Voters voters;

	private final Messenger messenger;

	private final Supplier<String> ownerPrefix;

	private final Withdrawals withdrawals;

	/** By ticket. */
	private final ConcurrentHashMap<String, Waiter> waiters = new ConcurrentHashMap<>();

	private final Set<Lease> leases = ConcurrentHashMap.newKeySet();

	/** By owner, those that may be kept while they are unused: others want them often. */
	private final ConcurrentHashMap<String, Lease> retainable = new ConcurrentHashMap<>();

	/** Until when a name counts as one that others want, too. */
	private final ConcurrentHashMap<String, Long> contendedUntil = new ConcurrentHashMap<>();

	private volatile @Nullable String opened;

	InstanceChannel(Voters voters, Messenger messenger, Supplier<String> ownerPrefix, Withdrawals withdrawals) {
		this.voters = voters;
		this.messenger = messenger;
		this.ownerPrefix = ownerPrefix;
		this.withdrawals = withdrawals;
	}

	/** Listen to the channel of the present owners, which are others after a restart. */
	void open() {
		String prefix = this.ownerPrefix.get();
		if (prefix.equals(this.opened)) {
			return;
		}
		this.opened = prefix;
		String instance = Attempt.channelOf(prefix);
		this.voters.nodes.forEach((node) -> node.listen(instance));
		this.messenger.flush();
	}

	void add(String ticket, Waiter waiter) {
		open();
		this.waiters.put(ticket, waiter);
	}

	void remove(String ticket) {
		this.waiters.remove(ticket);
	}

	void add(Lease lease, boolean mayBeRetained) {
		this.leases.add(lease);
		if (mayBeRetained) {
			this.retainable.put(lease.owner(), lease);
		}
		open();
	}

	void remove(Lease lease, boolean mayBeRetained) {
		this.leases.remove(lease);
		if (mayBeRetained) {
			this.retainable.remove(lease.owner());
		}
	}

	/**
	 * Return the leases that are held now; what is granted meanwhile is not among them.
	 * Walks over all of them, since it is seldom asked for.
	 */
	List<Lease> leases(Predicate<Lease> which) {
		return this.leases.stream().filter(which).toList();
	}

	/** Claims waited for a name of late. */
	void contended(String name, long nowNanos) {
		if (this.contendedUntil.size() >= MAX_CONTENDED) {
			this.contendedUntil.clear(); // it saves a command, and is not needed
		}
		this.contendedUntil.put(name, nowNanos + CONTENDED_NANOS);
	}

	/** Return whether a claim had better bring its ticket with its first attempt. */
	boolean isContended(String name, long nowNanos) {
		Long until = this.contendedUntil.isEmpty() ? null : this.contendedUntil.get(name);
		if (until != null && until - nowNanos <= 0) {
			this.contendedUntil.remove(name, until);
			return false;
		}
		return until != null;
	}

	/** Return how many claims wait. */
	int waiting() {
		return this.waiters.size();
	}

	void received(int slot, InstanceMessage message) {
		if (message instanceof InstanceMessage.Offer offer) {
			Waiter waiter = this.waiters.get(offer.ticket());
			if (waiter != null) {
				waiter.onOffered(slot);
			}
			else {
				this.withdrawals.withdraw(slot, offer.ticket(), offer.name());
			}
		}
		else if (message instanceof InstanceMessage.Next next) {
			Waiter waiter = this.waiters.get(next.ticket());
			if (waiter != null) {
				waiter.onNext();
			}
		}
		else if (message instanceof InstanceMessage.LeaseWanted wanted) {
			Lease lease = this.retainable.get(wanted.owner());
			if (lease != null) {
				lease.wanted();
			}
		}
		else if (message instanceof InstanceMessage.ReleaseRequested request) {
			leases((lease) -> lease.isOf(request.owner())).forEach((lease) -> {
				lease.wanted();
				lease.releaseRequested(request.id(), request.deadline());
			});
		}
		else if (message instanceof InstanceMessage.Forced forced) {
			leases((lease) -> lease.isOf(forced.owner()) && (forced.permit() == 0 || forced.permit() == lease.permit()))
				.forEach((lease) -> lease.revoke(FORCED).run());
		}
	}

	void listening(int slot) {
		List.copyOf(this.waiters.values()).forEach((waiter) -> waiter.onListening(slot));
	}

}
