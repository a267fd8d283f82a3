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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.LockInspector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Threads of two instances, some of which hold a lock while others wait for it, are
 * interrupted at one instant: each of them ends, none of them holds or waits for anything
 * afterwards, and the next one gets the lock. {@code -Dinterrupted.rounds=1000} runs more
 * rounds.
 */
@Timeout(300)
class InterruptedCrowdTests {

	private static final int ROUNDS = Integer.getInteger("interrupted.rounds", 40);

	private static final int THREADS = 5;

	private static EmbeddedRedis redis;

	private static RealEngine first;

	private static RealEngine second;

	private final AtomicInteger held = new AtomicInteger();

	private final AtomicInteger interrupted = new AtomicInteger();

	private final Queue<LockException> failures = new ConcurrentLinkedQueue<>();

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(3);
		first = RealEngine.start(RealEngine.settings("first"), redis.uris());
		second = RealEngine.start(RealEngine.settings("second"), redis.uris());
	}

	@AfterAll
	static void stop() {
		second.close();
		first.close();
		redis.close();
	}

	@ParameterizedTest
	@EnumSource(Kind.class)
	void nothingIsLeftBehind(Kind kind) throws InterruptedException {
		for (int round = 0; round < ROUNDS; round++) {
			String name = kind + "-" + round;
			List<Thread> crowd = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				crowd.add(worker(first.template, kind.request(name, i)));
				crowd.add(worker(second.template, kind.request(name, i)));
			}
			crowd.forEach(Thread::start);
			Thread.sleep(ThreadLocalRandom.current().nextInt(30));
			crowd.forEach(Thread::interrupt);
			for (Thread worker : crowd) {
				worker.join(10_000);
				assertThat(worker.isAlive()).as("%s in round %d", worker, round).isFalse();
			}
			assertNothingLeft(first, name);
			assertNothingLeft(second, name);
			LockRequest next = kind.request(name, 0).waitTime(Duration.ZERO);
			// A grant that came too late for an interrupted thread may still be on its
			// way back.
			await().pollDelay(Duration.ZERO).until(() -> {
				Optional<LockHandle> handle = first.template.tryAcquire(next);
				handle.ifPresent(LockHandle::close);
				return handle.isPresent();
			});
		}
		assertThat(this.failures).isEmpty();
		assertThat(this.held).hasPositiveValue();
		assertThat(this.interrupted).hasPositiveValue();
	}

	private static void assertNothingLeft(RealEngine engine, String name) {
		LockInspector inspector = new LockInspector(engine.engine);
		await().pollDelay(Duration.ZERO).untilAsserted(() -> {
			assertThat(inspector.held()).noneMatch((hold) -> hold.names().contains(name));
			assertThat(inspector.waiting()).noneMatch((wait) -> wait.names().contains(name));
		});
	}

	private Thread worker(LockTemplate template, LockRequest request) {
		return new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				try (LockHandle handle = template.acquire(request)) {
					this.held.incrementAndGet();
					Thread.sleep(ThreadLocalRandom.current().nextInt(4));
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				catch (LockException ex) {
					note(ex);
				}
			}
		});
	}

	/** A thread that was interrupted while it waited has its flag set. */
	private void note(LockException failure) {
		if (failure instanceof LockInterruptedException) {
			this.interrupted.incrementAndGet();
		}
		else {
			this.failures.add(failure);
		}
	}

	enum Kind {

		EXCLUSIVE, SHARED, PERMITS, FAIR;

		LockRequest request(String name, int thread) {
			LockRequest request = LockRequest.of(name).waitTime(Duration.ofSeconds(60));
			return switch (this) {
				case EXCLUSIVE -> request;
				case SHARED -> (thread > 0) ? request.shared() : request;
				case PERMITS -> request.permits(3);
				case FAIR -> request.fair();
			};
		}

	}

}
