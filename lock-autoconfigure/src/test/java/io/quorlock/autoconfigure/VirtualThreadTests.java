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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.task.AsyncTaskExecutor;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.LockInspector;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code spring.threads.virtual.enabled}: the threads are those of the
 * application's own executor, the nodes are real, and the JVM's flight recorder shows
 * which thread has kept its carrier while it waited.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need JDK 21")
class VirtualThreadTests {

	private static final int THREADS = 10_000;

	private static final int NAMES = 100;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("spring.threads.virtual.enabled=true", "distributed-lock.restart-quarantine=0s",
				"distributed-lock.connection.operation-timeout=2s");

	@Test
	void noneOfTenThousandWaitingThreadsKeepsItsCarrier(@TempDir Path directory) {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3)) {
			this.contextRunner.withPropertyValues("distributed-lock.nodes=" + String.join(",", redis.uris()))
				.run((context) -> {
					AsyncTaskExecutor threads = context.getBean(AsyncTaskExecutor.class);
					LockTemplate template = context.getBean(LockTemplate.class);
					LockInspector inspector = context.getBean(LockInspector.class);
					// Waiting for a class that another thread initializes keeps the
					// carrier, as does linking code. Neither is the engine's fault.
					lockAll(threads, template, inspector, THREADS);
					List<RecordedEvent> pinned = record(directory,
							() -> lockAll(threads, template, inspector, THREADS));
					assertThat(pinned).isEmpty();
				});
		}
	}

	@Test
	void threadThatKeepsItsCarrierIsSeen(@TempDir Path directory) {
		this.contextRunner.withPropertyValues("distributed-lock.backend=in-memory").run((context) -> {
			AsyncTaskExecutor threads = context.getBean(AsyncTaskExecutor.class);
			List<RecordedEvent> pinned = record(directory,
					() -> threads.submitCompletable(() -> assertThat(Pinning.parked).isTrue())
						.get(30, TimeUnit.SECONDS));
			assertThat(pinned).isNotEmpty();
		});
	}

	/** All ask while the locks are held, so that all but the holders wait at once. */
	private static void lockAll(AsyncTaskExecutor threads, LockTemplate template, LockInspector inspector, int count)
			throws Exception {
		CountDownLatch allWait = new CountDownLatch(1);
		AtomicInteger[] inside = new AtomicInteger[NAMES];
		AtomicInteger overlaps = new AtomicInteger();
		AtomicInteger served = new AtomicInteger();
		IntStream.range(0, NAMES).forEach((name) -> inside[name] = new AtomicInteger());
		CompletableFuture<?>[] done = IntStream.range(0, count).mapToObj((i) -> threads.submitCompletable(() -> {
			LockRequest request = LockRequest.of("hot").key(i % NAMES).waitTime(Duration.ofSeconds(120));
			template.executeWithoutResult(request, () -> {
				if (inside[i % NAMES].incrementAndGet() != 1) {
					overlaps.incrementAndGet();
				}
				allWait.await();
				served.incrementAndGet();
				inside[i % NAMES].decrementAndGet();
			});
			return null;
		})).toArray(CompletableFuture[]::new);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> inspector.held().size() == NAMES && inspector.waiting().size() == count - NAMES);
		allWait.countDown();
		CompletableFuture.allOf(done).get(120, TimeUnit.SECONDS);
		assertThat(served).hasValue(count);
		assertThat(overlaps).hasValue(0);
	}

	private static List<RecordedEvent> record(Path directory, Work work) throws Exception {
		Path file = directory.resolve("pinned.jfr");
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
			recording.start();
			work.run();
			recording.stop();
			recording.dump(file);
		}
		return RecordingFile.readAllEvents(file);
	}

	@FunctionalInterface
	private interface Work {

		void run() throws Exception;

	}

	/** The native frame of a class initializer keeps the carrier, on every JDK so far. */
	static final class Pinning {

		static final boolean parked;

		static {
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			parked = true;
		}

		private Pinning() {
		}

	}

}
