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
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The reply of a script that the server did not let publish: the channel of an instance
 * lies outside of the slot of the script's keys. The client publishes instead.
 *
 * @since 0.1.0
 */
public final class RefusedMessages {

	private static final String MARK = "~publish";

	private RefusedMessages() {
	}

	/**
	 * Publish what the script was not allowed to.
	 * @param raw the reply as drivers give it
	 * @param publisher publishes a message
	 * @return what the script would have returned otherwise; the reply itself if it
	 * published by itself
	 */
	public static @Nullable Object publish(@Nullable Object raw, Consumer<Message> publisher) {
		if (!(raw instanceof List<?> list && list.size() == 3 && list.get(0) instanceof byte[] mark
				&& list.get(2) instanceof List<?> texts && MARK.equals(new String(mark, StandardCharsets.US_ASCII)))) {
			return raw;
		}
		for (int i = 0; i + 1 < texts.size(); i += 2) {
			if (texts.get(i) instanceof byte[] channel && texts.get(i + 1) instanceof byte[] text) {
				publisher.accept(new Message(channel, text));
			}
		}
		return list.get(1);
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
