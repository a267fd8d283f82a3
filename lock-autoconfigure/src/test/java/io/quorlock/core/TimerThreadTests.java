package io.quorlock.core;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimerThread}.
 */
class TimerThreadTests {

	private final TimerThread timer = new TimerThread("timer-under-test");

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
	void whatIsCancelledDoesNotRunAndKeepsNothingElseFromRunning() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		for (int i = 0; i < 1_000; i++) {
			schedule(i % 50, "cancelled", new CountDownLatch(1)).cancel();
		}
		// Known to the thread before it is cancelled.
		EngineTimer.Timeout later = schedule(200, "cancelled later", new CountDownLatch(1));
		schedule(20, "early", new CountDownLatch(1));
		Awaitility.await().until(() -> this.ran.contains("early"));
		later.cancel();
		schedule(300, "task", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.ran).containsExactly("early", "task");
	}

	@Test
	void goesOnBehindATaskThatFails() throws InterruptedException {
		CountDownLatch done = new CountDownLatch(1);
		this.timer.schedule(1_000_000, () -> {
			throw new IllegalStateException("on purpose");
		});
		schedule(20, "task", done);
		assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
	}

	private EngineTimer.Timeout schedule(int millis, String name, CountDownLatch done) {
		return this.timer.schedule(millis * 1_000_000L, () -> {
			this.ran.add(name);
			done.countDown();
		});
	}

}
