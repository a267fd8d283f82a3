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

package io.quorlock.time;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimerThread}.
 */
class TimerThreadTests {

	private final String name = "timer-under-test-" + System.nanoTime();

	private final TimerThread timer = new TimerThread(this.name);

	private final Queue<String> ran = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() {
		this.timer.close();
	}

	@Test
	void runsWhatIsDueInTheOrderOfTheDueTimes() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(3);
		schedule(90, "third", done);
		schedule(30, "first", done);
		schedule(60, "second", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.ran).containsExactly("first", "second", "third");
	}

	@Test
	void neverRunsEarly() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		long before = System.nanoTime();
		schedule(50, "task", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
	}

	@Test
	void onlyLongDelaysAreRoundedUpToShareAWakeUp() {
		assertThat(differentDueTimes(100_000)).isGreaterThan(50);
		assertThat(differentDueTimes(10_000_000_000L)).isLessThan(50);
	}

	/** Returns at how many different times one hundred tasks are due. */
	private int differentDueTimes(long delayNanos) {
		Queue<TimerThread.Task> tasks = new ConcurrentLinkedQueue<>();
		try (TimerThread collecting = new TimerThread(this.name + "-collecting", new ConcurrentLinkedQueue<>() {

			@Override
			public boolean add(TimerThread.Task task) {
				return tasks.add(task);
			}

		})) {
			for (int i = 0; i < 100; i++) {
				collecting.schedule(delayNanos, () -> {
				});
			}
		}
		return new TreeSet<>(tasks).size();
	}

	@Test
	void whatIsCancelledDoesNotRunAndKeepsNothingElseFromRunning() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		// Due so late that no pause of this process makes them due before they are
		// cancelled.
		for (int i = 0; i < 1_000; i++) {
			schedule(2_000 + i % 50, "cancelled", new CountDownLatch(1)).cancel();
		}
		// Known to the thread before it is cancelled.
		LockTimer.Timeout later = schedule(2_060, "cancelled later", new CountDownLatch(1));
		schedule(20, "early", new CountDownLatch(1));
		Awaitility.await().until(() -> this.ran.contains("early"));
		later.cancel();
		schedule(2_100, "task", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		// However long the thread has lived by now.
		long before = System.nanoTime();
		CountDownLatch last = new CountDownLatch(1);
		schedule(20, "last", last);
		assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(1_900));
		assertThat(this.ran).containsExactly("early", "task", "last");
	}

	@Test
	void nobodyWakesUpForWhatIsCancelled() throws InterruptedException {
		List<LockTimer.Timeout> cancelled = IntStream.range(0, 200)
			.mapToObj((i) -> schedule(200 + 2 * i, "cancelled", new CountDownLatch(1)))
			.toList();
		// When this has run, the thread knows of the others.
		CountDownLatch known = new CountDownLatch(1);
		schedule(20, "early", known);
		assertThat(known.await(10, TimeUnit.SECONDS)).isTrue();
		cancelled.forEach(LockTimer.Timeout::cancel);
		long before = parks();
		CountDownLatch done = new CountDownLatch(1);
		schedule(700, "task", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(parks() - before).isLessThan(20);
	}

	/** How often the thread has gone to sleep. */
	private long parks() {
		return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(false, false))
			.filter((thread) -> thread.getThreadName().equals(this.name))
			.mapToLong(ThreadInfo::getWaitedCount)
			.findFirst()
			.orElseThrow();
	}

	/** Each task is scheduled while the thread is about to go to sleep. */
	@Test
	void noWakeUpIsLost() throws InterruptedException {
		for (int i = 0; i < 2_000; i++) {
			CountDownLatch done = new CountDownLatch(1);
			this.timer.schedule(0, done::countDown);
			assertThat(done.await(20, TimeUnit.SECONDS)).as("task %d", i).isTrue();
		}
	}

	@Test
	void goesOnBehindATaskThatFails() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		this.timer.schedule(1_000_000, () -> {
			throw new IllegalStateException("on purpose");
		});
		this.timer.schedule(2_000_000, () -> {
			throw new AssertionError("on purpose");
		});
		schedule(20, "task", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
	}

	/** As a wait without a limit is, when it ends. */
	@Test
	void whatIsCancelledIsNotKeptUntilItIsDue() throws InterruptedException {
		this.timer.schedule(Duration.ofHours(1).toNanos(), () -> {
		});
		List<WeakReference<LockTimer.Timeout>> cancelled = new ArrayList<>();
		for (int round = 0; round < 4; round++) {
			List<LockTimer.Timeout> timeouts = new ArrayList<>();
			for (int i = 0; i < 2_000; i++) {
				timeouts.add(this.timer.schedule(Long.MAX_VALUE / 4, () -> {
				}));
			}
			CountDownLatch seen = new CountDownLatch(1);
			this.timer.schedule(0, seen::countDown);
			assertThat(seen.await(20, TimeUnit.SECONDS)).isTrue();
			for (LockTimer.Timeout timeout : timeouts) {
				timeout.cancel();
				cancelled.add(new WeakReference<>(timeout));
			}
		}
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(cancelled.stream().filter((timeout) -> timeout.get() != null)).hasSizeLessThan(4_100);
		});
	}

	/** Nothing else is due: a lost wake-up leaves the task waiting for a minute. */
	@Test
	void taskThatComesWhileTheThreadGoesToSleepIsRun() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
		String name = this.name + "-sleepy";
		try (TimerThread sleepy = new TimerThread(name, new ConcurrentLinkedQueue<>() {

			@Override
			public boolean isEmpty() {
				boolean empty = super.isEmpty();
				Runnable next = empty ? meanwhile.getAndSet(null) : null;
				if (next != null) {
					next.run();
				}
				return empty;
			}

		})) {
			Awaitility.await().until(() -> isAsleep(name));
			// Behind this task the thread has nothing to wait for.
			sleepy.schedule(0, () -> meanwhile.set(() -> sleepy.schedule(0, done::countDown)));
			assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
		}
	}

	/** It sleeps, and would do so for a minute. */
	@Test
	void threadIsADaemonAndEndsWithTheTimer() throws InterruptedException {
		Awaitility.await().until(() -> isAsleep(this.name));
		Thread thread = threads(this.name).findFirst().orElseThrow();
		assertThat(thread.isDaemon()).isTrue();
		this.timer.close();
		thread.join(20_000);
		assertThat(thread.isAlive()).isFalse();
	}

	private static boolean isAsleep(String name) {
		return threads(name).anyMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING);
	}

	private static Stream<Thread> threads(String name) {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().equals(name));
	}

	private LockTimer.Timeout schedule(int millis, String name, CountDownLatch done) {
		return this.timer.schedule(millis * 1_000_000L, () -> {
			this.ran.add(name);
			done.countDown();
		});
	}

}
