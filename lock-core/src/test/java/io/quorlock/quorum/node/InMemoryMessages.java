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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages of one command to the instances that listen. Not thread-safe.
 */
final class InMemoryMessages {

	private final Set<String> listening;

	private final Map<String, List<InstanceMessage>> sent = new LinkedHashMap<>(2);

	/**
	 * Create the messages of a command.
	 * @param listening the instances that listen
	 */
	InMemoryMessages(Set<String> listening) {
		this.listening = listening;
	}

	/**
	 * Send a message.
	 * @return false if the instance does not listen
	 */
	boolean send(String instance, InstanceMessage message) {
		boolean listens = this.listening.contains(instance);
		if (listens) {
			this.sent.computeIfAbsent(instance, (key) -> new ArrayList<>(2)).add(message);
		}
		return listens;
	}

	/** Return how many messages are received. */
	int connections() {
		return this.sent.values().stream().mapToInt(List::size).sum();
	}

	/** Return the messages by instance. */
	Map<String, List<InstanceMessage>> sent() {
		return this.sent;
	}

}
