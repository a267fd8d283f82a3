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
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
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

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;

import io.quorlock.actuate.NodeStatistics;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.actuate.LocksEndpointAutoConfiguration;
import io.quorlock.metrics.LockGauges;
import io.quorlock.metrics.LockMeters;
import io.quorlock.metrics.LockObservations;
import io.quorlock.metrics.LockTags;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is observed of annotated methods.
 */
class ObservedMethodTests {

	private static final int KEYS = 10_000;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withPropertyValues("distributed-lock.backend=in-memory", "management.endpoints.web.exposure.include=locks")
		.withBean(Orders.class)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, LockAutoConfiguration.class,
				LockMetricsAutoConfiguration.class, LocksEndpointAutoConfiguration.class));

	@Test
	@Tag("long")
	void tenThousandKeysOfAMethodGrowNothing() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
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
		this.contextRunner.withBean(ObservationRegistry.class, () -> registry).run((context) -> {
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
