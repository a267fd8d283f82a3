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
import java.util.List;

import io.quorlock.LockContext;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.spi.ReentrantLockHandle;
import io.quorlock.store.Claim;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.LockClock;

/**
 * Translates what a caller asks for into what the store is asked for.
 */
final class ClaimFactory {

	private final Object engine;

	private final EngineSettings settings;

	private final LeaseStore store;

	private final LockClock clock;

	private final List<RequestObserver> observers;

	ClaimFactory(Object engine, EngineSettings settings, LeaseStore store, LockClock clock,
			List<RequestObserver> observers) {
		this.engine = engine;
		this.settings = settings;
		this.store = store;
		this.clock = clock;
		this.observers = observers;
	}

	Claim claim(LockRequest request, Patience patience) {
		Duration wait = (request.waitTime() != null) ? request.waitTime() : patience.defaultWait();
		Duration lease = request.leaseTime();
		boolean retained = !HandOvers.retainTime(this.settings, request).isZero();
		boolean limited = patience.limited() && !LockRequest.UNLIMITED_WAIT.equals(request.waitTime());
		return Claim.builder(request.names())
			.kind(request.mode(), request.permits(), request.isFair())
			.lease(Nanos.of((lease != null) ? lease : this.settings.leaseTime()), lease == null)
			.retained(retained)
			.tokens(HandOvers.range(this.settings, request, retained))
			.waiting(this.clock.nanoTime(), Nanos.of(wait))
			.attempts(limited ? this.settings.maxAttempts() : Integer.MAX_VALUE,
					limited && this.settings.unavailableFailFast())
			.build();
	}

	/** Check a request before anything is queued or sent. */
	void check(LockRequest request, Claim claim) {
		if (request.leaseTime() != null) {
			Leases.check(this.settings, request.leaseTime(), claim.toString());
		}
		this.store.check(claim);
	}

	Holder.Caller caller(LockRequest request) {
		Throwable stack = this.settings.recordingCallers() ? new Throwable("Acquired here") : null;
		return new Holder.Caller(request, Thread.currentThread().getName(), stack,
				ObservedRequest.start(this.observers, request));
	}

	/** Whether the call that asks holds a lock of this engine already (R13). */
	boolean isNested(LockRequest request) {
		LockContext context = (request.context() != null) ? request.context() : LockContext.ofThread();
		for (LockContext outer = context; outer != null; outer = outer.outer()) {
			if (outer.handle() instanceof ReentrantLockHandle handle && handle.isGrantedBy(this.engine)
					&& outer.isOfThisCall()) {
				return true;
			}
		}
		return false;
	}

}
