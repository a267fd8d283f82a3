package io.quorlock.redis.jedis;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.quorlock.core.EngineClock;
import io.quorlock.core.NodeReply.Outcome;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The calls of all callers on one connection, first in, first out (R3). A writer thread
 * sends all that is queued in one flush and does not wait for the answers; the thread in
 * {@link #run()} reads them. Lives and dies with the connection.
 * <p>
 * What is pending is bounded: callers go on when a majority has answered, so nothing else
 * holds them back from filling the memory when one node hangs.
 */
final class Pipeline {

	static final int MAX_CALLS = 32_768;

	private static final long MAX_BYTES = 16 * 1024 * 1024;

	/** A release for every call that was taken, and what the node itself has to ask. */
	private static final int MAX_URGENT_CALLS = 2 * MAX_CALLS + 1_024;

	private static final long MAX_URGENT_BYTES = 2 * MAX_BYTES;

	private static final Log logger = LogFactory.getLog(Pipeline.class);

	private final Wire wire;

	private final String name;

	private final EngineClock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final ArrayDeque<Call> queued = new ArrayDeque<>();

	private final ArrayDeque<Call> inFlight = new ArrayDeque<>();

	private final Consumer<@Nullable Object> onPush;

	private long pendingBytes;

	/** Whether some thread writes to the wire. */
	private boolean writing;

	private @Nullable String closedBecause;

	Pipeline(String name, Wire wire, EngineClock clock, Consumer<@Nullable Object> onPush) {
		this.name = name;
		this.wire = wire;
		this.clock = clock;
		this.onPush = onPush;
	}

	/**
	 * Queues a call, or fails it at once. Never blocks, never throws.
	 */
	void submit(Call call) {
		submitIf(() -> true, "", call);
	}

	/**
	 * Queues calls one right after the other, unless the condition, asked while nothing
	 * else can be queued, says no.
	 */
	void submitIf(BooleanSupplier condition, String otherwise, Call... calls) {
		String refused = null;
		boolean writeHere = false;
		this.lock.lock();
		try {
			refused = condition.getAsBoolean() ? refuse(calls[calls.length - 1]) : otherwise;
			if (refused == null) {
				writeHere = calls.length == 1 && isIdle();
				add(calls, writeHere);
			}
		}
		finally {
			this.lock.unlock();
		}
		if (refused != null) {
			calls[calls.length - 1].onFailure(Outcome.NOT_SENT, refused);
		}
		else if (writeHere) {
			write(List.of(calls));
		}
	}

	private @Nullable String refuse(Call call) {
		if (this.closedBecause != null) {
			return this.closedBecause;
		}
		boolean urgent = call.isUrgent();
		boolean full = this.queued.size() + this.inFlight.size() >= (urgent ? MAX_URGENT_CALLS : MAX_CALLS)
				|| this.pendingBytes >= (urgent ? MAX_URGENT_BYTES : MAX_BYTES);
		return full ? "too many unanswered commands" : null;
	}

	/**
	 * With nothing under way the socket's buffer is empty: writing cannot block.
	 */
	private boolean isIdle() {
		return !this.writing && this.queued.isEmpty() && this.inFlight.isEmpty();
	}

	private void add(Call[] calls, boolean writeHere) {
		long now = this.clock.nanoTime();
		for (Call call : calls) {
			call.onQueued(now);
			this.pendingBytes += call.bytes().length;
			(writeHere ? this.inFlight : this.queued).add(call);
		}
		if (writeHere) {
			this.writing = true;
		}
		else {
			this.changed.signal();
		}
	}

	/**
	 * Reads answers until the connection ends, then fails what is left.
	 * @return why it ended
	 */
	String run() {
		Thread writer = new Thread(this::writeQueued, "quorlock-writer-" + this.name);
		writer.setDaemon(true);
		writer.start();
		String reason;
		try {
			while (true) {
				readOne();
			}
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Reading from lock node " + this.name + " ended", ex);
			reason = "connection closed";
		}
		close(reason);
		return failPending();
	}

	private void readOne() {
		boolean push = this.wire.nextIsPush();
		Object answer = this.wire.read();
		if (push && !Subscriptions.isConfirmation(answer)) {
			this.onPush.accept(answer);
			return;
		}
		Call call = takeOldest(push, answer instanceof JedisDataException);
		try {
			call.onAnswer(answer);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A handler of the answers of lock node " + this.name + " failed", ex);
		}
	}

	/**
	 * The call that an answer belongs to. Were they ever to get out of step, every later
	 * caller would be told the answer of another: better no connection than that.
	 */
	private Call takeOldest(boolean push, boolean error) {
		this.lock.lock();
		try {
			Call call = this.inFlight.peek();
			if (call == null || (call.isAnsweredByPush() != push && !error)) {
				throw new IllegalStateException("An answer without a question");
			}
			this.inFlight.remove();
			this.pendingBytes -= call.bytes().length;
			return call;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void writeQueued() {
		List<Call> batch = new ArrayList<>();
		while (takeQueued(batch)) {
			write(batch);
			batch.clear();
		}
	}

	private boolean takeQueued(List<Call> batch) {
		this.lock.lock();
		try {
			while (this.closedBecause == null && (this.writing || this.queued.isEmpty())) {
				this.changed.awaitUninterruptibly();
			}
			if (this.closedBecause != null) {
				return false;
			}
			batch.addAll(this.queued);
			this.inFlight.addAll(this.queued);
			this.queued.clear();
			this.writing = true;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void write(List<Call> calls) {
		try {
			for (Call call : calls) {
				this.wire.write(call.bytes());
			}
			this.wire.flush();
		}
		catch (IOException | RuntimeException ex) {
			close("connection closed");
		}
		this.lock.lock();
		try {
			this.writing = false;
			if (!this.queued.isEmpty()) {
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * How long the oldest call has been waiting for its answer.
	 */
	long oldestNanos(long nowNanos) {
		this.lock.lock();
		try {
			Call oldest = this.inFlight.isEmpty() ? this.queued.peek() : this.inFlight.peek();
			return (oldest != null) ? nowNanos - oldest.queuedNanos() : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more calls and breaks the connection; {@link #run()} does the rest.
	 */
	void close(String reason) {
		this.lock.lock();
		try {
			if (this.closedBecause == null) {
				this.closedBecause = reason;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		this.wire.close();
	}

	/**
	 * Waits until nothing is pending, at most so long.
	 */
	void drain(long nanos) {
		long end = System.nanoTime() + nanos;
		boolean interrupted = false;
		while (!isEmpty() && System.nanoTime() < end) {
			LockSupport.parkNanos(1_000_000);
			// What is queued has to be sent, interrupted or not (R8).
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isEmpty() {
		this.lock.lock();
		try {
			return this.closedBecause != null || (this.queued.isEmpty() && this.inFlight.isEmpty());
		}
		finally {
			this.lock.unlock();
		}
	}

	private String failPending() {
		List<Call> lost;
		List<Call> notSent;
		String reason;
		this.lock.lock();
		try {
			reason = String.valueOf(this.closedBecause);
			lost = new ArrayList<>(this.inFlight);
			notSent = new ArrayList<>(this.queued);
			this.inFlight.clear();
			this.queued.clear();
		}
		finally {
			this.lock.unlock();
		}
		lost.forEach((call) -> fail(call, Outcome.LOST, reason));
		notSent.forEach((call) -> fail(call, Outcome.NOT_SENT, reason));
		return reason;
	}

	private void fail(Call call, Outcome outcome, String reason) {
		try {
			call.onFailure(outcome, reason);
		}
		catch (RuntimeException | Error ex) {
			logger.error("A handler of the answers of lock node " + this.name + " failed", ex);
		}
	}

}
