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

/**
 * Creates an {@link Observation} of each wait for a lock and of each hold of it. Their
 * parent is the current observation of the caller, whatever the thread that they end on.
 * No scope is opened, since a lock is not bound to a thread.
 *
 * @since 0.1.0
 * @see LockObservation
 */
public final class LockObservations implements RequestObserver {

	private static final LockAcquireObservationConvention DEFAULT_ACQUIRE = new DefaultLockAcquireObservationConvention();

	private static final LockHeldObservationConvention DEFAULT_HELD = new DefaultLockHeldObservationConvention();

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
		if (this.registry.isNoop()) {
			return null;
		}
		LockAcquireObservationContext context = new LockAcquireObservationContext(request,
				keyValuesOf(new Tagged(this.tags.valueOf(request), LockKind.of(request))));
		Observation acquire = LockObservation.ACQUIRE
			.observation(this.acquireConvention, DEFAULT_ACQUIRE, () -> context, this.registry)
			.start();
		return new Request(acquire, context);
	}

	private LockKeyValues keyValuesOf(Tagged tagged) {
		LockKeyValues known = this.keyValues.get(tagged);
		return (known != null) ? known
				: this.keyValues.computeIfAbsent(tagged, (key) -> new LockKeyValues(key.lock(), key.kind()));
	}

	private Observation startHeld(LockHandle handle, LockAcquireObservationContext acquired) {
		LockHeldObservationContext context = new LockHeldObservationContext(handle, acquired.keyValues());
		context.setParentObservation(acquired.getParentObservation());
		return LockObservation.HELD.observation(this.heldConvention, DEFAULT_HELD, () -> context, this.registry)
			.start();
	}

	/** What the tags are made of. */
	private record Tagged(String lock, LockKind kind) {
	}

	/** One request; the engine calls the methods one after another. */
	private final class Request implements RequestObservation {

		private final Observation acquire;

		private final LockAcquireObservationContext context;

		private volatile Observation held = Observation.NOOP;

		private Request(Observation acquire, LockAcquireObservationContext context) {
			this.acquire = acquire;
			this.context = context;
		}

		@Override
		public void onGranted(LockHandle handle, int attempts) {
			this.context.end(LockOutcome.ACQUIRED, attempts);
			this.acquire.stop();
			this.held = startHeld(handle, this.context);
		}

		@Override
		public void onFailed(LockException failure, int attempts) {
			LockOutcome outcome = LockOutcome.of(failure);
			this.context.end(outcome, attempts);
			if (outcome == LockOutcome.UNAVAILABLE) {
				this.acquire.error(failure);
			}
			this.acquire.stop();
		}

		@Override
		public void onReleased() {
			this.held.stop();
		}

		@Override
		public void onLost(LockLostEvent event) {
			this.held.error(new LockLostException(event.reason()));
			this.held.stop();
		}

	}

}
