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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

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
import io.quorlock.autoconfigure.LockEngineConfiguration.LockStartupReport;
import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockStartupReport}, and for what is in the log at debug level: which
 * instance ran the tick.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockStartupReportTests {

	private final LockInspector inspector = mock(LockInspector.class);

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.quorlock.engine");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.backend=in-memory");

	private void report(StoreStatus status, LockBackend backend, String... properties) {
		given(this.inspector.status()).willReturn(status);
		new LockStartupReport(TestProperties.bind(properties), backend, this.inspector).afterSingletonsInstantiated();
	}

	private static StoreStatus status(int required, String... nodes) {
		return new StoreStatus(false, required,
				Stream.of(nodes)
					.map((node) -> new NodeState(node, false, "down", "", Duration.ZERO, null, null, null))
					.toList());
	}

	private static LockBackend backend(boolean local) {
		return new LockBackend("own", List.of(), Map::of, local, (clock, timer, observers) -> {
			throw new IllegalStateException();
		});
	}

	@Test
	void eachGroupIsNamedWithItsNodesAndQuorum(CapturedOutput output) {
		StoreStatus a = status(1, "a1");
		StoreStatus b = status(2, "b1", "b2", "b3");
		report(new StoreStatus(false, 3, List.of(), new TreeMap<>(Map.of("a", a, "b", b))), backend(false),
				"lease-time", "90s", "fencing.enabled", "false");
		assertThat(output)
			.contains("Distributed locks: backend own, group a [a1], quorum 1 of 1, "
					+ "group b [b1, b2, b3], quorum 2 of 3, lease 1m30s, fencing off")
			.doesNotContain("other instances");
	}

	@Test
	void storeThatIsNoQuorumIsNamedByItsServers(CapturedOutput output) {
		report(status(1, "zk1:2181"), backend(true));
		assertThat(output).contains("Distributed locks: backend own, servers [zk1:2181], lease 30s, fencing on; "
				+ "other instances do not see these locks");
	}

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
