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

package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Readers and writers of one JVM on threads of their own take a lease over from each
 * other (R17, R19).
 */
@Timeout(120)
class TurnRaceTests {

	private static final LockRequest ORDER = LockRequest.of("order").waitTime(Duration.ofSeconds(60));

	private static final int THREADS = 8;

	private static final int ROUNDS = 200;

	private final AtomicInteger readers = new AtomicInteger();

	private final AtomicInteger writers = new AtomicInteger();

	private final AtomicLong writersToken = new AtomicLong();

	private final AtomicLong greatestToken = new AtomicLong();

	private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

	@Test
	void writersExcludeAllOthersAndTokensFollowTheirOrder() throws Exception {
		try (EngineFixture fixture = EngineFixture.of(3)) {
			List<CompletableFuture<Void>> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				threads
					.add(CompletableFuture.runAsync(() -> use(fixture.template), (task) -> new Thread(task).start()));
			}
			CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).get(100, TimeUnit.SECONDS);
			assertThat(this.violations).isEmpty();
			LockInspector inspector = new LockInspector(fixture.engine);
			// A lease that came for a request just given up is held until its return.
			await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
				assertThat(inspector.held()).isEmpty();
				assertThat(inspector.waiting()).isEmpty();
			});
			fixture.template.acquire(ORDER.waitTime(Duration.ZERO)).close();
		}
	}

	private void use(DefaultLockTemplate template) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		for (int round = 0; round < ROUNDS; round++) {
			if (random.nextInt(10) == 0) {
				giveUp(template, random);
			}
			boolean reads = random.nextInt(3) > 0;
			try (LockHandle handle = template.acquire(reads ? ORDER.shared() : ORDER)) {
				if (reads) {
					read(handle);
				}
				else {
					write(handle);
					if (random.nextInt(20) == 0) {
						handle.downgrade();
						read(handle);
					}
				}
			}
		}
	}

	/** Its request may end in the same instant in which its turn comes. */
	private static void giveUp(DefaultLockTemplate template, ThreadLocalRandom random) {
		LockRequest request = random.nextBoolean() ? ORDER.shared() : ORDER;
		CompletableFuture<LockHandle> future = template.acquireAsync(request).toCompletableFuture();
		for (int i = random.nextInt(2_000); i > 0; i--) {
			Thread.onSpinWait();
		}
		if (!future.cancel(true)) {
			future.join().close();
		}
	}

	private void read(LockHandle handle) {
		this.readers.incrementAndGet();
		check(handle, LockMode.SHARED, this.writers.get() > 0, handle.fencingToken() < this.writersToken.get());
		this.greatestToken.accumulateAndGet(handle.fencingToken(), Math::max);
		if (ThreadLocalRandom.current().nextInt(50) == 0) {
			pause();
		}
		this.readers.decrementAndGet();
	}

	private void write(LockHandle handle) {
		int others = this.writers.getAndIncrement() + this.readers.get();
		long token = handle.fencingToken();
		check(handle, LockMode.EXCLUSIVE, others > 0, token <= this.greatestToken.get());
		this.writersToken.set(token);
		this.greatestToken.accumulateAndGet(token, Math::max);
		this.writers.decrementAndGet();
	}

	/** Some readers stay for longer than hand-overs may last. */
	private static void pause() {
		try {
			Thread.sleep(60);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void check(LockHandle handle, LockMode mode, boolean overlaps, boolean tokenTooSmall) {
		if (handle.mode() != mode || overlaps || tokenTooSmall) {
			this.violations.add("%s: %s, overlaps: %s, token %d too small: %s".formatted(handle, handle.mode(),
					overlaps, handle.fencingToken(), tokenTooSmall));
		}
	}

}
