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
		assertThat(this.admission.votesIn(0)).isEqualTo(Duration.ofMillis(61_600));
		assertThat(this.admission.reason(0)).isEmpty();
	}

	@Test
	void reasonIsWhatKeepsTheNodeOutForLongest() {
		connect("r1", 1_000_000, -1, 0);
		this.admission.onDoubt("its clock was stepped", 0, seconds(1));
		this.admission.onRecord(0, seconds(5));
		assertThat(this.admission.reason(seconds(6))).startsWith("new to this list of nodes for 1 s");
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

	/** The wall clock of the node was set back by an hour after its start. */
	@Test
	void negativeUptimeIsZero() {
		connect("r1", -3_600, SINCE_THE_BEGINNING, 0);
		assertThat(this.admission.reason(0)).isEqualTo("started 0 s ago and votes in 62 s");
		assertThat(this.admission.isVoting(seconds(61.5))).isFalse();
		assertThat(this.admission.isVoting(seconds(61.7))).isTrue();
	}

	@Test
	void runDoesNotGetYoungerWhenItsClockIsSetBack() {
		connect("r1", 50, SINCE_THE_BEGINNING, 0);
		connect("r1", -3_550, SINCE_THE_BEGINNING, seconds(5));
		assertThat(this.admission.reason(seconds(5))).isEqualTo("started 55 s ago and votes in 7 s");
		connect("r1", 3, SINCE_THE_BEGINNING, seconds(12));
		assertThat(this.admission.isVoting(seconds(12))).isTrue();
		connect("r2", 3, SINCE_THE_BEGINNING, seconds(13));
		assertThat(this.admission.isVoting(seconds(13))).isFalse();
	}

	@Test
	void nodeWhoseLeasesAreInDoubtIsExcludedAsAfterARestart() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		this.admission.onDoubt("its clock was stepped forwards by 30.0 s", 0, seconds(10));
		assertThat(this.admission.isVoting(seconds(10))).isFalse();
		assertThat(this.admission.reason(seconds(13)))
			.isEqualTo("its clock was stepped forwards by 30.0 s 3 s ago; votes in 59 s");
		assertThat(this.admission.votesIn(seconds(13))).isEqualTo(Duration.ofMillis(58_600));
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, seconds(20));
		assertThat(this.admission.isVoting(seconds(71.5))).isFalse();
		assertThat(this.admission.isVoting(seconds(71.7))).isTrue();
	}

	@Test
	void doubtThatOthersNoticedBeforeDoesNotReplaceALaterOne() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		this.admission.onDoubt("first", 0, seconds(10));
		this.admission.onDoubt("second", 30, seconds(20));
		assertThat(this.admission.reason(seconds(20))).startsWith("first");
		this.admission.onDoubt("the first once more", 10, seconds(20));
		assertThat(this.admission.reason(seconds(20))).isEqualTo("first 10 s ago; votes in 52 s");
		this.admission.onDoubt("third", 2, seconds(20));
		assertThat(this.admission.reason(seconds(20))).startsWith("third");
	}

	@Test
	void restartEndsADoubt() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		this.admission.onDoubt("its clock was stepped", 0, 0);
		connect("r2", 0, SINCE_THE_BEGINNING, seconds(5));
		assertThat(this.admission.reason(seconds(5))).startsWith("started 0 s ago");
	}

	@Test
	void serverForDevelopmentIsExcludedToo() {
		NodeAdmission development = new NodeAdmission(Duration.ofSeconds(60), 0.01, true);
		development.onConnected("r1", 1, 0);
		development.onRecord(0, 0);
		assertThat(development.isVoting(0)).isTrue();
		development.onDoubt("its clock was stepped", 0, 0);
		assertThat(development.isVoting(0)).isFalse();
		assertThat(development.isVoting(seconds(61.7))).isTrue();
	}

	@Test
	void nothingIsExcludedWithoutAQuarantine() {
		NodeAdmission none = new NodeAdmission(Duration.ZERO, 0.01, false);
		none.onConnected("r1", 1, 0);
		none.onRecord(-1, 0);
		none.onDoubt("its clock was stepped", 0, 0);
		assertThat(none.isVoting(0)).isTrue();
	}

	@Test
	void exclusionLastsUntilItIsTakenBack() {
		connect("r1", 1_000_000, SINCE_THE_BEGINNING, 0);
		this.admission.onExclusion("evicts keys");
		assertThat(this.admission.isVoting(seconds(1_000))).isFalse();
		assertThat(this.admission.reason(seconds(1_000))).isEqualTo("evicts keys");
		this.admission.onExclusion("");
		assertThat(this.admission.isVoting(seconds(1_000))).isTrue();
	}

	@Test
	void freshNodeWithoutARecordSaysHowLongItTakesAtLeast() {
		connect("r1", 2, -1, 0);
		assertThat(this.admission.reason(0))
			.isEqualTo("has no record of this list of nodes yet; started 2 s ago and votes in 60 s at the earliest");
	}

	@Test
	void recordDoesNotGetYoungerWhenTheClockIsSetBack() {
		connect("r1", 1_000_000, -1, 0);
		this.admission.onRecord(5_000, 0, 0);
		this.admission.onRecord(5_000, 0, seconds(62));
		assertThat(this.admission.isVoting(seconds(62))).isTrue();
		this.admission.onRecord(5_001, 0, seconds(63)); // another one, after a flush
		assertThat(this.admission.isVoting(seconds(63))).isFalse();
	}

	/** It may be another after a flush. */
	@Test
	void recordOfWhichItIsNotKnownSinceWhenItIsThereIsAsYoungAsItSays() {
		connect("r1", 1_000_000, -1, 0);
		this.admission.onRecord(0, 0, 0);
		this.admission.onRecord(0, 0, seconds(62));
		assertThat(this.admission.isVoting(seconds(62))).isFalse();
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
		assertThat(this.admission.reason(seconds(6))).isEqualTo("new to this list of nodes for 1 s and votes in 61 s");
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
		trusting.onRecord(-1, 0);
		assertThat(trusting.isVoting(0)).isTrue();
		trusting.onConnected("r2", 1, seconds(2));
		trusting.onRecord(-1, seconds(2));
		trusting.onRecord(SINCE_THE_BEGINNING, seconds(2));
		assertThat(trusting.isVoting(seconds(61))).isFalse();
		trusting.onConnected("r1", 1, seconds(3));
		trusting.onRecord(-1, seconds(3));
		assertThat(trusting.isVoting(seconds(3))).isTrue();
	}

	@Test
	void zeroQuarantineCountsEveryNode() {
		NodeAdmission off = new NodeAdmission(Duration.ZERO, 0.01, false);
		off.onConnected("r1", 0, 0);
		off.onRecord(-1, 0);
		assertThat(off.isVoting(0)).isTrue();
	}

	private void connect(String runId, long uptime, long recordAge, long now) {
		this.admission.onConnected(runId, uptime, now);
		this.admission.onRecord(recordAge, now);
	}

	private static long seconds(double seconds) {
		return (long) (seconds * 1_000_000_000);
	}

	/** It may tell of another list of nodes. */
	@Test
	void voteDoesNotCountBeforeTheRecordWasReadOnThisConnection() {
		NodeAdmission node = new NodeAdmission(Duration.ZERO, 0, false);
		node.onConnected("r1", 0, 0);
		assertThat(node.isVoting(0)).isFalse();
		node.onRecord(0, 0);
		assertThat(node.isVoting(0)).isTrue();
		node.onConnected("r1", 0, 1);
		assertThat(node.isVoting(1)).isFalse();
	}

}
