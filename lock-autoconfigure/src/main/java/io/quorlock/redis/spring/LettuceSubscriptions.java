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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

import io.quorlock.redis.spring.RedisLink.ChannelListener;

/**
 * One subscription connection of Lettuce, opened when something is listened to.
 * <p>
 * A firewall that drops an idle connection does so without a word, and who only listens
 * does not notice. It is therefore pinged.
 */
final class LettuceSubscriptions {

	private static final int MOST_SILENT_CHECKS = 5;

	private final Supplier<StatefulRedisPubSubConnection<String, String>> opener;

	private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;

	private @Nullable Runnable onSilence;

	private CompletableFuture<String> pong = CompletableFuture.completedFuture("");

	private int silentChecks;

	LettuceSubscriptions(Supplier<StatefulRedisPubSubConnection<String, String>> opener) {
		this.opener = opener;
	}

	boolean isLost() {
		return LettuceLink.isLost(this.connection);
	}

	void subscribe(String channel, ChannelListener listener) {
		StatefulRedisPubSubConnection<String, String> connection = this.connection;
		if (connection == null) {
			connection = open(listener);
		}
		this.onSilence = () -> listener.onFailure(channel, new TimeoutException("no reply to pings"));
		connection.async().subscribe(channel).whenComplete((done, failure) -> {
			if (failure != null) {
				listener.onFailure(channel, failure);
			}
		});
	}

	private StatefulRedisPubSubConnection<String, String> open(ChannelListener listener) {
		StatefulRedisPubSubConnection<String, String> connection = this.opener.get();
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void subscribed(String channel, long count) {
				listener.onSubscribed(channel);
			}

			@Override
			public void message(String channel, String message) {
				listener.onMessage(channel, message);
			}

		});
		this.pong = CompletableFuture.completedFuture("");
		this.silentChecks = 0;
		this.connection = connection;
		return connection;
	}

	void unsubscribe(String channel) {
		StatefulRedisPubSubConnection<String, String> connection = this.connection;
		if (connection != null) {
			connection.async().unsubscribe(channel);
		}
	}

	/** Called about once a second. While Lettuce connects again, nothing is expected. */
	void check() {
		StatefulRedisPubSubConnection<String, String> connection = this.connection;
		if (connection == null || !connection.isOpen()) {
			return;
		}
		if (this.pong.isDone()) {
			this.silentChecks = 0;
			this.pong = connection.async().ping().toCompletableFuture();
		}
		else if (++this.silentChecks == MOST_SILENT_CHECKS && this.onSilence != null) {
			this.onSilence.run();
		}
	}

	void close() {
		StatefulRedisPubSubConnection<String, String> connection = this.connection;
		this.connection = null;
		LettuceLink.close(connection);
	}

}
