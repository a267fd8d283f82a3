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

package io.quorlock.engine;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the claims and the leases of a {@link QuorumStore}, without an engine.
 */
class QuorumClaimTests {

	private static final TestClaim ORDER = TestClaim.of("order").waiting(Duration.ofSeconds(20));

	private final ManualTime time = new ManualTime();

	private final List<ScriptedNode> nodes = List.of(node("a"), node("b"), node("c"));

	private final QuorumStore store = new QuorumStore(TestSettings.defaults("app@host:1").quorum(() -> 42), this.nodes,
			this.time, this.time, List.of());

	QuorumClaimTests() {
		this.store.start();
	}

	private static ScriptedNode node(String name) {
		return new ScriptedNode(name).granting();
	}

	private TestContender claim(TestClaim claim, Duration waited) {
		return TestContender.of(this.store, claim, this.time.nanoTime() - waited.toNanos());
	}

	/** A claim that all nodes refused. */
	private TestContender refused() {
		this.nodes.forEach(ScriptedNode::refusing);
		return claim(ORDER, Duration.ZERO).start();
	}

	private long asked() {
		return this.nodes.get(0).operations().stream().filter("acquire"::equals).count();
	}

	/** R21: also in the queues of its process, before it asked. */
	@Test
	void ticketTellsSinceWhenAClaimHasWaitedAndLivesAsLongAsItWaits() {
		this.nodes.forEach(ScriptedNode::refusing);
		claim(ORDER, Duration.ofSeconds(3)).start();
		assertThat(this.nodes.get(0).requests.get(1).command()).isInstanceOfSatisfying(NodeCommand.Release.class,
				(release) -> assertThat(release.ticket()).satisfies((ticket) -> {
					assertThat(Ticket.stampOf(ticket.text())).isEqualTo(this.time.wallMicros() - 3_000_000);
					assertThat(ticket.lifeMillis()).isEqualTo(17_200);
				}));
	}

	@Test
	void claimAsksForAnyPermitFirst() {
		claim(TestClaim.of("order").permits(5), Duration.ZERO).start();
		int hint = ((NodeCommand.Acquire) this.nodes.get(0).last().command()).hint();
		assertThat(hint).as("1 + 42 % 5").isEqualTo(3);
	}

	@Test
	void claimHasOneTimerWhateverItHearsAndNoneWhenItHasEnded() {
		int before = this.time.pending();
		TestContender claim = refused();
		int waiting = this.time.pending();
		String ticket = this.nodes.get(0).lastTicket();
		for (int i = 0; i < 3; i++) {
			this.nodes.get(1).offer(ticket, "order");
			this.nodes.get(1).tellNext(ticket, "order");
		}
		assertThat(this.time.pending()).isEqualTo(waiting);
		claim.contender().cancel();
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Cancelled.class);
		assertThat(this.time.pending()).isEqualTo(before);
		assertThat(claim.ends()).isOne();
	}

	/** It would be put off again and again behind those in front of it. */
	@Test
	void messageThatAClaimIsNextPutsNothingOff() {
		refused();
		this.time.advance(Duration.ofMillis(100));
		this.nodes.get(1).tellNext(this.nodes.get(0).lastTicket(), "order");
		assertThat(asked()).isOne();
		this.time.advance(Duration.ofMillis(160)); // it was to ask after 250 ms
		assertThat(asked()).isEqualTo(2);
	}

	@Test
	void waitIsReportedOnce() {
		TestContender claim = refused();
		this.time.advance(Duration.ofSeconds(5));
		assertThat(asked()).isGreaterThan(1);
		assertThat(claim.waitingReports()).isOne();
	}

	/** A request without a wait does not wait for the pause of another. */
	@Test
	void claimThatIsFollowedAsksAtOnce() {
		TestContender claim = refused();
		List<ClaimFailure> outcomes = new ArrayList<>();
		claim.contender().askFor(outcomes::add);
		assertThat(asked()).isEqualTo(2);
		assertThat(outcomes).singleElement().isInstanceOf(ClaimFailure.Held.class);
	}

	@Test
	void extensionOfAFixedLeaseIsNoRenewal() {
		TestContender claim = claim(TestClaim.of("order").lease(Duration.ofSeconds(30)), Duration.ZERO).start();
		assertThat(claim.granted().extend(Duration.ofSeconds(40), 0).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(claim.renewals()).isEmpty();
	}

	/** Its vote would only be awaited until the operation timeout. */
	@Test
	void nodeThatHangsIsNotAwaited() {
		this.nodes.get(2).silent();
		claim(TestClaim.of("stock"), Duration.ZERO).start().granted();
		this.time.advance(Duration.ofMillis(20));
		this.nodes.get(0).refusing();
		TestContender claim = claim(ORDER, Duration.ZERO).start();
		assertThat(claim.waitingReports()).isOne();
	}

	@Test
	void nodeThatOwesNothingIsAwaited() {
		claim(TestClaim.of("stock"), Duration.ZERO).start().granted();
		this.time.advance(Duration.ofMillis(20));
		this.nodes.get(2).silent();
		this.nodes.get(0).refusing();
		TestContender claim = claim(ORDER, Duration.ZERO).start();
		assertThat(claim.waitingReports()).isZero();
		this.nodes.get(2).last().grant();
		assertThat(claim.isGranted()).isTrue();
	}

	@Test
	void releaseIsConfirmedIfAMajoritySaysSoAndEndsWithTheLastReply() {
		TestContender confirmed = claim(TestClaim.of("stock"), Duration.ZERO).start();
		TestContender unconfirmed = claim(ORDER, Duration.ZERO).start();
		this.nodes.get(0).down();
		assertThat(release(confirmed)).isCompletedWithValue(ReleaseResult.CONFIRMED);
		this.nodes.get(1).down();
		this.nodes.get(2).silent();
		CompletableFuture<ReleaseResult> released = release(unconfirmed);
		assertThat(released).isNotDone();
		this.nodes.get(2).last().grant();
		assertThat(released).isCompletedWithValue(ReleaseResult.UNCONFIRMED);
	}

	private CompletableFuture<ReleaseResult> release(TestContender claim) {
		return this.store.release(claim.granted(), Duration.ZERO, null).toCompletableFuture();
	}

	/** R9: each of them has to be stored wherever the lease is renewed. */
	@Test
	void renewalsStoreTheGreatestTokenThatMayBeUsed() {
		Grant lease = claim(TestClaim.of("order").tokens(4), Duration.ZERO).start().granted();
		long token = renewedFence();
		assertThat(lease.tokens()).containsExactly(token - 3);
		assertThat(lease.moreTokens(4).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(renewedFence()).isEqualTo(token + 4);
		assertThat(lease.tokens()).containsExactly(token - 3);
	}

	private long renewedFence() {
		this.time.advance(Duration.ofSeconds(10));
		long[] fences = ((NodeCommand.Renew) this.nodes.get(0).last().command()).fences();
		assertThat(fences).hasSize(1);
		return fences[0];
	}

	@Test
	void furtherTokensThatNoMajorityStoresAreNotTaken() {
		Grant lease = claim(TestClaim.of("order").tokens(4), Duration.ZERO).start().granted();
		long token = renewedFence();
		this.nodes.get(1).script = (command) -> new NodeReply.Done(false);
		this.nodes.get(2).script = (command) -> new NodeReply.NotHeld(true);
		assertThat(lease.moreTokens(4).toCompletableFuture()).as("all have replied").isCompletedWithValue(false);
		this.nodes.forEach(ScriptedNode::granting);
		assertThat(renewedFence()).isEqualTo(token);
		int asked = this.nodes.get(0).requests.size();
		assertThat(lease.moreTokens(60_000_000).toCompletableFuture()).as("far ahead of the clock")
			.isCompletedWithValue(false);
		assertThat(this.nodes.get(0).requests).hasSize(asked);
	}

	/** A process has millions of them in its life. */
	@Test
	void leaseThatWasReleasedIsForgotten() {
		WeakReference<Grant> lease = released();
		this.time.advance(Duration.ofMinutes(5)); // no release is repeated any more
		this.nodes.forEach((node) -> node.requests.clear());
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(lease.get()).isNull();
		});
	}

	private WeakReference<Grant> released() {
		TestContender claim = claim(ORDER, Duration.ZERO).start();
		claim.release();
		return new WeakReference<>(claim.granted());
	}

}
