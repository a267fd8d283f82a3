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

package io.quorlock;

import java.time.Duration;
import java.util.List;

/**
 * A lock that is renewed is at risk: no quorum has confirmed a renewal, and only a third
 * of its validity is left. It is still held, and lost at its end unless a renewal is
 * confirmed before. If one is, another event says that it is safe again. A lock with a
 * fixed lease is never at risk, since nothing renews it.
 *
 * @param names the names that are locked together, sorted
 * @param owner the token that identifies the holder on the nodes, which starts with the
 * instance id
 * @param atRisk {@code true} at the beginning, {@code false} when a renewal was confirmed
 * and the lock is safe again
 * @param unconfirmedFor how long ago the last request was sent that a quorum confirmed:
 * the grant or a renewal
 * @param remaining how long the lock is certainly held from now on if no renewal is
 * confirmed
 * @param nodes the nodes that confirmed the latest renewal; fewer than a quorum while the
 * lock is at risk
 * @param reason why the lock is at risk, as a text; empty if it is safe again
 * @since 0.1.0
 * @see LockHandle#onAtRisk
 */
public record LockAtRiskEvent(List<String> names, String owner, boolean atRisk, Duration unconfirmedFor,
		Duration remaining, List<String> nodes, String reason) {

	/**
	 * Create a new event.
	 * @param names the names that are locked together, sorted
	 * @param owner the token that identifies the holder on the nodes
	 * @param atRisk whether the lock is at risk, or safe again
	 * @param unconfirmedFor how long ago the last confirmed request was sent
	 * @param remaining how long the lock is certainly held
	 * @param nodes the nodes that confirmed the latest renewal
	 * @param reason the reason, or an empty text
	 */
	public LockAtRiskEvent {
		names = List.copyOf(names);
		nodes = List.copyOf(nodes);
	}

	/**
	 * Return the name of the lock, or several names joined by commas.
	 * @return the name
	 */
	public String name() {
		return String.join(",", this.names);
	}

}
