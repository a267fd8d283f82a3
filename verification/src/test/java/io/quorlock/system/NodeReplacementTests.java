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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.engine.LockInspector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Replaces a node, and adds some, as {@code docs/changes.md} says.
 */
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class NodeReplacementTests {

	@Test
	void nodeIsReplacedUnderLoad(CapturedOutput output) throws InterruptedException {
		try (EmbeddedRedisNode a = EmbeddedRedisNode.start();
				EmbeddedRedisNode b = EmbeddedRedisNode.start();
				EmbeddedRedisNode old = EmbeddedRedisNode.start();
				EmbeddedRedisNode replacement = EmbeddedRedisNode.start()) {
			Work work = new Work();
			ConfigurableApplicationContext first = open(List.of(a.uri(), b.uri(), old.uri()));
			awaitCounted(first, 3);
			Worker before = work.begin(first);
			old.stop();
			work.awaitMore(100);
			ConfigurableApplicationContext second = open(List.of(a.uri(), b.uri(), replacement.uri()));
			awaitCounted(second, 2);
			Worker after = work.begin(second);
			work.awaitMore(200);
			// Said once the lists have been compared for as long as an instance takes to
			// confirm its own.
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(output).contains("another instance uses a different node list"));
			before.end();
			first.close();
			awaitCounted(second, 3);
			awaitOneList(second);
			a.stop();
			work.awaitMore(100);
			after.end();
			second.close();
			assertThat(work.overlaps).hasValue(0);
			assertThat(work.counter).isEqualTo(work.increments.get());
		}
	}

	/** Locks are granted all the time, by instances of two lists side by side. */
	@Test
	void listGrowsFromThreeToFiveOneByOneUnderLoad() throws InterruptedException {
		try (EmbeddedRedis nodes = EmbeddedRedis.start(5)) {
			Work work = new Work();
			ConfigurableApplicationContext three = open(nodes.uris().subList(0, 3));
			awaitCounted(three, 3);
			Worker before = work.begin(three);
			ConfigurableApplicationContext four = open(nodes.uris().subList(0, 4));
			awaitCounted(four, 3);
			Worker between = work.begin(four);
			work.awaitMore(200);
			awaitCounted(four, 4);
			awaitCounted(three, 3);
			before.end();
			three.close();
			ConfigurableApplicationContext five = open(nodes.uris());
			awaitCounted(five, 4);
			Worker after = work.begin(five);
			work.awaitMore(200);
			awaitCounted(five, 5);
			awaitCounted(four, 4);
			between.end();
			four.close();
			awaitOneList(five);
			nodes.node(0).stop();
			nodes.node(1).stop();
			work.awaitMore(100);
			after.end();
			five.close();
			assertThat(work.overlaps).hasValue(0);
			assertThat(work.counter).isEqualTo(work.increments.get());
		}
	}

	/** A majority of both lists is needed while both are in use. */
	@Test
	void listGrowsFromThreeToFiveAtOnceUnderLoad() throws InterruptedException {
		try (EmbeddedRedis nodes = EmbeddedRedis.start(5)) {
			Work work = new Work();
			ConfigurableApplicationContext three = open(nodes.uris().subList(0, 3));
			awaitCounted(three, 3);
			Worker before = work.begin(three);
			ConfigurableApplicationContext five = open(nodes.uris());
			awaitCounted(five, 3);
			Worker after = work.begin(five);
			work.awaitMore(200);
			before.end();
			three.close();
			awaitCounted(five, 5);
			work.awaitMore(100);
			after.end();
			five.close();
			assertThat(work.overlaps).hasValue(0);
			assertThat(work.counter).isEqualTo(work.increments.get());
		}
	}

	private static ConfigurableApplicationContext open(List<String> nodes) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues
			.of("distributed-lock.nodes=" + String.join(",", nodes), "distributed-lock.lease-time=3s",
					"distributed-lock.max-lease-time=3s", "distributed-lock.connection.operation-timeout=1s")
			.applyTo(context);
		context.register(LockAutoConfiguration.class);
		context.refresh();
		return context;
	}

	/**
	 * Node b is out of the first instance's reach, so that its majority needs the old
	 * node.
	 */
	@Test
	void newListBeforeTheOldNodeIsStoppedMakesNoTwoHolders() {
		try (EmbeddedRedisNode a = EmbeddedRedisNode.start();
				EmbeddedRedisNode b = EmbeddedRedisNode.start();
				EmbeddedRedisNode old = EmbeddedRedisNode.start();
				EmbeddedRedisNode replacement = EmbeddedRedisNode.start();
				LoopbackProxy way = LoopbackProxy.to(b)) {
			way.cut();
			String noQuarantine = "distributed-lock.restart-quarantine=0s";
			instance(a.uri(), way.uri(), old.uri()).withPropertyValues(noQuarantine).run((first) -> {
				awaitCounted(first, 2);
				try (LockHandle one = acquire(first)) {
					instance(a.uri(), b.uri(), replacement.uri()).withPropertyValues(noQuarantine).run((second) -> {
						awaitCounted(second, 3);
						assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> acquire(second))
							.withMessageContaining("instances use different node lists");
					});
					assertThat(one.isHeld()).isTrue();
				}
			});
		}
	}

	private static ApplicationContextRunner instance(String... nodes) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withPropertyValues("distributed-lock.nodes=" + String.join(",", nodes), "distributed-lock.lease-time=3s",
					"distributed-lock.max-lease-time=3s", "distributed-lock.connection.operation-timeout=1s");
	}

	private static void awaitCounted(ApplicationContext context, int count) {
		LockInspector inspector = context.getBean(LockInspector.class);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> inspector.status().voting() == count);
	}

	/** Until the lists of those that were stopped are forgotten. */
	private static void awaitOneList(ApplicationContext context) {
		LockInspector inspector = context.getBean(LockInspector.class);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> inspector.status().lists().isEmpty());
	}

	private static LockHandle acquire(ApplicationContext context) {
		return context.getBean(LockTemplate.class).acquire(LockRequest.of("order").waitTime(Duration.ZERO));
	}

	/** A counter that is exact only if no two increment it at once. */
	private static final class Work {

		private volatile long counter;

		private final AtomicInteger increments = new AtomicInteger();

		private final AtomicInteger inside = new AtomicInteger();

		private final AtomicInteger overlaps = new AtomicInteger();

		Worker begin(ApplicationContext context) {
			return new Worker(this, context.getBean(LockTemplate.class));
		}

		@SuppressWarnings("NonAtomicVolatileUpdate") // that is the point
		void increment() {
			if (this.inside.incrementAndGet() > 1) {
				this.overlaps.incrementAndGet();
			}
			this.counter++;
			this.increments.incrementAndGet();
			this.inside.decrementAndGet();
		}

		void awaitMore(int count) {
			int target = this.increments.get() + count;
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> this.increments.get() >= target);
		}

	}

	/** Two threads of one instance. */
	private static final class Worker {

		private final AtomicBoolean ended = new AtomicBoolean();

		private final List<Thread> threads = new ArrayList<>();

		Worker(Work work, LockTemplate template) {
			for (int i = 0; i < 2; i++) {
				Thread thread = new Thread(() -> work(work, template));
				thread.start();
				this.threads.add(thread);
			}
		}

		private void work(Work work, LockTemplate template) {
			while (!this.ended.get()) {
				try {
					template.executeWithoutResult("counter", work::increment);
				}
				catch (LockNotAcquiredException | LockUnavailableException ex) {
					// The next round tries again.
				}
			}
		}

		void end() throws InterruptedException {
			this.ended.set(true);
			for (Thread thread : this.threads) {
				thread.join();
			}
		}

	}

}
