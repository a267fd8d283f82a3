package io.quorlock.redis.client;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts to connect: growing, and random so that the instances of a
 * fleet do not all come back at once.
 */
final class Backoff {

	private static final long MIN_MILLIS = 50;

	private static final long MAX_MILLIS = 2_000;

	private long limit = MIN_MILLIS;

	void reset() {
		this.limit = MIN_MILLIS;
	}

	long nextMillis() {
		long millis = ThreadLocalRandom.current().nextLong(this.limit / 2, this.limit + 1);
		this.limit = Math.min(2 * this.limit, MAX_MILLIS);
		return millis;
	}

}
