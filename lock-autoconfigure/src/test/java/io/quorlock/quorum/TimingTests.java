package io.quorlock.quorum;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Timing}.
 */
class TimingTests {

	/** Two steps are less than what the quarantine and the retention outlast (R19). */
	@Test
	void tokensOfReadersFollowTheClockInStepsOfAFewSecondsAtMost() {
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ofMinutes(10))).isEqualTo(3_000_000);
		assertThat(stepMicros(Duration.ofDays(20), Duration.ofDays(40))).isEqualTo(3_000_000);
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ofMillis(Long.MAX_VALUE))).isEqualTo(3_000_000);
		assertThat(stepMicros(Duration.ofSeconds(2), Duration.ofMinutes(10))).isEqualTo(100_000);
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ofSeconds(1))).isEqualTo(100_000);
		assertThat(stepMicros(Duration.ofSeconds(60), Duration.ZERO)).isEqualTo(1);
	}

	private static long stepMicros(Duration maxLeaseTime, Duration retention) {
		return new Timing(QuorumSettings.builder("app").maxLeaseTime(maxLeaseTime).fencingRetention(retention).build())
			.readersStepMicros();
	}

}
