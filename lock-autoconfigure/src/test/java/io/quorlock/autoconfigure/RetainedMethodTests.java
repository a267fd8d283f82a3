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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated methods whose lease is kept for the next call (R24).
 */
class RetainedMethodTests {

	private final List<String> operations = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("reports.retain=1h")
		.withBean(LockNode.class, () -> new InMemoryLockNode("node", new SystemClock()))
		.withBean(StoreObserver.class, () -> (node, operation, outcome, error, nanos) -> this.operations.add(operation))
		.withBean(Reports.class);

	@Test
	void nextCallTakesTheLeaseWithoutAskingTheNodes() {
		this.contextRunner.run((context) -> {
			Reports reports = context.getBean(Reports.class);
			long token = reports.kept();
			assertThat(reports.kept()).isEqualTo(token + 1);
			assertThat(this.operations).containsExactly("acquire");
		});
	}

	@Test
	void leaseIsReleasedWhenTheTimeHasPassed() {
		this.contextRunner.run((context) -> {
			context.getBean(Reports.class).keptForAMoment();
			Awaitility.await().untilAsserted(() -> assertThat(this.operations).containsExactly("acquire", "release"));
		});
	}

	@Test
	void methodWithoutATimeHasThatOfTheProperty() {
		this.contextRunner.run((context) -> {
			context.getBean(Reports.class).asConfigured();
			assertThat(this.operations).containsExactly("acquire", "release");
		});
		this.operations.clear();
		this.contextRunner.withPropertyValues("distributed-lock.retain-time=1h").run((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.asConfigured();
			reports.asConfigured();
			assertThat(this.operations).containsExactly("acquire");
		});
	}

	@Test
	void zeroReleasesAtOnceWhateverThePropertySays() {
		this.contextRunner.withPropertyValues("distributed-lock.retain-time=1h").run((context) -> {
			Reports reports = context.getBean(Reports.class);
			reports.releasedAtOnce();
			reports.releasedAtOnce();
			assertThat(this.operations).containsExactly("acquire", "release", "acquire", "release");
		});
	}

	static class Reports {

		@DistributedLock(name = "kept", retainTime = "${reports.retain}")
		public long kept() {
			return LockContext.fencingToken();
		}

		@DistributedLock(name = "kept-for-a-moment", retainTime = "50ms")
		public void keptForAMoment() {
		}

		@DistributedLock(name = "as-configured")
		public void asConfigured() {
		}

		@DistributedLock(name = "released-at-once", retainTime = "0s")
		public void releasedAtOnce() {
		}

	}

}
