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

package io.quorlock.autoconfigure.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.engine.LockInspector;
import io.quorlock.shedlock.QuorlockLockProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ShedLockAutoConfiguration}, with methods that have ShedLock's own
 * annotation.
 */
class ShedLockAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, ShedLockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

	private static final int TICK_MILLIS = 1000;

	private final EmbeddedRedis redis = EmbeddedRedis.start(5);

	private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

	@Test
	void bringsALockProvider() {
		this.contextRunner
			.run((context) -> assertThat(context).getBean(LockProvider.class).isInstanceOf(QuorlockLockProvider.class));
	}

	@Test
	void refusesALockAtMostForThatTheSessionOfAZooKeeperInstanceWouldCutShort() {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			ApplicationContextRunner onZooKeeper = new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, ShedLockAutoConfiguration.class))
				.withPropertyValues("distributed-lock.zookeeper.connect-string=" + server.connectString(),
						"distributed-lock.zookeeper.session-timeout=10s");
			onZooKeeper.run((context) -> {
				LockProvider provider = context.getBean(LockProvider.class);
				assertThatIllegalArgumentException().isThrownBy(() -> provider.lock(task(Duration.ofMinutes(1))))
					.withMessageContaining("lockAtMostFor = PT1M")
					.withMessageContaining("PT10S after it")
					.withMessageContaining("distributed-lock.shedlock.end-with-session");
				provider.lock(task(Duration.ofSeconds(10))).orElseThrow().unlock();
			});
			onZooKeeper.withPropertyValues("distributed-lock.shedlock.end-with-session=true")
				.run((context) -> context.getBean(LockProvider.class)
					.lock(task(Duration.ofMinutes(1)))
					.orElseThrow()
					.unlock());
		}
	}

	private static LockConfiguration task(Duration lockAtMostFor) {
		return new LockConfiguration(Instant.now(), "nightly-report", lockAtMostFor, Duration.ZERO);
	}

	@Test
	void taskThatEndsWithinTheLongestLeaseHasALeaseOfItsOwn() {
		this.contextRunner.withPropertyValues("distributed-lock.max-lease-time=80s").run((context) -> {
			assertThat(context.getBean(LockProvider.class).lock(task(Duration.ofSeconds(80)))).isPresent();
			assertThat(context.getBean(LockInspector.class).held()).singleElement()
				.satisfies((hold) -> assertThat(hold.remaining()).isBetween(Duration.ofSeconds(60),
						Duration.ofSeconds(80)));
		});
	}

	@Test
	void backsOffWhenThereIsALockProvider() {
		LockProvider own = (configuration) -> Optional.empty();
		this.contextRunner.withBean(LockProvider.class, () -> own)
			.run((context) -> assertThat(context).getBean(LockProvider.class).isSameAs(own));
	}

	@Test
	void backsOffWithoutShedLock() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("net.javacrumbs.shedlock"))
			.run((context) -> assertThat(context).hasSingleBean(LockTemplate.class)
				.doesNotHaveBean("distributedLockShedLockProvider"));
	}

	@AfterEach
	void stop() {
		this.instances.forEach(ConfigurableApplicationContext::close);
		this.redis.close();
	}

	@Test
	@Tag("long")
	void eachTickIsRunOnceWhileNodesFail() {
		Ledger.reset();
		for (int i = 0; i < 3; i++) {
			this.instances.add(instance());
		}
		awaitTicks(2);
		this.redis.node(0).kill();
		awaitTicks(2);
		this.redis.node(1).pause();
		awaitTicks(2);
		this.instances.get(0).close();
		awaitTicks(2);
		assertThat(Ledger.overlaps).hasValue(0);
		assertThat(Ledger.runsByTick).allSatisfy((tick, runs) -> assertThat(runs).hasValue(1));
	}

	private ConfigurableApplicationContext instance() {
		return new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"distributed-lock.restart-quarantine=0s", "distributed-lock.connection.operation-timeout=400ms",
					"distributed-lock.nodes=" + String.join(",", this.redis.uris()))
			.run();
	}

	private static void awaitTicks(int more) {
		int before = Ledger.runsByTick.size();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Ledger.runsByTick.size() >= before + more);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "10s")
	@ImportAutoConfiguration({ LockAutoConfiguration.class, ShedLockAutoConfiguration.class })
	static class Application {

		@Bean
		Job job() {
			return new Job();
		}

	}

	static class Job {

		/**
		 * The clocks of the instances are one here. A request that does not wait may take
		 * two operation timeouts where nodes fail (R4), and must not be granted in the
		 * same tick behind the one that ran.
		 */
		@Scheduled(cron = "* * * * * *")
		@SchedulerLock(name = "tick", lockAtLeastFor = "900ms")
		public void run() {
			LockAssert.assertLocked();
			Ledger.run();
		}

	}

	static final class Ledger {

		private static final Map<Long, AtomicInteger> runsByTick = new ConcurrentHashMap<>();

		private static final AtomicInteger running = new AtomicInteger();

		private static final AtomicInteger overlaps = new AtomicInteger();

		private Ledger() {
		}

		static void run() {
			if (running.incrementAndGet() > 1) {
				overlaps.incrementAndGet();
			}
			runsByTick.computeIfAbsent(System.currentTimeMillis() / TICK_MILLIS, (tick) -> new AtomicInteger())
				.incrementAndGet();
			running.decrementAndGet();
		}

		static void reset() {
			runsByTick.clear();
			overlaps.set(0);
		}

	}

}
