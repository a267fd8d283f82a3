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

package io.quorlock.autoconfigure.actuate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.actuate.LocksDescriptor;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnLost;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.metrics.LockMetricsAutoConfiguration;
import io.quorlock.test.LockSimulator;
import io.quorlock.test.TestLocksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R26 as an application sees it: event, meter, endpoint, and the interrupt of a method
 * that comes while its lock is still held.
 */
class AtRiskTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, TestLocksAutoConfiguration.class,
				LockMetricsAutoConfiguration.class, EndpointAutoConfiguration.class,
				LocksEndpointAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.lease-time=6s",
				"management.endpoints.web.exposure.include=locks", "management.endpoint.locks.show-values=always")
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(Listener.class)
		.withBean(Jobs.class);

	@Test
	void riskIsPublishedCountedAndShown() {
		this.contextRunner.run((context) -> {
			LockHandle lock = context.getBean(LockTemplate.class).acquire(LockRequest.of("order").key(42));
			assertThat(atRisk(context)).isNull();
			LockSimulator simulator = context.getBean(LockSimulator.class);
			simulator.unavailable();
			List<LockAtRiskEvent> events = context.getBean(Listener.class).events;
			Awaitility.await().until(() -> events.size() == 1);
			assertThat(events.get(0).name()).isEqualTo("order:42");
			assertThat(atRisk(context)).isTrue();
			assertThat(lock.isHeld()).isTrue();
			// Counted by another listener, perhaps behind the one of the test.
			Awaitility.await()
				.ignoreException(MeterNotFoundException.class)
				.untilAsserted(() -> assertThat(count(context)).isOne());
			simulator.available();
			Awaitility.await().until(() -> events.size() == 2);
			assertThat(events.get(1).atRisk()).isFalse();
			assertThat(atRisk(context)).isNull();
			assertThat(count(context)).isOne();
			lock.close();
		});
	}

	private static double count(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.get("distributed.lock.at.risk")
			.tag("lock", "order")
			.counter()
			.count();
	}

	private static @Nullable Boolean atRisk(AssertableApplicationContext context) {
		LocksDescriptor locks = context.getBean(LocksEndpoint.class).locks(SecurityContext.NONE, null);
		return locks.held().get(0).atRisk();
	}

	@Test
	@Tag("long")
	void methodIsInterruptedWhileItsLockIsStillHeld() {
		this.contextRunner.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			CompletableFuture<Boolean> atInterrupt = new CompletableFuture<>();
			LockSimulator simulator = context.getBean(LockSimulator.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> jobs.run(simulator, atInterrupt))
				.withMessageContaining("The method under lock 'job' was interrupted before the lock is lost")
				.withCauseInstanceOf(InterruptedException.class);
			assertThat(atInterrupt.join()).isTrue();
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			simulator.available();
		});
	}

	@Test
	@Tag("long")
	void methodWhoseLockIsSafeAgainInTimeIsNotInterrupted() {
		this.contextRunner.run((context) -> {
			Listener listener = context.getBean(Listener.class);
			LockSimulator simulator = context.getBean(LockSimulator.class);
			assertThat(context.getBean(Jobs.class).recover(simulator, listener)).isEqualTo("done");
		});
	}

	static class Listener {

		private final List<LockAtRiskEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void onAtRisk(LockAtRiskEvent event) {
			this.events.add(event);
		}

	}

	static class Jobs {

		@DistributedLock(name = "job", onLost = OnLost.INTERRUPT)
		public void run(LockSimulator simulator, CompletableFuture<Boolean> heldAtInterrupt)
				throws InterruptedException {
			LockHandle lock = LockContext.current().orElseThrow();
			simulator.unavailable();
			try {
				Thread.sleep(Duration.ofSeconds(30).toMillis());
			}
			finally {
				heldAtInterrupt.complete(lock.isHeld());
			}
		}

		@DistributedLock(name = "job", onLost = OnLost.INTERRUPT)
		public String recover(LockSimulator simulator, Listener listener) {
			LockHandle lock = LockContext.current().orElseThrow();
			simulator.unavailable();
			Awaitility.await().until(() -> listener.events.size() == 1);
			simulator.available();
			Awaitility.await().until(() -> listener.events.size() == 2);
			long end = endNanos(lock);
			Awaitility.await().until(() -> endNanos(lock) - end > Duration.ofSeconds(1).toNanos()); // renewed
			return "done";
		}

		private static long endNanos(LockHandle lock) {
			return System.nanoTime() + lock.remaining().toNanos();
		}

	}

}
