package io.quorlock.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.ObservedEngine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockMeterObservationHandler}: whatever happens, its meters are those
 * of Micrometer's own handler, which hears of the same observations.
 */
class LockMeterObservationHandlerTests {

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final MeterRegistry expected = new SimpleMeterRegistry();

	private final ObservationRegistry registry = ObservationRegistry.create();

	private @Nullable ObservedEngine observed;

	@AfterEach
	void stop() {
		if (this.observed != null) {
			this.observed.close();
		}
	}

	@Test
	void countsWhatIsAcquiredHeldAndContended() {
		LockTemplate template = start(null);
		for (int i = 0; i < 3; i++) {
			try (LockHandle lock = template.acquire(LockRequest.of("order").key(1))) {
				assertThat(template.tryAcquire(LockRequest.of("order").key(1))).isEmpty();
			}
		}
		template.acquire(LockRequest.of("invoice")).close();
		assertThatMetersAreAsExpected();
		assertThat(this.meters.get("distributed.lock.acquire")
			.tags("lock", "order", "outcome", "contended", "error", "none")
			.timer()
			.count()).isEqualTo(3);
	}

	@Test
	void measuresTheTime() {
		LockTemplate template = start(null);
		try (LockHandle lock = template.acquire(LockRequest.of("order"))) {
			assertThat(template.tryAcquire(LockRequest.of("order").waitTime(Duration.ofMillis(60)))).isEmpty();
		}
		Timer held = this.meters.get("distributed.lock.held").timer();
		Timer waited = this.meters.get("distributed.lock.acquire").tag("outcome", "contended").timer();
		assertThat(held.totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(60);
		assertThat(waited.totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(60);
	}

	@Test
	void tellsTheErrorOfALoss() {
		LockTemplate template = start(null);
		template.acquire(LockRequest.of("order").leaseTime(Duration.ofMillis(50)));
		Awaitility.await().ignoreException(MeterNotFoundException.class).untilAsserted(() -> {
			assertThat(this.meters.get("distributed.lock.held").tag("error", "LockLostException").timer().count())
				.isEqualTo(1);
			assertThatMetersAreAsExpected();
		});
	}

	@Test
	void whatIsUnderWayIsActive() {
		LockTemplate template = start(null);
		LockHandle lock = template.acquire(LockRequest.of("order"));
		assertThat(active("distributed.lock.held.active").activeTasks()).isEqualTo(1);
		assertThat(active("distributed.lock.acquire.active").activeTasks()).isZero();
		assertThatMetersAreAsExpected();
		lock.close();
		assertThat(active("distributed.lock.held.active").activeTasks()).isZero();
	}

	@Test
	void makesNoLongTaskTimerWhereNoneIsWanted() {
		this.registry.observationConfig().observationHandler(new LockMeterObservationHandler(this.meters, false));
		template(null).acquire(LockRequest.of("order")).close();
		assertThat(this.meters.getMeters()).hasSize(2).allMatch((meter) -> meter instanceof Timer);
	}

	@Test
	void takesWhatAConventionAndAFilterAdd() {
		this.registry.observationConfig()
			.observationFilter((context) -> context.addLowCardinalityKeyValue(KeyValue.of("zone", "north")));
		start(new DefaultLockAcquireObservationConvention() {

			@Override
			public String getName() {
				return "shop.lock";
			}

			@Override
			public KeyValues getLowCardinalityKeyValues(LockAcquireObservationContext context) {
				return super.getLowCardinalityKeyValues(context).and("tenant", "shoes");
			}

		}).acquire(LockRequest.of("order")).close();
		assertThatMetersAreAsExpected();
		assertThat(this.meters.get("shop.lock").tags("tenant", "shoes", "zone", "north").timer().count()).isEqualTo(1);
	}

	@Test
	void tagsWithoutEndAreMeteredAndNotRemembered() {
		LockMeterObservationHandler handler = new LockMeterObservationHandler(this.meters, true);
		for (int tenant = 0; tenant < 2_000; tenant++) {
			for (int i = 0; i < 2; i++) {
				LockAcquireObservationContext context = new LockAcquireObservationContext(LockRequest.of("order"),
						"order");
				context.setName("distributed.lock.acquire");
				context.addLowCardinalityKeyValue(KeyValue.of("tenant", Integer.toString(tenant)));
				handler.onStart(context);
				handler.onStop(context);
			}
		}
		assertThat(this.meters.get("distributed.lock.acquire").timers()).hasSize(2_000)
			.allMatch((timer) -> timer.count() == 2);
		assertThat(handler).extracting("timers").asInstanceOf(InstanceOfAssertFactories.MAP).hasSize(1_000);
	}

	@Test
	void countsEvents() {
		LockAcquireObservationContext context = new LockAcquireObservationContext(LockRequest.of("order"), "order");
		this.registry.observationConfig().observationHandler(new LockMeterObservationHandler(this.meters, true));
		Observation.createNotStarted(new DefaultLockAcquireObservationConvention(), () -> context, this.registry)
			.start()
			.event(Observation.Event.of("queued"));
		assertThat(this.meters.get("distributed.lock.acquire.queued").counter().count()).isEqualTo(1);
	}

	@Test
	void leavesOtherObservationsToOthers() {
		LockMeterObservationHandler handler = new LockMeterObservationHandler(this.meters, true);
		assertThat(handler.supportsContext(new Observation.Context())).isFalse();
	}

	private LockTemplate start(@Nullable LockAcquireObservationConvention convention) {
		this.registry.observationConfig()
			.observationHandler(new LockMeterObservationHandler(this.meters, true))
			.observationHandler(new DefaultMeterObservationHandler(this.expected));
		return template(convention);
	}

	private LockTemplate template(@Nullable LockAcquireObservationConvention convention) {
		ObservedEngine observed = new ObservedEngine(1);
		observed.requestObservers.add(new LockObservations(this.registry, new LockTags(), convention, null));
		this.observed = observed.start();
		return observed.template();
	}

	private LongTaskTimer active(String name) {
		return this.meters.get(name).longTaskTimer();
	}

	private void assertThatMetersAreAsExpected() {
		assertThat(counts(this.meters)).isEqualTo(counts(this.expected)).isNotEmpty();
	}

	private static Map<String, Long> counts(MeterRegistry registry) {
		Map<String, Long> counts = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			counts.put(meter.getId().getType() + " " + meter.getId().getName() + " " + meter.getId().getTags(),
					meter.<Long>match((gauge) -> -1L, (counter) -> (long) counter.count(), Timer::count,
							(summary) -> -1L, (active) -> (long) active.activeTasks(), (gauge) -> -1L, (counter) -> -1L,
							(timer) -> -1L, (other) -> -1L));
		}
		return counts;
	}

}
