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
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.quorum.node.IdleNodeListener;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ballot}.
 */
class BallotTests {

	private static final NodeReply GRANT = new NodeReply.Granted(true, null);

	private static final NodeReply REFUSAL = refusal(new Blocker.Owner("other@host:1:ab:7"));

	private static final NodeReply NOT_SENT = new NodeReply.Failed(NodeReply.Failed.Cause.NOT_SENT,
			"connection refused");

	private static final long ALL = 0b11111;

	private final List<InMemoryLockNode> nodes = IntStream.range(0, 5)
		.mapToObj((i) -> new InMemoryLockNode("node" + i, new SystemClock()))
		.toList();

	private final Ballot ballot = new Ballot(new Voters(this.nodes));

	BallotTests() {
		this.ballot.asking(ALL, 0);
	}

	private static NodeReply refusal(Blocker blocker) {
		return new NodeReply.Refused(true, List.of(blocker), 20_000, null, 0);
	}

	private void note(NodeReply... replies) {
		for (int slot = 0; slot < replies.length; slot++) {
			this.ballot.note(slot, replies[slot], false);
		}
	}

	/** Their votes are open again, those of the others are not. */
	@Test
	void nodesThatRefusedAreAskedAgain() {
		note(GRANT, GRANT, REFUSAL, REFUSAL);
		assertThat(this.ballot.askingAgain()).isEqualTo(0b01100);
		assertThat(this.ballot.replied()).isEqualTo(0b00011);
		assertThat(this.ballot.canBeGranted(false)).isTrue();
		assertThat(this.ballot.isComplete(false)).isFalse();
		assertThat(this.ballot.askingAgain()).isZero();
	}

	/** It is not released there. */
	@Test
	void nodeThatWasNotSentTheCommandHasNothingOfIt() {
		note(NOT_SENT, GRANT);
		assertThat(this.ballot.touched()).isEqualTo(0b11110);
		this.ballot.note(1, NOT_SENT, false);
		assertThat(this.ballot.touched()).isEqualTo(0b11110);
	}

	@ParameterizedTest
	@EnumSource(value = NodeReply.Failed.Cause.class, names = { "ERROR", "CONNECTION_LOST" })
	void nodeThatFailedMayHaveAKeyAllTheSame(NodeReply.Failed.Cause cause) {
		note(new NodeReply.Failed(cause, "reset"));
		assertThat(this.ballot.touched()).isEqualTo(ALL);
		assertThat(this.ballot.isVoted()).isFalse();
	}

	@Test
	void permitThatMostNodesGrantedIsTheOne() {
		note(permit(2), permit(3), permit(3), permit(2));
		assertThat(this.ballot.permit()).isEqualTo(3);
		assertThat(this.ballot.isGranted()).isFalse();
		this.ballot.note(4, permit(2), false);
		assertThat(this.ballot.permit()).isEqualTo(2);
		assertThat(this.ballot.isGranted()).isTrue();
		assertThat(this.ballot.holders()).isEqualTo(0b11001);
		assertThat(this.ballot.strays()).isEqualTo(0b00110);
	}

	private static NodeReply permit(int number) {
		return new NodeReply.Granted(true, null, number);
	}

	@Test
	void onlyGrantsAndRefusalsAreVotes() {
		note(REFUSAL, REFUSAL, NOT_SENT, new NodeReply.Granted(false, null));
		assertThat(this.ballot.isVoted()).isFalse();
		assertThat(this.ballot.isGrantedAnywhere()).isTrue();
		this.ballot.note(4, REFUSAL, false);
		assertThat(this.ballot.isVoted()).isTrue();
		assertThat(this.ballot.granted()).isZero();
	}

	@Test
	void lateVoteShowsOnlyWhereKeysMayBe() {
		this.ballot.note(0, GRANT, true);
		this.ballot.note(1, NOT_SENT, true);
		assertThat(this.ballot.replied()).isEqualTo(0b00011);
		assertThat(this.ballot.touched()).isEqualTo(0b11101);
		assertThat(this.ballot.granted()).isZero();
		assertThat(this.ballot.isGrantedAnywhere()).isFalse();
		assertThat(this.ballot.replies()[0]).isNull();
	}

	/** What does not vote is described by its status. */
	@Test
	void descriptionSaysWhatEachVoterThatWasAskedReplied() {
		for (int slot = 0; slot < 4; slot++) {
			this.nodes.get(slot).start(new IdleNodeListener());
		}
		note(GRANT, NOT_SENT, REFUSAL, GRANT, GRANT);
		assertThat(this.ballot.describe(1, 100)).startsWith("; node node0: granted; node node2: held by another owner")
			.endsWith("; node node3: granted");
	}

	@Test
	void descriptionSaysWhyANodeRefused() {
		this.nodes.forEach((node) -> node.start(new IdleNodeListener()));
		note(REFUSAL, refusal(new Blocker.Cooldown()), refusal(new Blocker.Readers(List.of("other@host:1:ab:7"))),
				refusal(new Blocker.Waiting("ticket")),
				new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "out of memory"));
		assertThat(this.ballot.describe(1, 100))
			.isEqualTo("; node node0: held by another owner; node node1: cooling down"
					+ "; node node2: held by readers; node node3: another owner has waited for longer"
					+ "; node node4: out of memory");
	}

	@Test
	void descriptionSaysHowLongANodeHasNotReplied() {
		this.nodes.get(0).start(new IdleNodeListener());
		assertThat(this.ballot.describe(99, 100))
			.isEqualTo("; node node0: no reply after 99 ms, when the attempt ended");
		assertThat(this.ballot.describe(100, 100)).isEqualTo("; node node0: no reply within 100 ms");
	}

}
