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

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FenceProposals} (R9, R19).
 */
class FenceProposalsTests {

	private static final LockTarget ORDER = LockTarget.exclusive(List.of("order"));

	private static final LockTarget READER = LockTarget.shared(List.of("order"));

	private static final long STEP = 10_000;

	private final ManualTime time = new ManualTime();

	private FenceProposals proposals(long floor) {
		this.time.setWallMicros(1_000);
		LockNode node = new InMemoryLockNode("node:6379", this.time);
		return new FenceProposals(new NodeClocks(this.time, new Voters(List.of(node))), floor, STEP);
	}

	@Test
	void proposalIsTheTimeOrWhatWasSeenAndTheRange() {
		FenceProposals proposals = proposals(0);
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(1_000);
		proposals.seen(ORDER.names(), new long[] { 2_000 });
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(2_004);
	}

	@Test
	void greatestFenceThatWasSeenCounts() {
		FenceProposals proposals = proposals(0);
		for (long fence : new long[] { 2_000, 3_000, 1_500 }) {
			proposals.seen(ORDER.names(), new long[] { fence });
		}
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(3_004);
	}

	@Test
	void nameWhoseTokensRunAheadOfTheClockGetsOneAtATime() {
		FenceProposals proposals = proposals(0);
		long max = this.time.wallMicros() + 1_000_000;
		proposals.seen(ORDER.names(), new long[] { max - 4 });
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(max);
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).range()).isEqualTo(4);
		proposals.seen(ORDER.names(), new long[] { max - 3 });
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(max - 2);
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).range()).isOne();
	}

	@Test
	void nothingIsProposedOrTakenByAReaderBelowTheFloor() {
		FenceProposals proposals = proposals(5_000);
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(5_004);
		assertThat(proposals.propose(READER, 4, this.time.nanoTime()).tokens()).containsExactly(5_000);
	}

	/** A floor far above the clock keeps no name from being handed over. */
	@Test
	void tokensAreAheadOfTheFloorIfThatIsAboveTheClock() {
		long floor = 10_000_000;
		FenceProposals proposals = proposals(floor);
		proposals.seen(ORDER.names(), new long[] { floor + 999_996 });
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).range()).isEqualTo(4);
		assertThat(proposals.isFarAhead(new long[] { floor + 1_000_000 })).isFalse();
		proposals.seen(ORDER.names(), new long[] { floor + 999_997 });
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).range()).isOne();
	}

	/**
	 * Readers between two writers share a token, and those right behind a writer its own.
	 */
	@Test
	void tokenOfAReaderFollowsTheClockInSteps() {
		FenceProposals proposals = proposals(0);
		this.time.setWallMicros(5 * STEP);
		assertThat(proposals.propose(READER, 4, this.time.nanoTime()).tokens()).containsExactly(4 * STEP);
		this.time.setWallMicros(6 * STEP - 1);
		assertThat(proposals.propose(READER, 4, this.time.nanoTime()).tokens()).containsExactly(4 * STEP);
		this.time.setWallMicros(6 * STEP);
		assertThat(proposals.propose(READER, 4, this.time.nanoTime()).tokens()).containsExactly(5 * STEP);
		proposals.seen(READER.names(), new long[] { 5 * STEP + 1 });
		assertThat(proposals.propose(READER, 4, this.time.nanoTime()).tokens()).containsExactly(5 * STEP + 1);
	}

	/** What is remembered saves a round; it must not grow with the number of names. */
	@Test
	void fencesAreForgottenWhenManyOtherNamesFollow() {
		FenceProposals proposals = proposals(0);
		proposals.seen(ORDER.names(), new long[] { 2_000 });
		for (int i = 0; i < 20_000; i++) {
			proposals.seen(List.of("order:" + i), new long[] { 1 });
		}
		assertThat(proposals.propose(ORDER, 4, this.time.nanoTime()).tokens()).containsExactly(1_000);
	}

}
