package io.quorlock.quorum.membership;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeAdmission} (R10).
 */
class NodeAdmissionTests {

	private static final long SINCE_THE_BEGINNING = Long.MAX_VALUE;

	private final NodeAdmission admission = new NodeAdmission(Duration.ofSeconds(60), 0.01, false);

	@Test
	void nodeThatWasNeverSeenDoesNotCount() {
		assertThat(this.admission.isVoting(0)).isFalse();
	}

	@Test
	void nodeThatIsUpForLongCountsAtOnce() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		assertThat(this.admission.isVoting(0)).isTrue();
		assertThat(this.admission.reason(0)).isEmpty();
		assertThat(this.admission.votesIn(0)).isZero();
	}

	@Test
	void nodeThatRestartedCountsAfterTheQuarantineTheDriftAndASecond() {
		connect("r1", 12, SINCE_THE_BEGINNING, 0);
		assertThat(this.admission.isVoting(seconds(49.5))).isFalse();
		assertThat(this.admission.isVoting(seconds(49.7))).isTrue();
		assertThat(this.admission.votesIn(0)).isEqualTo(Duration.ofMillis(49_600));
		assertThat(this.admission.reason(0)).isEqualTo("started 12 s ago and votes in 50 s");
		assertThat(this.admission.reason(seconds(10))).isEqualTo("started 22 s ago and votes in 40 s");
	}

	@Test
	void nodeWithoutARecordDoesNotCountHoweverLongItIsUp() {
		connect("r1", 1_000_000, -1, 0);
		assertThat(this.admission.isVoting(seconds(1_000))).isFalse();
		assertThat(this.admission.reason(0)).isEqualTo("has no record of this list of nodes yet");
	}

	@Test
	void newcomerCountsAfterTheQuarantineFromItsRecordOn() {
		connect("r1", 1_000_000, -1, 0);
		this.admission.onRecord(0, seconds(5));
		assertThat(this.admission.reason(seconds(6)))
			.isEqualTo("new to this list of nodes since 1 s and votes in 61 s");
		assertThat(this.admission.isVoting(seconds(66.5))).isFalse();
		assertThat(this.admission.isVoting(seconds(66.7))).isTrue();
	}

	@Test
	void serverThatWasFlushedStopsCounting() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		this.admission.onRecord(-1, seconds(5));
		assertThat(this.admission.isVoting(seconds(5))).isFalse();
	}

	@Test
	void restartIsNoticedByTheRunId() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		this.admission.onConnected("r2", 1_000_000, seconds(1));
		assertThat(this.admission.isVoting(seconds(1))).isFalse();
		this.admission.onRecord(SINCE_THE_BEGINNING, seconds(1));
		assertThat(this.admission.isVoting(seconds(1))).isTrue();
	}

	@Test
	void firstRunIdIsTrustedOnlyIfAskedForAndOnlyTheFirst() {
		NodeAdmission trusting = new NodeAdmission(Duration.ofSeconds(60), 0.01, true);
		trusting.onConnected("r1", 1, 0);
		assertThat(trusting.isVoting(0)).isTrue();
		trusting.onConnected("r2", 1, seconds(2));
		trusting.onRecord(SINCE_THE_BEGINNING, seconds(2));
		assertThat(trusting.isVoting(seconds(61))).isFalse();
		trusting.onConnected("r1", 1, seconds(3));
		assertThat(trusting.isVoting(seconds(3))).isTrue();
	}

	@Test
	void zeroQuarantineCountsEveryNode() {
		NodeAdmission off = new NodeAdmission(Duration.ZERO, 0.01, false);
		off.onConnected("r1", 0, 0);
		assertThat(off.isVoting(0)).isTrue();
	}

	private void connect(String runId, long uptime, long recordAge, long now) {
		this.admission.onConnected(runId, uptime, now);
		this.admission.onRecord(recordAge, now);
	}

	private static long seconds(double seconds) {
		return (long) (seconds * 1_000_000_000);
	}

}
