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
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPipelineException;
import org.springframework.data.redis.connection.ReturnType;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.ScriptCall;

/**
 * One thread that sends commands through a driver that blocks, first in, first out: all
 * that are queued by then in one pipeline, on a connection that it borrows meanwhile. The
 * next connection may be another one, on which a release can overtake a command that
 * timed out (R3).
 */
final class BlockingWorker {

	/** So that none waits for long behind others. */
	private static final int MOST_IN_PIPELINE = 64;

	/** For how long the server may still come upon a command that timed out. */
	private static final long OVERDUE_NANOS = Duration.ofSeconds(30).toNanos();

	private final RedisConnectionFactory factory;

	private final EngineClock clock;

	private final ExecutorService thread;

	private final Queue<Command> queued = new ConcurrentLinkedQueue<>();

	/** The attempts with a command that may still be under way, and since when. */
	private final Map<Attempt, Long> overdue = new WeakHashMap<>();

	BlockingWorker(RedisConnectionFactory factory, EngineClock clock, ThreadFactory threads) {
		this.factory = factory;
		this.clock = clock;
		this.thread = Executors.newSingleThreadExecutor(threads);
	}

	/**
	 * Run a script without blocking.
	 * @param call the script
	 * @param attempt the attempt that it belongs to, whose commands this worker gets all
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
				throw ex;
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
		Command next = this.queued.poll();
		while (next != null) {
			if (next.isGivenUp()) {
				// No caller waits for it any more, and nothing is left behind (R3).
				next.reply().completeExceptionally(new IllegalStateException("given up before it was sent"));
			}
			else {
				commands.add(next);
			}
			next = (commands.size() < MOST_IN_PIPELINE) ? this.queued.poll() : null;
		}
		if (!commands.isEmpty()) {
			send(commands);
		}
	}

	private void send(List<Command> commands) {
		List<? extends @Nullable Object> replies;
		try (RedisConnection connection = this.factory.getConnection()) {
			replies = (commands.size() == 1 || connection instanceof RedisClusterConnection)
					? commands.stream().map((command) -> replyTo(command, connection)).toList()
					: repliesTo(commands, connection);
		}
		catch (RuntimeException | Error ex) {
			commands.forEach((command) -> command.reply().completeExceptionally(ex));
			return;
		}
		for (int i = 0; i < commands.size(); i++) {
			complete(commands.get(i), replies.get(i));
		}
	}

	/** Return the reply, or the failure. */
	private static @Nullable Object replyTo(Command command, RedisConnection connection) {
		try {
			return command.send(connection);
		}
		catch (RuntimeException | Error ex) {
			return ex;
		}
	}

	/** Return the reply to each command, or its failure. */
	private static List<? extends @Nullable Object> repliesTo(List<Command> commands, RedisConnection connection) {
		try {
			connection.openPipeline();
			commands.forEach((command) -> command.send(connection));
			return connection.closePipeline();
		}
		catch (RedisPipelineException ex) {
			return ex.getPipelineResult(); // errors of the server among them
		}
		catch (RuntimeException | Error ex) {
			return Collections.nCopies(commands.size(), ex);
		}
	}

	private void complete(Command command, @Nullable Object reply) {
		boolean release = command.call().script().isRelease();
		if (reply instanceof Throwable failure) {
			if (!release && RedisErrors.toReply(failure).cause() == Cause.CONNECTION_LOST) {
				this.overdue.put(command.attempt(), this.clock.nanoTime());
			}
			command.reply().completeExceptionally(failure);
		}
		else if (release && isOverdue(command.attempt())) {
			// R3, R8: it is sent again, until nothing can come after it
			command.reply()
				.completeExceptionally(
						new RedisConnectionFailureException("an earlier command may still be under way"));
		}
		else {
			command.reply().complete(reply);
		}
	}

	private boolean isOverdue(Attempt attempt) {
		Long since = this.overdue.get(attempt);
		return since != null && this.clock.nanoTime() - since < OVERDUE_NANOS;
	}

	private record Command(ScriptCall call, Attempt attempt, boolean whole, CompletableFuture<@Nullable Object> reply) {

		boolean isGivenUp() {
			return this.attempt.isReleasing() && !this.call.script().isRelease();
		}

		/** Return the reply; inside of a pipeline there is none yet. */
		@Nullable Object send(RedisConnection connection) {
			byte[][] keys = this.call.keys();
			byte[][] args = this.call.args();
			byte[][] keysAndArgs = new byte[keys.length + args.length][];
			System.arraycopy(keys, 0, keysAndArgs, 0, keys.length);
			System.arraycopy(args, 0, keysAndArgs, keys.length, args.length);
			String script = this.whole ? this.call.script().source() : this.call.script().sha1();
			byte[] text = script.getBytes(StandardCharsets.UTF_8);
			return this.whole ? connection.scriptingCommands().eval(text, ReturnType.VALUE, keys.length, keysAndArgs)
					: connection.scriptingCommands().evalSha(text, ReturnType.VALUE, keys.length, keysAndArgs);
		}

	}

}
