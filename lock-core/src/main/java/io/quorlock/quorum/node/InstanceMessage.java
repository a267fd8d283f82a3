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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A message that a node sends to an instance, on the channel named after its owners. As
 * text it is some lines, the first of which says what it is.
 *
 * @since 0.1.0
 */
public sealed interface InstanceMessage {

	/**
	 * Return the message of a text.
	 * @param text what a node passed on
	 * @return the message, or {@code null} if it is none
	 */
	static @Nullable InstanceMessage parse(String text) {
		String[] lines = text.split("\n", 3);
		if (lines.length < 2) {
			return null;
		}
		return switch (lines[0]) {
			case "offer" -> (lines.length == 3) ? new Offer(lines[1], lines[2]) : null;
			case "next" -> (lines.length == 3) ? new Next(lines[1], lines[2]) : null;
			case "wanted" -> new LeaseWanted(lines[1]);
			case "forced" -> (lines.length == 3 && lines[2].matches("\\d{1,9}"))
					? new Forced(lines[1], Integer.parseInt(lines[2])) : null;
			default -> (lines.length == 3 && lines[0].matches("\\d{1,15}"))
					? new ReleaseRequested(lines[1], Duration.ofMillis(Long.parseLong(lines[0])), lines[2]) : null;
		};
	}

	/**
	 * A name is free for a claim of this instance, which is the first that waits for it
	 * on that node.
	 *
	 * @param ticket the text of its ticket
	 * @param name the lock
	 */
	record Offer(String ticket, String name) implements InstanceMessage {
	}

	/**
	 * A name was offered to another claim, and the next one is a claim of this instance.
	 *
	 * @param ticket the text of its ticket
	 * @param name the lock
	 */
	record Next(String ticket, String name) implements InstanceMessage {
	}

	/**
	 * The holder of a lease is asked to release it. Every node passes the request on.
	 *
	 * @param id identifies the request
	 * @param deadline within which time the lock is wanted, in milliseconds on the wire
	 * @param owner the owner of the lease
	 */
	record ReleaseRequested(String id, Duration deadline, String owner) implements InstanceMessage {
	}

	/**
	 * Others were refused because of a lease that this instance may merely retain.
	 *
	 * @param owner the owner of the lease
	 */
	record LeaseWanted(String owner) implements InstanceMessage {
	}

	/**
	 * An operator released a lease by force.
	 *
	 * @param owner the owner of the lease
	 * @param permit the permit that the operator released, 0 for the whole name. A node
	 * may have granted the attempt another permit than the lease has
	 */
	record Forced(String owner, int permit) implements InstanceMessage {
	}

}
