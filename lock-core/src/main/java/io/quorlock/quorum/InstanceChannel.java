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

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InstanceMessage;

/**
 * The channel of this instance on each node, and the claims and grants that its messages
 * concern. It is listened to from the first grant or wait on.
 */
final class InstanceChannel {

	private static final int MOST_CONTENDED = 1_024;

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

	/** Whatever no claim of this instance waits for any more is withdrawn. */
	interface Withdrawals {

		void withdraw(int slot, String ticket, String name);

	}

	private final Voters voters;

	private final Messenger messenger;

	private final Supplier<String> tokenPrefix;

	private final Grants grants;

	private final Withdrawals withdrawals;

	/** By ticket. */
	private final ConcurrentHashMap<String, Waiter> waiters = new ConcurrentHashMap<>();

	/** Until when a name counts as one that others want, too. */
	private final ConcurrentHashMap<String, Long> contendedUntil = new ConcurrentHashMap<>();

	private volatile @Nullable String opened;

	InstanceChannel(Voters voters, Messenger messenger, Supplier<String> tokenPrefix, Grants grants,
			Withdrawals withdrawals) {
		this.voters = voters;
		this.messenger = messenger;
		this.tokenPrefix = tokenPrefix;
		this.grants = grants;
		this.withdrawals = withdrawals;
	}

	/** Listen to the channel of the present tokens, which are others after a restart. */
	void open() {
		String prefix = this.tokenPrefix.get();
		if (prefix.equals(this.opened)) {
			return;
		}
		this.opened = prefix;
		String instance = Attempt.channelOf(prefix);
		this.voters.nodes().forEach((node) -> node.listen(instance));
		this.messenger.flush();
	}

	void add(String ticket, Waiter waiter) {
		open();
		this.waiters.put(ticket, waiter);
	}

	void remove(String ticket) {
		this.waiters.remove(ticket);
	}

	/** Claims waited for a name of late. */
	void contended(String name, long nowNanos) {
		if (this.contendedUntil.size() >= MOST_CONTENDED) {
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
		else {
			this.grants.received(message);
		}
	}

	void listening(int slot) {
		List.copyOf(this.waiters.values()).forEach((waiter) -> waiter.onListening(slot));
	}

}
