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
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.quorlock.time.ManualTime;

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

	private final IdleTimer timer = new IdleTimer(this.time.beforeLook(() -> {
		if (this.busy) {
			start();
		}
	}), (delayNanos, task) -> {
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
