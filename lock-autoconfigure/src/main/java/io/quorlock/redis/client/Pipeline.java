package io.quorlock.redis.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;

/**
 * The calls of all callers on one connection, first in, first out (R3). A writer thread
 * sends all that is queued in one flush and does not wait for the answers; the thread in
 * {@link #run()} reads them. Lives and dies with the connection.
 */
final class Pipeline {

	private static final Log logger = LogFactory.getLog(Pipeline.class);

	private final String name;

	private final Wire wire;

	private final CallQueue calls;

	private final Consumer<@Nullable Object> onPush;

	/**
	 * Creates the pipeline.
	 * @param onPush receives the messages that are no answer to a call
	 */
	Pipeline(String name, Wire wire, EngineClock clock, Consumer<@Nullable Object> onPush) {
		this.name = name;
		this.wire = wire;
		this.calls = new CallQueue(clock);
		this.onPush = onPush;
	}

	/**
	 * Sends a call, or fails it at once. Never blocks, never throws.
	 */
	void submit(Call call) {
		submitIf(() -> true, "", call);
	}

	/**
	 * Sends calls one right after the other, unless the condition, asked while nothing
	 * else can be queued, says no; then the last of them fails.
	 */
	void submitIf(BooleanSupplier condition, String otherwise, Call... calls) {
		CallQueue.Offer offer = this.calls.offer(condition, otherwise, calls);
		if (offer.refusal() != null) {
			calls[calls.length - 1].onFailure(Cause.NOT_SENT, offer.refusal());
		}
		else {
			write(offer.toWrite());
		}
	}

	/**
	 * Sends a call with the next one, or upon {@link #flush()}; or fails it at once.
	 * Never writes, never throws.
	 */
	void enqueue(Call call) {
		String refusal = this.calls.enqueue(call);
		if (refusal != null) {
			call.onFailure(Cause.NOT_SENT, refusal);
		}
	}

	/**
	 * Sends what was left for later.
	 */
	void flush() {
		write(this.calls.flush());
	}

	/**
	 * Reads answers until the connection ends, then fails what is left.
	 * @return why it ended
	 */
	String run() {
		try {
			Thread writer = new Thread(this::writeQueued, "quorlock-writer-" + this.name);
			writer.setDaemon(true);
			writer.start();
			while (true) {
				readOne();
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Reading from lock node " + this.name + " ended", ex);
			close("connection closed");
		}
		catch (Error ex) {
			logger.error("Reading from lock node " + this.name + " failed", ex);
			close("unexpected failure, see the log");
		}
		CallQueue.Remains remains = this.calls.takeRemains();
		remains.lost().forEach((call) -> tell(() -> call.onFailure(Cause.CONNECTION_LOST, remains.reason())));
		remains.notSent().forEach((call) -> tell(() -> call.onFailure(Cause.NOT_SENT, remains.reason())));
		return remains.reason();
	}

	private void readOne() {
		boolean push = this.wire.nextIsPush();
		Object answer = this.wire.read();
		if (push && !Subscriptions.isConfirmation(answer)) {
			tell(() -> this.onPush.accept(answer));
			return;
		}
		Call call = this.calls.takeAnswered(push, answer instanceof JedisDataException);
		tell(() -> call.onAnswer(answer));
	}

	private void tell(Runnable handler) {
		try {
			handler.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A handler of what lock node " + this.name + " answers failed", ex);
		}
	}

	private void writeQueued() {
		List<Call> batch = new ArrayList<>();
		while (this.calls.awaitQueued()) {
			// Callers that are about to queue more go first: fewer and larger writes.
			Thread.yield();
			this.calls.takeQueued(batch);
			write(batch);
			batch.clear();
		}
	}

	private void write(List<Call> calls) {
		if (calls.isEmpty()) {
			return;
		}
		try {
			for (Call call : calls) {
				this.wire.write(call.bytes());
			}
			this.wire.flush();
		}
		catch (IOException | RuntimeException | Error ex) {
			close("connection closed");
		}
		this.calls.written();
	}

	/**
	 * How long the oldest call has been waiting for its answer.
	 */
	long oldestNanos(long nowNanos) {
		return this.calls.oldestNanos(nowNanos);
	}

	/**
	 * Waits until everything is answered, at most so long.
	 */
	void drain(long nanos) {
		long end = System.nanoTime() + nanos;
		boolean interrupted = false;
		while (!this.calls.isSettled() && System.nanoTime() < end) {
			flush(); // who enqueued it may no longer find the way here
			LockSupport.parkNanos(1_000_000);
			// What is queued has to be sent, interrupted or not (R8).
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Takes no more calls and breaks the connection; {@link #run()} does the rest.
	 */
	void close(String reason) {
		this.calls.close(reason);
		this.wire.close();
	}

}
