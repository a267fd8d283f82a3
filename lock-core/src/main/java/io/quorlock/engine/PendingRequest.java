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
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.time.LockClock;

/**
 * What is known of a request that has not got its lock yet: its caller, what it asks for,
 * since when, and what the store has said. Reports to listeners what becomes of it.
 */
final class PendingRequest {

	/** What requests of one engine share. */
	record Parts(Listeners listeners, LockClock clock, Callbacks callbacks, String instanceId) {
	}

	private final Parts parts;

	private final Holder.Caller caller;

	private final Claim claim;

	private final AtomicBoolean waitingReported = new AtomicBoolean();

	private volatile @Nullable Contender contender;

	PendingRequest(Parts parts, Holder.Caller caller, Claim claim) {
		this.parts = parts;
		this.caller = caller;
		this.claim = claim;
	}

	Holder.Caller caller() {
		return this.caller;
	}

	Claim claim() {
		return this.claim;
	}

	@Nullable Contender contender() {
		return this.contender;
	}

	void contender(Contender contender) {
		this.contender = contender;
	}

	/** Return whether another request asks the store for the same. */
	boolean wantsTheSame(PendingRequest other) {
		return this.claim.names().equals(other.claim.names()) && this.claim.mode() == other.claim.mode()
				&& this.claim.permits() == other.claim.permits();
	}

	Holder holder(int generation) {
		return new Holder(this.caller, generation, now(), this.parts.callbacks());
	}

	void reportAcquired(Handle handle) {
		if (this.parts.listeners().reportAcquired()) {
			this.parts.listeners().acquired(this.caller.request(), handle, Duration.ofNanos(waitedNanos()), attempts());
		}
	}

	void reportNotAcquired(LockException failure) {
		this.parts.listeners().notAcquired(this.caller.request(), failure, Duration.ofNanos(waitedNanos()), attempts());
	}

	/** Report once that the request waits. */
	void reportWaiting() {
		if (this.waitingReported.compareAndSet(false, true)) {
			this.parts.listeners().waiting(this.caller.request());
		}
	}

	Failures failures() {
		return new Failures(this.claim.toString(), waitedNanos(), attempts());
	}

	LockException heldHere(HeldLease lease) {
		return failures().heldHere(lease, this.parts.instanceId(), now());
	}

	LockException behindOthers() {
		return failures().behindOthers(this.parts.instanceId());
	}

	/** What the store has said last, if that explains why others wait behind it. */
	@Nullable ClaimFailure lastFailure() {
		Contender contender = this.contender;
		ClaimFailure last = (contender != null) ? contender.lastFailure() : null;
		return (last instanceof ClaimFailure.Held || last instanceof ClaimFailure.Unavailable) ? last : null;
	}

	long now() {
		return this.parts.clock().nanoTime();
	}

	long waitedNanos() {
		return now() - this.claim.queuedAtNanos();
	}

	int attempts() {
		Contender contender = this.contender;
		return (contender != null) ? contender.attempts() : 0;
	}

	LockWait describe() {
		return new LockWait(this.claim.names(), this.caller.request().baseName(), this.caller.thread(),
				Duration.ofNanos(waitedNanos()), attempts(), this.caller.request().mode(),
				this.caller.request().permits(), this.caller.request().isFair());
	}

}
