package io.quorlock.metrics;

import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;

/**
 * Counters of renewals and losses. The counters of a name are registered with zero when
 * it is first used, so that the first loss is an increase.
 *
 * @since 0.1.0
 */
public final class LockMeters implements LockListener {

	private final MeterRegistry registry;

	private final LockTags tags;

	private final ConcurrentHashMap<String, Meters> meters = new ConcurrentHashMap<>();

	/**
	 * Create the listener.
	 * @param registry holds the meters
	 * @param tags limits the values of the tag {@code lock}
	 */
	public LockMeters(MeterRegistry registry, LockTags tags) {
		this.registry = registry;
		this.tags = tags;
		tags.forEach(this::metersOf);
	}

	@Override
	public void onRenewed(LockRequest request, boolean success) {
		Meters meters = metersOf(this.tags.valueOf(request.baseName()));
		(success ? meters.renewed : meters.notRenewed).increment();
	}

	@Override
	public void onLost(LockRequest request, LockLostEvent event) {
		metersOf(this.tags.valueOf(request.baseName())).lost.increment();
	}

	private Meters metersOf(String lock) {
		return this.meters.computeIfAbsent(lock, (key) -> new Meters(this.registry, Tags.of("lock", key)));
	}

	/** The meters with one value of the tag {@code lock}. */
	private static final class Meters {

		private final Counter renewed;

		private final Counter notRenewed;

		private final Counter lost;

		private Meters(MeterRegistry registry, Tags tags) {
			this.renewed = renewals(registry, tags.and("outcome", "success"));
			this.notRenewed = renewals(registry, tags.and("outcome", "failure"));
			this.lost = Counter.builder("distributed.lock.lost")
				.description("Locks whose validity ended before their holder released them")
				.tags(tags)
				.register(registry);
		}

		private static Counter renewals(MeterRegistry registry, Tags tags) {
			return Counter.builder("distributed.lock.renewals")
				.description("Renewals by the watchdog")
				.tags(tags)
				.register(registry);
		}

	}

}
