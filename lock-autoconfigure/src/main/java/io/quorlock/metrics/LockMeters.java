package io.quorlock.metrics;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.core.LockListener;

/**
 * Timers and counters of what happens to locks, recorded from the durations in the events
 * and so off the path of those who lock. The meters of a name are registered when it is
 * first seen, at zero, so that the first lost lock is an increase.
 *
 * @since 0.1.0
 */
public final class LockMeters implements LockListener {

	private final MeterRegistry registry;

	private final LockTags tags;

	private final boolean timers;

	private final ConcurrentHashMap<String, Meters> meters = new ConcurrentHashMap<>();

	/**
	 * Creates the listener.
	 * @param registry holds the meters
	 * @param tags limits the values of the tag {@code lock}
	 * @param timers whether to record {@code distributed.lock.acquire} and
	 * {@code distributed.lock.held}; {@code false} where these come from observations
	 */
	public LockMeters(MeterRegistry registry, LockTags tags, boolean timers) {
		this.registry = registry;
		this.tags = tags;
		this.timers = timers;
	}

	@Override
	public void onWaiting(LockRequest request) {
		metersOf(request);
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
		metersOf(request).recordAcquire(LockOutcome.ACQUIRED, waited);
	}

	@Override
	public void onNotAcquired(LockRequest request, boolean unavailable, Duration waited, int attempts) {
		metersOf(request).recordAcquire(unavailable ? LockOutcome.UNAVAILABLE : LockOutcome.CONTENDED, waited);
	}

	@Override
	public void onRenewed(LockRequest request, boolean success) {
		Meters meters = metersOf(request);
		(success ? meters.renewed : meters.notRenewed).increment();
	}

	@Override
	public void onReleased(LockRequest request, Duration held) {
		metersOf(request).recordHeld(held);
	}

	@Override
	public void onLost(LockRequest request, LockLostEvent event) {
		Meters meters = metersOf(request);
		meters.lost.increment();
		meters.recordHeld(event.heldFor());
	}

	private Meters metersOf(LockRequest request) {
		String lock = this.tags.valueOf(request.group());
		Meters known = this.meters.get(lock);
		return (known != null) ? known : this.meters.computeIfAbsent(lock, Meters::new);
	}

	/** The meters with one value of the tag. */
	private final class Meters {

		private final Timer @Nullable [] acquire;

		private final @Nullable Timer held;

		private final Counter renewed;

		private final Counter notRenewed;

		private final Counter lost;

		private Meters(String lock) {
			Tags tags = Tags.of("lock", lock);
			this.acquire = LockMeters.this.timers ? acquireTimers(tags) : null;
			this.held = LockMeters.this.timers ? timer("distributed.lock.held", "How long locks are held", tags) : null;
			this.renewed = renewals(tags.and("outcome", "success"));
			this.notRenewed = renewals(tags.and("outcome", "failure"));
			this.lost = Counter.builder("distributed.lock.lost")
				.description("Locks whose validity ended before their holder released them")
				.tags(tags)
				.register(LockMeters.this.registry);
		}

		private Timer[] acquireTimers(Tags tags) {
			LockOutcome[] outcomes = LockOutcome.values();
			Timer[] timers = new Timer[outcomes.length];
			for (LockOutcome outcome : outcomes) {
				timers[outcome.ordinal()] = timer("distributed.lock.acquire",
						"From the request to the lock or to giving up", tags.and("outcome", outcome.tag()));
			}
			return timers;
		}

		private Timer timer(String name, String description, Tags tags) {
			return Timer.builder(name).description(description).tags(tags).register(LockMeters.this.registry);
		}

		private Counter renewals(Tags tags) {
			return Counter.builder("distributed.lock.renewals")
				.description("Renewals by the watchdog")
				.tags(tags)
				.register(LockMeters.this.registry);
		}

		private void recordAcquire(LockOutcome outcome, Duration waited) {
			if (this.acquire != null) {
				this.acquire[outcome.ordinal()].record(waited);
			}
		}

		private void recordHeld(Duration duration) {
			if (this.held != null) {
				this.held.record(duration);
			}
		}

	}

}
