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
 * A lock was lost: its validity ended before its holder released it.
 *
 * @param names the names that were locked together, sorted
 * @param owner the token that identified the holder on the nodes, which starts with the
 * instance id
 * @param heldFor how long it was held before it was lost
 * @param reason the reason, as a text
 * @since 0.1.0
 * @see LockHandle#onLost
 */
public record LockLostEvent(List<String> names, String owner, Duration heldFor, String reason) {

	/**
	 * Create a new event.
	 * @param names the names that were locked together, sorted
	 * @param owner the token that identified the holder on the nodes
	 * @param heldFor how long it was held
	 * @param reason the reason
	 */
	public LockLostEvent {
		names = List.copyOf(names);
	}

	/**
	 * Return the name of the lock, or several names joined by commas.
	 * @return the name
	 */
	public String name() {
		return String.join(",", this.names);
	}

}
