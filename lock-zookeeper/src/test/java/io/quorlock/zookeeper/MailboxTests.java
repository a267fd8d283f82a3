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

package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Mailbox}.
 */
@Timeout(60)
class MailboxTests {

	private final Mailbox mailbox = new Mailbox();

	private final List<Integer> done = new ArrayList<>();

	@Test
	void taskThatFailsKeepsNoOtherFromRunning() {
		this.mailbox.execute(() -> {
			this.mailbox.execute(() -> this.done.add(1));
			throw new IllegalStateException("expected by the test");
		});
		this.mailbox.execute(() -> {
			throw new AssertionError("expected by the test");
		});
		this.mailbox.execute(() -> this.done.add(2));
		assertThat(this.done).containsExactly(1, 2);
	}

	@Test
	void taskThatIsAddedByAnotherRunsBehindIt() {
		this.mailbox.execute(() -> {
			this.mailbox.execute(() -> this.done.add(2));
			this.done.add(1);
		});
		assertThat(this.done).containsExactly(1, 2);
	}

	@Test
	void nothingRecurses() {
		addNext(100_000);
		assertThat(this.done).hasSize(100_000);
	}

	private void addNext(int left) {
		if (left > 0) {
			this.mailbox.execute(() -> {
				this.done.add(left);
				addNext(left - 1);
			});
		}
	}

	@Test
	void tasksOfManyThreadsRunOneAtATime() throws InterruptedException {
		int threads = 4;
		CountDownLatch begin = new CountDownLatch(1);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		for (int i = 0; i < threads; i++) {
			executor.execute(() -> {
				awaitQuietly(begin);
				for (int task = 0; task < 50_000; task++) {
					this.mailbox.execute(() -> this.done.add(0)); // not safe for threads
				}
			});
		}
		begin.countDown();
		executor.shutdown();
		assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.done).hasSize(threads * 50_000);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
