package io.quorlock.redis.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.EngineClock;

/**
 * The calls on one connection: those to be written, and behind the writer those that wait
 * for their answers, both in order. Knows nothing of the connection itself.
 * <p>
 * What is pending is bounded: callers go on when a majority has answered, so nothing else
 * holds them back from filling the memory when one node hangs.
 */
final class CallQueue {

	static final int MAX_CALLS = 32_768;

	private static final long MAX_BYTES = 16 * 1024 * 1024;

	/** A release for every call that was taken, and what the node itself has to ask. */
	private static final int MAX_URGENT_CALLS = 2 * MAX_CALLS + 1_024;

	private static final long MAX_URGENT_BYTES = 2 * MAX_BYTES;

	/** Fits into any socket's buffer, with the call that is offered. */
	private static final int MAX_WRITTEN_HERE = 8 * 1024;

	private final EngineClock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final ArrayDeque<Call> queued = new ArrayDeque<>();

	private final ArrayDeque<Call> inFlight = new ArrayDeque<>();

	private long pendingBytes;

	/** Whether some thread writes to the connection. */
	private boolean writing;

	/** Whether all that is queued waits for company: the writer was not told of it. */
	private boolean unflushed;

	private @Nullable String closedBecause;

	CallQueue(EngineClock clock) {
		this.clock = clock;
	}

	/**
	 * Puts calls into the queue, one right after the other, unless the condition, asked
	 * while nothing else can be queued, says no.
	 * @return what became of them
	 */
	Offer offer(BooleanSupplier condition, String otherwise, Call... calls) {
		this.lock.lock();
		try {
			String refusal = condition.getAsBoolean() ? refusal(calls[calls.length - 1]) : otherwise;
			if (refusal != null) {
				return new Offer(refusal, List.of());
			}
			boolean writeHere = calls.length == 1 && isIdle();
			boolean alone = this.queued.isEmpty();
			add(calls);
			if (!writeHere) {
				wakeWriter();
				return Offer.QUEUED;
			}
			return new Offer(null, alone ? takeOnly() : takeAll());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Puts a call into the queue, to be written with the next one that is offered or upon
	 * {@link #flush()}.
	 * @return why it was not taken, or {@code null} if it was
	 */
	@Nullable String enqueue(Call call) {
		this.lock.lock();
		try {
			String refusal = refusal(call);
			if (refusal == null) {
				this.unflushed |= this.queued.isEmpty();
				add(call);
			}
			return refusal;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Sees to it that all calls are written soon.
	 * @return what the calling thread has to write; unless it is empty, it has to call
	 * {@link #written()} then
	 */
	List<Call> flush() {
		this.lock.lock();
		try {
			if (!this.unflushed || this.closedBecause != null) {
				return List.of();
			}
			if (isIdle()) {
				return takeAll();
			}
			wakeWriter();
			return List.of();
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable String refusal(Call call) {
		if (this.closedBecause != null) {
			return this.closedBecause;
		}
		boolean urgent = call.isUrgent();
		boolean full = this.queued.size() + this.inFlight.size() >= (urgent ? MAX_URGENT_CALLS : MAX_CALLS)
				|| this.pendingBytes >= (urgent ? MAX_URGENT_BYTES : MAX_BYTES);
		return full ? "too many unanswered commands" : null;
	}

	/**
	 * With nothing under way the socket's buffer is empty: writing cannot block, and
	 * waking the writer up would cost more.
	 */
	private boolean isIdle() {
		boolean queueIsOurs = this.unflushed || this.queued.isEmpty();
		return !this.writing && this.inFlight.isEmpty() && queueIsOurs && this.pendingBytes < MAX_WRITTEN_HERE;
	}

	private void add(Call... calls) {
		long now = this.clock.nanoTime();
		for (Call call : calls) {
			call.onQueued(now);
			this.pendingBytes += call.bytes().length;
			this.queued.add(call);
		}
	}

	private void wakeWriter() {
		this.unflushed = false;
		this.changed.signal();
	}

	private List<Call> takeOnly() {
		Call call = this.queued.remove();
		this.inFlight.add(call);
		this.writing = true;
		return List.of(call);
	}

	private List<Call> takeAll() {
		List<Call> batch = new ArrayList<>(this.queued.size());
		takeAll(batch);
		return batch;
	}

	private void takeAll(List<Call> batch) {
		batch.addAll(this.queued);
		this.inFlight.addAll(this.queued);
		this.queued.clear();
		this.unflushed = false;
		this.writing = true;
	}

	/**
	 * Waits for calls that are to be written now.
	 * @return whether there are any; if not, the queue is closed
	 */
	boolean awaitQueued() {
		this.lock.lock();
		try {
			while (this.closedBecause == null && (this.writing || this.unflushed || this.queued.isEmpty())) {
				this.changed.awaitUninterruptibly();
			}
			return this.closedBecause == null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes all calls for writing; none if the queue was closed meanwhile.
	 */
	void takeQueued(List<Call> batch) {
		this.lock.lock();
		try {
			if (this.closedBecause == null) {
				takeAll(batch);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What was taken for writing is written.
	 */
	void written() {
		this.lock.lock();
		try {
			this.writing = false;
			if (!this.queued.isEmpty() && !this.unflushed) {
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the call that an answer belongs to. Were they ever to get out of step, every
	 * later caller would be told the answer of another: better no connection than that.
	 */
	Call takeAnswered(boolean push, boolean error) {
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

	/**
	 * How long the oldest call has been waiting for its answer.
	 */
	long oldestNanos(long nowNanos) {
		this.lock.lock();
		try {
			if (this.inFlight.isEmpty() && this.unflushed) {
				return 0; // nobody was asked yet
			}
			Call oldest = this.inFlight.isEmpty() ? this.queued.peek() : this.inFlight.peek();
			return (oldest != null) ? nowNanos - oldest.queuedNanos() : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether there is nothing left to wait for.
	 */
	boolean isSettled() {
		this.lock.lock();
		try {
			return this.closedBecause != null || (this.queued.isEmpty() && this.inFlight.isEmpty());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more calls.
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
	}

	/**
	 * Takes what a closed queue still holds.
	 */
	Remains takeRemains() {
		this.lock.lock();
		try {
			Remains remains = new Remains(new ArrayList<>(this.inFlight), new ArrayList<>(this.queued),
					String.valueOf(this.closedBecause));
			this.inFlight.clear();
			this.queued.clear();
			return remains;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What became of calls that were offered.
	 *
	 * @param refusal why they were not taken, or {@code null} if they were
	 * @param toWrite what the offering thread has to write; unless it is empty, it has to
	 * call {@link #written()} then
	 */
	record Offer(@Nullable String refusal, List<Call> toWrite) {

		private static final Offer QUEUED = new Offer(null, List.of());

	}

	/**
	 * What is left when a connection ends.
	 *
	 * @param lost was written, or may have been
	 * @param notSent was not
	 * @param reason why the connection ended
	 */
	record Remains(List<Call> lost, List<Call> notSent, String reason) {

	}

}
