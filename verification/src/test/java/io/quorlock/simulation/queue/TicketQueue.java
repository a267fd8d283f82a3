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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The tickets of one node, in order.
 */
final class TicketQueue {

	static final int REMOVED_PER_SCRIPT = 16;

	private final List<Ticket> tickets = new ArrayList<>();

	private final List<Long> ends = new ArrayList<>();

	private final long lease;

	TicketQueue(long lease) {
		this.lease = lease;
	}

	/**
	 * Write a ticket down.
	 * @return its rank
	 */
	int put(Ticket ticket, long end) {
		int index = index(ticket);
		if (index >= 0) {
			this.ends.set(index, end);
			return index;
		}
		this.tickets.add(-index - 1, ticket);
		this.ends.add(-index - 1, end);
		return -index - 1;
	}

	int remove(Ticket ticket) {
		int index = index(ticket);
		if (index >= 0) {
			this.tickets.remove(index);
			this.ends.remove(index);
		}
		return index;
	}

	/**
	 * Remove the dead ones in front, and return the ticket at that place.
	 */
	@Nullable Ticket live(int place, long now) {
		for (int removed = 0; removed < REMOVED_PER_SCRIPT && place < this.tickets.size(); removed++) {
			long end = this.ends.get(place);
			if (end >= now && end <= now + this.lease + 1_000_000) {
				return this.tickets.get(place);
			}
			this.tickets.remove(place);
			this.ends.remove(place);
		}
		return null;
	}

	List<Ticket> tickets() {
		return this.tickets;
	}

	void clear() {
		this.tickets.clear();
		this.ends.clear();
	}

	private int index(Ticket ticket) {
		return Collections.binarySearch(this.tickets, ticket);
	}

}
