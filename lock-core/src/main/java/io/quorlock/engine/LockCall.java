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

package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockCancelledException;
import io.quorlock.LockContext;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.LogText;
import io.quorlock.spi.ReentrantLockHandle;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;

/**
 * One call that asks for a lock: what it asks for, and its outcome, for a thread that
 * waits for it or as a future. A lock that is lost before its user gets it is asked for
 * again (R1).
 */
final class LockCall {

	final LockEngine engine;

	final LockRequest request;

	final Claim claim;

	/** Whether the call holds a lock of this engine already (R13). */
	final boolean nested;

	/** The name that the thread had when it asked. */
	final String thread = Thread.currentThread().getName();

	/** The stack of that thread, if it is recorded. */
	final @Nullable Throwable stack;

	final ObservedRequest observed;

	/** Waits for the outcome. */
	private @Nullable Thread blocked;

	/** The outcome for a call that does not block. */
	private @Nullable CompletableFuture<LockHandle> future;

	/** The attempt that is under way now. */
	private volatile @Nullable Acquisition acquisition;

	private volatile @Nullable Handle handle;

	private volatile @Nullable LockException failure;

	LockCall(LockEngine engine, LockRequest request, Duration defaultWait) {
		this.engine = engine;
		this.request = request;
		this.claim = claim(engine, request, (request.waitTime() != null) ? request.waitTime() : defaultWait);
		if (!engine.isRunning()) {
			throw stopped();
		}
		if (request.leaseTime() != null) {
			engine.settings.checkLease(request.leaseTime(), this.claim.toString());
		}
		engine.store.check(this.claim);
		this.nested = isNested();
		this.stack = engine.settings.recordingCallers() ? new Throwable("Acquired here") : null;
		this.observed = ObservedRequest.start(engine.observers, request);
	}

	private static Claim claim(LockEngine engine, LockRequest request, Duration wait) {
		EngineSettings settings = engine.settings;
		Duration lease = request.leaseTime();
		boolean limited = !LockRequest.UNLIMITED_WAIT.equals(request.waitTime());
		boolean retained = !Tenure.retainTime(settings, request).isZero();
		return new Claim(request.names(), request.mode(), request.permits(), request.isFair(),
				LockEngine.nanos((lease != null) ? lease : settings.leaseTime()), lease == null,
				TokenRange.size(settings, request, retained), engine.clock.nanoTime(), LockEngine.nanos(wait),
				limited ? settings.maxAttempts() : Integer.MAX_VALUE, limited && settings.unavailableFailFast(),
				retained);
	}

	private boolean isNested() {
		LockContext context = this.request.context();
		for (LockContext outer = (context != null) ? context : LockContext.ofThread(); outer != null; outer = outer
			.outer()) {
			if (outer.handle() instanceof ReentrantLockHandle handle && handle.isGrantedBy(this.engine)
					&& outer.isOfThisCall()) {
				return true;
			}
		}
		return false;
	}

	/** Block until the outcome is known. */
	LockHandle acquire() {
		this.blocked = Thread.currentThread();
		try {
			for (boolean again = false;; again = true) {
				Acquisition attempt = start(again);
				Handle granted = await(attempt);
				this.handle = null;
				if (handedOut(granted)) {
					this.blocked = null;
					return granted;
				}
				checkTimeLeft();
			}
		}
		catch (LockException ex) {
			this.observed.failed(ex, attempts());
			throw ex;
		}
	}

	private boolean handedOut(Handle granted) {
		boolean handedOut = granted.handOut();
		if (handedOut) {
			granted.holder.observed.granted(granted, attempts());
			this.acquisition = null; // what is held does not keep it in memory
		}
		return handedOut;
	}

	private Acquisition start(boolean again) {
		Acquisition attempt = new Acquisition(this);
		this.acquisition = attempt;
		if (this.future != null && this.future.isDone()) {
			attempt.cancel(cancelled());
		}
		attempt.start(again);
		return attempt;
	}

	/**
	 * Wait for the outcome. An interrupt ends the wait of an interruptible request, and
	 * is kept for after the wait otherwise; the thread's flag is set in both cases.
	 * @return the handle, not handed out yet
	 */
	private Handle await(Acquisition attempt) {
		boolean interrupted = false;
		try {
			while (true) {
				Handle granted = this.handle;
				if (granted != null) {
					return granted;
				}
				LockException failed = this.failure;
				if (failed != null) {
					// Of the caller, not of a thread of the store.
					failed.fillInStackTrace();
					throw failed;
				}
				if (Thread.interrupted()) {
					interrupted = true;
					if (this.request.isInterruptible()) {
						attempt.cancel(new LockInterruptedException(ended("interrupted"), this.claim.toString(),
								waited(), new InterruptedException()));
						continue;
					}
				}
				LockSupport.park(this);
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** Lost before the caller got it. */
	private void checkTimeLeft() {
		if (this.claim.remainingNanos(this.engine.clock.nanoTime()) <= 0) {
			throw !this.engine.isRunning() ? stopped()
					: unavailable("it was granted, but lost before the caller got it: the lease is too short for the "
							+ "pauses of this process, or an operator released it");
		}
	}

	/** Ask without blocking; the future completes on a thread that users may block. */
	CompletableFuture<LockHandle> acquireAsync() {
		CompletableFuture<LockHandle> future = new CompletableFuture<>();
		this.future = future;
		start(false);
		future.whenComplete((handle, ex) -> {
			Acquisition current = this.acquisition;
			// Cancelled, timed out or completed by the user; otherwise it does nothing.
			if (current != null && (handle == null || handle != this.handle)) {
				current.cancel(cancelled());
			}
		});
		return future;
	}

	void granted(Handle granted) {
		CompletableFuture<LockHandle> future = this.future;
		if (future != null) {
			this.engine.events.run(() -> handOut(granted, future));
		}
		else {
			this.handle = granted;
			LockSupport.unpark(this.blocked);
		}
	}

	private void handOut(Handle granted, CompletableFuture<LockHandle> future) {
		if (future.isDone()) {
			this.observed.failed(cancelled(), attempts());
			granted.closeAsync();
		}
		else if (!handedOut(granted)) {
			askAgain(future);
		}
		else {
			this.handle = granted;
			if (!future.complete(granted)) {
				granted.closeAsync();
			}
		}
	}

	private void askAgain(CompletableFuture<LockHandle> future) {
		try {
			checkTimeLeft();
			start(true);
		}
		catch (LockException ex) {
			fail(ex, future);
		}
	}

	void failed(LockException failed) {
		CompletableFuture<LockHandle> future = this.future;
		if (future != null) {
			this.engine.events.run(() -> fail(failed, future));
		}
		else {
			this.failure = failed;
			LockSupport.unpark(this.blocked);
		}
	}

	private void fail(LockException failed, CompletableFuture<LockHandle> future) {
		this.observed.failed(failed, attempts());
		future.completeExceptionally(failed);
	}

	/** Return how often the store was asked. */
	int attempts() {
		Acquisition current = this.acquisition;
		return (current != null) ? current.attempts() : 0;
	}

	Duration waited() {
		return Duration.ofNanos(this.engine.clock.nanoTime() - this.claim.queuedAtNanos());
	}

	// Why the lock was not acquired, for the caller.

	LockException failure(ClaimFailure failure) {
		if (failure instanceof ClaimFailure.Held held) {
			return notAcquired(held.owner(), LogText.escape(held.description()));
		}
		return (failure instanceof ClaimFailure.Cancelled) ? cancelled() : unavailable(failure.description());
	}

	LockException heldHere(HeldLease lease) {
		Holder holder = lease.holder();
		return notAcquired(this.engine.settings.instanceId(), "thread '%s' of this instance has held '%s' for %d ms"
			.formatted(holder.thread, LogText.escape(lease.toString()), holder.held().toMillis()));
	}

	LockException behindOthers() {
		return notAcquired(this.engine.settings.instanceId(), "another thread of this instance is in front of it");
	}

	LockException refused(IllegalArgumentException refusal) {
		return unavailable(String.valueOf(refusal.getMessage()));
	}

	LockException cancelled() {
		return new LockCancelledException(ended("cancelled"), this.claim.toString(), waited());
	}

	private String ended(String how) {
		return "The wait for lock '%s' was %s after %d ms and %s".formatted(LogText.escape(this.claim.toString()), how,
				waited().toMillis(), count());
	}

	LockException stopped() {
		return unavailable("the lock engine of this instance is stopped");
	}

	LockException unavailable(String why) {
		return new LockUnavailableException("Lock '%s' is unavailable after %d ms and %s: %s"
			.formatted(LogText.escape(this.claim.toString()), waited().toMillis(), count(), why));
	}

	private LockException notAcquired(@Nullable String owner, String why) {
		String names = this.claim.toString();
		return new LockNotAcquiredException("Lock '%s' was not acquired within %d ms (%s): %s"
			.formatted(LogText.escape(names), waited().toMillis(), count(), why), names, owner, waited(), attempts());
	}

	private String count() {
		int attempts = attempts();
		return attempts + ((attempts == 1) ? " attempt" : " attempts");
	}

}
