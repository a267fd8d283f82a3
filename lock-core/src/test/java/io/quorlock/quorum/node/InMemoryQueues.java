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

package io.quorlock.quorum.node;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Blocker;

/**
 * The queues of names in an in-memory store (R21), as {@code line.lua} has them.
 */
final class InMemoryQueues {

	private static final int READERS_AT_ONCE = 16;

	private final InMemoryStore store;

	private final InMemoryMessages messages;

	InMemoryQueues(InMemoryStore store, InMemoryMessages messages) {
		this.store = store;
		this.messages = messages;
	}

	/**
	 * Return the tickets for which a claim has to wait; a reader waits for writers alone.
	 */
	SortedMap<String, Long> ahead(String name, @Nullable Ticket ticket, boolean shared) {
		SortedMap<String, Long> all = this.store.tickets(name);
		SortedMap<String, Long> ahead = (ticket != null) ? all.headMap(ticket.text()) : all;
		if (!shared) {
			return ahead;
		}
		SortedMap<String, Long> writers = new TreeMap<>(ahead);
		writers.keySet().removeIf(Ticket::isShared);
		return writers;
	}

	/**
	 * A claim stands in the queues of the names that are not free for it.
	 * @return how many tickets stand before its own
	 */
	int refuse(List<String> names, List<@Nullable Blocker> blockers, @Nullable Ticket ticket, boolean shared) {
		int rank = 0;
		for (int i = 0; i < names.size(); i++) {
			String name = names.get(i);
			Blocker blocker = blockers.get(i);
			if (ticket != null && blocker != null) {
				this.store.register(name, ticket);
			}
			else if (ticket != null) {
				this.store.tickets(name).remove(ticket.text());
			}
			if (blocker instanceof Blocker.Waiting first && shared && !this.store.readers(name).isEmpty()) {
				offer(name, first.ticket(), false); // is that writer still there?
			}
			else if (blocker == null || blocker instanceof Blocker.Waiting) {
				passOn(name, false);
			}
			rank = Math.max(rank, (blocker != null) ? rank(name, ticket) : 0);
		}
		return rank;
	}

	/** A claim for a permit is refused. */
	int refuse(String name, @Nullable Ticket ticket) {
		if (ticket != null) {
			this.store.register(name, ticket);
		}
		passOn(name, false);
		return rank(name, ticket);
	}

	private int rank(String name, @Nullable Ticket ticket) {
		return ahead(name, ticket, false).size();
	}

	/** The ticket of a claim that was granted goes; further readers may follow. */
	void granted(String name, @Nullable Ticket ticket, boolean shared) {
		if (ticket != null && this.store.tickets(name).remove(ticket.text()) != null && shared) {
			passOn(name, false);
		}
	}

	/** A release brings a ticket, which is written down before anything is offered. */
	void stand(LockTarget target, Ticket ticket) {
		boolean shared = target.kind() == LockTarget.Kind.SHARED;
		List<String> waits = target.names()
			.stream()
			.filter((name) -> isTaken(name, shared) || !ahead(name, ticket, shared).isEmpty())
			.toList();
		(waits.isEmpty() ? target.names() : waits).forEach((name) -> this.store.register(name, ticket));
	}

	private boolean isTaken(String name, boolean shared) {
		return this.store.owner(new InMemoryStore.Key(name, 0)) != null
				|| (!shared && !this.store.readers(name).isEmpty());
	}

	/** Offer what is free to the first tickets, and notify the next one. */
	void passOn(String name, boolean freed) {
		passOn(name, freed, "");
	}

	/**
	 * Offer what is free to the first tickets, and notify the next one.
	 * @param freed whether it has become free just now, and is offered once more
	 * @param except the ticket whose own round freed it
	 */
	void passOn(String name, boolean freed, String except) {
		if (this.store.owner(new InMemoryStore.Key(name, 0)) != null) {
			return;
		}
		for (int i = 0; i < READERS_AT_ONCE; i++) {
			List<String> tickets = new ArrayList<>(this.store.tickets(name).keySet());
			if (tickets.isEmpty() || tickets.get(0).equals(except) || isOffered(name, tickets, freed)) {
				return;
			}
		}
	}

	/** Return whether it is on offer, or need not be. */
	private boolean isOffered(String name, List<String> tickets, boolean freed) {
		if (Ticket.isShared(tickets.get(0))) {
			boolean offered = false;
			int place = 0;
			while (place < tickets.size() && place < READERS_AT_ONCE && Ticket.isShared(tickets.get(place))) {
				offered |= offer(name, tickets.get(place), freed && place == 0);
				place++;
			}
			tellNext(name, tickets, place, offered && freed);
			return offered;
		}
		if (!this.store.readers(name).isEmpty()) {
			return true;
		}
		LockTarget target = Ticket.targetOf(tickets.get(0), name);
		int place = (target.kind() == LockTarget.Kind.PERMIT) ? target.permits() - this.store.permitsInUse(name) - 1
				: 0;
		if (place < 0 || place >= tickets.size()) {
			return true;
		}
		boolean offered = offer(name, tickets.get(place), freed);
		tellNext(name, tickets, place + 1, offered && freed);
		return offered;
	}

	private void tellNext(String name, List<String> tickets, int place, boolean offered) {
		if (offered && place < tickets.size()) {
			send(tickets.get(place), (ticket) -> new InstanceMessage.Next(ticket, name));
		}
	}

	/**
	 * From now on the ticket stands no longer than its instance may take to ask.
	 * @return false if its instance does not listen, so that the ticket is gone
	 */
	private boolean offer(String name, String ticket, boolean again) {
		Long end = this.store.tickets(name).get(ticket);
		long patience = Long.parseLong(ticket.split(":", 4)[2]);
		if (!again && end != null && this.store.millisUntil(end) <= patience) {
			return true;
		}
		if (!send(ticket, (text) -> new InstanceMessage.Offer(text, name))) {
			this.store.tickets(name).remove(ticket);
			return false;
		}
		this.store.register(name, new Ticket(ticket, patience));
		return true;
	}

	private boolean send(String ticket, Function<String, InstanceMessage> message) {
		return this.messages.send(Attempt.channelOf(Ticket.claimOf(ticket)), message.apply(ticket));
	}

}
