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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPipelineException;
import org.springframework.data.redis.connection.RedisStringCommands.SetOption;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.types.Expiration;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.LockClock;

/**
 * A link through a driver that blocks, such as Jedis: a few workers. The commands of an
 * attempt all go to one of them (R3).
 */
final class BlockingLink implements RedisLink {

	private static final Log logger = LogFactory.getLog(BlockingLink.class);

	/** Few, since each may take a connection out of the application's pool. */
	private static final int WORKERS = 4;

	/**
	 * In a Cluster each has neighbouring slots, so that a master that hangs holds up its
	 * own workers: four of three masters, three of four, two of six.
	 */
	private static final int WORKERS_IN_CLUSTER = 12;

	private static final int WAITERS = 2;

	/** So that none waits for long behind others. */
	private static final int MAX_IN_PIPELINE = 64;

	/** For how long the server may still come upon a command that timed out. */
	private static final long OVERDUE_NANOS = Duration.ofSeconds(30).toNanos();

	private final RedisConnectionFactory factory;

	private final LockClock clock;

	/** The attempts with a command that may still be under way, and since when. */
	private final Map<Attempt, Long> overdue = Collections.synchronizedMap(new WeakHashMap<>());

	private volatile @Nullable Threads threads;

	BlockingLink(RedisConnectionFactory factory, LockClock clock) {
		this.factory = factory;
		this.clock = clock;
	}

	@Override
	public void open() {
		ping(Duration.ZERO);
		ReturnType replies;
		boolean cluster;
		try (RedisConnection connection = this.factory.getConnection()) {
			replies = replies(connection);
			cluster = connection instanceof RedisClusterConnection;
		}
		CustomizableThreadFactory threads = new CustomizableThreadFactory("quorlock-redis-worker-");
		threads.setDaemon(true);
		this.threads = new Threads(Stream.generate(() -> new Worker(replies, threads))
			.limit(cluster ? WORKERS_IN_CLUSTER : WORKERS)
			.toList(), cluster, Executors.newFixedThreadPool(WAITERS, threads));
	}

	/**
	 * The factory may be a wrapper around one of Lettuce, which reads a number for no
	 * type but {@code MULTI}; Jedis casts what it has read.
	 */
	private static ReturnType replies(RedisConnection connection) {
		return RedisTopology.isLettuce(connection) ? ReturnType.MULTI : ReturnType.VALUE;
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
		for (RedisClusterNode node : masters(cluster)) {
			try {
				cluster.ping(node);
				return time(() -> cluster.serverCommands().time(node, TimeUnit.MICROSECONDS));
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	@Override
	public List<ServerInfo> info(Duration timeout) {
		try (RedisConnection connection = this.factory.getConnection()) {
			List<@Nullable Properties> infos = new ArrayList<>();
			if (connection instanceof RedisClusterConnection cluster) {
				masters(cluster).forEach((node) -> infos.add(cluster.serverCommands().info(node)));
			}
			else {
				infos.add(connection.serverCommands().info());
			}
			return infos.stream().filter(Objects::nonNull).flatMap(BlockingLink::infos).toList();
		}
	}

	/** A Cluster behind a wrapper replies for all servers: 10.0.0.1:6379.redis_mode. */
	private static Stream<ServerInfo> infos(Properties properties) {
		Map<String, String> texts = new HashMap<>();
		properties.forEach((key, value) -> {
			String name = String.valueOf(key);
			int field = name.lastIndexOf('.') + 1;
			texts.merge(name.substring(0, field), name.substring(field) + ":" + value + "\n", String::concat);
		});
		return texts.values().stream().map(ServerInfo::new);
	}

	private static List<RedisClusterNode> masters(RedisClusterConnection cluster) {
		List<RedisClusterNode> masters = new ArrayList<>();
		for (RedisClusterNode node : cluster.clusterGetNodes()) {
			if (node.isMaster() && !node.getSlotRange().getSlots().isEmpty()) {
				masters.add(node);
			}
		}
		return masters;
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
		return threads().workerOf(call, attempt).run(call, attempt, whole);
	}

	@Override
	public void publish(byte[] channel, byte[] text) {
		threads().waiter().execute(() -> {
			try (RedisConnection connection = this.factory.getConnection()) {
				connection.commands().publish(channel, text);
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
		}, threads().waiter());
	}

	private Threads threads() {
		Threads threads = this.threads;
		if (threads == null) {
			throw LinkException.notSent("not connected");
		}
		return threads;
	}

	private static byte[] bytes(long number) {
		return Long.toString(number).getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public RedisConnection openSubscription() {
		return this.factory.getConnection();
	}

	@Override
	public void close() {
		Threads threads = this.threads;
		if (threads != null) {
			this.threads = null;
			threads.workers().forEach(Worker::close);
			threads.waiter().shutdown();
		}
	}

	/**
	 * What runs while the link is open.
	 *
	 * @param waiter for {@code WAIT}, which blocks its thread: renewals must not stand
	 * behind it
	 */
	private record Threads(List<Worker> workers, boolean cluster, ExecutorService waiter) {

		/** The names of an attempt share a slot. */
		Worker workerOf(ScriptCall call, Attempt attempt) {
			int size = this.workers.size();
			return this.workers.get(this.cluster
					? ClusterSlotHashUtil.calculateSlot(call.keys()[0]) * size / ClusterSlotHashUtil.SLOT_COUNT
					: Math.floorMod(attempt.owner().hashCode(), size));
		}

	}

	/**
	 * One thread that sends commands through a driver that blocks, first in, first out.
	 * Those that have queued up share a pipeline if the driver is Jedis, though not in a
	 * Cluster. Each time it borrows a connection, perhaps another one: a release may
	 * overtake a command before it that timed out (R3).
	 */
	final class Worker {

		private final ReturnType replies;

		private final ExecutorService thread;

		private final BlockingQueue<Command> queued = new LinkedBlockingQueue<>();

		/**
		 * Create a worker.
		 * @param replies the type that the driver gives any reply as
		 */
		Worker(ReturnType replies, ThreadFactory threads) {
			this.replies = replies;
			this.thread = Executors.newSingleThreadExecutor(threads);
		}

		CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole) {
			Command command = new Command(call, attempt, whole, new CompletableFuture<>());
			this.queued.add(command);
			try {
				this.thread.execute(this::sendQueued);
			}
			catch (RejectedExecutionException ex) {
				if (this.queued.remove(command)) {
					throw LinkException.notSent("not connected");
				}
			}
			return command.reply();
		}

		/** Take no more commands; those that are queued are still sent. */
		void close() {
			this.thread.shutdown();
		}

		private void sendQueued() {
			List<Command> commands = new ArrayList<>();
			this.queued.drainTo(commands, MAX_IN_PIPELINE);
			if (commands.isEmpty()) {
				return; // sent with those before
			}
			try (RedisConnection connection = connection()) {
				if (commands.size() > 1 && RedisTopology.JEDIS && JedisConnections.hasPipeline(connection)) {
					connection.openPipeline();
					sendTogether(commands.stream().filter(this::isWanted).toList(), connection);
				}
				else {
					commands.stream().filter(this::isWanted).forEach((command) -> send(command, connection));
				}
			}
			catch (RuntimeException | Error ex) {
				// Those that have no reply yet were not sent.
				commands.forEach((command) -> command.reply().completeExceptionally(ex));
			}
		}

		private RedisConnection connection() {
			try {
				return BlockingLink.this.factory.getConnection();
			}
			catch (RuntimeException ex) {
				throw LinkException.notSent(RedisErrors.describe(ex));
			}
		}

		/**
		 * Return whether a command is still to be sent, and fail it otherwise. To be
		 * asked when there is a connection, since that may take long.
		 */
		private boolean isWanted(Command command) {
			boolean wanted = command.isRelease() || !command.attempt().isReleasing();
			if (!wanted) {
				// No caller waits for it any more, and nothing is left behind (R3).
				command.reply().completeExceptionally(LinkException.notSent("given up before it was sent"));
			}
			return wanted;
		}

		private void send(Command command, RedisConnection connection) {
			try {
				onReply(command, command.send(connection, this.replies));
			}
			catch (RuntimeException | Error ex) {
				onFailure(command, ex);
			}
		}

		private void sendTogether(List<Command> commands, RedisConnection connection) {
			List<? extends @Nullable Object> replies;
			try {
				commands.forEach((command) -> command.send(connection, this.replies));
				replies = connection.closePipeline();
			}
			catch (RedisPipelineException ex) {
				replies = ex.getPipelineResult(); // errors of the server among them
			}
			catch (RuntimeException | Error ex) {
				commands.forEach((command) -> onFailure(command, ex));
				// Its buffers are not empty.
				JedisConnections.discard(connection);
				return;
			}
			for (int i = 0; i < commands.size(); i++) {
				if (replies.get(i) instanceof Exception failure) {
					onFailure(commands.get(i), failure);
				}
				else {
					onReply(commands.get(i), replies.get(i));
				}
			}
		}

		private void onReply(Command command, @Nullable Object reply) {
			if (command.isRelease() && isOverdue(command.attempt())) {
				// R3, R8: it is sent again, until nothing can come after it
				command.reply()
					.completeExceptionally(LinkException
						.unconfirmed("released, but an earlier command of the attempt may still be under way"));
			}
			else {
				// No script returns a list of one element.
				command.reply().complete((reply instanceof List<?> list && list.size() == 1) ? list.get(0) : reply);
			}
		}

		private void onFailure(Command command, Throwable failure) {
			if (!command.isRelease() && RedisErrors.toReply(failure).cause() == Cause.CONNECTION_LOST) {
				BlockingLink.this.overdue.put(command.attempt(), BlockingLink.this.clock.nanoTime());
			}
			command.reply().completeExceptionally(failure);
		}

		private boolean isOverdue(Attempt attempt) {
			Long since = BlockingLink.this.overdue.get(attempt);
			return since != null && BlockingLink.this.clock.nanoTime() - since < OVERDUE_NANOS;
		}

	}

	private record Command(ScriptCall call, Attempt attempt, boolean whole, CompletableFuture<@Nullable Object> reply) {

		boolean isRelease() {
			return this.call.script().isRelease();
		}

		/** Return the reply; inside of a pipeline there is none yet. */
		@Nullable Object send(RedisConnection connection, ReturnType replies) {
			byte[][] keys = this.call.keys();
			byte[][] args = this.call.args();
			byte[][] keysAndArgs = Arrays.copyOf(keys, keys.length + args.length);
			System.arraycopy(args, 0, keysAndArgs, keys.length, args.length);
			String script = this.whole ? this.call.script().source() : this.call.script().sha1();
			byte[] text = script.getBytes(StandardCharsets.UTF_8);
			return this.whole ? connection.scriptingCommands().eval(text, replies, keys.length, keysAndArgs)
					: connection.scriptingCommands().evalSha(text, replies, keys.length, keysAndArgs);
		}

	}

}
