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

package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The reply of a script that the server did not let publish: the channel of an instance
 * lies outside of the slot of the script's keys. The client publishes instead.
 *
 * @param reply what the script would have returned otherwise
 * @param messages what it wanted to publish
 * @since 0.1.0
 */
public record RefusedMessages(@Nullable Object reply, List<Message> messages) {

	private static final String MARK = "~publish";

	/**
	 * Find refused messages.
	 * @param raw the reply as drivers give it
	 * @return the messages, or {@code null} if the script published by itself
	 */
	public static @Nullable RefusedMessages of(@Nullable Object raw) {
		if (raw instanceof List<?> list && list.size() == 3 && list.get(0) instanceof byte[] mark
				&& list.get(2) instanceof List<?> texts && MARK.equals(new String(mark, StandardCharsets.US_ASCII))) {
			List<Message> messages = new ArrayList<>();
			for (int i = 0; i + 1 < texts.size(); i += 2) {
				if (texts.get(i) instanceof byte[] channel && texts.get(i + 1) instanceof byte[] text) {
					messages.add(new Message(channel, text));
				}
			}
			return new RefusedMessages(list.get(1), List.copyOf(messages));
		}
		return null;
	}

	/**
	 * A message to an instance.
	 *
	 * @param channel the channel
	 * @param text the text
	 */
	public record Message(byte[] channel, byte[] text) {

	}

}
