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

package io.quorlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;

/**
 * The subscription to the messages to this instance on one node. With the third version
 * of the protocol they arrive on the connection that carries the commands, so that
 * waiting costs no connection and no thread.
 */
final class Subscriptions {

	private static final long RETRY_NANOS = Duration.ofSeconds(10).toNanos();

	private final RedisKeys keys;

	private final Runnable onListening;

	private final Consumer<String> onMessage;

	private @Nullable Pipeline pipeline;

	private volatile @Nullable String channel;

	/** What the server did not carry out. */
	private volatile @Nullable Subscribe refused;

	private volatile String refusal = "";

	Subscriptions(RedisKeys keys, Runnable onListening, Consumer<String> onMessage) {
		this.keys = keys;
		this.onListening = onListening;
		this.onMessage = onMessage;
	}

	/**
	 * Return why the server does not let us subscribe.
	 * @return the reason, for people; empty if it does
	 */
	String refusal() {
		return this.refusal;
	}

	/**
	 * Subscribe on a new connection, which has to be flushed.
	 */
	synchronized void connected(Pipeline pipeline) {
		this.pipeline = pipeline;
		this.refused = null;
		this.refusal = "";
		if (this.channel != null) {
			pipeline.enqueue(new Subscribe(this.channel));
		}
	}

	synchronized void disconnected() {
		this.pipeline = null;
	}

	synchronized void listen(String instance) {
		String wanted = this.keys.instanceChannel(instance);
		String before = this.channel;
		this.channel = wanted;
		this.refused = wanted.equals(before) ? this.refused : null;
		if (this.pipeline != null && before != null && !before.equals(wanted)) {
			this.pipeline.enqueue(new ChannelCommand("UNSUBSCRIBE", before));
		}
		if (this.pipeline != null && !wanted.equals(before)) {
			this.pipeline.enqueue(new Subscribe(wanted));
		}
	}

	/**
	 * Ask again if the server refused that a while ago: the rights may have been
	 * corrected. Has to be flushed.
	 */
	synchronized void keep(long nowNanos) {
		Subscribe former = this.refused;
		if (former != null && this.pipeline != null && nowNanos - former.queuedNanos() >= RETRY_NANOS) {
			this.refused = null;
			this.pipeline.enqueue(new Subscribe(former.subscribed));
		}
	}

	void clear() {
		this.channel = null;
	}

	/**
	 * A message that is no reply to a command.
	 */
	void onPush(@Nullable Object push) {
		if (push instanceof List<?> list && list.size() == 3 && "message".equals(text(list.get(0)))
				&& text(list.get(1)).equals(this.channel)) {
			this.onMessage.accept(text(list.get(2)));
		}
	}

	/**
	 * Whether a push message confirms a subscription or its end.
	 */
	static boolean isConfirmation(@Nullable Object push) {
		return push instanceof List<?> list && !list.isEmpty() && text(list.get(0)).endsWith("subscribe");
	}

	private static String text(@Nullable Object raw) {
		return (raw instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : "";
	}

	private final class Subscribe extends ChannelCommand {

		private final String subscribed;

		Subscribe(String channel) {
			super("SUBSCRIBE", channel);
			this.subscribed = channel;
		}

		@Override
		void onReply(@Nullable Object reply) {
			if (!this.subscribed.equals(Subscriptions.this.channel)) {
				return;
			}
			if (reply instanceof RespError error) {
				Subscriptions.this.refused = this;
				Subscriptions.this.refusal = error.describe() + " for channel " + LogText.bounded(this.subscribed);
			}
			else {
				Subscriptions.this.refusal = "";
				Subscriptions.this.onListening.run();
			}
		}

	}

	private static class ChannelCommand extends PendingCommand {

		ChannelCommand(String command, String channel) {
			super(RespEncoder.command(command, channel));
		}

		@Override
		boolean isConfirmedByPush() {
			return true;
		}

	}

}
