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

package io.quorlock.metrics;

import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.metrics.LockTags.Tagged;

/**
 * Creates an {@link Observation} of each wait for a lock and of each hold of it. Their
 * parent is the current observation of the caller, whatever the thread that they end on.
 * No scope is opened, since a lock is not bound to a thread.
 *
 * @since 0.1.0
 * @see LockAcquireObservationConvention
 * @see LockHeldObservationConvention
 */
public final class LockObservations implements RequestObserver {

	private static final LockAcquireObservationConvention DEFAULT_ACQUIRE = new LockAcquireObservationConvention();

	private static final LockHeldObservationConvention DEFAULT_HELD = new LockHeldObservationConvention();

	private final ObservationRegistry registry;

	private final LockTags tags;

	private final ConcurrentHashMap<Tagged, LockKeyValues> keyValues = new ConcurrentHashMap<>();

	private final @Nullable LockAcquireObservationConvention acquireConvention;

	private final @Nullable LockHeldObservationConvention heldConvention;

	/**
	 * Create the observer.
	 * @param registry handles the observations
	 * @param tags limits the values of the tag {@code lock}
	 * @param acquireConvention replaces the default, or {@code null}
	 * @param heldConvention replaces the default, or {@code null}
	 */
	public LockObservations(ObservationRegistry registry, LockTags tags,
			@Nullable LockAcquireObservationConvention acquireConvention,
			@Nullable LockHeldObservationConvention heldConvention) {
		this.registry = registry;
		this.tags = tags;
		this.acquireConvention = acquireConvention;
		this.heldConvention = heldConvention;
	}

	@Override
	public @Nullable RequestObservation onRequest(LockRequest request) {
		// Observed or not, the meters of a name are there from its first request on.
		Tagged tagged = this.tags.of(request);
		if (this.registry.isNoop()) {
			return null;
		}
		LockAcquireObservationContext context = new LockAcquireObservationContext(request, keyValuesOf(tagged));
		Observation acquire = Observation.start(this.acquireConvention, DEFAULT_ACQUIRE, () -> context, this.registry);
		return new Request(acquire, context);
	}

	private LockKeyValues keyValuesOf(Tagged tagged) {
		LockKeyValues known = this.keyValues.get(tagged);
		return (known != null) ? known
				: this.keyValues.computeIfAbsent(tagged, (key) -> LockKeyValues.of(key.lock(), key.mode()));
	}

	private Observation startHeld(LockHandle handle, LockAcquireObservationContext acquired) {
		LockHeldObservationContext context = new LockHeldObservationContext(handle, acquired.keyValues());
		context.setParentObservation(acquired.getParentObservation());
		return Observation.start(this.heldConvention, DEFAULT_HELD, () -> context, this.registry);
	}

	/** One request; the engine calls the methods one after another. */
	private final class Request implements RequestObservation {

		/**
		 * Let go at the outcome: a lock that is held for hours does not keep what was
		 * observed of the wait for it.
		 */
		private volatile @Nullable Wait wait;

		private volatile Observation held = Observation.NOOP;

		private Request(Observation acquire, LockAcquireObservationContext context) {
			this.wait = new Wait(acquire, context);
		}

		@Override
		public void onGranted(LockHandle handle, int attempts) {
			Wait wait = this.wait;
			if (wait != null) {
				this.wait = null;
				wait.context().end(LockOutcome.ACQUIRED, attempts);
				wait.acquire().stop();
				this.held = startHeld(handle, wait.context());
			}
		}

		@Override
		public void onFailed(LockException failure, int attempts) {
			Wait wait = this.wait;
			if (wait != null) {
				this.wait = null;
				LockOutcome outcome = LockOutcome.of(failure);
				wait.context().end(outcome, attempts);
				if (outcome == LockOutcome.UNAVAILABLE) {
					wait.acquire().error(failure);
				}
				wait.acquire().stop();
			}
		}

		@Override
		public void onReleased() {
			endHeld().stop();
		}

		@Override
		public void onLost(LockLostEvent event) {
			Observation held = endHeld();
			held.error(new LockLostException(event.reason()));
			held.stop();
		}

		/** A lease that is kept although it is unused refers to its last holder. */
		private Observation endHeld() {
			Observation held = this.held;
			this.held = Observation.NOOP;
			return held;
		}

	}

	/** The observation of the wait for a lock. */
	private record Wait(Observation acquire, LockAcquireObservationContext context) {
	}

}
