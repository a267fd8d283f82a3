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

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.DefaultStringRedisConnection;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.Subscription;

/**
 * Keeps a connection whose subscription failed away from the application's pool. Spring
 * Data sends an {@code UNSUBSCRIBE} as it closes the connection, and reads no reply: the
 * next borrower would get it as the reply to a command of its own, and all later replies
 * one command late.
 *
 * @param delegate opens the connections
 */
record SubscriptionConnectionFactory(RedisConnectionFactory delegate) implements RedisConnectionFactory {

	@Override
	public RedisConnection getConnection() {
		return new SubscriptionConnection(this.delegate.getConnection());
	}

	@Override
	public RedisClusterConnection getClusterConnection() {
		return this.delegate.getClusterConnection();
	}

	@Override
	public RedisSentinelConnection getSentinelConnection() {
		return this.delegate.getSentinelConnection();
	}

	@Override
	public boolean getConvertPipelineAndTxResults() {
		return this.delegate.getConvertPipelineAndTxResults();
	}

	@Override
	public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException ex) {
		return this.delegate.translateExceptionIfPossible(ex);
	}

	private static final class SubscriptionConnection extends DefaultStringRedisConnection {

		private static final long POLL_NANOS = Duration.ofMillis(100).toNanos();

		private final RedisConnection connection;

		private volatile boolean failed;

		SubscriptionConnection(RedisConnection connection) {
			super(connection);
			this.connection = connection;
		}

		@Override
		public void subscribe(MessageListener listener, byte[]... channels) {
			try {
				super.subscribe(listener, channels);
				awaitEnd();
			}
			catch (RuntimeException ex) {
				this.failed = true;
				throw ex;
			}
		}

		/**
		 * The container takes whatever is not a factory of Lettuce for a driver that
		 * blocks.
		 */
		private void awaitEnd() {
			Subscription subscription = this.connection.getSubscription();
			while (subscription != null && subscription.isAlive() && RedisTopology.isLettuce(this.connection)
					&& !Thread.currentThread().isInterrupted()) {
				LockSupport.parkNanos(this, POLL_NANOS);
			}
		}

		@Override
		public void close() {
			if (!this.failed) {
				super.close();
			}
			else if (RedisTopology.JEDIS) {
				JedisConnections.discard(this.connection);
			}
		}

	}

}
