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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Refusals;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for what {@link Messenger} tells observers.
 */
class MessengerTests {

	private static final long MILLI = 1_000_000;

	private static final NodeCommand COMMAND = new OperatorCommand.Inspect("order");

	private final List<String> observed = new ArrayList<>();

	private final StoreObserver observer = (node, operation, outcome, error, nanos) -> this.observed
		.add("%s %s %s %s %d".formatted(node, operation, outcome, error, nanos));

	private final LockClock clock = new ManualTime();

	private Messenger messenger(StoreObserver... observers) {
		return new Messenger(
				new Voters(List.of(new InMemoryLockNode("a", this.clock), new InMemoryLockNode("b", this.clock))),
				this.clock, List.of(observers));
	}

	@ParameterizedTest
	@MethodSource
	void outcomeIsThatOfTheReply(NodeReply reply, ReplyOutcome outcome, String error) {
		messenger(this.observer).replied(1, COMMAND, reply, this.clock.nanoTime() - 7);
		assertThat(this.observed).containsExactly("b inspect %s %s 7".formatted(outcome, error));
	}

	static Stream<Arguments> outcomeIsThatOfTheReply() {
		return Stream.of(arguments(new NodeReply.Granted(true, null), ReplyOutcome.OK, null),
				arguments(new NodeReply.Done(true), ReplyOutcome.OK, null),
				arguments(new NodeReply.Released(true, 0), ReplyOutcome.OK, null),
				arguments(Refusals.of(true, List.of("other"), 5, null), ReplyOutcome.REFUSED, null),
				arguments(new NodeReply.NotHeld(true), ReplyOutcome.REFUSED, null),
				arguments(new NodeReply.Failed(Cause.ERROR, "BUSY"), ReplyOutcome.ERROR, "BUSY"),
				arguments(new NodeReply.Failed(Cause.CONNECTION_LOST, "closed"), ReplyOutcome.LOST, "closed"),
				arguments(new NodeReply.Failed(Cause.NOT_SENT, "down"), ReplyOutcome.NOT_SENT, "down"));
	}

	@Test
	void observerThatFailsKeepsNothingFromTheOthers() {
		StoreObserver failing = (node, operation, outcome, error, nanos) -> {
			throw new IllegalStateException("test");
		};
		messenger(failing, this.observer).replied(0, COMMAND, new NodeReply.Done(true), this.clock.nanoTime());
		assertThat(this.observed).containsExactly("a inspect OK null 0");
	}

	private static LockNode silentNode(String name) {
		LockNode node = Mockito.mock(LockNode.class);
		BDDMockito.given(node.name()).willReturn(name);
		return node;
	}

	private Messenger ofSilentNodes() {
		return new Messenger(new Voters(List.of(silentNode("a"), silentNode("b"), silentNode("c"))), this.clock,
				List.of());
	}

	private static void send(Messenger messenger, int slot, long nowNanos) {
		messenger.submit(Voters.bit(slot), COMMAND, (node, reply) -> {
		}, nowNanos, true);
	}

	@Test
	void nodeThatOwesAReplyForMoreThanTenMillisecondsHangs() {
		Messenger messenger = ofSilentNodes();
		send(messenger, 1, 0);
		send(messenger, 2, 8 * MILLI);
		assertThat(messenger.hanging(10 * MILLI)).isZero();
		assertThat(messenger.hanging(10 * MILLI + 2)).isEqualTo(0b010);
		assertThat(messenger.hanging(20 * MILLI)).isEqualTo(0b110);
	}

	/** What is sent to it meanwhile is owed for as long as that at most. */
	@Test
	void nodeHangsSinceItOwesTheFirstReply() {
		Messenger messenger = ofSilentNodes();
		send(messenger, 0, 0);
		send(messenger, 0, 9 * MILLI);
		assertThat(messenger.hanging(11 * MILLI)).isEqualTo(0b001);
		messenger.replied(0, COMMAND, new NodeReply.Done(true), 0);
		assertThat(messenger.hanging(100 * MILLI)).isZero();
		send(messenger, 0, 100 * MILLI);
		assertThat(messenger.hanging(105 * MILLI)).isZero();
	}

}
