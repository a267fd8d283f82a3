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
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NodeClocks} (R9).
 */
@ExtendWith(LogCaptureExtension.class)
class NodeClocksTests {

	/** 2023-11-14. */
	private static final long NOW = 1_700_000_000_000_000L;

	private static final long DECADES = Duration.ofDays(20_000).toMillis() * 1_000;

	private final ManualTime machine = new ManualTime();

	private final List<LockNode> nodes = new ArrayList<>();

	@Test
	void wallClockIsTakenWhileNoNodeHasToldItsTime() {
		NodeClocks clocks = clocks(OptionalLong.empty(), OptionalLong.empty());
		assertThat(clocks.micros()).isEqualTo(NOW);
		assertThat(clocks.unconfirmedMicros()).isEqualTo(NOW);
		tell(this.nodes.get(1), known(DECADES));
		clocks.refresh();
		assertThat(clocks.unconfirmedMicros()).isZero();
	}

	@Test
	void stepOfTheClockOfThisMachineChangesNothing(CapturedLog output) {
		NodeClocks clocks = clocks(known(0), known(1_000), known(2_000));
		assertThat(clocks.micros()).isEqualTo(NOW + 1_000);
		assertThat(output).doesNotContain("clock of");
		this.machine.setWallMicros(this.machine.wallMicros() - 60_000_000);
		this.machine.advance(Duration.ofSeconds(2));
		assertThat(clocks.micros()).isEqualTo(NOW + 2_001_000);
		this.machine.advance(Duration.ofSeconds(2));
		assertThat(clocks.micros()).isEqualTo(NOW + 4_001_000);
		assertThat(output)
			.containsOnlyOnce("The clock of this machine is 60,001 ms behind the median of 3 lock node clocks");
	}

	@Test
	void clockThatIsOffOnceMoreIsSaidOnceMore(CapturedLog output) {
		NodeClocks clocks = clocks(known(0));
		for (int i = 0; i < 2; i++) {
			this.machine.setWallMicros(this.machine.wallMicros() + 60_000_000);
			clocks.refresh();
			clocks.refresh();
			this.machine.setWallMicros(this.machine.wallMicros() - 60_000_000);
			clocks.refresh();
		}
		assertThat(output.toString().split("60,000 ms ahead of the median of 1 lock node clock\\.", -1)).hasSize(3);
	}

	@Test
	void machineThatBootedIn1970ProposesWhatTheNodesSay() {
		this.machine.setWallMicros(0);
		NodeClocks clocks = clocks(known(0), known(1_000));
		assertThat(clocks.micros()).isEqualTo(NOW);
		this.machine.setWallMicros(NOW); // NTP
		this.machine.advance(Duration.ofSeconds(2));
		assertThat(clocks.micros()).isBetween(NOW + 2_000_000, NOW + 2_001_000);
	}

	@Test
	void nodeWhoseClockIsFarFromTheMedianIsNotFollowedAndSaidOnce(CapturedLog output) {
		NodeClocks clocks = clocks(known(DECADES), known(0), known(1_000));
		assertThat(clocks.micros()).isEqualTo(NOW + 1_000);
		this.machine.advance(Duration.ofSeconds(2));
		assertThat(clocks.micros()).isEqualTo(NOW + 2_001_000);
		assertThat(output)
			.containsOnlyOnce(
					"The clock of lock node node0 is %,d ms ahead of the median".formatted(DECADES / 1_000 - 1))
			.doesNotContain("clock of this machine");
	}

	@Test
	void nodeWhoseClockIsFarOffOnceMoreIsSaidOnceMore(CapturedLog output) {
		NodeClocks clocks = clocks(known(0), known(0), known(0));
		for (int i = 0; i < 2; i++) {
			tell(this.nodes.get(0), known(DECADES));
			clocks.refresh();
			clocks.refresh();
			tell(this.nodes.get(0), known(0));
			clocks.refresh();
		}
		assertThat(output.toString().split("The clock of lock node node0 is", -1)).hasSize(3);
	}

	@Test
	void clocksMayDifferByFiveSeconds(CapturedLog output) {
		NodeClocks clocks = clocks(known(5_000_000), known(0), known(0));
		this.machine.setWallMicros(this.machine.wallMicros() + 5_000_000);
		clocks.refresh();
		assertThat(output).doesNotContain("clock of");
		this.machine.setWallMicros(this.machine.wallMicros() + 1);
		tell(this.nodes.get(0), known(5_000_001));
		clocks.refresh();
		assertThat(output).contains("The clock of lock node node0 is 5,000 ms ahead of the median")
			.contains("The clock of this machine is 5,000 ms ahead of the median");
	}

	@Test
	void ofTwoNodesTheOneThatAgreesWithThisMachineIsFollowed() {
		assertThat(clocks(known(DECADES), known(1_000)).micros()).isEqualTo(NOW + 1_000);
		assertThat(clocks(known(-1_000), known(-DECADES)).micros()).isEqualTo(NOW - 1_000);
	}

	@Test
	void nodesThatAreGoneAreRemembered() {
		NodeClocks clocks = clocks(known(7_000));
		assertThat(clocks.micros()).isEqualTo(NOW + 7_000);
		tell(this.nodes.get(0), OptionalLong.empty());
		this.machine.setWallMicros(this.machine.wallMicros() + 60_000_000);
		this.machine.advance(Duration.ofSeconds(2));
		assertThat(clocks.micros()).isEqualTo(NOW + 2_007_000);
	}

	/** So much is a node's clock ahead of the true time. */
	private static OptionalLong known(long aheadMicros) {
		return OptionalLong.of(NOW - new ManualTime().nanoTime() / 1_000 + aheadMicros);
	}

	private NodeClocks clocks(OptionalLong... times) {
		this.nodes.clear();
		for (OptionalLong time : times) {
			LockNode node = Mockito.mock(LockNode.class);
			BDDMockito.given(node.name()).willReturn("node" + this.nodes.size());
			tell(node, time);
			this.nodes.add(node);
		}
		return new NodeClocks(this.machine, new Voters(this.nodes));
	}

	private static void tell(LockNode node, OptionalLong offset) {
		BDDMockito.given(node.status())
			.willReturn(new NodeStatus(State.VOTING, "", Duration.ZERO, "run", null, offset));
	}

}
