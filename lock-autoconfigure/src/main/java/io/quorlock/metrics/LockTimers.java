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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.metrics.LockTags.Tagged;

/**
 * Times each wait for a lock and each hold of it, if there are no observations. It runs
 * on the threads that lock, since recording a time is faster than passing an event to
 * another thread.
 *
 * @since 0.1.0
 */
public final class LockTimers implements RequestObserver {

	private final MeterRegistry registry;

	private final LockTags tags;

	private final ConcurrentHashMap<Tagged, Timers> timers = new ConcurrentHashMap<>();

	/**
	 * Create the observer.
	 * @param registry holds the timers
	 * @param tags limits the values of the tag {@code lock}
	 */
	public LockTimers(MeterRegistry registry, LockTags tags) {
		this.registry = registry;
		this.tags = tags;
	}

	@Override
	public RequestObservation onRequest(LockRequest request) {
		Tagged tagged = this.tags.of(request);
		Timers known = this.timers.get(tagged);
		return new Request(
				(known != null) ? known : this.timers.computeIfAbsent(tagged, (key) -> new Timers(this.registry, key)));
	}

	/** The timers with one value of each tag, each registered when it is first used. */
	private static final class Timers {

		private final MeterRegistry registry;

		private final Tags tags;

		private final AtomicReferenceArray<@Nullable Timer> acquire = new AtomicReferenceArray<>(
				LockOutcome.values().length);

		private volatile @Nullable Timer held;

		private Timers(MeterRegistry registry, Tagged tagged) {
			this.registry = registry;
			this.tags = Tags.of("lock", tagged.lock(), "mode", tagged.kind().tag());
		}

		private Timer acquire(LockOutcome outcome) {
			Timer timer = this.acquire.get(outcome.ordinal());
			if (timer == null) {
				timer = Timer.builder("distributed.lock.acquire")
					.description("From the request to the grant or the failure")
					.tags(this.tags)
					.tag("outcome", outcome.tag())
					.register(this.registry);
				this.acquire.set(outcome.ordinal(), timer);
			}
			return timer;
		}

		private Timer held() {
			Timer timer = this.held;
			if (timer == null) {
				timer = Timer.builder("distributed.lock.held")
					.description("How long locks are held")
					.tags(this.tags)
					.register(this.registry);
				this.held = timer;
			}
			return timer;
		}

	}

	/** One request; the engine calls the methods one after another. */
	private static final class Request implements RequestObservation {

		private final Timers timers;

		private final long askedNanos = System.nanoTime();

		private volatile long grantedNanos;

		private Request(Timers timers) {
			this.timers = timers;
		}

		@Override
		public void onGranted(LockHandle handle, int attempts) {
			this.grantedNanos = System.nanoTime();
			record(LockOutcome.ACQUIRED, this.grantedNanos);
		}

		@Override
		public void onFailed(LockException failure, int attempts) {
			record(LockOutcome.of(failure), System.nanoTime());
		}

		private void record(LockOutcome outcome, long nowNanos) {
			this.timers.acquire(outcome).record(nowNanos - this.askedNanos, TimeUnit.NANOSECONDS);
		}

		@Override
		public void onReleased() {
			this.timers.held().record(System.nanoTime() - this.grantedNanos, TimeUnit.NANOSECONDS);
		}

		@Override
		public void onLost(LockLostEvent event) {
			this.timers.held().record(event.heldFor());
		}

	}

}
