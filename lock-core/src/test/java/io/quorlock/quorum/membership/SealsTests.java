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
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.membership.Membership.RecordAction;
import io.quorlock.quorum.membership.Seals.Question;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Seals}, and for what they change of a {@link Membership} (R23).
 */
class SealsTests {

	private static final Duration AGE = Duration.ofSeconds(60);

	private final Membership group = group(3);

	private final Seals seals = this.group.seals();

	private static Membership group(int nodes) {
		List<String> names = List.of("a:1", "b:1", "c:1", "d:1", "e:1").subList(0, nodes);
		return new Membership(names, new Layout("group a of a by name version 3", 3, 2, AGE));
	}

	// ---- what a node without a record gets back

	@Test
	void groupIsMarkedOnceAllOfItsNodesAreReadAndSealedOnceAllAreMarked() {
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.WAIT);
		assertThat(join(this.group, 1)).isEqualTo(RecordAction.WAIT);
		// The others were read before.
		assertThat(join(this.group, 2)).isEqualTo(RecordAction.WAIT);
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.MARK);
		assertThat(join(this.group, 1)).isEqualTo(RecordAction.MARK);
		assertThat(join(this.group, 2)).isEqualTo(RecordAction.MARK);
		marked(this.group, 0);
		marked(this.group, 1);
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		this.seals.disconnected(2); // it may lose its record at any time
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		marked(this.group, 2);
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.FOUND);
		assertThat(this.group.examine(2, false, 0)).isEqualTo(RecordAction.FOUND);
	}

	/** Whoever began is gone: what was marked has lost nothing. */
	@Test
	void markedNodeIsSealedIfAnotherIsAlready() {
		marked(this.group, 1);
		recorded(this.group, 0, 0, 0);
		assertThat(this.group.examine(1, false, 0)).isEqualTo(RecordAction.FOUND);
		marked(this.group, 1);
		assertThat(this.group.examine(1, false, 0)).as("it is read once more").isEqualTo(RecordAction.FOUND);
		assertThat(join(this.group, 2)).isEqualTo(RecordAction.WAIT);
	}

	/**
	 * Two nodes restarted empty, and an operator deleted the record of the third. Another
	 * instance knows that already, and has marked the first of them. If that one were
	 * sealed now, the two others would wait for a majority of seals for ever.
	 */
	@Test
	void sealThatWasReadBeforeTheMarkMayBeGone() {
		recorded(this.group, 2, 2, 0);
		join(this.group, 0);
		join(this.group, 1);
		marked(this.group, 0);
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		marked(this.group, 1);
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		join(this.group, 2);
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		marked(this.group, 2);
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.FOUND);
	}

	private static void marked(Membership group, int node) {
		group.seals().read(node, group.seals().ask(0), -2, 0, 0, 0);
	}

	@Test
	void nodeJoinsOnceEnoughOthersToldTheirSeals() {
		Membership group = group(3);
		recorded(group, 1, 4, 0);
		assertThat(join(group, 0)).isEqualTo(RecordAction.WAIT);
		recorded(group, 2, 0, 0);
		// The first was read before.
		assertThat(join(group, 0)).isEqualTo(RecordAction.WAIT);
		recorded(group, 1, 4, 0);
		assertThat(join(group, 0)).isEqualTo(RecordAction.JOIN);
		assertThat(group.seals().toWrite(0, RecordAction.JOIN)).isEqualTo(4);
	}

	@Test
	void answerToAQuestionFromBeforeTheLossTellsNothing() {
		recorded(this.group, 1, 0, 0);
		recorded(this.group, 2, 0, 0);
		Question before = this.seals.ask(0);
		join(this.group, 0);
		this.seals.read(1, before, 0, 0, 0, 0);
		this.seals.read(2, before, 0, 0, 0, 0);
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.WAIT);
		recorded(this.group, 1, 2, 0);
		recorded(this.group, 2, 0, 0);
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.JOIN);
	}

	@Test
	void secondLossAsksAgain() {
		join(this.group, 0);
		recorded(this.group, 1, 0, 0);
		recorded(this.group, 2, 0, 0);
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.JOIN);
		recorded(this.group, 0, 2, 0);
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.WAIT);
	}

	@Test
	void twoOfThreeThatLostTheirsDoNotCount() {
		recorded(this.group, 2, 0, 0);
		join(this.group, 0);
		join(this.group, 1);
		recorded(this.group, 2, 0, 0);
		assertThat(join(this.group, 0)).isEqualTo(RecordAction.WAIT);
		assertThat(join(this.group, 1)).isEqualTo(RecordAction.WAIT);
	}

	@Test
	void soManyOthersAreEnoughThatOneOfThemWasOfAnyMajority() {
		for (int nodes = 2; nodes <= 5; nodes++) {
			Membership group = group(nodes);
			int enough = nodes - nodes / 2;
			recorded(group, 1, 0, 0);
			join(group, 0);
			for (int i = 1; i <= enough; i++) {
				recorded(group, i, 0, 0);
				assertThat(join(group, 0)).as("%d of %d", i, nodes)
					.isEqualTo((i < enough) ? RecordAction.WAIT : RecordAction.JOIN);
			}
		}
	}

	/** The group may have begun anew with a lower one. */
	@Test
	void sealThatWasReadBeforeTheLossIsNotWritten() {
		Membership group = group(5);
		recorded(group, 4, 6, 0);
		join(group, 0);
		for (int node = 1; node <= 3; node++) {
			recorded(group, node, 3, 0);
		}
		assertThat(join(group, 0)).isEqualTo(RecordAction.JOIN);
		assertThat(group.seals().toWrite(0, RecordAction.JOIN)).isEqualTo(3);
	}

	@Test
	void ownSealIsWrittenWhateverOthersHave() {
		assertThat(this.seals.toWrite(0, RecordAction.NONE)).isEqualTo(2);
		assertThat(this.seals.toWrite(0, RecordAction.FOUND)).isEqualTo(2);
		assertThat(this.seals.toWrite(0, RecordAction.JOIN)).isEqualTo(2);
	}

	// ---- how old a seal is

	@Test
	void majorityHasToBeSealedForLongEnough() {
		assertThat(waitSeconds(0)).isEqualTo(Long.MAX_VALUE);
		recorded(this.group, 0, 2, 100);
		assertThat(waitSeconds(0)).isEqualTo(Long.MAX_VALUE);
		recorded(this.group, 1, 2, 31);
		assertThat(waitSeconds(0)).isEqualTo(30);
		assertThat(waitSeconds(7)).isEqualTo(23);
		recorded(this.group, 2, 2, 61);
		assertThat(waitSeconds(0)).isZero();
	}

	/** Ages come in whole seconds, of which a fraction may be over. */
	@Test
	void sealGetsNoYounger() {
		recorded(this.group, 1, 2, 100);
		Question question = this.seals.ask(0);
		this.seals.read(0, question, 2, 1_000, 61, 0);
		assertThat(waitSeconds(1)).isNegative();
		this.seals.read(0, question, 2, 1_000, 61, seconds(1));
		assertThat(waitSeconds(1)).isNegative();
		this.seals.read(0, question, 2, 1_001, 60, seconds(1));
		assertThat(waitSeconds(1)).isPositive();
	}

	@Test
	void olderSealIsNone() {
		recorded(this.group, 0, 1, 100);
		recorded(this.group, 1, 2, 100);
		assertThat(waitSeconds(0)).isEqualTo(Long.MAX_VALUE);
		recorded(this.group, 2, 6, 100);
		assertThat(waitSeconds(0)).isNegative();
	}

	@Test
	void whatWasReadTooLongAgoDoesNotCount() {
		recorded(this.group, 0, 2, 100);
		recorded(this.group, 1, 2, 100);
		assertThat(this.seals.waitNanos(seconds(9), 0)).isNegative();
		assertThat(this.seals.waitNanos(seconds(10), 0)).isEqualTo(Long.MAX_VALUE);
	}

	/** A node that restarted since then may have let older ones in again. */
	@Test
	void whatWasReadLongerAgoThanALeaseDoesNotCount() {
		Seals brief = new Seals(new Layout("group a of a by name version 3", 3, 2, Duration.ofSeconds(4)), 1);
		brief.read(0, brief.ask(0), 2, 900, 100, 0);
		assertThat(brief.waitNanos(seconds(3), 0)).isNegative();
		assertThat(brief.waitNanos(seconds(4), 0)).isEqualTo(Long.MAX_VALUE);
	}

	/** The time is that of the machine, which has run for a while. */
	@Test
	void whatWasReadJustNowCounts() {
		for (int node = 0; node < 2; node++) {
			this.seals.read(node, this.seals.ask(seconds(500)), 2, 900, 100, 0);
		}
		assertThat(this.seals.waitNanos(seconds(509), 0)).isNegative();
		assertThat(this.seals.waitNanos(seconds(510), 0)).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void nodeThatMayHaveRestartedDoesNotCount() {
		recorded(this.group, 0, 2, 100);
		recorded(this.group, 1, 2, 100);
		this.seals.disconnected(1);
		assertThat(waitSeconds(0)).isEqualTo(Long.MAX_VALUE);
		recorded(this.group, 1, 2, 100);
		join(this.group, 1);
		assertThat(waitSeconds(0)).isEqualTo(Long.MAX_VALUE);
	}

	// ---- when names came

	@Test
	void tokensFromBeforeTheSealOfAMajorityMayBeUnknown() {
		recorded(this.group, 0, 2, 100);
		assertThat(this.seals.greatestTokenBefore()).isZero();
		recorded(this.group, 1, 2, 31);
		assertThat(this.seals.greatestTokenBefore()).isEqualTo((1_000 - 31 + 2) * 1_000_000L);
		recorded(this.group, 2, 2, 7);
		assertThat(this.seals.greatestTokenBefore()).isEqualTo((1_000 - 31 + 2) * 1_000_000L);
		recorded(this.group, 1, 2, 3);
		assertThat(this.seals.greatestTokenBefore()).isEqualTo((1_000 - 7 + 2) * 1_000_000L);
	}

	@Test
	void sealOfAnEarlierMoveDoesNotCount() {
		recorded(this.group, 0, 1, 100);
		recorded(this.group, 1, 2, 31);
		assertThat(this.seals.greatestTokenBefore()).isZero();
	}

	@Test
	void sealsOfTheGroupsBeforeCount() {
		Membership before = group(3);
		this.seals.follow(List.of(this.seals, before.seals()));
		assertThat(this.seals.sealedBeforeSeconds()).isZero();
		recorded(this.group, 0, 2, 100);
		recorded(this.group, 1, 2, 100);
		assertThat(this.seals.sealedBeforeSeconds()).isEqualTo(900);
		recorded(before, 0, 2, 50);
		recorded(before, 1, 2, 50);
		assertThat(this.seals.sealedBeforeSeconds()).isEqualTo(950);
		assertThat(this.seals.greatestTokenBefore()).isEqualTo(952_000_000);
	}

	@Test
	void namesThatNeverMovedHaveNoFloor() {
		Membership group = new Membership(List.of("a:1"), new Layout("group a of a by name version 1", 1, 0, AGE));
		recorded(group, 0, 0, 100);
		assertThat(group.seals().greatestTokenBefore()).isZero();
	}

	private static void recorded(Membership group, int node, int seal, long ageSeconds) {
		group.examine(node, true, 0);
		group.seals().read(node, group.seals().ask(0), seal, 1_000 - ageSeconds, ageSeconds, 0);
	}

	private static RecordAction join(Membership group, int node) {
		group.seals().read(node, group.seals().ask(0), -1, 0, 0, 0);
		return group.examine(node, false, seconds(3600));
	}

	private long waitSeconds(long leastSeconds) {
		long wait = this.seals.waitNanos(0, seconds(leastSeconds));
		return (wait == Long.MAX_VALUE) ? wait : wait / seconds(1);
	}

	private static long seconds(long seconds) {
		return Duration.ofSeconds(seconds).toNanos();
	}

}
