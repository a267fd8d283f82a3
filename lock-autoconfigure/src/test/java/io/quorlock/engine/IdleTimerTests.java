package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdleTimer}.
 */
class IdleTimerTests {

	private static final Duration IDLE = Duration.ofMillis(100);

	private final ManualTime time = new ManualTime();

	private final AtomicInteger timeouts = new AtomicInteger();

	private final AtomicInteger runs = new AtomicInteger();

	/** Whether another time begins whenever the timer looks at the clock. */
	private boolean busy = true;

	private final IdleTimer timer = new IdleTimer(new EngineClock() {

		@Override
		public long nanoTime() {
			if (IdleTimerTests.this.busy) {
				start();
			}
			return IdleTimerTests.this.time.nanoTime();
		}

		@Override
		public long wallMicros() {
			return IdleTimerTests.this.time.wallMicros();
		}

	}, (delayNanos, task) -> {
		this.timeouts.incrementAndGet();
		return this.time.schedule(delayNanos, task);
	});

	private void start() {
		long now = this.time.nanoTime();
		this.timer.start(now, now + IDLE.toNanos(), this.runs::incrementAndGet);
	}

	@Test
	void timesThatBeginWhileItLooksShareATimeout() {
		start();
		for (int i = 0; i < 12; i++) {
			this.time.advance(IDLE);
		}
		assertThat(this.timeouts).hasValueLessThan(30);
		assertThat(this.runs).hasValue(0);
		this.busy = false;
		this.time.advance(IDLE);
		assertThat(this.runs).hasValue(1);
	}

}
