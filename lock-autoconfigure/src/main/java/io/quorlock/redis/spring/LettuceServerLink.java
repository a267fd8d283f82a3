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
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A link to a single server, or to the master that Sentinel names.
 */
final class LettuceServerLink extends LettuceLink<StatefulRedisConnection<byte[], byte[]>> {

	/**
	 * A firewall may drop what is sent, for as long as TCP repeats it: a quarter of an
	 * hour.
	 */
	private static final int MOST_TIMEOUTS = 3;

	private static final long MOVE_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

	/** Pings in a row that were not replied to in time. */
	private volatile int timeouts;

	/** The address may lead to another master by now. */
	private volatile boolean moved;

	private volatile long movedAt = System.nanoTime() - MOVE_PAUSE_NANOS;

	LettuceServerLink(LettuceConnectionFactory factory, boolean waits) {
		super(factory, waits);
	}

	@Override
	StatefulRedisConnection<byte[], byte[]> connect() {
		return client().connect(ByteArrayCodec.INSTANCE);
	}

	private RedisClient client() {
		return (RedisClient) this.factory.getRequiredNativeClient();
	}

	@Override
	public OptionalLong ping(Duration timeout) throws Exception {
		try {
			OptionalLong micros = ping(connection(), timeout);
			this.timeouts = 0;
			return micros;
		}
		catch (TimeoutException ex) {
			this.timeouts++;
			throw ex;
		}
	}

	@Override
	List<StatefulRedisConnection<byte[], byte[]>> masters() {
		return List.of(connection());
	}

	@Override
	String unusableBecause() {
		if (this.timeouts >= MOST_TIMEOUTS) {
			return "no reply to %d pings in a row".formatted(this.timeouts);
		}
		return this.moved ? "the server is a replica" : "";
	}

	/**
	 * A master that became a replica closes its connections only if a Sentinel tells it
	 * to.
	 */
	@Override
	void onFailure(Throwable failure) {
		long now = System.nanoTime();
		if (RedisErrors.isReadOnly(failure) && now - this.movedAt >= MOVE_PAUSE_NANOS) {
			this.movedAt = now;
			this.moved = true;
		}
	}

	@Override
	StatefulRedisConnection<byte[], byte[]> connectionFor(byte[] key,
			StatefulRedisConnection<byte[], byte[]> connection) {
		return connection;
	}

	@Override
	StatefulRedisPubSubConnection<byte[], byte[]> connectPubSub() {
		return client().connectPubSub(ByteArrayCodec.INSTANCE);
	}

	@Override
	public void close() {
		this.timeouts = 0;
		this.moved = false;
		super.close();
	}

}
