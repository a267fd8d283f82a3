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

package io.quorlock.test;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.TestContext;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.autoconfigure.LockAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LockSimulator} on other backends, and while a context is paused.
 */
class LockSimulatorTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, TestLocksAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory", "distributed-lock.wait-time=0");

	/** A test would pass or fail for no reason otherwise. */
	@Test
	void refusesToSimulateOnOtherBackends() {
		this.contextRunner
			.withPropertyValues("distributed-lock.backend=zookeeper", "distributed-lock.embedded.zookeeper=1")
			.run((context) -> {
				LockSimulator locks = context.getBean(LockSimulator.class);
				String message = "Only locks in memory can be simulated elsewhere or unavailable";
				assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> locks.heldElsewhere("order"))
					.withMessage(message);
				assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> locks.sharedElsewhere("order"))
					.withMessage(message);
				assertThatExceptionOfType(IllegalStateException.class).isThrownBy(locks::unavailable)
					.withMessage(message);
				LockRequest request = LockRequest.of("order").waitTime(Duration.ofSeconds(20));
				try (LockHandle held = context.getBean(LockTemplate.class).acquire(request)) {
					locks.lose("order");
					assertThat(held.isHeld()).isFalse();
				}
				locks.reset();
			});
	}

	@Test
	void contextThatATestDoesNotUseIsNotLoadedForIt() {
		TestContext test = mock(TestContext.class);
		new ResetLocksTestExecutionListener().afterTestMethod(test);
		verify(test, never()).getApplicationContext();
	}

	/** Spring's tests pause a context that the next class does not use. */
	@Test
	void simulationGoesOnAfterAPauseOfTheContext() {
		this.contextRunner.run((context) -> {
			LockSimulator locks = context.getBean(LockSimulator.class);
			LockTemplate template = context.getBean(LockTemplate.class);
			ConfigurableApplicationContext source = context.getSourceApplicationContext();
			locks.heldElsewhere("order");
			source.stop();
			source.start();
			assertThat(template.tryAcquire(LockRequest.of("order"))).isEmpty();
			locks.unavailable();
			source.stop();
			source.start();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of("order")));
			locks.reset();
			template.acquire(LockRequest.of("order")).close();
		});
	}

}
