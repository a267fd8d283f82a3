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

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Standings} (R4).
 */
class StandingsTests {

	private static final NodeReply COOLING = refusal(new Blocker.Cooldown());

	private static final String OTHER = "other@host:1:ab:7";

	private static final String SELF = "app@host:1:cd:1";

	private static final LockTarget EXCLUSIVE = LockTarget.exclusive(List.of("order"));

	private static final NodeReply HELD = refusal(new Blocker.Owner(OTHER));

	private static NodeReply refusal(Blocker blocker) {
		return new NodeReply.Refused(true, List.of(blocker), 20_000, null, 0);
	}

	/** Two of five nodes granted; the others reply so. */
	private static Standings standings(@Nullable NodeReply... others) {
		return of(EXCLUSIVE, SELF, 2, others);
	}

	private static Standings of(LockTarget target, String self, int ownVotes, @Nullable NodeReply... others) {
		Voters voters = new Voters(
				IntStream.range(0, 5).mapToObj((i) -> new InMemoryLockNode("node" + i, new SystemClock())).toList());
		return new Standings(voters, target, self, ownVotes, others);
	}

	/** It shows no majority, so that its instance has perhaps died. */
	@Test
	void ownerThatIsPassedOverDoesNotComeFirst() {
		assertThat(standings(HELD, HELD, HELD).isFirst((owner) -> false)).isFalse();
		assertThat(standings(HELD, HELD, HELD).isFirst((owner) -> true)).isTrue();
	}

	/** A node that has not seen the release yet does not prolong it. */
	@Test
	void lockIsHeldForAsLongAsAMajorityOfTheKeysLives() {
		assertThat(standings(refusal(5), HELD, refusal(7), HELD).remainingMillis()).isEqualTo(7);
		assertThat(standings(HELD, refusal(7), HELD).remainingMillis()).isEqualTo(7);
		assertThat(standings(refusal(NodeReply.Refused.NO_EXPIRY), refusal(7), HELD).remainingMillis()).isEqualTo(7);
		assertThat(standings(HELD, HELD).remainingMillis()).as("no majority").isZero();
		NodeReply forever = refusal(NodeReply.Refused.NO_EXPIRY);
		assertThat(standings(forever, forever, forever, HELD).remainingMillis()).isEqualTo(Long.MAX_VALUE);
	}

	private static NodeReply refusal(long remainingMillis) {
		return new NodeReply.Refused(true, List.of(new Blocker.Owner(OTHER)), remainingMillis, null, 0);
	}

	@Test
	void divisionSaysWhoHasHowManyNodes() {
		assertThat(standings(HELD, refusal(new Blocker.Owner("another@host:1:ab:7")), HELD).division())
			.isEqualTo("another@host:1 had 1, other@host:1 had 2, this request 2 of 5 nodes");
	}

	/** It gives its nodes back instead of asking again. */
	@Test
	void attemptCannotWinTheNodesThatCoolDown() {
		assertThat(standings(HELD, COOLING).canWin((owner) -> true)).isTrue();
		assertThat(standings(HELD, COOLING, COOLING).canWin((owner) -> false)).isTrue();
		assertThat(standings(HELD, COOLING, COOLING).canWin((owner) -> true)).isFalse();
	}

	@Test
	void mostNodesDecideWhoComesFirst() {
		assertThat(standings(HELD, HELD).isFirst((owner) -> false)).isEqualTo(comesFirst(SELF, OTHER));
		assertThat(standings(HELD).isFirst((owner) -> false)).isTrue();
		assertThat(standings(HELD, HELD, HELD).isFirst((owner) -> false)).isFalse();
		assertThat(of(EXCLUSIVE, SELF, 0, COOLING).isFirst((owner) -> false)).as("it has no node").isFalse();
	}

	/** All must agree on it, and none may be first for ever. */
	@Test
	void ofTwoThatHaveAsManyNodesOneComesFirst() {
		int first = 0;
		for (int i = 0; i < 200; i++) {
			String one = "app@host:1:ab:" + i;
			String other = "app@host:2:cd:" + i;
			assertThat(comesFirst(one, other)).isNotEqualTo(comesFirst(other, one));
			first += comesFirst(one, other) ? 1 : 0;
		}
		assertThat(first).isBetween(60, 140);
	}

	/** The tokens have the same hash code. */
	@Test
	void ofTwoWithTheSameHashTheLesserTokenComesFirst() {
		assertThat("app@host:1:Aa:1").hasSameHashCodeAs("app@host:1:BB:1");
		assertThat(comesFirst("app@host:1:Aa:1", "app@host:1:BB:1")).isTrue();
		assertThat(comesFirst("app@host:1:BB:1", "app@host:1:Aa:1")).isFalse();
	}

	private static boolean comesFirst(String self, String other) {
		NodeReply refusal = refusal(new Blocker.Owner(other));
		return of(EXCLUSIVE, self, 2, refusal, refusal).isFirst((owner) -> false);
	}

	@Test
	void lockIsHeldByWhoHasAMajority() {
		assertThat(standings(HELD, HELD).isHeld()).isFalse();
		assertThat(standings(HELD, HELD, HELD)).satisfies((standings) -> {
			assertThat(standings.isHeld()).isTrue();
			assertThat(standings.majorityOwner()).isEqualTo(OTHER);
			assertThat(standings.isHeldByReaders()).isFalse();
			assertThat(standings.remainingMillis()).isEqualTo(20_000);
		});
		assertThat(standings(HELD, HELD, COOLING).isHeld()).isFalse();
		assertThat(standings(COOLING, COOLING).isHeld()).isFalse();
		assertThat(standings(COOLING, COOLING, COOLING).isHeld()).isTrue();
	}

	@Test
	void olderTicketIsInFrontIfAMajoritySaysSo() {
		NodeReply waiting = refusal(new Blocker.Waiting("ticket"));
		assertThat(standings(waiting, waiting).majorityTicket()).isNull();
		assertThat(standings(waiting, waiting, refusal(new Blocker.Waiting("another"))).isHeld()).isFalse();
		assertThat(standings(waiting, waiting, waiting)).satisfies((standings) -> {
			assertThat(standings.majorityTicket()).isEqualTo("ticket");
			assertThat(standings.isHeld()).isTrue();
		});
	}

	@Test
	void readerThatAMajorityNamesHoldsTheLock() {
		NodeReply readers = refusal(new Blocker.Readers(List.of("reader:1", OTHER)));
		assertThat(standings(readers, readers, refusal(new Blocker.Readers(List.of(OTHER))))).satisfies((standings) -> {
			assertThat(standings.isHeldByReaders()).isTrue();
			assertThat(standings.majorityOwner()).isEqualTo(OTHER);
		});
	}

	/** A node names no more than 64 of them, which need not be the same. */
	@Test
	void soManyReadersThatNodesDoNotNameThemAllHoldTheLock() {
		assertThat(standings(readers(1, 64), readers(2, 64), readers(3, 64))).satisfies((standings) -> {
			assertThat(standings.isHeld()).isTrue();
			assertThat(standings.isHeldByReaders()).isTrue();
			assertThat(standings.majorityOwner()).isEqualTo("many readers");
		});
		assertThat(standings(readers(1, 64), readers(2, 64), readers(3, 63)).isHeld()).isFalse();
	}

	private static NodeReply readers(int node, int count) {
		return refusal(new Blocker.Readers(IntStream.range(0, count).mapToObj((i) -> node + ":" + i).toList()));
	}

	@Test
	void permitsAreHeldIfEachOfThemIs() {
		NodeReply both = permits(new Blocker.Owner(OTHER), new Blocker.Owner("third@host:1:ab:7"));
		NodeReply one = permits(new Blocker.Owner(OTHER), null);
		NodeReply cooling = permits(new Blocker.Owner(OTHER), new Blocker.Cooldown());
		LockTarget permits = LockTarget.permits("order", 2);
		assertThat(of(permits, SELF, 0, both, both, both).isHeld()).isTrue();
		assertThat(of(permits, SELF, 0, both, both, one).isHeld()).isFalse();
		assertThat(of(permits, SELF, 0, both, both, cooling).isHeld()).isFalse();
		assertThat(of(permits, SELF, 0, cooling, cooling, cooling).isHeld()).isTrue();
		assertThat(of(permits, SELF, 0, cooling, cooling).isHeld()).isFalse();
		assertThat(of(permits, SELF, 2, one).isFirst((owner) -> true)).as("another attempt finds one sooner").isFalse();
	}

	private static NodeReply permits(@Nullable Blocker... blockers) {
		return new NodeReply.Refused(true, Arrays.asList(blockers), 20_000, null, 0);
	}

}
