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
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The clocks of this machine. {@link System#nanoTime()} stands still while a machine is
 * suspended, the keys on the nodes do not: a forward gap between wall clock and monotonic
 * clock is looked into, and counts as elapsed time unless the boot-time clock shows that
 * only the wall clock jumped (R5).
 *
 * @since 0.1.0
 */
public final class SystemClock implements LockClock {

	private static final Path UPTIME = Path.of("/proc/uptime");

	/** Clocks are slewed and read one after another: less than this is no gap. */
	private static final long TOLERANCE_MILLIS = 100;

	private final Source source;

	private final ReentrantLock lock = new ReentrantLock();

	/** Wall clock less monotonic clock when last looked at. */
	private volatile long wallOffsetMillis;

	/** Boot-time clock less monotonic clock when last looked at; -1 if unreadable. */
	private long bootOffsetMillis;

	/** Added to the monotonic clock, what cannot be judged included. */
	private volatile long suspendedNanos;

	/** What of it the boot-time clock proves. */
	private volatile long provenNanos;

	/**
	 * Create a new clock of this machine.
	 */
	public SystemClock() {
		this(new Source());
	}

	SystemClock(Source source) {
		this.source = source;
		long nanos = source.nanoTime();
		this.wallOffsetMillis = source.wallMillis() - nanos / 1_000_000;
		this.bootOffsetMillis = bootOffset(nanos);
	}

	@Override
	public long nanoTime() {
		long nanos = this.source.nanoTime();
		long gapMillis = this.source.wallMillis() - nanos / 1_000_000 - this.wallOffsetMillis;
		if (gapMillis > TOLERANCE_MILLIS || gapMillis < -TOLERANCE_MILLIS) {
			lookIntoGap();
		}
		return nanos + this.suspendedNanos;
	}

	@Override
	public long minNanoTime() {
		nanoTime(); // looks into a gap
		return this.source.nanoTime() + this.provenNanos;
	}

	private void lookIntoGap() {
		this.lock.lock();
		try {
			long nanos = this.source.nanoTime();
			long wallOffset = this.source.wallMillis() - nanos / 1_000_000;
			long gapMillis = wallOffset - this.wallOffsetMillis;
			if (Math.abs(gapMillis) <= TOLERANCE_MILLIS) {
				return;
			}
			long bootOffset = bootOffset(nanos);
			boolean readable = bootOffset >= 0 && this.bootOffsetMillis >= 0;
			// The wall clock may also have been set back by more than the suspension.
			long suspendedMillis = readable ? bootOffset - this.bootOffsetMillis : gapMillis;
			if (suspendedMillis > TOLERANCE_MILLIS / 2) {
				this.suspendedNanos += suspendedMillis * 1_000_000;
				this.provenNanos += readable ? suspendedMillis * 1_000_000 : 0;
			}
			this.bootOffsetMillis = bootOffset;
			this.wallOffsetMillis = wallOffset;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long bootOffset(long nanos) {
		long uptimeMillis = this.source.bootMillis();
		// Shifted, so that a monotonic clock with another origin never makes it negative.
		return (uptimeMillis >= 0) ? uptimeMillis - nanos / 1_000_000 + (Long.MAX_VALUE >> 2) : -1;
	}

	@Override
	public long wallMicros() {
		return this.source.wallMicros();
	}

	/** Where the time comes from; replaced in tests. */
	static class Source {

		private final Path uptime;

		Source() {
			this(UPTIME);
		}

		Source(Path uptime) {
			this.uptime = uptime;
		}

		long nanoTime() {
			return System.nanoTime();
		}

		long wallMillis() {
			return System.currentTimeMillis();
		}

		long wallMicros() {
			Instant now = Instant.now();
			return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
		}

		/** Milliseconds since the machine started, suspension included; -1 if unknown. */
		long bootMillis() {
			try {
				String text = Files.readString(this.uptime);
				return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * 1_000);
			}
			catch (IOException | RuntimeException ex) {
				return -1;
			}
		}

	}

}
