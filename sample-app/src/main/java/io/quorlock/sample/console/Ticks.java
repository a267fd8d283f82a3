package io.quorlock.sample.console;

import java.lang.management.ManagementFactory;

/** Monotonic time as the page sees it: milliseconds since the process started. */
final class Ticks {

	private static final long ORIGIN_NANOS = System.nanoTime()
			- ManagementFactory.getRuntimeMXBean().getUptime() * 1_000_000;

	private Ticks() {
	}

	static double now() {
		return millis(System.nanoTime());
	}

	static double millis(long nanos) {
		return (nanos != 0) ? Math.round((nanos - ORIGIN_NANOS) / 1e3) / 1e3 : 0;
	}

}
