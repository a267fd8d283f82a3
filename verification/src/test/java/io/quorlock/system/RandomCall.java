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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.quorlock.LockCancelledException;
import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.system.Occupation.Claim;
import io.quorlock.system.Occupation.Hold;

/**
 * One call of a {@link RandomCaller}, which judges what becomes of it. No server fails,
 * so that hardly anything excuses a refusal or a loss.
 */
final class RandomCall {

	/** Of this name, locks are released by force. */
	static final String SEIZED = "seized";

	static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(1);

	/** Two operation timeouts, and the time of a busy machine. */
	private static final Duration LATE = OPERATION_TIMEOUT.multipliedBy(2).plusSeconds(2);

	private static final long ROUNDING_NANOS = 1_000_000;

	private final Occupation occupation;

	private final SequenceInstance instance;

	private final Object caller;

	private final Claim claim;

	private final Duration waitTime;

	private final boolean reentry;

	private final boolean seized;

	private final @Nullable KeptLocks transaction = KeptLocks.current();

	/** That of a transactional method, which begins under its lock. */
	private volatile @Nullable KeptLocks ownTransaction;

	private volatile boolean interruptible;

	private volatile boolean cancelled;

	private volatile boolean granted;

	private volatile boolean settled = true;

	private volatile boolean kept;

	RandomCall(Occupation occupation, SequenceInstance instance, Object caller, String kind, LockRequest request) {
		this.occupation = occupation;
		this.instance = instance;
		this.caller = caller;
		this.claim = occupation.claim(caller, kind, instance.scope, request, instance::isUndisturbedSince);
		this.waitTime = request.waitTime();
		this.reentry = this.claim.isReentry();
		this.seized = request.baseName().equals(SEIZED);
	}

	/** Threads may be interrupted meanwhile. */
	RandomCall interruptible(boolean interruptible) {
		this.interruptible = interruptible;
		return this;
	}

	/** The caller does not wait for the result. */
	void cancel() {
		this.cancelled = true;
		this.settled = false;
	}

	/** The caller does not wait for the release. */
	void unsettle() {
		this.settled = false;
	}

	boolean isLeased() {
		return this.claim.request.leaseTime() != null;
	}

	boolean isInTransaction() {
		return this.transaction != null;
	}

	void violated(String text) {
		this.occupation.violated(text + ": " + this.claim);
	}

	private boolean isUndisturbed() {
		return this.claim.isUndisturbed();
	}

	private boolean mayBeLost() {
		KeptLocks own = this.ownTransaction;
		// A commit fails if any lock around it is lost.
		return this.claim.mayEnd() || (own != null && (own.mayBeLost() || this.occupation.mayEndFor(this.caller)));
	}

	List<Hold> granted(LockHandle handle) {
		checkTime();
		if (!isFor(handle)) {
			violated("Another lock is the innermost, " + handle.names());
		}
		this.granted = true;
		this.ownTransaction = (this.transaction == null) ? KeptLocks.current() : null;
		handle.onLost((event) -> {
			if (!this.claim.mayEnd()) {
				violated("Lost, " + event.reason());
			}
		});
		return this.claim.granted(handle);
	}

	/** The owner holds a lock that it held before. */
	void reentered() {
		this.granted = true;
		if (!this.reentry) {
			violated("Held without a handle");
		}
	}

	boolean isFor(LockHandle handle) {
		return Set.copyOf(handle.names()).equals(Set.copyOf(this.claim.request.names()));
	}

	boolean isGranted() {
		return this.granted;
	}

	/**
	 * What it was granted is about to be released, at the end of a transaction if one is
	 * active.
	 */
	void left(List<Hold> holds) {
		KeptLocks transaction = this.transaction;
		if (transaction != null && !transaction.completed && !this.claim.request.isReleasedImmediately()
				&& this.instance.property("transaction.release-after-completion", true)) {
			this.kept = true;
			transaction.keep(this, holds);
		}
		else {
			holds.forEach(Hold::leave);
		}
	}

	void end() {
		if (!this.kept) {
			LockRequest request = this.claim.request;
			// A lease that is retained is in the way of who waits for less than a
			// timeout.
			boolean retained = (request.retainTime() != null) ? !request.retainTime().isZero()
					: this.instance.property("retain-time").equals("300ms");
			this.claim.end(this.settled && this.granted && !this.claim.mayEnd() && request.holdAtLeast().isZero()
					&& !retained && !Thread.currentThread().isInterrupted()
					&& !this.instance.property("release-mode").equals("sent"));
		}
	}

	/** It was not granted, and no exception says why. */
	void refused() {
		checkTime();
		if (this.cancelled || this.seized || !isUndisturbed() || Thread.currentThread().isInterrupted()) {
			return;
		}
		if (this.reentry && this.claim.mayEnd()) {
			return; // The registry refuses at once what the thread has lost.
		}
		if (this.claim.elapsedNanos() + ROUNDING_NANOS < this.waitTime.toNanos()) {
			violated("Refused after " + this.claim.elapsedNanos() / 1_000 + " us of its wait");
		}
		if (!this.claim.isContended()) {
			violated("Refused though nobody else asked for it");
		}
	}

	private void refused(LockNotAcquiredException refusal) {
		long elapsed = this.claim.elapsedNanos();
		refused();
		long waited = refusal.getWaited().toNanos();
		if (waited > elapsed + ROUNDING_NANOS
				|| (isUndisturbed() && waited + ROUNDING_NANOS < this.waitTime.toNanos())) {
			violated("Says that it waited " + refusal.getWaited() + " in " + elapsed / 1_000 + " us");
		}
		if (refusal.getAttempts() < 0
				|| (refusal.getOwner() != null && !refusal.getOwner().startsWith("sequences@test:"))) {
			violated("Refused by nobody who is known, " + refusal.getMessage());
		}
	}

	private void checkTime() {
		if (this.claim.elapsedNanos() > this.waitTime.plus(LATE).toNanos() && isUndisturbed()) {
			violated("Took " + this.claim.elapsedNanos() / 1_000_000 + " ms");
		}
	}

	void failed(Throwable failure) {
		this.settled = false;
		Throwable cause = failure;
		while ((cause instanceof CompletionException || cause instanceof ExecutionException)
				&& cause.getCause() != null) {
			cause = cause.getCause();
		}
		if (cause instanceof LockNotAcquiredException refusal) {
			refused(refusal);
		}
		else if (!isJustified(cause)) {
			violated("Failed with " + cause);
		}
		if (cause instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isJustified(Throwable failure) {
		if (failure instanceof IntendedException || failure instanceof UnexpectedRollbackException) {
			return true;
		}
		if (failure instanceof LockLostException || failure instanceof ConcurrentModificationException
				|| failure.getCause() instanceof LockLostException) {
			return mayBeLost();
		}
		if (failure instanceof LockReentryException) {
			return this.reentry;
		}
		if (failure instanceof LockInterruptedException || failure instanceof InterruptedException) {
			return this.interruptible;
		}
		if (failure instanceof LockCancelledException || failure instanceof CancellationException) {
			return this.cancelled || !isUndisturbed();
		}
		if (failure instanceof LockUnavailableException) {
			// What is seized or outlived before it is handed out is not granted.
			Duration lease = this.claim.request.leaseTime();
			return !isUndisturbed() || this.seized || (lease != null && this.claim.elapsedNanos() > lease.toNanos());
		}
		return (failure instanceof LockException || failure instanceof IllegalStateException
				|| failure instanceof TransactionException) && !isUndisturbed();
	}

	/** What the code under the lock throws. */
	static final class IntendedException extends Exception {

	}

	/** What a transaction keeps until its completion. */
	static final class KeptLocks implements TransactionSynchronization, Ordered {

		private final List<RandomCall> calls = new ArrayList<>();

		private final List<Hold> holds = new ArrayList<>();

		private boolean completed;

		/** Those of the transaction of the thread, if there is one. */
		static @Nullable KeptLocks current() {
			if (!TransactionSynchronizationManager.isActualTransactionActive()) {
				return null;
			}
			for (TransactionSynchronization candidate : TransactionSynchronizationManager.getSynchronizations()) {
				if (candidate instanceof KeptLocks locks) {
					return locks;
				}
			}
			KeptLocks locks = new KeptLocks();
			TransactionSynchronizationManager.registerSynchronization(locks);
			return locks;
		}

		void keep(RandomCall call, List<Hold> holds) {
			this.calls.add(call);
			this.holds.addAll(holds);
			holds.forEach(Hold::keep);
		}

		/** Whether the commit may fail. */
		boolean mayBeLost() {
			return this.calls.stream().anyMatch(RandomCall::mayBeLost);
		}

		@Override
		public void afterCompletion(int status) {
			this.completed = true;
			this.holds.forEach(Hold::leave);
			this.calls.forEach((call) -> call.claim.end(false));
		}

		/** Before the locks are released. */
		@Override
		public int getOrder() {
			return 0;
		}

	}

}
