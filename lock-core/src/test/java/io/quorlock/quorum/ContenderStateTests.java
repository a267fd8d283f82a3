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

import org.junit.jupiter.api.Test;

import io.quorlock.engine.SystemClock;
import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.quorum.ContenderState.Phase;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.TestClaim;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ContenderState} (R4).
 */
class ContenderStateTests {

	private static final long WAIT = Duration.ofSeconds(5).toNanos();

	private final ClaimFailure held = new ClaimFailure.Held("other@host:1", "other@host:1 holds it");

	private final ContenderState state = new ContenderState(TestClaim.of("order").waiting(Duration.ofNanos(WAIT)).at(0),
			new Voters(List.of(new InMemoryLockNode("node", new SystemClock()))),
			new Timing(QuorumSettings.builder("app").build()));

	private void refused() {
		this.state.begin(Phase.NEW, 0);
		fail();
		this.state.await(Phase.ASKING, 0, 1, 0);
	}

	@Test
	void claimWhoseWaitIsOverEndsWithTheHolderThatIsKnown() {
		refused();
		assertThat(this.state.endUnasked(WAIT - 1)).isNull();
		assertThat(this.state.endUnasked(WAIT)).isEqualTo(this.held);
	}

	/** Another request was promised the outcome of the next question just before. */
	@Test
	void claimWhoseWaitIsOverAsksOnceMoreForThoseThatFollowIt() {
		refused();
		this.state.follow((failure) -> {
		});
		assertThat(this.state.endUnasked(WAIT)).isNull();
	}

	/** Nobody would withdraw its ticket. */
	@Test
	void claimThatHasEndedDoesNotQueue() {
		this.state.begin(Phase.NEW, 0);
		this.state.finish();
		assertThat(this.state.queue()).isFalse();
		assertThat(this.state.isQueued()).isFalse();
	}

	@Test
	void whoFollowsIsToldTheOutcomeOfOneQuestion() {
		this.state.follow((failure) -> {
		});
		this.state.begin(Phase.NEW, 0);
		assertThat(fail().informed()).hasSize(1);
		this.state.await(Phase.ASKING, 0, 1, 0);
		this.state.begin(Phase.WAITING, 0);
		assertThat(fail().informed()).isEmpty();
	}

	private ContenderState.Next fail() {
		return this.state
			.failed(new RoundResult(true, true, "other@host:1:ab:7", 0, 0, 0, 3_600_000, 1_000_000, this.held), 0);
	}

	/** Whether they came before the question or during it, they are told of the next. */
	@Test
	void allWhoFollowAQuestionThatGoesOnAreToldItsOutcome() {
		this.state.follow((failure) -> {
		});
		this.state.begin(Phase.NEW, 0);
		this.state.follow((failure) -> {
		});
		ContenderState.Next divided = this.state.failed(new RoundResult(true, false, null, 0, 0, 0, 0, 1_000_000,
				new ClaimFailure.Unavailable("the votes were divided")), 0);
		assertThat(divided.informed()).isEmpty();
		this.state.await(Phase.ASKING, divided.delayNanos(), 1, 0);
		this.state.begin(Phase.WAITING, divided.delayNanos());
		assertThat(fail().informed()).hasSize(2);
	}

}
