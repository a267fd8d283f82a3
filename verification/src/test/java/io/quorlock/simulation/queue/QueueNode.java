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

package io.quorlock.simulation.queue;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One node: a key, and the queue of those who wait for it.
 */
final class QueueNode {

	private final QueueModel model;

	private final QueueRules rules;

	private final int id;

	private final TicketQueue queue;

	private final Map<Ticket, Integer> passed = new HashMap<>();

	private long owner;

	private long expires;

	private long fence;

	private @Nullable Ticket head;

	private boolean headGranted;

	private int passes;

	private long firstOffer = -1;

	private long lastOffer = -1;

	private long freed;

	private long offers;

	private long votesFrom;

	private long clockOffset;

	int mostPasses;

	QueueNode(QueueModel model, QueueRules rules, int id) {
		this.model = model;
		this.rules = rules;
		this.id = id;
		this.queue = new TicketQueue(rules.lease);
	}

	boolean isFree() {
		return this.owner == 0 || this.expires <= this.model.now();
	}

	boolean votes() {
		return this.votesFrom <= this.model.now();
	}

	TicketQueue queue() {
		return this.queue;
	}

	void restart() {
		this.queue.clear();
		this.owner = 0;
		this.fence = 0;
		this.head = null;
		this.passes = 0;
		this.votesFrom = this.model.now() + this.rules.lease * 2;
	}

	void stepClock(long step) {
		this.clockOffset += step;
	}

	QueueReply acquire(Ticket ticket, long attempt, long wait) {
		long now = this.model.now();
		if (!isFree()) {
			int rank = register(ticket, wait);
			return new QueueReply(false, this.fence, this.owner, rank, this.expires - now, this.offers);
		}
		Ticket first = first();
		while (first != null && first.compareTo(ticket) < 0) {
			if (!reserved()) {
				this.passes++;
				this.mostPasses = Math.max(this.mostPasses, this.passed.merge(first, 1, Integer::sum));
				break;
			}
			if (!this.rules.offerEnds || now - this.freed < 2 * this.rules.operationTimeout) {
				return refuseByTicket(ticket, wait);
			}
			this.queue.remove(first);
			this.model.dropped(first);
			first = first();
			this.freed = now;
		}
		return grant(ticket, attempt);
	}

	private boolean reserved() {
		return this.passes >= this.rules.passes
				|| (this.firstOffer >= 0 && this.model.now() - this.firstOffer >= 1_000_000);
	}

	private QueueReply refuseByTicket(Ticket ticket, long wait) {
		int rank = register(ticket, wait);
		long now = this.model.now();
		if (this.lastOffer < 0 || now - this.lastOffer >= this.rules.offerAgain) {
			offer(false);
		}
		return new QueueReply(false, this.fence, 0, rank, 0, this.offers);
	}

	private QueueReply grant(Ticket ticket, long attempt) {
		this.owner = attempt;
		this.expires = this.model.now() + this.rules.lease;
		this.fence++;
		if (this.rules.grantRemoves) {
			this.queue.remove(ticket);
			this.headGranted |= ticket.equals(this.head);
		}
		return new QueueReply(true, this.fence, 0, 0, 0, this.offers);
	}

	boolean raise(long attempt, long fence) {
		if (this.owner != attempt) {
			return false;
		}
		this.fence = Math.max(this.fence, fence);
		return true;
	}

	boolean release(long attempt, @Nullable Ticket ticket, long wait) {
		if (ticket != null && this.rules.registerOnRelease) {
			register(ticket, wait);
		}
		if (this.owner == attempt) {
			this.owner = 0;
			this.freed = this.model.now();
			if (ticket == null || this.rules.offersToOwn || !ticket.equals(first())) {
				offer(true);
			}
		}
		return true;
	}

	boolean withdraw(Ticket ticket) {
		boolean wasFirst = ticket.equals(this.head);
		int index = this.queue.remove(ticket);
		this.headGranted |= wasFirst && index < 0;
		if (index < 0) {
			return true;
		}
		if (isFree() && (wasFirst || index == 0)) {
			this.freed = this.model.now();
			offer(true);
		}
		else if (this.rules.withdrawTells && index <= 1) {
			tell(index);
		}
		return true;
	}

	private int register(Ticket ticket, long wait) {
		long end = Math.min(wait + 2 * this.rules.operationTimeout, this.rules.lease);
		return this.queue.put(ticket, time() + end);
	}

	private @Nullable Ticket first() {
		Ticket first = this.queue.live(0, time());
		if (first != null && !first.equals(this.head)) {
			this.head = first;
			this.firstOffer = -1;
			this.lastOffer = -1;
			if (this.headGranted) {
				this.passes = 0;
			}
			this.headGranted = false;
		}
		return first;
	}

	private void offer(boolean freed) {
		for (int skipped = 0; skipped < TicketQueue.REMOVED_PER_SCRIPT; skipped++) {
			Ticket first = first();
			if (first == null) {
				return;
			}
			this.lastOffer = this.model.now();
			if (this.firstOffer < 0) {
				this.firstOffer = this.lastOffer;
			}
			this.offers++;
			if (this.model.offer(this.id, first, this.offers) || !this.rules.countReceivers) {
				break;
			}
			this.queue.remove(first);
		}
		if (freed && this.rules.tellSecond) {
			tell(1);
		}
	}

	private void tell(int place) {
		Ticket next = this.queue.live(place, time());
		if (next != null) {
			this.model.tellNext(this.id, next, place);
		}
	}

	private long time() {
		return this.model.now() + this.clockOffset;
	}

}
