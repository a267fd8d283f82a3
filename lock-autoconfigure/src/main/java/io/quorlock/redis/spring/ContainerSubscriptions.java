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

package io.quorlock.redis.spring;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.backoff.BackOffExecution;

import io.quorlock.redis.spring.RedisLink.ChannelListener;

/**
 * One subscription connection out of the application's pool, opened when something is
 * listened to, and restored when it breaks.
 * <p>
 * A connection without a channel returns to the pool at once. A late message on it would
 * be read as the reply to the next borrower's command. An unused channel therefore keeps
 * the connection until the end.
 */
final class ContainerSubscriptions {

	private static final MessageListener KEEPER = (message, pattern) -> {
	};

	private final RedisConnectionFactory factory;

	private @Nullable Container container;

	private @Nullable Relay relay;

	private @Nullable ExecutorService threads;

	ContainerSubscriptions(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	void subscribe(String channel, ChannelListener listener) {
		if (this.container == null) {
			start(channel, listener);
		}
		else if (this.relay != null) {
			this.container.channel = channel;
			this.container.addMessageListener(this.relay, ChannelTopic.of(channel));
		}
	}

	private void start(String channel, ChannelListener listener) {
		CustomizableThreadFactory threadFactory = new CustomizableThreadFactory("quorlock-redis-subscription-");
		threadFactory.setDaemon(true);
		ExecutorService threads = Executors.newCachedThreadPool(threadFactory);
		Container container = new Container(channel, listener);
		container.setConnectionFactory(new SubscriptionConnectionFactory(this.factory));
		container.setTaskExecutor(threads);
		container.setRecoveryInterval(500);
		container.afterPropertiesSet();
		Relay relay = new Relay(listener);
		container.addMessageListener(KEEPER, ChannelTopic.of(channel + ":none"));
		container.addMessageListener(relay, ChannelTopic.of(channel));
		this.threads = threads;
		this.container = container;
		this.relay = relay;
		try {
			container.start();
			container.started = true;
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	void unsubscribe(String channel) {
		if (this.container != null && this.relay != null) {
			this.container.removeMessageListener(this.relay, ChannelTopic.of(channel));
		}
	}

	void close() {
		Container container = this.container;
		ExecutorService threads = this.threads;
		this.container = null;
		this.threads = null;
		if (container != null) {
			container.stop();
		}
		if (threads != null) {
			threads.shutdownNow();
		}
	}

	/**
	 * Recovers from broken connections only. After any other failure it says that it
	 * listens, and does not.
	 */
	private static final class Container extends RedisMessageListenerContainer {

		private final ChannelListener listener;

		private volatile String channel;

		/** Until then the caller gets the failure. */
		private volatile boolean started;

		Container(String channel, ChannelListener listener) {
			this.channel = channel;
			this.listener = listener;
		}

		@Override
		protected void handleSubscriptionException(CompletableFuture<Void> future, BackOffExecution backOff,
				Throwable failure) {
			super.handleSubscriptionException(future, backOff, failure);
			if (this.started && isRunning() && !(failure instanceof RedisConnectionFailureException)) {
				this.listener.onFailure(this.channel, failure);
			}
		}

	}

	private record Relay(ChannelListener listener) implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			this.listener.onMessage(new String(message.getChannel(), StandardCharsets.UTF_8),
					new String(message.getBody(), StandardCharsets.UTF_8));
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			this.listener.onSubscribed(new String(channel, StandardCharsets.UTF_8));
		}

	}

}
