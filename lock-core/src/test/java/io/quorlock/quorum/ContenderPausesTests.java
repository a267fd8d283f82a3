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

package io.quorlock.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import io.quorlock.Settings;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.TestClaim;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R4: how many claims of one instance share what they may ask.
 */
class ContenderPausesTests {

	private static final long MILLI = 1_000_000;

	private static final long LIFE = 30_000 * MILLI;

	private final ContenderState state = state(Integer.MAX_VALUE);

	private static ContenderState state(int maxAttempts) {
		return new ContenderState(TestClaim.of("order").waiting(Duration.ofHours(1)).attempts(maxAttempts).at(0),
				new Voters(List.of(new InMemoryLockNode("node", new SystemClock()))),
				new Timing(Settings.quorum("app")
					.set(QuorumSettings::retryMinDelay, Duration.ofMillis(50))
					.set(QuorumSettings::retryMaxDelay, Duration.ofMillis(500))
					.build()));
	}

	/** An attempt follows the one before. */
	private static void ask(ContenderState state) {
		state.begin(state.phase(), 0);
	}

	@Test
	void fewClaimsAskAfterTheLongestPauseAtMost() {
		assertThat(pauses(99, LIFE)).allSatisfy((pause) -> assertThat(pause).isBetween(250 * MILLI, 500 * MILLI));
	}

	@Test
	void manyClaimsAskFourHundredTimesASecondTogether() {
		assertThat(pauses(4_000, LIFE))
			.allSatisfy((pause) -> assertThat(pause).isBetween(10_000 * MILLI, 10_040 * MILLI));
	}

	@Test
	void claimsAskInTimeToProlongTheirTickets() {
		assertThat(pauses(15_000, LIFE))
			.allSatisfy((pause) -> assertThat(pause).isBetween(22_500 * MILLI, 22_600 * MILLI));
	}

	@Test
	void claimsThatAreTooManyToProlongTheirTicketsAskAThousandTimesASecondTogether() {
		assertThat(pauses(100_000, LIFE))
			.allSatisfy((pause) -> assertThat(pause).isBetween(100_000 * MILLI, 100_100 * MILLI));
	}

	/** A hundred milliseconds for ten thousand claims: fifty of them at once. */
	@Test
	void claimsThatAreDueSoonAfterOneAnotherAskTogether() {
		failed();
		Set<Long> due = LongStream.range(0, 1_000)
			.map((i) -> i * MILLI / 10)
			.map((now) -> now + this.state.pauseNanos(10_000, LIFE, now))
			.boxed()
			.collect(Collectors.toSet());
		assertThat(due).hasSizeBetween(1, 2).allSatisfy((nanos) -> assertThat(nanos % (100 * MILLI)).isZero());
	}

	/** It is settled whether another holds the lock. */
	@Test
	void lastOfSeveralAttemptsIsKnownBeforeItBegins() {
		ContenderState limited = state(2);
		assertThat(limited.isLastAttempt()).isFalse();
		ask(limited);
		assertThat(limited.isLastAttempt()).isTrue();
		assertThat(limited.isExhausted()).isFalse();
		ask(limited);
		assertThat(limited.isExhausted()).isTrue();
	}

	private List<Long> pauses(int waiting, long lifeNanos) {
		failed();
		return LongStream.range(0, 1_000)
			.map((i) -> this.state.pauseNanos(waiting, lifeNanos, i * 7_777_777))
			.boxed()
			.toList();
	}

	private void failed() {
		ask(this.state);
		this.state.failed(new RoundResult(true, true, "other@host:1:ab:7", 0, 0, 0, 3_600_000, MILLI,
				() -> new ClaimFailure.Held("other@host:1:ab:7", "other holds it")), 0);
	}

	@Test
	void pausesOfAClaimBeginSmallAgainBehindAnAnswer() {
		for (int i = 0; i < 8; i++) {
			failedWithoutAnswer();
		}
		failed();
		failedWithoutAnswer();
		assertThat(LongStream.range(0, 1_000).map((i) -> this.state.pauseNanos(1, LIFE, i)).boxed())
			.allSatisfy((pause) -> assertThat(pause).isBetween(50 * MILLI, 100 * MILLI));
	}

	private void failedWithoutAnswer() {
		ask(this.state);
		this.state.failed(new RoundResult(false, false, null, 0, 0, 0, 0, MILLI,
				() -> new ClaimFailure.Unavailable("no node replied")), 0);
	}

	/** Two round trips, as long as the replies do not take half of their time. */
	@Test
	void offersOfAMajorityAreAwaitedForTwoRoundTripsWithinBounds() {
		assertThat(patienceBehind(MILLI / 10)).isEqualTo(MILLI);
		assertThat(patienceBehind(10 * MILLI)).isEqualTo(20 * MILLI);
		assertThat(patienceBehind(40 * MILLI)).isEqualTo(50 * MILLI);
	}

	private long patienceBehind(long tookNanos) {
		ask(this.state);
		this.state.failed(refusal(0, 3_600_000, tookNanos), 0);
		return this.state.patienceNanos();
	}

	/** All of them know when the lease in front ends. */
	@Test
	void claimsInFrontDoNotAllAskAtTheInstantAtWhichTheLeaseEnds() {
		ask(this.state);
		this.state.failed(refusal(1, 60, MILLI), 0);
		assertThat(LongStream.range(0, 1_000).map((i) -> this.state.pauseNanos(1, LIFE, i)).boxed().distinct())
			.hasSizeGreaterThan(100)
			.allSatisfy((pause) -> assertThat(pause).isBetween(60 * MILLI, 110 * MILLI));
	}

	@Test
	void claimFarBehindProlongsItsTicketInTime() {
		ask(this.state);
		this.state.failed(refusal(500, 3_600_000, MILLI), 0);
		assertThat(LongStream.range(0, 1_000).map((i) -> this.state.pauseNanos(1, LIFE, i)).boxed())
			.containsOnly(LIFE / 2);
	}

	private static RoundResult refusal(int rank, long remainingMillis, long tookNanos) {
		return new RoundResult(true, true, "other@host:1:ab:7", 0, 0, rank, remainingMillis, tookNanos,
				() -> new ClaimFailure.Held("other@host:1", "other@host:1 holds it"));
	}

	/** An owner that keeps using it is not asked more often than needed. */
	@Test
	void ownerHasTwiceTheTimeToGiveAnUnusedLeaseUpEachTime() {
		for (int i = 0; i < 4; i++) {
			ask(this.state);
			assertThat(this.state.givingUpNanos()).isEqualTo(300_000L << i);
		}
		for (int i = 0; i < 1_000; i++) {
			ask(this.state);
		}
		assertThat(this.state.givingUpNanos()).isEqualTo(300_000L << 10);
	}

	/** A claim that may ask only twice must not do so before the owner can react. */
	@Test
	void unusedLeaseIsAskedForAgainAtOnceUnlessThatIsTheLastAttempt() {
		assertThat(pauseBehindAnUnusedLease(3)).isEqualTo(300_000L);
		assertThat(pauseBehindAnUnusedLease(2)).isBetween(250 * MILLI, 500 * MILLI);
	}

	private static long pauseBehindAnUnusedLease(int maxAttempts) {
		ContenderState limited = state(maxAttempts);
		ask(limited);
		limited.failed(new RoundResult(true, true, "other@host:1:ab:r7", 0, 0, 0, 3_600_000, MILLI,
				() -> new ClaimFailure.Held("other@host:1", "other@host:1 keeps it")), 0);
		return limited.pauseNanos(1, LIFE, 0);
	}

}
