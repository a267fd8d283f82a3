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

/**
 * A claim's place in the queue, the same for all of its attempts.
 *
 * @param stamp when the claim queued in its instance, by the instance's clock
 * @param instance the number of the instance
 * @param life which process of that number it is
 * @param claim the number of the claim
 */
record Ticket(long stamp, int instance, int life, long claim) implements Comparable<Ticket> {

	@Override
	public int compareTo(Ticket other) {
		int result = Long.compare(this.stamp, other.stamp);
		return (result != 0) ? result : Long.compare(this.claim, other.claim);
	}

}
