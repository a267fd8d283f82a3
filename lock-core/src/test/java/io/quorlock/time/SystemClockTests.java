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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SystemClock}: what counts as elapsed time, and what does not (R5).
 */
class SystemClockTests {

	private final Clocks clocks = new Clocks();

	private final SystemClock clock = new SystemClock(this.clocks);

	@Test
	void r5TimeIsMonotonic() {
		long start = this.clock.nanoTime();
		this.clocks.pass(Duration.ofSeconds(10));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(10).toNanos());
	}

	@Test
	void r5BackwardJumpOfTheWallClockMeansNothing() {
		long start = this.clock.nanoTime();
		this.clocks.wallMillis -= 3_600_000;
		assertThat(this.clock.nanoTime()).isEqualTo(start);
		this.clocks.pass(Duration.ofSeconds(1));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(1).toNanos());
	}

	@Test
	void r5ForwardJumpOfTheWallClockAloneMeansNothing() {
		long start = this.clock.nanoTime();
		this.clocks.wallMillis += 3_600_000;
		assertThat(this.clock.nanoTime()).isEqualTo(start);
		this.clocks.pass(Duration.ofSeconds(1));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(1).toNanos());
	}

	@Test
	void r5SuspensionOfTheMachineCountsAtTheFirstCallAndOnce() {
		long start = this.clock.nanoTime();
		this.clocks.suspend(Duration.ofSeconds(40));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
		this.clocks.pass(Duration.ofSeconds(1));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(41).toNanos());
		this.clocks.suspend(Duration.ofSeconds(2));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(43).toNanos());
	}

	@Test
	void r5SuspensionBehindABackwardJumpOfTheWallClockCounts() {
		long start = this.clock.nanoTime();
		this.clocks.wallMillis -= 3_600_000;
		assertThat(this.clock.nanoTime()).isEqualTo(start);
		this.clocks.suspend(Duration.ofSeconds(40));
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
	}

	/** A time server sets the wall clock back as the machine resumes. */
	@Test
	void r5SuspensionCountsAlthoughTheWallClockWasSetBackByMore() {
		long start = this.clock.nanoTime();
		this.clocks.suspend(Duration.ofSeconds(40));
		this.clocks.wallMillis -= 60_000;
		assertThat(this.clock.nanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
		assertThat(this.clock.minNanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
	}

	@Test
	void r5ForwardGapCountsWhereNothingTellsSuspensionFromAJump() {
		this.clocks.bootReadable = false;
		SystemClock blind = new SystemClock(this.clocks);
		long start = blind.nanoTime();
		this.clocks.wallMillis += 40_000;
		assertThat(blind.nanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
		this.clocks.wallMillis -= 40_000;
		assertThat(blind.nanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
	}

	@Test
	void r10ForwardGapIsNoTimeForAQuarantineWhereNothingTellsSuspensionFromAJump() {
		this.clocks.bootReadable = false;
		SystemClock blind = new SystemClock(this.clocks);
		long start = blind.minNanoTime();
		this.clocks.wallMillis += 40_000;
		assertThat(blind.minNanoTime()).isEqualTo(start);
		this.clocks.pass(Duration.ofSeconds(1));
		assertThat(blind.minNanoTime() - start).isEqualTo(Duration.ofSeconds(1).toNanos());
	}

	@Test
	void r10SuspensionThatTheBootTimeClockShowsCountsForAQuarantine() {
		long start = this.clock.minNanoTime();
		this.clocks.suspend(Duration.ofSeconds(40));
		assertThat(this.clock.minNanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
	}

	@Test
	void r10BootTimeClockThatBecomesReadableProvesNothingOfAnEarlierGap() {
		this.clocks.bootReadable = false;
		SystemClock blind = new SystemClock(this.clocks);
		long start = blind.minNanoTime();
		this.clocks.bootReadable = true;
		this.clocks.suspend(Duration.ofSeconds(40));
		assertThat(blind.minNanoTime()).isEqualTo(start);
		assertThat(blind.nanoTime() - start).isEqualTo(Duration.ofSeconds(40).toNanos());
	}

	@Test
	void systemClocksAreRead() {
		SystemClock real = new SystemClock();
		long wall = System.currentTimeMillis();
		assertThat(real.wallMicros() / 1_000).isBetween(wall, wall + 60_000);
		long first = real.nanoTime();
		assertThat(real.nanoTime()).isGreaterThanOrEqualTo(first);
	}

	/** What follows in the file is the idle time of all cores, which runs as it likes. */
	@Test
	@EnabledOnOs(OS.LINUX)
	void r5BootTimeClockIsTheTimeSinceTheMachineStarted() throws IOException {
		SystemClock.Source real = new SystemClock.Source();
		long before = uptimeMillis();
		long boot = real.bootMillis();
		assertThat(boot).isBetween(before, uptimeMillis());
	}

	/** It must not be taken for one that never shows a suspension. */
	@Test
	void r5BootTimeClockThatCannotBeReadIsUnknown(@TempDir Path directory) throws IOException {
		Path uptime = directory.resolve("uptime");
		SystemClock.Source source = new SystemClock.Source(uptime);
		assertThat(source.bootMillis()).isEqualTo(-1);
		Files.writeString(uptime, "12.34 56.78\n");
		assertThat(source.bootMillis()).isEqualTo(12_340);
		Files.writeString(uptime, "up 12 days");
		assertThat(source.bootMillis()).isEqualTo(-1);
		Files.writeString(uptime, "");
		assertThat(source.bootMillis()).isEqualTo(-1);
	}

	private static long uptimeMillis() throws IOException {
		return (long) (Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]) * 1_000);
	}

	private static final class Clocks extends SystemClock.Source {

		private long nanos = 1_000_000_000_000L;

		private long wallMillis = 1_763_679_000_000L;

		private long bootMillis = 5_000_000;

		private boolean bootReadable = true;

		void pass(Duration time) {
			this.nanos += time.toNanos();
			this.wallMillis += time.toMillis();
			this.bootMillis += time.toMillis();
		}

		/** The monotonic clock stands still meanwhile. */
		void suspend(Duration time) {
			this.wallMillis += time.toMillis();
			this.bootMillis += time.toMillis();
		}

		@Override
		long nanoTime() {
			return this.nanos;
		}

		@Override
		long wallMillis() {
			return this.wallMillis;
		}

		@Override
		long bootMillis() {
			return this.bootReadable ? this.bootMillis : -1;
		}

	}

}
