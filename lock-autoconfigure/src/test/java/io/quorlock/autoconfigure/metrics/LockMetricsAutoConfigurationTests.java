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

package io.quorlock.autoconfigure.metrics;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.actuate.NodeStatistics;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.actuate.LocksEndpointAutoConfiguration;
import io.quorlock.autoconfigure.leader.LeaderElectionAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.metrics.LockAcquireObservationContext;
import io.quorlock.metrics.LockAcquireObservationConvention;
import io.quorlock.metrics.LockGauges;
import io.quorlock.metrics.LockHeldObservationContext;
import io.quorlock.metrics.LockHeldObservationConvention;
import io.quorlock.metrics.LockMeters;
import io.quorlock.metrics.LockObservations;
import io.quorlock.metrics.LockTags;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockMetricsAutoConfiguration}, and for what is observed of annotated
 * methods.
 */
class LockMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.backend=in-memory")
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockMetricsAutoConfiguration.class));

	private final ApplicationContextRunner metricsRunner = this.contextRunner
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withConfiguration(
				AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class));

	private final ApplicationContextRunner observationRunner = this.metricsRunner
		.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class));

	private static final int KEYS = 10_000;

	private final ApplicationContextRunner methodRunner = this.metricsRunner.withBean(Orders.class)
		.withPropertyValues("management.endpoints.web.exposure.include=locks")
		.withConfiguration(AutoConfigurations.of(LocksEndpointAutoConfiguration.class));

	@Test
	void metersWithoutObservations() {
		this.metricsRunner.run((context) -> {
			lockOnce(context);
			assertThat(context).hasBean("distributedLockTimers").hasSingleBean(LockObservations.class);
			assertThat(acquired(context)).isEqualTo(1);
			assertThat(context.getBean(MeterRegistry.class).get("distributed.lock.acquire").timers()).hasSize(1);
		});
	}

	@Test
	void timersComeFromObservationsOnceAndGaugesAreBound() {
		this.observationRunner.run((context) -> {
			lockOnce(context);
			assertThat(context).hasSingleBean(LockObservations.class)
				.hasSingleBean(LockMeters.class)
				.doesNotHaveBean("distributedLockTimers");
			assertThat(acquired(context)).isEqualTo(1);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("distributed.lock.acquire").timers()).hasSize(1);
			assertThat(registry.get("distributed.lock.held").timer().count()).isEqualTo(1);
			assertThat(registry.get("distributed.lock.held.active").longTaskTimers()).hasSize(1);
			assertThat(registry.get("distributed.lock.active").tag("lock", "order").gauge().value()).isZero();
			assertThat(registry.get("distributed.lock.waiting").tag("lock", "order").gauge().value()).isZero();
			assertThat(registry.get("distributed.lock.node.available").gauge().value()).isEqualTo(1);
		});
	}

	@Test
	void timersAreRecordedWhereObservationsAreNotTimed() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> {
				lockOnce(context);
				assertThat(acquired(context)).isEqualTo(1);
			});
	}

	@Test
	void timersSayOfWhichKindALockWas() {
		assertThat(List.of(this.metricsRunner, this.observationRunner)).allSatisfy((runner) -> runner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockRequest order = LockRequest.of("order");
			for (LockRequest request : List.of(order, order.shared(), LockRequest.of("export").permits(2))) {
				template.executeWithoutResult(request, () -> {
				});
			}
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				assertTimedOnce(registry, "order", "exclusive");
				assertTimedOnce(registry, "order", "shared");
				assertTimedOnce(registry, "export", "permit");
			});
			assertThat(registry.find("distributed.lock.held").tags("lock", "export").timers()).hasSize(1);
		}));
	}

	private static void assertTimedOnce(MeterRegistry registry, String lock, String mode) {
		Tags tags = Tags.of("lock", lock, "mode", mode);
		Timer acquire = registry.find("distributed.lock.acquire").tags(tags).tag("outcome", "acquired").timer();
		Timer held = registry.find("distributed.lock.held").tags(tags).timer();
		assertThat(List.of(Optional.ofNullable(acquire), Optional.ofNullable(held))).allSatisfy(
				(timer) -> assertThat(timer).hasValueSatisfying((found) -> assertThat(found.count()).isEqualTo(1)));
	}

	@Test
	void observationsSayOfWhichKindALockWas() {
		List<String> stopped = new CopyOnWriteArrayList<>();
		ObservationHandler<Observation.Context> handler = new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				context.getLowCardinalityKeyValues()
					.stream()
					.filter((tag) -> tag.getKey().equals("mode"))
					.forEach((tag) -> stopped.add(context.getName() + " " + tag.getValue()));
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		};
		this.observationRunner.withBean(ObservationHandler.class, () -> handler).run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			template.executeWithoutResult(LockRequest.of("catalog").shared(), () -> {
			});
			template.executeWithoutResult(LockRequest.of("export").permits(2), () -> {
			});
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> stopped.size() == 4);
			assertThat(stopped).containsExactlyInAnyOrder("distributed.lock.acquire shared",
					"distributed.lock.held shared", "distributed.lock.acquire permit", "distributed.lock.held permit");
		});
	}

	@Test
	void conventionsCanBeReplaced() {
		this.observationRunner.withBean(LockAcquireObservationConvention.class, TenantConvention::new)
			.withBean(LockHeldObservationConvention.class, HoldConvention::new)
			.run((context) -> {
				lockOnce(context);
				assertThat(context.getBean(MeterRegistry.class)
					.get("distributed.lock.held")
					.tags("lock", "order", "tenant", "boots")
					.timer()
					.count()).isEqualTo(1);
				assertThat(context.getBean(MeterRegistry.class)
					.get("distributed.lock.acquire")
					.tags("lock", "order", "outcome", "acquired", "tenant", "shoes")
					.timer()
					.count()).isEqualTo(1);
			});
	}

	@Test
	void longTaskTimersCanBeIgnored() {
		this.observationRunner.withPropertyValues("management.metrics.observations.ignored-meters=long-task-timer")
			.run((context) -> {
				lockOnce(context);
				assertThat(context.getBean(MeterRegistry.class).find("distributed.lock.held.active").meters())
					.isEmpty();
			});
	}

	@Test
	void metersOfObservationsAreLeftToAHandlerOfTheApplication() {
		MeterRegistry own = new SimpleMeterRegistry();
		this.observationRunner
			.withBean("ownHandler", MeterObservationHandler.class, () -> new DefaultMeterObservationHandler(own))
			.run((context) -> {
				context.getBean(LockTemplate.class).executeWithoutResult("order", () -> {
				});
				assertThat(own.get("distributed.lock.held").timer().count()).isEqualTo(1);
				assertThat(context.getBean(MeterRegistry.class).find("distributed.lock.held").timer()).isNull();
			});
	}

	@Test
	void handlersAndPredicatesOfTheApplicationHearOfLocks() {
		List<String> stopped = new CopyOnWriteArrayList<>();
		ObservationHandler<Observation.Context> handler = new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				stopped.add(context.getName() + context.getLowCardinalityKeyValues().stream().toList());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		};
		this.observationRunner.withBean(ObservationHandler.class, () -> handler)
			.withBean(ObservationPredicate.class, () -> (name, context) -> !name.equals("distributed.lock.held"))
			.run((context) -> {
				context.getBean(LockTemplate.class).executeWithoutResult("order", () -> {
				});
				assertThat(stopped).containsExactly(
						"distributed.lock.acquire[keyValue(lock=order), keyValue(mode=exclusive), keyValue(outcome=acquired)]");
				assertThat(acquired(context)).isEqualTo(1);
				assertThat(context.getBean(MeterRegistry.class).find("distributed.lock.held").timer()).isNull();
			});
	}

	@Test
	void beansOfTheApplicationReplaceOurs() {
		LockTags tags = new LockTags();
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		LockInspector inspector = mock(LockInspector.class);
		given(inspector.status()).willReturn(new StoreStatus(true, 1, List.of()));
		this.metricsRunner.withBean("ownTags", LockTags.class, () -> tags)
			.withBean("ownMeters", LockMeters.class, () -> new LockMeters(registry, tags))
			.withBean("ownGauges", LockGauges.class, () -> new LockGauges(inspector, tags, List.of()))
			.run((context) -> assertThat(context).hasSingleBean(LockTags.class)
				.hasSingleBean(LockMeters.class)
				.hasSingleBean(LockGauges.class));
		this.observationRunner
			.withBean("ownObservations", LockObservations.class,
					() -> new LockObservations(ObservationRegistry.create(), tags, null, null))
			.run((context) -> assertThat(context).hasSingleBean(LockObservations.class));
	}

	@Test
	void rolesOfEveryElectionAreCounted() {
		ApplicationContextRunner two = this.metricsRunner
			.withBean("imports", LeaderElection.class, () -> electionOf("importer"))
			.withBean("exports", LeaderElection.class, () -> electionOf("exporter"));
		two.run((context) -> assertThat(context.getBean(MeterRegistry.class).get("distributed.lock.leader").gauges())
			.map((gauge) -> gauge.getId().getTag("role"))
			.containsExactlyInAnyOrder("importer", "exporter"));
		two.withConfiguration(AutoConfigurations.of(LeaderElectionAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnsatisfiedDependencyException.class)
				.hasMessageContaining("expected single matching bean but found 2: imports,exports"));
	}

	private static LeaderElection electionOf(String role) {
		LeaderElection election = mock(LeaderElection.class);
		given(election.roles()).willReturn(Set.of(role));
		return election;
	}

	@Test
	void backsOffWithoutARegistry() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(LockMeters.class)
			.doesNotHaveBean(LockGauges.class)
			.doesNotHaveBean(LockObservations.class));
	}

	@Test
	void backsOffWithoutMicrometer() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer")).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(LockTags.class);
			assertThat(context).doesNotHaveBean(LockMeters.class).doesNotHaveBean(LockObservations.class);
			context.getBean(LockTemplate.class).executeWithoutResult("order", () -> {
			});
		});
	}

	@Test
	void observesWithoutMicrometerCore() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LockObservations.class)
				.doesNotHaveBean(LockMeters.class));
	}

	private static void lockOnce(ApplicationContext context) {
		context.getBean(LockTemplate.class).executeWithoutResult("order", () -> {
		});
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> registry.find("distributed.lock.held").timer() != null
					&& registry.get("distributed.lock.held").timer().count() == 1
					&& registry.find("distributed.lock.lost").counter() != null);
	}

	private static long acquired(ApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.get("distributed.lock.acquire")
			.tags("lock", "order", "outcome", "acquired")
			.timer()
			.count();
	}

	@Test
	@Tag("long")
	void tenThousandKeysOfAMethodGrowNothing() {
		this.methodRunner.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				orders.process(0);
				Awaitility.await().until(() -> registry.find("distributed.lock.lost").counter() != null);
				int meters = registry.getMeters().size();
				Map<String, Integer> sizes = sizes(context);
				assertThat(sizes).containsEntry("LockObservations.keyValues", 1).containsEntry("Values.seen", 1);
				for (int key = 1; key <= KEYS; key++) {
					orders.process(key);
				}
				assertThat(registry.get("distributed.lock.held").timer().count()).isEqualTo(KEYS + 1);
				assertThat(registry.getMeters()).hasSize(meters);
				assertThat(sizes(context)).isEqualTo(sizes);
			});
	}

	@Test
	void theParentIsWhatTheSubscriberObserves() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		this.methodRunner.withBean(ObservationRegistry.class, () -> registry).run((context) -> {
			Observation parent = Observation.start("request", registry);
			context.getBean(Orders.class)
				.processLater(42)
				.subscribeOn(Schedulers.boundedElastic())
				.contextWrite((reactor) -> reactor.put(ObservationThreadLocalAccessor.KEY, parent))
				.block();
			parent.stop();
			TestObservationRegistryAssert.assertThat(registry)
				.hasObservationWithNameEqualTo("distributed.lock.acquire")
				.that()
				.hasParentObservationEqualTo(parent);
			TestObservationRegistryAssert.assertThat(registry)
				.hasObservationWithNameEqualTo("distributed.lock.held")
				.that()
				.hasParentObservationEqualTo(parent);
		});
	}

	/** How much is in the maps and collections of all that observes. */
	private static Map<String, Integer> sizes(ApplicationContext context) {
		Map<String, Integer> sizes = new TreeMap<>();
		Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		for (Class<?> type : new Class<?>[] { LockMeters.class, LockTags.class, LockGauges.class,
				LockObservations.class, NodeStatistics.class }) {
			addSizes(context.getBean(type), sizes, seen);
		}
		return sizes;
	}

	private static void addSizes(Object owner, Map<String, Integer> sizes, Set<Object> seen) {
		if (!seen.add(owner)) {
			return;
		}
		for (Field field : owner.getClass().getDeclaredFields()) {
			field.setAccessible(true);
			Object value = ReflectionUtils.getField(field, owner);
			addSize(owner.getClass().getSimpleName() + "." + field.getName(), value, sizes, seen);
		}
	}

	private static void addSize(String name, @Nullable Object value, Map<String, Integer> sizes, Set<Object> seen) {
		if (value instanceof Map<?, ?> map) {
			sizes.merge(name, map.size(), Integer::sum);
			map.values().forEach((each) -> addSize(name + "[]", each, sizes, seen));
		}
		else if (value instanceof Collection<?> collection) {
			sizes.merge(name, collection.size(), Integer::sum);
		}
		else if (value != null && (value.getClass().getPackageName().endsWith(".metrics")
				|| value.getClass().getPackageName().endsWith(".actuate"))) {
			addSizes(value, sizes, seen);
		}
	}

	private static final class TenantConvention extends LockAcquireObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(LockAcquireObservationContext context) {
			return super.getLowCardinalityKeyValues(context).and("tenant", "shoes");
		}

	}

	private static final class HoldConvention extends LockHeldObservationConvention {

		@Override
		public KeyValues getLowCardinalityKeyValues(LockHeldObservationContext context) {
			return super.getLowCardinalityKeyValues(context).and("tenant", "boots");
		}

	}

	static class Orders {

		@DistributedLock(name = "order", key = "#id")
		public void process(int id) {
		}

		@DistributedLock(name = "order", key = "#id")
		public Mono<Integer> processLater(int id) {
			return Mono.just(id);
		}

	}

}
