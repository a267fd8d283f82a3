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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ballot.FenceTally}: which nodes count towards a majority that stores a
 * token (R9, R10).
 */
class FenceTallyTests {

	private static final NodeReply HELD = new NodeReply.Granted(true, new long[] { 5 });

	private static final NodeReply GREATER = new NodeReply.Granted(true, new long[] { 7 });

	private final Voters voters = new Voters(
			List.of(node("node0"), node("node1"), node("node2"), node("node3"), node("node4")));

	private static InMemoryLockNode node(String name) {
		return new InMemoryLockNode(name, new SystemClock());
	}

	private Ballot ballot = new Ballot(this.voters);

	private Ballot.FenceTally tally(@Nullable NodeReply... votes) {
		return tally(1, votes);
	}

	private Ballot.FenceTally tallyOfTwo(@Nullable NodeReply... votes) {
		return tally(2, votes);
	}

	private Ballot.FenceTally tally(int names, @Nullable NodeReply... votes) {
		this.ballot = new Ballot(this.voters);
		for (int slot = 0; slot < votes.length; slot++) {
			NodeReply vote = votes[slot];
			if (vote != null) {
				this.ballot.note(slot, vote, false);
			}
		}
		return this.ballot.new FenceTally(names);
	}

	@Test
	void majorityThatVotedForTheGreatestFenceStoresIt() {
		assertThat(tally(GREATER, GREATER, GREATER, null, null).isStored()).isTrue();
		assertThat(tally(GREATER, GREATER, HELD, null, null).isStored()).isFalse();
		assertThat(tally(HELD, GREATER, GREATER, null, null).isStored()).isFalse();
	}

	/** A majority stores the token of each of several names, not of the first alone. */
	@Test
	void r12MajorityStoresTheGreatestFenceOfEachName() {
		NodeReply both = new NodeReply.Granted(true, new long[] { 7, 9 });
		NodeReply first = new NodeReply.Granted(true, new long[] { 7, 5 });
		NodeReply second = new NodeReply.Granted(true, new long[] { 5, 9 });
		assertThat(tallyOfTwo(both, both, both, null, null).isStored()).isTrue();
		assertThat(tallyOfTwo(both, both, first, null, null).isStored()).isFalse();
		assertThat(tallyOfTwo(both, both, second, null, null).isStored()).isFalse();
		assertThat(tallyOfTwo(first, second, both, null, null).greatest).containsExactly(7, 9);
	}

	@Test
	void fenceOfANodeInQuarantineIsNoVote() {
		NodeReply quarantined = new NodeReply.Granted(false, new long[] { 9 });
		Ballot.FenceTally tally = tally(GREATER, GREATER, HELD, quarantined, quarantined);
		assertThat(tally.greatest).containsExactly(7);
		assertThat(tally.isStored()).isFalse();
		this.ballot.note(3, new NodeReply.Granted(false, new long[] { 7 }), false);
		tally.noteVote(3);
		assertThat(tally.isStored()).isFalse();
		this.ballot.note(4, GREATER, false);
		tally.noteVote(4);
		assertThat(tally.isStored()).isTrue();
	}

	@Test
	void fenceOfAnotherPermitIsNoVote() {
		NodeReply other = new NodeReply.Granted(true, new long[] { 9 }, 2);
		assertThat(tally(GREATER, GREATER, other, null, null).greatest).containsExactly(7);
	}

	@Test
	void raiseOnANodeInQuarantineDoesNotCount() {
		Ballot.FenceTally tally = tally(GREATER, GREATER, HELD, null, null);
		tally.noteRaise(2, new NodeReply.Done(false), false);
		assertThat(tally.isStored()).isFalse();
		assertThat(tally.canBeStored(false)).isTrue();
		tally.noteRaise(3, new NodeReply.Done(false), false);
		tally.noteRaise(4, new NodeReply.Done(false), false);
		assertThat(tally.isVoted()).isFalse();
		assertThat(tally.canBeStored(false)).as("two of five store it").isFalse();
	}

	@Test
	void raiseThatComesTooLateDoesNotCount() {
		Ballot.FenceTally tally = tally(GREATER, GREATER, HELD, null, null);
		tally.noteRaise(2, new NodeReply.Done(true), true);
		assertThat(tally.isStored()).isFalse();
	}

	/** Also if they could not store anything. */
	@Test
	void quorumRepliedIfAMajorityOfTheVotersDid() {
		Ballot.FenceTally tally = tally(GREATER, GREATER, HELD, null, null);
		tally.noteRaise(0, new NodeReply.Done(true), false);
		tally.noteRaise(1, new NodeReply.NotHeld(true), false);
		tally.noteRaise(2, new NodeReply.NotHeld(false), false);
		tally.noteRaise(3, new NodeReply.Done(true), true);
		tally.noteRaise(4, new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "reset"), false);
		assertThat(tally.isVoted()).isFalse();
		tally.noteRaise(2, new NodeReply.NotHeld(true), false);
		assertThat(tally.isVoted()).isTrue();
	}

	@Test
	void raiseWhereTheLockIsNotHeldStoresNothing() {
		Ballot.FenceTally tally = tally(GREATER, GREATER, HELD, null, null);
		tally.noteRaise(2, new NodeReply.NotHeld(true), false);
		assertThat(tally.isStored()).isFalse();
	}

}
