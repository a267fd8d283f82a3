package io.quorlock.metrics;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.engine.event.RequestObserver;

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
		Tagged tagged = new Tagged(this.tags.valueOf(request), LockKind.of(request));
		Timers known = this.timers.get(tagged);
		return new Request(
				(known != null) ? known : this.timers.computeIfAbsent(tagged, (key) -> new Timers(this.registry, key)));
	}

	/** What the tags are made of. */
	private record Tagged(String lock, LockKind kind) {

		Tags tags() {
			return Tags.of("lock", this.lock, "mode", this.kind.tag());
		}

	}

	/** The timers with one value of each tag. */
	private static final class Timers {

		private final Timer[] acquire = new Timer[LockOutcome.values().length];

		private final Timer held;

		private Timers(MeterRegistry registry, Tagged tagged) {
			for (LockOutcome outcome : LockOutcome.values()) {
				this.acquire[outcome.ordinal()] = Timer.builder("distributed.lock.acquire")
					.description("From the request to the grant or the failure")
					.tags(tagged.tags())
					.tag("outcome", outcome.tag())
					.register(registry);
			}
			this.held = Timer.builder("distributed.lock.held")
				.description("How long locks are held")
				.tags(tagged.tags())
				.register(registry);
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
			this.timers.acquire[outcome.ordinal()].record(nowNanos - this.askedNanos, TimeUnit.NANOSECONDS);
		}

		@Override
		public void onReleased() {
			this.timers.held.record(System.nanoTime() - this.grantedNanos, TimeUnit.NANOSECONDS);
		}

		@Override
		public void onLost(LockLostEvent event) {
			this.timers.held.record(event.heldFor());
		}

	}

}
