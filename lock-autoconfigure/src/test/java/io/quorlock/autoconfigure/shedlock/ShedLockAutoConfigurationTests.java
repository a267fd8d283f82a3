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
import java.util.Optional;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.engine.LockInspector;
import io.quorlock.shedlock.QuorlockLockProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ShedLockAutoConfiguration}.
 */
class ShedLockAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, ShedLockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

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

}
