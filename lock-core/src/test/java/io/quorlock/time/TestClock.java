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

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clocks of the JVM, which can be made to jump ahead.
 */
public final class TestClock implements LockClock {

	private final AtomicLong aheadNanos = new AtomicLong();

	private final AtomicLong doubtfulNanos = new AtomicLong();

	public void advance(Duration duration) {
		this.aheadNanos.addAndGet(duration.toNanos());
	}

	/** A gap of which it is unknown whether the time has passed (R5). */
	public void jump(Duration duration) {
		this.doubtfulNanos.addAndGet(duration.toNanos());
	}

	@Override
	public long nanoTime() {
		return minNanoTime() + this.doubtfulNanos.get();
	}

	@Override
	public long minNanoTime() {
		return System.nanoTime() + this.aheadNanos.get();
	}

	@Override
	public long wallMicros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
