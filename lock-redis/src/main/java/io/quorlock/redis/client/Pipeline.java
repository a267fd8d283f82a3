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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.RespError;
import io.quorlock.redis.RespFormatException;
import io.quorlock.redis.RespReader;
import io.quorlock.time.LockClock;

/**
 * The commands of all callers on one connection, first in, first out (R3). A writer
 * thread sends all that is queued in one flush and does not wait for the replies; the
 * thread in {@link #run()} reads them. Lives and dies with the connection.
 */
final class Pipeline {

	private static final Log logger = LogFactory.getLog(Pipeline.class);

	private final String name;

	private final Connection connection;

	private final CommandQueue commands;

	private final Supplier<RespReader.Limits> nextLimits;

	private final Consumer<@Nullable Object> onPush;

	/**
	 * Create a new pipeline.
	 * @param onPush receives the messages that are no reply to a command
	 */
	Pipeline(String name, Connection connection, LockClock clock, Consumer<@Nullable Object> onPush) {
		this.name = name;
		this.connection = connection;
		this.commands = new CommandQueue(clock);
		this.nextLimits = this.commands::nextLimits;
		this.onPush = onPush;
	}

	/**
	 * Send a command, or fail it at once. Never blocks, never throws.
	 */
	void submit(PendingCommand command) {
		submitIf(() -> true, "", command);
	}

	/**
	 * Send commands one right after the other, unless the condition, asked while nothing
	 * else can be queued, is false: then the last of them fails.
	 */
	void submitIf(BooleanSupplier condition, String otherwise, PendingCommand... commands) {
		CommandQueue.Offer offer = this.commands.offer(condition, otherwise, commands);
		if (offer.refusal() != null) {
			commands[commands.length - 1].onFailure(Cause.NOT_SENT, offer.refusal());
		}
		else {
			write(offer.toWrite());
		}
	}

	/**
	 * Send a command with the next one, or upon {@link #flush()}; or fail it at once.
	 * Never writes, never throws.
	 */
	void enqueue(PendingCommand command) {
		String refusal = offer(command);
		if (refusal != null) {
			command.onFailure(Cause.NOT_SENT, refusal);
		}
	}

	/**
	 * Send a command as {@link #enqueue} does, or refuse it. Calls no handler.
	 * @return why it was not taken, or {@code null} if it was
	 */
	@Nullable String offer(PendingCommand command) {
		return this.commands.enqueue(command);
	}

	/**
	 * Send what was left for later.
	 */
	void flush() {
		write(this.commands.flush());
	}

	/**
	 * Read replies until the connection ends, then fail what is left.
	 * @return why it ended
	 */
	String run() {
		try {
			Connector.startThread(this::writeQueued, "quorlock-writer-" + this.name);
			while (true) {
				readOne();
			}
		}
		catch (RespFormatException ex) {
			close(String.valueOf(ex.getMessage()));
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Reading from lock node " + this.name + " ended", ex);
			close("connection closed");
		}
		catch (Error ex) {
			logger.error("Reading from lock node " + this.name + " failed; report it with what follows", ex);
			close("unexpected failure, see the log");
		}
		CommandQueue.Remains remains = this.commands.takeRemains();
		fail(remains.lost(), Cause.CONNECTION_LOST, remains.reason());
		fail(remains.notSent(), Cause.NOT_SENT, remains.reason());
		return remains.reason();
	}

	private static void fail(List<PendingCommand> commands, Cause cause, String reason) {
		commands.forEach((command) -> PendingCommand.call(() -> command.onFailure(cause, reason)));
	}

	private void readOne() throws IOException {
		boolean push = this.connection.nextIsPush();
		Object reply = push ? this.connection.read(RespReader.Limits.PUSH) : this.connection.read(this.nextLimits);
		if (push && !Subscriptions.isConfirmation(reply)) {
			PendingCommand.call(() -> this.onPush.accept(reply));
		}
		else {
			PendingCommand command = this.commands.takeRepliedTo(push, reply instanceof RespError);
			command.deliver(reply);
		}
	}

	private void writeQueued() {
		List<PendingCommand> batch = new ArrayList<>();
		while (this.commands.awaitQueued()) {
			// Callers that are about to queue more go first: fewer and larger writes.
			Thread.yield();
			this.commands.takeQueued(batch);
			write(batch);
			batch.clear();
		}
	}

	private void write(List<PendingCommand> commands) {
		if (commands.isEmpty()) {
			return;
		}
		try {
			for (PendingCommand command : commands) {
				this.connection.write(command.bytes());
			}
			this.connection.flush();
		}
		catch (IOException | RuntimeException | Error ex) {
			close("connection closed");
		}
		this.commands.written();
	}

	/**
	 * Return for how long the oldest command has been waiting for its reply.
	 */
	long oldestNanos(long nowNanos) {
		return this.commands.oldestNanos(nowNanos);
	}

	/**
	 * Return for how long commands have been waiting without any reply.
	 */
	long silentNanos(long nowNanos) {
		return this.commands.silentNanos(nowNanos);
	}

	/**
	 * Wait until no command is pending, at most so long.
	 */
	void drain(long nanos) {
		long end = System.nanoTime() + nanos;
		boolean interrupted = false;
		while (!this.commands.isSettled() && System.nanoTime() < end) {
			flush(); // the caller that enqueued it no longer reaches this pipeline
			LockSupport.parkNanos(1_000_000);
			// What is queued has to be sent, interrupted or not.
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Take no more commands and end the connection; {@link #run()} does the rest.
	 */
	void close(String reason) {
		this.commands.close(reason);
		this.connection.close();
	}

}
