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

package io.quorlock.autoconfigure;

import java.time.Duration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which instance ran the tick is in the log at debug level.
 */
@ExtendWith(OutputCaptureExtension.class)
class DebugLogTests {

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.quorlock.engine");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

	@BeforeEach
	void showDetails() {
		LOGGER.setLevel(Level.DEBUG);
	}

	@AfterEach
	void hideDetails() {
		LOGGER.setLevel(null);
	}

	@Test
	void acquiredSkippedAndReleasedLocksAreInTheLog(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			try (LockHandle lock = template.acquire(LockRequest.of("tick"))) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(template.tryAcquire(LockRequest.of("tick"))).isEmpty();
			}
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("Lock 'tick' was acquired after")
					.contains("Lock 'tick' was not acquired")
					.contains("Lock 'tick' was released after"));
		});
	}

	@Test
	@Tag("long")
	void leakDetectionShowsWhereALockWasAcquired(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("distributed-lock.leak-detection=true", "distributed-lock.lease-time=800ms",
					"distributed-lock.connection.operation-timeout=200ms")
			.run((context) -> {
				LockHandle forgotten = context.getBean(LockTemplate.class).acquire(LockRequest.of("forgotten"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.untilAsserted(() -> assertThat(output).contains("Lock 'forgotten' has been held for")
						.contains("It was acquired here:")
						.contains(getClass().getSimpleName() + ".java"));
				forgotten.close();
			});
	}

}
