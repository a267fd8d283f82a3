package io.quorlock.metrics;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Makes the meters of the observations of locks, the same ones that
 * {@link DefaultMeterObservationHandler} makes. That one puts the name and the tags of
 * four meters together for each lock and unlock, to look them up; this one remembers
 * them.
 *
 * @since 0.1.0
 */
public final class LockMeterObservationHandler implements MeterObservationHandler<LockObservationContext> {

	/** A convention of the application's may give tags without end. */
	private static final int MAX_REMEMBERED = 1_000;

	private final MeterRegistry registry;

	private final Clock clock;

	private final boolean longTaskTimers;

	private final DefaultMeterObservationHandler events;

	private final ConcurrentHashMap<MeterKey, Timer> timers = new ConcurrentHashMap<>();

	private final ConcurrentHashMap<MeterKey, LongTaskTimer> active = new ConcurrentHashMap<>();

	/**
	 * Creates the handler.
	 * @param registry holds the meters
	 * @param longTaskTimers whether observations under way have a timer, too
	 */
	public LockMeterObservationHandler(MeterRegistry registry, boolean longTaskTimers) {
		this.registry = registry;
		this.clock = registry.config().clock();
		this.longTaskTimers = longTaskTimers;
		this.events = new DefaultMeterObservationHandler(registry);
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof LockObservationContext;
	}

	@Override
	public void onStart(LockObservationContext context) {
		LongTaskTimer.Sample sample = this.longTaskTimers ? activeOf(context).start() : null;
		context.timing(new Timing(this.clock.monotonicTime(), sample));
	}

	@Override
	public void onStop(LockObservationContext context) {
		Timing timing = Objects.requireNonNull(context.timing());
		timerOf(context).record(this.clock.monotonicTime() - timing.startNanos(), TimeUnit.NANOSECONDS);
		if (timing.active() != null) {
			timing.active().stop();
		}
	}

	@Override
	public void onEvent(Observation.Event event, LockObservationContext context) {
		this.events.onEvent(event, context);
	}

	private LongTaskTimer activeOf(LockObservationContext context) {
		MeterKey key = MeterKey.of(context);
		LongTaskTimer known = this.active.get(key);
		return (known != null) ? known : remember(this.active, key,
				() -> this.registry.more().longTaskTimer(key.name() + ".active", key.tags()));
	}

	private Timer timerOf(LockObservationContext context) {
		MeterKey key = MeterKey.of(context);
		Throwable error = context.getError();
		if (error != null) {
			return timer(key, error.getClass().getSimpleName());
		}
		Timer known = this.timers.get(key);
		return (known != null) ? known : remember(this.timers, key, () -> timer(key, KeyValue.NONE_VALUE));
	}

	private Timer timer(MeterKey key, String error) {
		return this.registry.timer(key.name(), key.tags().and("error", error));
	}

	private static <M extends Meter> M remember(ConcurrentHashMap<MeterKey, M> meters, MeterKey key,
			Supplier<M> meter) {
		return (meters.size() < MAX_REMEMBERED) ? meters.computeIfAbsent(key, (each) -> meter.get()) : meter.get();
	}

	/** Tells the meters apart. */
	private record MeterKey(String name, KeyValues keyValues) {

		static MeterKey of(LockObservationContext context) {
			return new MeterKey(Objects.requireNonNull(context.getName()), context.getLowCardinalityKeyValues());
		}

		Tags tags() {
			return Tags.of(this.keyValues.stream().map((each) -> Tag.of(each.getKey(), each.getValue())).toList());
		}

	}

	/** From the start to the stop. */
	record Timing(long startNanos, LongTaskTimer.@Nullable Sample active) {
	}

}
