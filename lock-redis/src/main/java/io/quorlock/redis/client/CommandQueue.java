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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.redis.RespReader;
import io.quorlock.time.LockClock;

/**
 * The commands on one connection: those to be written, and those that are written and
 * have no reply yet, both in order. Knows nothing of the connection itself.
 */
final class CommandQueue {

	/**
	 * Callers go on when a majority has replied, so nothing else keeps them from filling
	 * the memory when one node hangs.
	 */
	static final int MAX_COMMANDS = 32_768;

	private static final long MAX_BYTES = 16 * 1024 * 1024;

	/**
	 * A release for every command that was taken, and the commands of the node itself.
	 */
	private static final int MAX_URGENT_COMMANDS = 2 * MAX_COMMANDS + 1_024;

	private static final long MAX_URGENT_BYTES = 2 * MAX_BYTES;

	/** Fits into any socket's empty buffer. */
	private static final int MAX_WRITTEN_BY_CALLER = 8 * 1024;

	private final LockClock clock;

	/** When the latest reply came. */
	private long repliedNanos;

	private final ArrayDeque<PendingCommand> queued = new ArrayDeque<>();

	private final ArrayDeque<PendingCommand> inFlight = new ArrayDeque<>();

	private long pendingBytes;

	/** Whether some thread writes to the connection. */
	private boolean writing;

	/** Whether the writer was not notified of what is queued: it waits for a flush. */
	private boolean unflushed;

	private @Nullable String closedBecause;

	CommandQueue(LockClock clock) {
		this.clock = clock;
		this.repliedNanos = clock.nanoTime();
	}

	/**
	 * Put commands into the queue, one right after the other, unless the condition, asked
	 * while nothing else can be queued, is false.
	 * @return what became of them
	 */
	synchronized Offer offer(BooleanSupplier condition, String otherwise, PendingCommand... commands) {
		long bytes = 0;
		for (PendingCommand command : commands) {
			bytes += command.bytes().length;
		}
		String refusal = condition.getAsBoolean() ? refusal(bytes, commands[commands.length - 1].isUrgent())
				: otherwise;
		if (refusal != null) {
			return new Offer(refusal, List.of());
		}
		boolean writeHere = commands.length == 1 && isIdle(bytes);
		boolean alone = this.queued.isEmpty();
		add(bytes, commands);
		if (!writeHere) {
			wakeWriter();
			return Offer.QUEUED;
		}
		return new Offer(null, alone ? takeOnly() : takeAll());
	}

	/**
	 * Put a command into the queue, to be written with the next one that is offered or
	 * upon {@link #flush()}.
	 * @return why it was not taken, or {@code null} if it was
	 */
	synchronized @Nullable String enqueue(PendingCommand command) {
		long bytes = command.bytes().length;
		String refusal = refusal(bytes, command.isUrgent());
		if (refusal == null) {
			this.unflushed |= this.queued.isEmpty();
			add(bytes, command);
		}
		return refusal;
	}

	/**
	 * Have all commands written soon.
	 * @return what the calling thread has to write; unless it is empty, it has to call
	 * {@link #written()} then
	 */
	synchronized List<PendingCommand> flush() {
		if (!this.unflushed || this.closedBecause != null) {
			return List.of();
		}
		if (isIdle(0)) {
			return takeAll();
		}
		wakeWriter();
		return List.of();
	}

	private @Nullable String refusal(long bytes, boolean urgent) {
		if (this.closedBecause != null) {
			return this.closedBecause;
		}
		boolean full = this.queued.size() + this.inFlight.size() >= (urgent ? MAX_URGENT_COMMANDS : MAX_COMMANDS)
				|| this.pendingBytes + bytes > (urgent ? MAX_URGENT_BYTES : MAX_BYTES);
		return full ? "too many pending commands" : null;
	}

	/**
	 * With nothing under way the socket's buffer is empty: writing so little cannot
	 * block, and waking the writer up would cost more.
	 */
	private boolean isIdle(long offeredBytes) {
		boolean queueIsOurs = this.unflushed || this.queued.isEmpty();
		return !this.writing && this.inFlight.isEmpty() && queueIsOurs
				&& this.pendingBytes + offeredBytes <= MAX_WRITTEN_BY_CALLER;
	}

	private void add(long bytes, PendingCommand... commands) {
		long now = this.clock.nanoTime();
		this.pendingBytes += bytes;
		for (PendingCommand command : commands) {
			command.onQueued(now);
			this.queued.add(command);
		}
	}

	private void wakeWriter() {
		this.unflushed = false;
		notify(); // no other thread waits than the writer
	}

	private List<PendingCommand> takeOnly() {
		PendingCommand command = this.queued.remove();
		this.inFlight.add(command);
		this.writing = true;
		return List.of(command);
	}

	private List<PendingCommand> takeAll() {
		List<PendingCommand> batch = new ArrayList<>(this.queued.size());
		takeAll(batch);
		return batch;
	}

	private void takeAll(List<PendingCommand> batch) {
		batch.addAll(this.queued);
		this.inFlight.addAll(this.queued);
		this.queued.clear();
		this.unflushed = false;
		this.writing = true;
	}

	/**
	 * Wait for commands that are to be written now.
	 * @return whether there are any; if not, the queue is closed
	 */
	synchronized boolean awaitQueued() {
		while (this.closedBecause == null && (this.writing || this.unflushed || this.queued.isEmpty())) {
			try {
				wait();
			}
			catch (InterruptedException ex) {
				// The connection ends by close(), and by nothing else.
			}
		}
		return this.closedBecause == null;
	}

	/** Take all commands for writing; none if the queue was closed meanwhile. */
	synchronized void takeQueued(List<PendingCommand> batch) {
		if (this.closedBecause == null) {
			takeAll(batch);
		}
	}

	/** Note that what was taken for writing is written. */
	synchronized void written() {
		this.writing = false;
		if (!this.queued.isEmpty() && !this.unflushed) {
			notify();
		}
	}

	/** Return how large the next reply may be. */
	synchronized RespReader.Limits nextLimits() {
		PendingCommand command = this.inFlight.peek();
		return (command != null) ? command.limits() : RespReader.Limits.PUSH;
	}

	/**
	 * Take the command that a reply belongs to. Were they ever to get out of step, every
	 * later command would get the reply to another: better to end the connection.
	 */
	synchronized PendingCommand takeRepliedTo(boolean push, boolean error) {
		PendingCommand command = this.inFlight.peek();
		if (command == null || (command.isConfirmedByPush() != push && !error)) {
			throw new IllegalStateException("A reply without a command");
		}
		this.inFlight.remove();
		this.pendingBytes -= command.bytes().length;
		this.repliedNanos = this.clock.nanoTime();
		return command;
	}

	/** Return for how long commands have been waiting without any reply. */
	synchronized long silentNanos(long nowNanos) {
		return Math.max(0, Math.min(oldestNanos(nowNanos), nowNanos - this.repliedNanos));
	}

	/** Return for how long the oldest command has been waiting for its reply. */
	synchronized long oldestNanos(long nowNanos) {
		if (this.inFlight.isEmpty() && this.unflushed) {
			return 0; // nothing was sent yet
		}
		PendingCommand oldest = this.inFlight.isEmpty() ? this.queued.peek() : this.inFlight.peek();
		return (oldest != null) ? nowNanos - oldest.queuedNanos() : 0;
	}

	/** Return whether no command is pending. */
	synchronized boolean isSettled() {
		return this.closedBecause != null || (this.queued.isEmpty() && this.inFlight.isEmpty());
	}

	/** Take no more commands. */
	synchronized void close(String reason) {
		if (this.closedBecause == null) {
			this.closedBecause = reason;
		}
		notifyAll();
	}

	/** Take what a closed queue still holds. */
	synchronized Remains takeRemains() {
		Remains remains = new Remains(new ArrayList<>(this.inFlight), new ArrayList<>(this.queued),
				String.valueOf(this.closedBecause));
		this.inFlight.clear();
		this.queued.clear();
		return remains;
	}

	/**
	 * What became of commands that were offered.
	 *
	 * @param refusal why they were not taken, or {@code null} if they were
	 * @param toWrite what the offering thread has to write; unless it is empty, it has to
	 * call {@link CommandQueue#written()} then
	 */
	record Offer(@Nullable String refusal, List<PendingCommand> toWrite) {

		private static final Offer QUEUED = new Offer(null, List.of());

	}

	/**
	 * What is left when a connection ends.
	 *
	 * @param lost was written, or may have been
	 * @param notSent was not
	 * @param reason why the connection ended
	 */
	record Remains(List<PendingCommand> lost, List<PendingCommand> notSent, String reason) {

	}

}
