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

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RoundResult}.
 */
class RoundResultTests {

	private static final LockTarget ORDER = LockTarget.exclusive(List.of("order"));

	private static final Blocker OWNER = new Blocker.Owner("other@host:1:ab:7");

	private final Voters voters = new Voters(
			IntStream.range(0, 3).mapToObj((i) -> new InMemoryLockNode("node" + i, new SystemClock())).toList());

	/** All nodes reply the same. */
	private ClaimFailure failure(LockTarget target, int permits, long remainingMillis, @Nullable Blocker... blockers) {
		NodeReply refusal = new NodeReply.Refused(true, Arrays.asList(blockers), remainingMillis, null, 0);
		return failure(target, permits, refusal, refusal, refusal);
	}

	private ClaimFailure failure(LockTarget target, int permits, NodeReply... replies) {
		AcquireDecision decision = new AcquireDecision(this.voters, target, new Attempt("app@host:1:cd:1"), false, 0,
				1_000, 500, null);
		decision.asking(0);
		decision.submitted();
		for (int slot = 0; slot < replies.length; slot++) {
			decision.note(slot, replies[slot]);
		}
		decision.decide(2_000);
		StoreStatus status = new StoreStatus(true, 2, List.of());
		return RoundResult.of(decision, () -> status, permits, 30_000_000, 5_000_000, 100, 0).failure();
	}

	private static void held(ClaimFailure failure, @Nullable String by, String description) {
		assertThat(failure).isEqualTo(new ClaimFailure.Held(by, description));
	}

	@Test
	void failureSaysWhoHoldsOrSharesTheLockAndForHowLong() {
		held(failure(ORDER, 0, 20_000, OWNER), "other@host:1",
				"other@host:1 holds it, for another 20000 ms unless renewed");
		held(failure(ORDER, 0, 1, OWNER), "other@host:1", "other@host:1 holds it, for another 1 ms unless renewed");
		held(failure(ORDER, 0, NodeReply.Refused.NO_EXPIRY, OWNER), "other@host:1",
				"other@host:1 holds it, under a key without an expiry");
		held(failure(ORDER, 0, 20_000, new Blocker.Readers(List.of("other@host:1:ab:7"))), "other@host:1",
				"other@host:1 shares it, for another 20000 ms unless renewed");
	}

	@Test
	void failureSaysThatTheLockCoolsDownOrAnotherHasWaitedForLonger() {
		held(failure(ORDER, 0, 20_000, new Blocker.Cooldown()), null,
				"it cools down for another 20000 ms after its release");
		String ticket = Ticket.of(1, ORDER, 200, "other@host:1:ab:7").text();
		held(failure(ORDER, 0, 0, new Blocker.Waiting(ticket)), "other@host:1",
				"other@host:1 has waited for it for longer");
	}

	@Test
	void failureSaysThatPermitsAreHeldOnlyIfAllAre() {
		held(failure(LockTarget.permits("order", 1), 1, 20_000, OWNER), "other@host:1",
				"other@host:1 holds the only permit");
		held(failure(LockTarget.permits("order", 2), 2, 20_000, OWNER, OWNER), "other@host:1",
				"all 2 permits are held, one of them by other@host:1");
		String ticket = Ticket.of(1, ORDER, 200, "third@host:1:ab:7").text();
		held(failure(LockTarget.permits("order", 2), 2, 20_000, OWNER, new Blocker.Waiting(ticket)), "third@host:1",
				"third@host:1 has waited for it for longer");
	}

	@Test
	void failureSaysWhetherTheVotesWereDividedOrCameTooLateOrAreTooFew() {
		NodeReply grant = new NodeReply.Granted(true, null);
		NodeReply failed = new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "reset");
		NodeReply refusal = new NodeReply.Refused(true, List.of(OWNER), 20_000, null, 0);
		assertThat(failure(ORDER, 0, grant, refusal, failed).description())
			.startsWith("the votes were divided: other@host:1 had 1, this request 1 of 3 nodes; ");
		assertThat(failure(ORDER, 0, grant, failed, failed)).isInstanceOf(ClaimFailure.Unavailable.class)
			.satisfies((failure) -> assertThat(failure.description()).doesNotContain("divided", "too late"));
		assertThat(failure(ORDER, 0, grant, grant, failed).description())
			.endsWith("; their replies came too late for a lease of 30 ms");
	}

	@Test
	void instanceIsWhatStandsBeforeTheLastTwoColons() {
		assertThat(Grant.instanceOf("app@host:1:ab:7")).isEqualTo("app@host:1");
		assertThat(Grant.instanceOf("foreign:7")).isEqualTo("foreign:7");
		assertThat(Grant.instanceOf(":7")).isEqualTo(":7");
		assertThat(Grant.instanceOf("foreign")).isEqualTo("foreign");
	}

}
