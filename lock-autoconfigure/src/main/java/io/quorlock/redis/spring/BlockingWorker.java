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
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPipelineException;
import org.springframework.data.redis.connection.ReturnType;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.ScriptCall;
import io.quorlock.time.LockClock;

/**
 * One thread that sends commands through a driver that blocks, first in, first out. Those
 * that have queued up share a pipeline if the driver is Jedis, though not in a Cluster.
 * Each time it borrows a connection, perhaps another one: a release may overtake a
 * command before it that timed out (R3).
 */
final class BlockingWorker {

	/** So that none waits for long behind others. */
	private static final int MOST_IN_PIPELINE = 64;

	/** For how long the server may still come upon a command that timed out. */
	private static final long OVERDUE_NANOS = Duration.ofSeconds(30).toNanos();

	private final RedisConnectionFactory factory;

	private final ReturnType replies;

	private final LockClock clock;

	private final Map<Attempt, Long> overdue;

	private final ExecutorService thread;

	private final BlockingQueue<Command> queued = new LinkedBlockingQueue<>();

	/**
	 * Create a worker.
	 * @param replies the type that the driver gives any reply as
	 * @param overdue the attempts with a command that may still be under way, and since
	 * when; outlives the worker
	 */
	BlockingWorker(RedisConnectionFactory factory, ReturnType replies, LockClock clock, Map<Attempt, Long> overdue,
			ThreadFactory threads) {
		this.factory = factory;
		this.replies = replies;
		this.clock = clock;
		this.overdue = overdue;
		this.thread = Executors.newSingleThreadExecutor(threads);
	}

	/**
	 * Run a script without blocking.
	 * @param call the script
	 * @param attempt the attempt that it belongs to; all of its commands go to one worker
	 * @param whole whether to send the script's text rather than its name
	 * @return the reply
	 */
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
		this.queued.drainTo(commands, MOST_IN_PIPELINE);
		if (commands.isEmpty()) {
			return; // sent with those before
		}
		try (RedisConnection connection = connection()) {
			if (commands.size() > 1 && RedisTopology.JEDIS && JedisConnections.hasPipeline(connection)) {
				connection.openPipeline();
				sendTogether(commands.stream().filter(BlockingWorker::isWanted).toList(), connection);
			}
			else {
				commands.stream().filter(BlockingWorker::isWanted).forEach((command) -> send(command, connection));
			}
		}
		catch (RuntimeException | Error ex) {
			// Those that have no reply yet were not sent.
			commands.forEach((command) -> command.reply().completeExceptionally(ex));
		}
	}

	private RedisConnection connection() {
		try {
			return this.factory.getConnection();
		}
		catch (RuntimeException ex) {
			throw LinkException.notSent(RedisErrors.describe(ex));
		}
	}

	/**
	 * Return whether a command is still to be sent, and fail it otherwise. To be asked
	 * when there is a connection, since that may take long.
	 */
	private static boolean isWanted(Command command) {
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
			this.overdue.put(command.attempt(), this.clock.nanoTime());
		}
		command.reply().completeExceptionally(failure);
	}

	private boolean isOverdue(Attempt attempt) {
		Long since = this.overdue.get(attempt);
		return since != null && this.clock.nanoTime() - since < OVERDUE_NANOS;
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
