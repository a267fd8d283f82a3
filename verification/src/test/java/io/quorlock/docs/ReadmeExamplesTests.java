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

package io.quorlock.docs;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockReentryException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The README's examples, run unchanged on Redis and on ZooKeeper: one property is all
 * that differs.
 */
class ReadmeExamplesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withBean(Orders.class)
		.withPropertyValues("distributed-lock.connection.operation-timeout=2s");

	@ParameterizedTest
	@ValueSource(strings = { "distributed-lock.embedded.nodes=3", "distributed-lock.embedded.zookeeper=1" })
	void examplesRun(String backend) {
		this.contextRunner.withPropertyValues(backend).run((context) -> {
			assertThat(context.getBean(LockBackend.class).name())
				.isEqualTo(backend.contains("zookeeper") ? "zookeeper" : "embedded");
			LockTemplate lockTemplate = context.getBean(LockTemplate.class);
			Orders orders = context.getBean(Orders.class);
			declared(orders, lockTemplate);
			programmed(orders, lockTemplate);
			kinds(orders, lockTemplate);
		});
	}

	private static void declared(Orders orders, LockTemplate lockTemplate) {
		assertThat(orders.ship(42)).isLessThan(orders.ship(42));
		orders.report(() -> assertThat(heldElsewhere(lockTemplate, LockRequest.of("nightly-report"))).isTrue());
		orders.sell(List.of(new Item("a"), new Item("b")), () -> {
			assertThat(heldElsewhere(lockTemplate, LockRequest.of("stock:a"))).isTrue();
			assertThat(heldElsewhere(lockTemplate, LockRequest.of("stock:b"))).isTrue();
		});
	}

	private static void programmed(Orders orders, LockTemplate lockTemplate) {
		long receipt = lockTemplate.execute("order:42", () -> orders.ship(42));
		assertThat(receipt).isPositive();
		boolean ran = lockTemplate.tryExecute("nightly-report", () -> {
		});
		assertThat(ran).isTrue();
		try (LockHandle lock = lockTemplate.acquire(LockRequest.of("order").key(42).waitTime(Duration.ofSeconds(2)))) {
			lock.ensureHeld();
			assertThat(heldElsewhere(lockTemplate, LockRequest.of("order:42"))).isTrue();
		}
	}

	private static void kinds(Orders orders, LockTemplate lockTemplate) {
		orders.search(() -> {
			assertThat(heldElsewhere(lockTemplate, LockRequest.of("catalog"))).isTrue();
			assertThat(heldElsewhere(lockTemplate, LockRequest.of("catalog").shared())).isFalse();
		});
		assertThat(orders.export()).isBetween(1, 3);
		assertThat(orders.post(7)).isPositive();
		assertThatExceptionOfType(LockReentryException.class).isThrownBy(() -> orders.runJob(() -> orders.runJob(() -> {
		})));
		try (LockHandle lock = lockTemplate.acquire(LockRequest.of("catalog"))) {
			lock.downgrade();
			assertThat(lock.mode()).isEqualTo(LockMode.SHARED);
			orders.search(() -> {
			});
		}
	}

	private static boolean heldElsewhere(LockTemplate lockTemplate, LockRequest request) {
		return CompletableFuture.supplyAsync(() -> lockTemplate.tryAcquire(request).map((lock) -> {
			lock.close();
			return lock;
		}).isEmpty()).join();
	}

	@Test
	void readmeShowsThem() {
		assertThat(Documentation.read(Documentation.ROOT.resolve("README.md"))).contains(
				"@DistributedLock(name = \"order\", key = \"#orderId\")", "@DistributedLock(\"nightly-report\")",
				"@DistributedLock(name = \"stock\", key = \"#items.![sku]\")",
				"@DistributedLock(name = \"catalog\", mode = LockMode.SHARED)",
				"@DistributedLock(name = \"exports\", permits = 3)",
				"@DistributedLock(name = \"account\", key = \"#id\", fair = true)",
				"@DistributedLock(name = \"job\", reentrant = false)", "lockTemplate.execute(\"order:42\"",
				"lockTemplate.tryExecute(\"nightly-report\"",
				"LockRequest.of(\"order\").key(42).waitTime(Duration.ofSeconds(2))", "lock.ensureHeld()");
	}

	record Item(String sku) {
	}

	static class Orders {

		@DistributedLock(name = "order", key = "#orderId")
		public long ship(long orderId) {
			return LockContext.fencingToken();
		}

		@DistributedLock("nightly-report")
		public void report(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "stock", key = "#items.![sku]")
		public void sell(List<Item> items, Runnable body) {
			body.run();
		}

		@DistributedLock(name = "catalog", mode = LockMode.SHARED)
		public void search(Runnable body) {
			body.run();
		}

		@DistributedLock(name = "exports", permits = 3)
		public int export() {
			return LockContext.current().orElseThrow().permit();
		}

		@DistributedLock(name = "account", key = "#id", fair = true)
		public long post(long id) {
			return LockContext.fencingToken();
		}

		@DistributedLock(name = "job", reentrant = false)
		public void runJob(Runnable body) {
			body.run();
		}

	}

}
