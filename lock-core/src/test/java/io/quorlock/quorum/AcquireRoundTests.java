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
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.Settings;
import io.quorlock.quorum.AcquireDecision.Settlement;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.store.TestClaim;
import io.quorlock.time.LockTimer;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the timers of an {@link AcquireRound}.
 */
class AcquireRoundTests {

	private static final long TIMEOUT = Duration.ofMillis(100).toNanos();

	private final ManualTime time = new ManualTime();

	/** How long each timer takes, as long as it is not cancelled. */
	private final List<Long> scheduled = new ArrayList<>();

	private final List<Runnable> tasks = new ArrayList<>();

	private final LockTimer timer = (delayNanos, task) -> {
		Long delay = delayNanos;
		this.scheduled.add(delay);
		this.tasks.add(task);
		return () -> this.scheduled.remove(delay);
	};

	private final LockNode node = Mockito.mock(LockNode.class);

	private final AcquireRound.Listener listener = Mockito.mock(AcquireRound.Listener.class);

	/** Asks one node, which does not reply, in a settlement that lasts for some time. */
	private AcquireRound ask(long settledWithin) {
		BDDMockito.given(this.node.name()).willReturn("node");
		BDDMockito.given(this.node.status())
			.willReturn(new NodeStatus(NodeStatus.State.VOTING, "", Duration.ZERO, null, null, OptionalLong.empty()));
		QuorumSettings settings = Settings.quorum("app")
			.set(QuorumSettings::operationTimeout, Duration.ofNanos(TIMEOUT))
			.build();
		Quorum quorum = new Quorum(settings, List.of(this.node), this.time, this.timer, List.of());
		long now = this.time.nanoTime();
		AcquireRound round = new AcquireRound(quorum, TestClaim.of("order").at(now),
				LockTarget.exclusive(List.of("order")), null, 1, new Settlement(now + settledWithin, TIMEOUT), now,
				this.listener);
		round.start();
		return round;
	}

	private void reply(NodeReply reply) {
		ArgumentCaptor<ReplyHandler> handler = ArgumentCaptor.captor();
		BDDMockito.then(this.node).should().submit(Mockito.any(NodeCommand.class), Mockito.anyInt(), handler.capture());
		handler.getValue().onReply(0, reply);
	}

	@Test
	void repliesCountNoLongerThanTheSettlementLasts() {
		ask(TIMEOUT - 20);
		assertThat(this.scheduled).containsExactly(TIMEOUT - 20, TIMEOUT / 2);
	}

	@Test
	void nothingIsLeftOnceItIsDecided() {
		AcquireRound round = ask(10 * TIMEOUT);
		assertThat(this.scheduled).containsExactly(TIMEOUT, TIMEOUT / 2);
		reply(new NodeReply.Granted(true, new long[] { 7 }));
		BDDMockito.then(this.listener).should().onGranted(round);
		assertThat(this.scheduled).isEmpty();
	}

	/** The nodes that do not reply are not all given up at the first look. */
	@Test
	void votesAreLookedAtEachHalfOfATimeoutWhileTheQuestionIsOpen() {
		ask(10 * TIMEOUT);
		this.tasks.get(1).run();
		this.tasks.get(2).run();
		assertThat(this.tasks).hasSize(4);
		reply(new NodeReply.Granted(true, new long[] { 7 }));
		this.tasks.get(3).run();
		assertThat(this.tasks).as("looks no more").hasSize(4);
	}

}
