package io.quorlock.redis.jedis;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.quorlock.core.EngineClock;

/**
 * The clocks of the JVM.
 */
enum TestClock implements EngineClock {

	SYSTEM;

	@Override
	public long nanoTime() {
		return System.nanoTime();
	}

	@Override
	public long wallMicros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
