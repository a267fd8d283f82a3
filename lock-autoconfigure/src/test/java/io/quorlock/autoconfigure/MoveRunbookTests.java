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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Follows the runbook of {@code docs/changes.md} for moving names (R23), step by step,
 * with real servers, under load. A quick form of {@code MoveRunbookProcessTests}: the
 * instances are application contexts of one JVM.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(180)
class MoveRunbookTests {

	private static final int FLEET = 3;

	private static final List<String> NAMES = List.of("order:1", "order:2", "order:3", "stock:1", "stock:2", "report");

	private final EmbeddedRedis a = EmbeddedRedis.start(3);

	private final EmbeddedRedis b = EmbeddedRedis.start(3);

	private final String groupA = "distributed-lock.groups.a.nodes=" + String.join(",", this.a.uris());

	private final String groupB = "distributed-lock.groups.b.nodes=" + String.join(",", this.b.uris());

	private final Load load = new Load();

	private final List<Instance> fleet = new ArrayList<>();

	private final List<Instance> all = new ArrayList<>();

	@AfterEach
	void stop() throws Exception {
		for (Instance instance : this.all) {
			instance.close();
		}
		this.a.close();
		this.b.close();
	}

	private static String previous(String group) {
		return group.replace("distributed-lock.groups", "distributed-lock.sharding.previous");
	}

	private static String version(int version) {
		return "distributed-lock.sharding.version=" + version;
	}

	@Test
	void groupIsAddedAndRemovedAgainUnderLoad(CapturedOutput output) throws Exception {
		deploy(this.groupA, version(1));
		Instance forgotten = new Instance(this.groupA, version(1));
		// add group b, and abort
		deploy(this.groupA, this.groupB, previous(this.groupA), version(2));
		awaitSharding("version 2: names that change their group are locked in the old and in the new one");
		deploy(this.groupA, version(1));
		// add group b
		deploy(this.groupA, this.groupB, previous(this.groupA), version(2));
		assertThat(forgotten.served()).isTrue();
		deploy(this.groupA, this.groupB, previous(this.groupA), version(3));
		awaitSharding("version 3: names are locked in their new groups alone");
		refused(forgotten, "this instance still runs layout version 1; the node is sealed at 2: deploy the new layout",
				output);
		NAMES.forEach((name) -> assertThat(nodesOf(name)).hasSizeBetween(2, 3));
		assertThat(NAMES.stream().filter((name) -> isIn(this.b, name)).count()).isBetween(1L, 5L);
		deploy(this.groupA, this.groupB, version(3));
		awaitSharding("version 3");
		// remove group b: the same the other way round
		deploy(this.groupA, previous(this.groupA), previous(this.groupB), version(4));
		Instance late = new Instance(this.groupA, this.groupB, version(3));
		assertThat(late.served()).isTrue();
		deploy(this.groupA, previous(this.groupA), previous(this.groupB), version(5));
		awaitSharding("version 5: names are locked in their new groups alone");
		refused(late, "this instance still runs layout version 3; the node is sealed at 4: deploy the new layout",
				output);
		deploy(this.groupA, version(5));
		awaitSharding("version 5");
		this.b.close();
		this.load.check();
		this.fleet.forEach((instance) -> assertThat(instance.health().getStatus()).isEqualTo(Status.UP));
	}

	/** A rolling restart: one instance after the other, the new one first. */
	private void deploy(String... properties) throws Exception {
		List<Instance> before = new ArrayList<>(this.fleet);
		this.fleet.clear();
		for (int i = 0; i < FLEET; i++) {
			Instance instance = new Instance(properties);
			this.fleet.add(instance);
			instance.work();
			if (i < before.size()) {
				before.get(i).close();
			}
		}
		this.load.awaitRounds(20);
	}

	private void awaitSharding(String text) {
		this.fleet.forEach((instance) -> Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(instance.health().getDetails().get("sharding")).isEqualTo(text)));
	}

	private void refused(Instance instance, String reason, CapturedOutput output) {
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> instance.template().acquire(LockRequest.of("order:1").waitTime(Duration.ZERO)))
			.withMessageContaining(reason);
		assertThat(instance.health().getStatus()).isEqualTo(Status.DOWN);
		assertThat(instance.health().getDetails().toString()).contains(reason).contains("state=sealed");
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("refuses this instance: " + reason));
	}

	/** The nodes that hold a name while the fleet has locked it. */
	private List<String> nodesOf(String name) {
		Instance instance = this.fleet.get(0);
		try (LockHandle lock = instance.template().acquire(LockRequest.of(name).waitTime(Duration.ofSeconds(20)))) {
			assertThat(lock.isHeld()).isTrue();
			return instance.context.getBean(LockInspector.class)
				.inspect(name)
				.join()
				.stream()
				.filter((report) -> !report.holders().isEmpty())
				.map(NodeReport::node)
				.toList();
		}
	}

	private boolean isIn(EmbeddedRedis group, String name) {
		String node = nodesOf(name).get(0);
		return group.uris().stream().anyMatch((uri) -> uri.endsWith(node.substring(node.lastIndexOf(':'))));
	}

	/** What all instances do, and what must hold. */
	private static final class Load {

		private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();

		private final Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();

		private final Queue<String> violations = new ConcurrentLinkedQueue<>();

		private final AtomicInteger rounds = new AtomicInteger();

		void once(LockTemplate template) throws InterruptedException {
			String name = NAMES.get(ThreadLocalRandom.current().nextInt(NAMES.size()));
			AtomicInteger holders = this.inside.computeIfAbsent(name, (key) -> new AtomicInteger());
			AtomicLong last = this.tokens.computeIfAbsent(name, (key) -> new AtomicLong());
			try (LockHandle lock = template.acquire(LockRequest.of(name).waitTime(Duration.ofSeconds(20)))) {
				if (holders.incrementAndGet() > 1) {
					this.violations.add("two holders of " + name);
				}
				if (last.getAndSet(lock.fencingToken()) >= lock.fencingToken()) {
					this.violations.add("token of " + name + " does not increase");
				}
				Thread.sleep(1);
				holders.decrementAndGet();
			}
			this.rounds.incrementAndGet();
		}

		void failed(RuntimeException ex) {
			this.violations.add(ex.toString());
		}

		void awaitRounds(int count) {
			int begin = this.rounds.get();
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.rounds.get() >= begin + count);
		}

		void check() {
			assertThat(this.violations).isEmpty();
			assertThat(this.rounds.get()).isGreaterThan(200);
			System.out.printf("Moves under load: %,d locks, no overlap, no token that does not increase%n",
					this.rounds.get());
		}

	}

	private final class Instance {

		private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

		private final List<Thread> workers = new ArrayList<>();

		private volatile boolean closing;

		Instance(String... properties) {
			TestPropertyValues.of(properties)
				.and("distributed-lock.instance-id=instance-" + MoveRunbookTests.this.all.size(),
						"distributed-lock.lease-time=2s", "distributed-lock.max-lease-time=2s",
						"distributed-lock.restart-quarantine=2s", "distributed-lock.connection.operation-timeout=500ms",
						"distributed-lock.node-mismatch=fail")
				.applyTo(this.context);
			this.context.register(LockAutoConfiguration.class);
			this.context.refresh();
			MoveRunbookTests.this.all.add(this);
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.context.getBean(LockInspector.class).status().available());
		}

		LockTemplate template() {
			return this.context.getBean(LockTemplate.class);
		}

		Health health() {
			return new LockHealthIndicator(this.context.getBean(LockInspector.class),
					this.context.getBean(LockBackend.class).notes())
				.health();
		}

		boolean served() {
			try (LockHandle lock = template().acquire(LockRequest.of("served").waitTime(Duration.ofSeconds(20)))) {
				return lock.isHeld();
			}
		}

		void work() {
			for (int i = 0; i < 2; i++) {
				Thread thread = new Thread(() -> {
					while (!this.closing) {
						try {
							MoveRunbookTests.this.load.once(template());
						}
						catch (RuntimeException ex) {
							MoveRunbookTests.this.load.failed(ex);
						}
						catch (InterruptedException ex) {
							return;
						}
					}
				});
				this.workers.add(thread);
				thread.start();
			}
		}

		void close() throws InterruptedException {
			this.closing = true;
			for (Thread worker : this.workers) {
				worker.join();
			}
			this.context.close();
		}

	}

}
