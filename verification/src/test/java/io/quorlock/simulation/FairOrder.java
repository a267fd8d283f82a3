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

package io.quorlock.simulation;

import java.util.ArrayList;
import java.util.List;

import io.quorlock.simulation.Violation.Invariant;

/**
 * Who waits for a fair lock, in the order of asking. Between the first of each process,
 * whoever asked later than another by more than the tolerance is served later (R21).
 */
final class FairOrder {

	private final long toleranceNanos;

	private final List<Waiter> waiters = new ArrayList<>();

	FairOrder(long toleranceNanos) {
		this.toleranceNanos = toleranceNanos;
	}

	Waiter asks(SimClient client, long now) {
		boolean first = this.waiters.stream().noneMatch((other) -> other.client == client);
		Waiter waiter = new Waiter(client, now);
		waiter.firstSince = first ? now : Long.MAX_VALUE;
		this.waiters.add(waiter);
		return waiter;
	}

	void granted(Waiter waiter, long now) {
		for (Waiter other : this.waiters) {
			if (other.client != waiter.client && other.asked + this.toleranceNanos < waiter.asked
					&& other.firstSince < now - this.toleranceNanos) {
				throw new Violation(Invariant.IN_ORDER, "%s, who asked at %d, got the lock before %s, who asked at %d"
					.formatted(waiter.client, waiter.asked, other.client, other.asked));
			}
		}
	}

	void ends(Waiter waiter, long now) {
		this.waiters.remove(waiter);
		this.waiters.stream()
			.filter((other) -> other.client == waiter.client)
			.findFirst()
			.ifPresent((next) -> next.firstSince = Math.min(next.firstSince, now));
	}

	static final class Waiter {

		private final SimClient client;

		private final long asked;

		private long firstSince;

		Waiter(SimClient client, long asked) {
			this.client = client;
			this.asked = asked;
		}

	}

}
