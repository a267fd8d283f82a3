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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.spring.RedisTopology.Kind;

/**
 * A link through Lettuce: connections of its own, from the client that the application's
 * factory has built, so that neither waits for the other's commands and no thread waits
 * at all.
 *
 * @param <C> the type of the connections
 */
abstract class LettuceLink<C extends StatefulConnection<byte[], byte[]>> implements RedisLink {

	final LettuceConnectionFactory factory;

	final boolean waits;

	private volatile @Nullable C connection;

	/** For {@code WAIT}, which blocks its connection. */
	private volatile @Nullable C waitConnection;

	LettuceLink(LettuceConnectionFactory factory, boolean waits) {
		this.factory = factory;
		this.waits = waits;
	}

	static LettuceLink<?> of(RedisConnectionFactory factory, RedisTopology topology, boolean waits) {
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
		return (topology.kind() == Kind.CLUSTER) ? new LettuceClusterLink(lettuce, waits)
				: new LettuceServerLink(lettuce, waits);
	}

	@Override
	public void open() {
		if (this.waits && this.waitConnection == null) {
			this.waitConnection = connect();
		}
		this.connection = connect();
	}

	abstract C connect();

	/** Return the connection that is open, or {@code null}. */
	final @Nullable C current() {
		return this.connection;
	}

	final C connection() {
		return required(this.connection);
	}

	final C waitConnection() {
		return required(this.waitConnection);
	}

	private static <T> T required(@Nullable T connection) {
		if (connection == null) {
			throw LinkException.notSent("not connected");
		}
		return connection;
	}

	/**
	 * The connection that serves a key.
	 * @param key the key
	 * @param connection one of those of this link
	 * @return the connection to the server of the key
	 * @throws LinkException if there is none at the moment
	 */
	abstract StatefulRedisConnection<byte[], byte[]> connectionFor(byte[] key, C connection);

	abstract StatefulRedisPubSubConnection<byte[], byte[]> connectPubSub();

	/**
	 * A script could not be run: perhaps the keys are elsewhere by now.
	 * @param failure why
	 */
	abstract void onFailure(Throwable failure);

	@Override
	public final String lostBecause() {
		return (isLost(this.connection) || isLost(this.waitConnection)) ? "connection closed" : unusableBecause();
	}

	/**
	 * Return why its connections are of no use though they are open.
	 * @return the reason; empty if they are
	 */
	String unusableBecause() {
		return "";
	}

	/** Return whether a connection is closed for good. */
	boolean isLost(@Nullable C connection) {
		return connection != null && isClosedForGood(connection);
	}

	/** Lettuce may be told not to connect again by itself. */
	static boolean isClosedForGood(StatefulConnection<?, ?> connection) {
		return !connection.isOpen() && (isClosed(connection) || !connection.getOptions().isAutoReconnect());
	}

	/** A connection factory that is stopped closes all that its client has opened. */
	static boolean isClosed(StatefulConnection<?, ?> connection) {
		return connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed();
	}

	@Override
	public void close() {
		C connection = this.connection;
		C waitConnection = this.waitConnection;
		this.connection = null;
		this.waitConnection = null;
		close(connection);
		close(waitConnection);
	}

	/** Lettuce warns of a connection that is closed twice. */
	private static void close(@Nullable StatefulConnection<?, ?> connection) {
		if (connection != null && !isClosed(connection)) {
			connection.close();
		}
	}

	@Override
	public CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole) {
		RedisAsyncCommands<byte[], byte[]> commands = connectionFor(call.keys()[0], connection()).async();
		CompletionStage<@Nullable Object> reply = whole
				? commands.eval(call.script().source(), ScriptOutputType.OBJECT, call.keys(), call.args())
				: commands.evalsha(call.script().sha1(), ScriptOutputType.OBJECT, call.keys(), call.args());
		return reply.whenComplete((raw, failure) -> {
			if (failure != null) {
				onFailure(failure);
			}
		}).thenApply(LettuceLink::unwrap);
	}

	/** Lettuce wraps a single number in a list. No script returns a list of one. */
	static @Nullable Object unwrap(@Nullable Object reply) {
		return (reply instanceof List<?> list && list.size() == 1) ? list.get(0) : reply;
	}

	@Override
	public void publish(byte[] channel, byte[] text) {
		connectionFor(channel, connection()).async().publish(channel, text);
	}

	@Override
	public CompletionStage<Long> awaitReplicas(byte[] lockKey, int replicas, Duration timeout) {
		RedisAsyncCommands<byte[], byte[]> commands = connectionFor(lockKey, waitConnection()).async();
		CompletionStage<String> mark = commands.set(RedisLink.markKey(lockKey), new byte[0], SetArgs.Builder.px(1));
		CompletionStage<Long> confirmed = commands.waitForReplication(replicas, timeout.toMillis());
		return mark.thenCombine(confirmed, (ok, count) -> count);
	}

	/**
	 * The servers' masters, each on a connection of its own.
	 */
	abstract List<StatefulRedisConnection<byte[], byte[]>> masters();

	@Override
	public List<ServerInfo> info(Duration timeout) throws Exception {
		List<ServerInfo> infos = new ArrayList<>();
		for (StatefulRedisConnection<byte[], byte[]> master : masters()) {
			infos.add(new ServerInfo(master.async().info().get(timeout.toMillis(), TimeUnit.MILLISECONDS)));
		}
		return infos;
	}

	/**
	 * The time is replied first. Without the permission for it, locks work all the same.
	 * While the driver connects again it would keep every question for the server.
	 */
	static OptionalLong ping(StatefulRedisConnection<byte[], byte[]> connection, Duration timeout) throws Exception {
		if (!connection.isOpen()) {
			throw LinkException.notSent("not connected");
		}
		CompletionStage<List<byte[]>> time = connection.async().time();
		try {
			connection.async().ping().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw new TimeoutException("no reply within %d ms".formatted(timeout.toMillis()));
		}
		List<byte[]> replied = time.toCompletableFuture().exceptionally((ex) -> List.of()).getNow(List.of());
		return (replied.size() == 2) ? OptionalLong.of(number(replied.get(0)) * 1_000_000 + number(replied.get(1)))
				: OptionalLong.empty();
	}

	private static long number(byte[] digits) {
		return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
	}

	@Override
	public final RedisConnection openSubscription() {
		// The application's pool would offer a connection that hangs again and again.
		LettuceConnectionProvider provider = new LettuceConnectionProvider() {

			@Override
			public <T extends StatefulConnection<?, ?>> CompletionStage<T> getConnectionAsync(Class<T> type) {
				return CompletableFuture.completedFuture(type.cast(connectPubSub()));
			}

			@Override
			public CompletableFuture<Void> releaseAsync(StatefulConnection<?, ?> connection) {
				return isClosed(connection) ? CompletableFuture.completedFuture(null) : connection.closeAsync();
			}

		};
		return new LettuceConnection((StatefulRedisConnection<byte[], byte[]>) null, provider, 0, 0);
	}

	/**
	 * A link to a single server, or to the master that Sentinel names.
	 */
	static final class LettuceServerLink extends LettuceLink<StatefulRedisConnection<byte[], byte[]>> {

		/**
		 * A firewall may drop what is sent, for as long as TCP repeats it: a quarter of
		 * an hour.
		 */
		private static final int MAX_TIMEOUTS = 3;

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
			if (this.timeouts >= MAX_TIMEOUTS) {
				return "no reply to %d pings in a row".formatted(this.timeouts);
			}
			return this.moved ? "the server is a replica" : "";
		}

		/**
		 * A master that became a replica closes its connections only if a Sentinel tells
		 * it to.
		 */
		@Override
		void onFailure(Throwable failure) {
			long now = System.nanoTime();
			if (RedisErrors.error(failure).code().equals("READONLY") && now - this.movedAt >= MOVE_PAUSE_NANOS) {
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

}
