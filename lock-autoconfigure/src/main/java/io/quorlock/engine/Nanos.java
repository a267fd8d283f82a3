package io.quorlock.engine;

import java.time.Duration;

/**
 * Durations as nanoseconds that can be added to a clock without an overflow.
 */
final class Nanos {

	/** About 73 years. */
	static final long MAX = Long.MAX_VALUE / 4;

	private Nanos() {
	}

	static long of(Duration duration) {
		return (duration.compareTo(Duration.ofNanos(MAX)) < 0) ? duration.toNanos() : MAX;
	}

}
