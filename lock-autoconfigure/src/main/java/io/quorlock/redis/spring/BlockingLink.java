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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.types.Expiration;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.RefusedMessages;
import io.quorlock.redis.ScriptCall;

/**
 * A link through a driver that blocks, such as Jedis: a few threads, each of which sends
 * one command at a time. All commands of an attempt run on the same thread (R3), yet not
 * on the same connection: one that timed out may reach the server behind the release.
 */
final class BlockingLink implements RedisLink {

	private static final Log logger = LogFactory.getLog(BlockingLink.class);

	/** Few, since each may take a connection out of the application's pool. */
	private static final int THREADS = 4;

	private static final int WAITERS = 2;

	/** For how long the server may still come upon a command that timed out. */
	private static final long OVERDUE_NANOS = Duration.ofSeconds(30).toNanos();

	private final RedisConnectionFactory factory;

	private final EngineClock clock;

	private final ContainerSubscriptions subscriptions;

	/** The attempts with a command that may still be under way, and since when. */
	private final Map<Attempt, Long> overdue = Collections.synchronizedMap(new WeakHashMap<>());

	private volatile @Nullable List<ExecutorService> workers;

	private volatile @Nullable ExecutorService waiter;

	BlockingLink(RedisConnectionFactory factory, EngineClock clock) {
		this.factory = factory;
		this.clock = clock;
		this.subscriptions = new ContainerSubscriptions(factory);
	}

	@Override
	public void open() {
		ping(Duration.ZERO);
		CustomizableThreadFactory threads = new CustomizableThreadFactory("quorlock-redis-worker-");
		threads.setDaemon(true);
		List<ExecutorService> workers = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			workers.add(Executors.newSingleThreadExecutor(threads));
		}
		this.workers = workers;
		// WAIT blocks its thread, and renewals must not stand behind it.
		this.waiter = Executors.newFixedThreadPool(WAITERS, threads);
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * The timeout is the one of the driver.
	 */
	@Override
	public OptionalLong ping(Duration timeout) {
		try (RedisConnection connection = this.factory.getConnection()) {
			if (connection instanceof RedisClusterConnection cluster) {
				return ping(cluster);
			}
			connection.commands().ping();
			return time(() -> connection.serverCommands().time(TimeUnit.MICROSECONDS));
		}
	}

	/** A ping without a node fails with any master, while the locks of others work. */
	private static OptionalLong ping(RedisClusterConnection cluster) {
		RuntimeException failure = new IllegalStateException("no master has a slot");
		for (RedisClusterNode node : cluster.clusterGetNodes()) {
			if (node.isMaster() && !node.getSlotRange().getSlots().isEmpty()) {
				try {
					cluster.ping(node);
					return time(() -> cluster.serverCommands().time(node, TimeUnit.MICROSECONDS));
				}
				catch (RuntimeException ex) {
					failure = ex;
				}
			}
		}
		throw failure;
	}

	/** Without the permission for it, locks work all the same. */
	private static OptionalLong time(Supplier<@Nullable Long> question) {
		try {
			Long micros = question.get();
			return (micros != null && micros > 0) ? OptionalLong.of(micros) : OptionalLong.empty();
		}
		catch (RuntimeException ex) {
			logger.debug("The server does not report its time", ex);
			return OptionalLong.empty();
		}
	}

	@Override
	public CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole) {
		return submit(call, attempt, (connection) -> eval(connection, call, whole));
	}

	@Override
	public void publish(RefusedMessages.Message message) {
		waiter().execute(() -> {
			try (RedisConnection connection = this.factory.getConnection()) {
				connection.commands().publish(message.channel(), message.text());
			}
			catch (RuntimeException ex) {
				logger.debug("A message was not published", ex);
			}
		});
	}

	@Override
	public CompletionStage<Long> awaitReplicas(byte[] lockKey, int replicas, Duration timeout) {
		return CompletableFuture.supplyAsync(() -> {
			try (RedisConnection connection = this.factory.getConnection()) {
				// A pipeline keeps to one connection, of which WAIT speaks.
				connection.openPipeline();
				connection.stringCommands()
					.set(RedisLink.markKey(lockKey), new byte[0], Expiration.milliseconds(1), SetOption.upsert());
				connection.execute("WAIT", bytes(replicas), bytes(timeout.toMillis()));
				List<@Nullable Object> replies = connection.closePipeline();
				return (replies.get(1) instanceof Long confirmed) ? confirmed : 0L;
			}
		}, waiter());
	}

	private ExecutorService waiter() {
		ExecutorService waiter = this.waiter;
		if (waiter == null) {
			throw new IllegalStateException("not connected");
		}
		return waiter;
	}

	private static @Nullable Object eval(RedisConnection connection, ScriptCall call, boolean whole) {
		byte[][] keysAndArgs = new byte[call.keys().length + call.args().length][];
		System.arraycopy(call.keys(), 0, keysAndArgs, 0, call.keys().length);
		System.arraycopy(call.args(), 0, keysAndArgs, call.keys().length, call.args().length);
		byte[] script = (whole ? call.script().source() : call.script().sha1()).getBytes(StandardCharsets.UTF_8);
		return whole ? connection.scriptingCommands().eval(script, ReturnType.VALUE, call.keys().length, keysAndArgs)
				: connection.scriptingCommands().evalSha(script, ReturnType.VALUE, call.keys().length, keysAndArgs);
	}

	private static byte[] bytes(long number) {
		return Long.toString(number).getBytes(StandardCharsets.UTF_8);
	}

	private <T extends @Nullable Object> CompletionStage<T> submit(ScriptCall call, Attempt attempt,
			Function<RedisConnection, T> work) {
		List<ExecutorService> workers = this.workers;
		if (workers == null) {
			throw new IllegalStateException("not connected");
		}
		int worker = Math.floorMod(attempt.token().hashCode(), workers.size());
		return CompletableFuture.supplyAsync(() -> {
			if (attempt.isReleasing() && !call.script().isRelease()) {
				// No caller waits for it any more, and nothing is left behind (R3).
				throw new IllegalStateException("given up before it was sent");
			}
			try (RedisConnection connection = this.factory.getConnection()) {
				if (!call.script().isRelease()) {
					return send(work, connection, attempt);
				}
				T reply = work.apply(connection);
				checkLast(attempt);
				return reply;
			}
		}, workers.get(worker));
	}

	private <T extends @Nullable Object> T send(Function<RedisConnection, T> work, RedisConnection connection,
			Attempt attempt) {
		try {
			return work.apply(connection);
		}
		catch (RuntimeException ex) {
			if (RedisErrors.toReply(ex).cause() == Cause.CONNECTION_LOST) {
				this.overdue.put(attempt, this.clock.nanoTime());
			}
			throw ex;
		}
	}

	// R3, R8: such a release is sent again, until nothing can come after it
	private void checkLast(Attempt attempt) {
		Long since = this.overdue.get(attempt);
		if (since != null && this.clock.nanoTime() - since < OVERDUE_NANOS) {
			throw new RedisConnectionFailureException("an earlier command may still be under way");
		}
	}

	@Override
	public void subscribe(String channel, ChannelListener listener) {
		this.subscriptions.subscribe(channel, listener);
	}

	@Override
	public void unsubscribe(String channel) {
		this.subscriptions.unsubscribe(channel);
	}

	@Override
	public void closeSubscriptions() {
		this.subscriptions.close();
	}

	@Override
	public void close() {
		this.subscriptions.close();
		List<ExecutorService> workers = this.workers;
		if (workers != null) {
			this.workers = null;
			workers.forEach(ExecutorService::shutdown);
		}
		ExecutorService waiter = this.waiter;
		if (waiter != null) {
			this.waiter = null;
			waiter.shutdown();
		}
	}

}
