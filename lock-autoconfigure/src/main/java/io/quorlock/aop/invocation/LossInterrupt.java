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

package io.quorlock.aop.invocation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;

/**
 * Interrupts the thread of a method whose lock is about to be lost: once, and never after
 * it has left the method. The thread is interrupted while the lock is still held, when a
 * tenth of the validity is left and no renewal was confirmed, or nothing renews the
 * lease. After a pause of the process it may be interrupted with the loss only.
 * <p>
 * An interrupt that the method did not consume ends with the method, so that the caller's
 * thread does not keep it. A thread that was interrupted before stays interrupted; an
 * interrupt by others in the time between ours and the method's end cannot be
 * distinguished from ours, and ends as well.
 */
final class LossInterrupt {

	private enum State {

		ARMED, INTERRUPTING, INTERRUPTED, DISARMED

	}

	/** A tenth of the validity is left for the method to end. */
	private static final int SHARE = 10;

	private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	private static final CompletableFuture<?> NONE = CompletableFuture.completedFuture(null);

	private final Thread thread = Thread.currentThread();

	private final LockHandle handle;

	private final AtomicReference<State> state = new AtomicReference<>(State.ARMED);

	/** Interrupts the thread later, unless the lock is renewed by then. */
	private final AtomicReference<CompletableFuture<?>> timeout = new AtomicReference<>(NONE);

	private volatile boolean interruptedBefore;

	private volatile String reason = "";

	private LossInterrupt(LockHandle handle) {
		this.handle = handle;
	}

	/**
	 * Prepare to interrupt the calling thread.
	 * @param handle the lock
	 * @param interrupts whether to interrupt
	 * @return the interrupt, to be disarmed by this thread
	 */
	static LossInterrupt arm(LockHandle handle, boolean interrupts) {
		LossInterrupt interrupt = new LossInterrupt(handle);
		if (interrupts) {
			handle.onLost((event) -> interrupt.fire(""));
			interrupt.awaitEnd();
			handle.onAtRisk(interrupt::onAtRisk);
		}
		return interrupt;
	}

	private void onAtRisk(LockAtRiskEvent event) {
		if (event.atRisk()) {
			// a third is left
			await(event.remaining().multipliedBy(3).dividedBy(10), event.reason());
		}
		else {
			awaitEnd();
		}
	}

	/**
	 * Nothing reports that a lease is not renewed: a fixed one, perhaps of the caller who
	 * holds the lock already, or one that was renewed for as long as it may be.
	 */
	private void awaitEnd() {
		await(this.handle.remaining().dividedBy(SHARE), "its lease ends, and is not renewed");
	}

	private void await(Duration margin, String reason) {
		long now = System.nanoTime();
		Duration left = this.handle.remaining().minus(margin);
		if (this.state.get() != State.ARMED || !this.handle.isHeld()) {
			return;
		}
		if (left.isNegative() || left.isZero()) {
			fire(reason);
			return;
		}
		long end = now + left.toNanos();
		CompletableFuture<@Nullable Void> waiting = new CompletableFuture<>();
		this.timeout.getAndSet(waiting).cancel(false);
		waiting.completeOnTimeout(null, left.toNanos(), TimeUnit.NANOSECONDS)
			.thenRun(() -> awaitAgain(margin, reason, end));
		if (this.state.get() != State.ARMED) {
			waiting.cancel(false);
		}
	}

	/** It may have been renewed or extended, or made shorter and be renewed like that. */
	private void awaitAgain(Duration margin, String reason, long end) {
		Duration remaining = this.handle.remaining();
		boolean shorter = System.nanoTime() + remaining.minus(margin).toNanos() - end < -TOLERANCE_NANOS;
		await(shorter ? remaining.dividedBy(SHARE) : margin, reason);
	}

	private void fire(String reason) {
		if (this.state.compareAndSet(State.ARMED, State.INTERRUPTING)) {
			this.reason = reason;
			this.interruptedBefore = this.thread.isInterrupted();
			this.thread.interrupt();
			this.state.set(State.INTERRUPTED);
		}
	}

	/**
	 * Prevent interrupts from now on.
	 * @return whether it was interrupted
	 */
	boolean disarm() {
		boolean armed = this.state.compareAndSet(State.ARMED, State.DISARMED);
		this.timeout.getAndSet(NONE).cancel(false);
		if (armed) {
			return false;
		}
		while (this.state.get() == State.INTERRUPTING) {
			Thread.yield();
		}
		boolean interrupted = this.state.compareAndSet(State.INTERRUPTED, State.DISARMED);
		if (interrupted && !this.interruptedBefore) {
			Thread.interrupted();
		}
		return interrupted;
	}

	/**
	 * Return the failure of a method that ended since it was interrupted.
	 * @param failure what the method threw
	 * @return the exception for its caller
	 */
	LockLostException exception(Throwable failure) {
		String message = this.handle.loss()
			.map((loss) -> String.valueOf(loss.getMessage()))
			.orElseGet(() -> "The method under lock '%s' was interrupted before the lock is lost: %s"
				.formatted(this.handle.name(), this.reason));
		return new LockLostException(message, failure);
	}

}
