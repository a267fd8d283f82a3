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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.Refusals;
import io.quorlock.quorum.node.Ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R4: a claim that waits stands in the queues of the nodes, and asks when it is offered
 * the name.
 */
@Timeout(60)
class R04WaitingTests {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void zeroWaitAsksExactlyOnce() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		assertThat(cluster.acquire(ORDER)).isCompletedExceptionally();
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void waitIsExceededByOneOperationTimeoutAtMost() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofSeconds(2));
		cluster.time.advance(Duration.ofSeconds(2));
		assertThat(lock).isNotDone();
		cluster.time.advance(TIMEOUT);
		assertThat(lock).isCompletedExceptionally();
	}

	@Test
	void refusedClaimBringsItsTicketWithTheReleaseOfTheRound() {
		ScriptedCluster cluster = refused(3);
		assertThat(cluster.nodes).allSatisfy((node) -> {
			assertThat(node.sent).containsExactly("acquire", "listen", "release");
			assertThat(((NodeCommand.Acquire) node.requests.get(0).command()).ticket()).isNull();
			NodeCommand.Release release = (NodeCommand.Release) node.last().command();
			assertThat(release.ticket()).isNotNull();
			assertThat(release.failed()).isTrue();
		});
	}

	@Test
	void claimHasOneTicketForAllOfItsAttempts() {
		ScriptedCluster cluster = refused(3);
		String ticket = cluster.nodes.get(0).lastTicket();
		cluster.time.advance(Duration.ofSeconds(2));
		assertThat(asked(cluster)).isGreaterThan(3);
		assertThat(cluster.nodes.get(0).lastTicket()).isEqualTo(ticket);
	}

	@Test
	void offerOfAMajorityWakesTheClaimAtOnce() {
		ScriptedCluster cluster = refused(3);
		cluster.grant();
		cluster.offer(0);
		assertThat(this.lock).isNotDone();
		cluster.offer(2);
		assertThat(this.lock).isCompleted();
	}

	/** They free the name a little later, and would refuse. */
	@Test
	void offersOfTheLastNodesAreAwaitedForARoundTripAtMost() {
		ScriptedCluster cluster = refusedAfterOneMillisecond(5);
		cluster.offer(0, 1, 2);
		assertThat(this.lock).isNotDone();
		cluster.offer(3, 4);
		assertThat(this.lock).isCompleted();
		cluster = refusedAfterOneMillisecond(5);
		cluster.offer(0, 1, 2, 3);
		cluster.time.advance(Duration.ofNanos(999_999));
		assertThat(this.lock).isNotDone();
		cluster.time.advance(Duration.ofNanos(1));
		assertThat(this.lock).isCompleted();
	}

	@Test
	void offerOfANodeThatDoesNotReplyIsNotAwaited() {
		ScriptedCluster cluster = refusedAfterOneMillisecond(4);
		cluster.offer(0, 1, 2);
		assertThat(this.lock).isNotDone();
		cluster.offer(3);
		assertThat(this.lock).isCompleted();
	}

	/** Of five nodes, so many reply. */
	private ScriptedCluster refusedAfterOneMillisecond(int replies) {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		this.lock = cluster.acquire(ORDER, Duration.ofSeconds(20));
		List<ScriptedNode.Request> open = cluster.nodes.stream().map(ScriptedNode::last).toList();
		cluster.time.advance(Duration.ofMillis(1));
		cluster.grant();
		open.subList(0, replies).forEach((request) -> request.reply(ScriptedNode.refusal(true)));
		return cluster;
	}

	/**
	 * Behind a release some nodes still name the last holder, and others the claim that
	 * they offered the name to.
	 */
	@Test
	void claimThatAllNodesRefuseForDifferentReasonsWaitsInTheQueue() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		for (int i = 0; i < 5; i++) {
			Blocker blocker = (i < 2) ? new Blocker.Owner("other@host:1:ab:7")
					: new Blocker.Waiting("0000000000000001:w:200:another@host:%d:cd:1".formatted(i));
			cluster.nodes.get(i).script = (command) -> (command instanceof NodeCommand.Acquire)
					? new NodeReply.Refused(true, List.of(blocker), 20_000, null, 7) : ScriptedNode.grant(command);
		}
		this.lock = cluster.acquire(ORDER, Duration.ofSeconds(20));
		// The pause is at least half of 500 ms * (1 + 7).
		cluster.time.advance(Duration.ofMillis(1_900));
		assertThat(asked(cluster)).isEqualTo(5);
	}

	@Test
	void offerOfOneNodeWakesTheClaimAfterTwoRoundTrips() {
		ScriptedCluster cluster = refused(5);
		cluster.grant();
		cluster.offer(3);
		assertThat(this.lock).isNotDone();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(this.lock).isCompleted();
	}

	@Test
	void offerDuringTheAttemptCounts() {
		ScriptedCluster cluster = refused(3);
		cluster.silence();
		cluster.offer(0, 1);
		assertThat(asked(cluster)).isEqualTo(6);
		cluster.offer(0, 1); // behind the refusals that are on their way
		List<ScriptedNode.Request> open = cluster.nodes.stream().map(ScriptedNode::last).toList();
		cluster.grant();
		open.forEach((request) -> request.reply(ScriptedNode.refusal(true)));
		assertThat(this.lock).isCompleted();
	}

	/** Behind a round in which nodes 0 and 1 of five granted. */
	@Test
	void echoOfTheOwnRoundIsNoOffer() {
		ScriptedCluster cluster = divided();
		cluster.offer(0, 1);
		cluster.time.advance(Duration.ofMillis(2));
		assertThat(this.lock).isNotDone();
		cluster.offer(2);
		assertThat(this.lock).isCompleted();
	}

	@Test
	void echoOfANodeThatDoesNotVoteIsNoOffer() {
		ScriptedCluster cluster = divided((command) -> new NodeReply.Granted(false, null, 0));
		cluster.offer(0, 1);
		cluster.time.advance(Duration.ofMillis(2));
		assertThat(this.lock).isNotDone();
	}

	@Test
	void offerCountsTogetherWithTheNodesThatGrantedTheLastRound() {
		ScriptedCluster cluster = divided();
		cluster.offer(4);
		assertThat(this.lock).isCompleted();
	}

	@Test
	void claimWhoseVotesWereDividedStandsInTheQueues() {
		ScriptedCluster cluster = divided();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.requests.get(1).command())
			.isInstanceOfSatisfying(NodeCommand.Release.class, (release) -> {
				assertThat(release.ticket()).isNotNull();
				assertThat(release.failed()).isTrue();
			}));
	}

	private ScriptedCluster divided() {
		return divided(ScriptedNode::grant);
	}

	private ScriptedCluster divided(Function<NodeCommand, NodeReply> grant) {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.nodes.subList(0, 2).forEach((node) -> node.script = grant);
		for (int i = 2; i < 5; i++) {
			String owner = "other@host:%d:ab:7".formatted(i);
			cluster.nodes.get(i).script = (command) -> (command instanceof NodeCommand.Acquire)
					? Refusals.of(true, List.of(owner), 20_000, null) : ScriptedNode.grant(command);
		}
		this.lock = cluster.acquire(ORDER, Duration.ofSeconds(20));
		cluster.grant();
		return cluster;
	}

	@Test
	void claimThatIsNextAsksAfterTwoOperationTimeouts() {
		ScriptedCluster cluster = refused(3, 50);
		cluster.grant();
		String ticket = cluster.nodes.get(0).lastTicket();
		cluster.nodes.get(1).tellNext(ticket, "order");
		cluster.time.advance(TIMEOUT.multipliedBy(2).minusMillis(1));
		assertThat(this.lock).isNotDone();
		cluster.time.advance(Duration.ofMillis(22));
		assertThat(this.lock).isCompleted();
	}

	@Test
	void pausesGrowWithTheRank() {
		assertThat(asksWithin(Duration.ofSeconds(10), 0)).isBetween(20L, 42L);
		assertThat(asksWithin(Duration.ofSeconds(10), 9)).isBetween(2L, 5L);
	}

	private long asksWithin(Duration time, int rank) {
		ScriptedCluster cluster = refused(3, rank);
		cluster.time.advance(time);
		return asked(cluster) / 3;
	}

	/** A server behind many of them came back: not all may ask at one instant. */
	@Test
	void claimsThatListenAgainAskOneAfterAnother() {
		Random random = new Random(7);
		ScriptedCluster cluster = new ScriptedCluster(1, (engine) -> {
		}, (quorum) -> quorum.set(QuorumSettings::random, random::nextLong)
			.set(QuorumSettings::identity, random::nextLong));
		ScriptedNode node = cluster.nodes.get(0).refusing();
		for (int i = 0; i < 200; i++) {
			cluster.acquire(LockRequest.of("order" + i), Duration.ofSeconds(60));
		}
		long before = acquires(node);
		node.confirmListening();
		cluster.time.advance(Duration.ofMillis(20));
		assertThat(acquires(node) - before).isBetween(1L, 60L);
		cluster.time.advance(Duration.ofMillis(180));
		assertThat(acquires(node) - before).isGreaterThanOrEqualTo(200);
	}

	private static long acquires(ScriptedNode node) {
		return node.operations().stream().filter("acquire"::equals).count();
	}

	@Test
	void claimThatListensAgainOnAMajorityAsksAtOnce() {
		ScriptedCluster cluster = refused(3, 50);
		cluster.grant();
		cluster.nodes.get(0).confirmListening();
		cluster.time.advance(Duration.ofMillis(2));
		assertThat(this.lock).isNotDone();
		cluster.nodes.get(1).confirmListening();
		cluster.time.advance(Duration.ofMillis(2));
		assertThat(this.lock).isCompleted();
	}

	/** One node may have been away, and have all others in front of the claim. */
	@Test
	void rankIsThatOfAMajority() {
		ScriptedCluster cluster = refused(3, 0);
		cluster.nodes.get(2).script = (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Refused(true, List.of(new Blocker.Owner("other@host:1:ab:7")), 20_000, null, 50)
				: ScriptedNode.grant(command);
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(asked(cluster) / 3).isBetween(20L, 42L);
	}

	/** Most holders that vanish are noticed by the end of their leases. */
	@Test
	void claimThatIsFirstAsksWhenTheLeaseInFrontEnds() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Refused(true, List.of(new Blocker.Owner("other@host:1:ab:7")), 60, null, 0)
				: ScriptedNode.grant(command));
		this.lock = cluster.acquire(ORDER, Duration.ofSeconds(20));
		cluster.grant();
		cluster.time.advance(Duration.ofMillis(111));
		assertThat(this.lock).isCompleted();
	}

	/** The first may have vanished as well. */
	@Test
	void claimThatIsSecondAsksWhenTheLeaseInFrontEnds() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Refused(true, List.of(new Blocker.Owner("other@host:1:ab:7")), 60, null, 1)
				: ScriptedNode.grant(command));
		this.lock = cluster.acquire(ORDER, Duration.ofSeconds(20));
		cluster.grant();
		cluster.time.advance(Duration.ofMillis(111));
		assertThat(this.lock).isCompleted();
	}

	/** A ticket costs the nodes more than a claim for a name that is free. */
	@Test
	void claimBringsNoTicketOnceTheNameHasNotBeenContendedForAWhile() {
		ScriptedCluster cluster = refused(3);
		this.lock.cancel(false);
		cluster.grant();
		assertThat(cluster.acquire(ORDER, Duration.ofSeconds(5))).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(ticketOfLastAcquire(cluster)).isNotNull();
		cluster.time.advance(Duration.ofSeconds(1));
		cluster.engine.stop();
		cluster.engine.start();
		assertThat(cluster.acquire(ORDER, Duration.ofSeconds(5))).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(ticketOfLastAcquire(cluster)).isNull();
	}

	/** Others have most likely come meanwhile. */
	@Test
	void claimBehindALongWaitBringsItsTicket() {
		ScriptedCluster cluster = refused(3, 50);
		cluster.time.advance(Duration.ofSeconds(4));
		cluster.grant();
		cluster.offer(0, 1, 2);
		assertThat(this.lock).isCompletedWithValueMatching(LockHandle::isHeld);
		this.lock.join().closeAsync();
		assertThat(cluster.acquire(ORDER, Duration.ofSeconds(5))).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(ticketOfLastAcquire(cluster)).isNotNull();
	}

	/** It would never learn that the others have gone. */
	@Test
	void nameIsNotContendedForEverThatIsUsedAgainAndAgain() {
		ScriptedCluster cluster = refused(3);
		this.lock.cancel(false);
		cluster.grant();
		for (int i = 0; i < 3; i++) {
			CompletableFuture<LockHandle> again = cluster.acquire(ORDER, Duration.ofSeconds(5));
			assertThat(again).isCompletedWithValueMatching(LockHandle::isHeld);
			again.join().closeAsync();
			cluster.time.advance(Duration.ofMillis(400));
		}
		assertThat(cluster.acquire(ORDER, Duration.ofSeconds(5))).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(ticketOfLastAcquire(cluster)).isNull();
	}

	private static @Nullable Ticket ticketOfLastAcquire(ScriptedCluster cluster) {
		return cluster.nodes.get(0).requests.stream()
			.map(ScriptedNode.Request::command)
			.filter(NodeCommand.Acquire.class::isInstance)
			.map(NodeCommand.Acquire.class::cast)
			.reduce((before, last) -> last)
			.orElseThrow()
			.ticket();
	}

	@Test
	void claimThatWasGrantedIsForgotten() {
		ScriptedCluster cluster = refused(3);
		cluster.grant();
		cluster.offer(0, 1);
		assertThat(this.lock).isCompleted();
		cluster.time.advance(TIMEOUT);
		cluster.offer(2);
		assertThat(cluster.nodes.get(2).operations()).endsWith("withdraw");
	}

	/** The connections break once more, behind the attempt that the first time cost. */
	@Test
	void claimThatListensOnceMoreAsksOnceMore() {
		ScriptedCluster cluster = refused(3, 50);
		for (int i = 0; i < 2; i++) {
			cluster.nodes.subList(0, 2).forEach(ScriptedNode::confirmListening);
			cluster.time.advance(Duration.ofMillis(2));
		}
		assertThat(asked(cluster)).isEqualTo(3 * 3);
	}

	@Test
	void grantWithdrawsTheTicketWhereTheNodeRefusedAlsoIfThatComesLate() {
		ScriptedCluster cluster = refused(5);
		cluster.nodes.subList(0, 3).forEach(ScriptedNode::granting);
		cluster.nodes.get(4).silent();
		cluster.offer(0, 1, 2);
		assertThat(this.lock).isCompleted();
		// Removed with the grant.
		assertThat(cluster.nodes.get(0).operations()).doesNotContain("withdraw");
		assertThat(cluster.nodes.get(3).operations()).endsWith("acquire", "withdraw");
		assertThat(cluster.nodes.get(4).operations()).endsWith("acquire");
		cluster.nodes.get(4).last().reply(ScriptedNode.refusal(true));
		assertThat(cluster.nodes.get(4).operations()).endsWith("acquire", "withdraw");
	}

	@Test
	void offerForAClaimThatHasEndedIsAnsweredByAWithdrawal() {
		ScriptedCluster cluster = refused(3);
		this.lock.cancel(false);
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("withdraw"));
		int before = cluster.nodes.get(1).requests.size();
		cluster.offer(1);
		assertThat(cluster.nodes.get(1).requests).hasSize(before + 1);
		assertThat(cluster.nodes.get(1).last().command()).isInstanceOfSatisfying(NodeCommand.Withdraw.class,
				(withdraw) -> assertThat(withdraw.ticket()).isEqualTo(cluster.nodes.get(1).lastTicket()));
	}

	@Test
	void claimThatNoQuorumRepliesToStandsNowhere() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::silent);
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.time.advance(Duration.ofSeconds(1));
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.requests).noneMatch((request) -> {
			NodeCommand command = request.command();
			return (command instanceof NodeCommand.Acquire acquire && acquire.ticket() != null)
					|| (command instanceof NodeCommand.Release release && release.ticket() != null);
		}));
	}

	/** A hundred claims of one millisecond would ask once more each. */
	@Test
	void waitThatEndsBehindAKnownHolderAsksNoMore() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofMillis(100));
		cluster.time.advance(Duration.ofMillis(100));
		assertThat(lock).isCompletedExceptionally();
		assertThat(asked(cluster)).isEqualTo(3);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.withMessageContaining("other@host:1 holds it");
	}

	@Test
	void waitThatEndsWithDividedVotesIsSettledAsWithoutAWait() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		for (int i = 0; i < 4; i++) {
			String owner = "other@host:%d:ab:7".formatted(i / 2);
			cluster.nodes.get(i).script = (command) -> (command instanceof NodeCommand.Acquire)
					? Refusals.of(true, List.of(owner), 20_000, null) : ScriptedNode.grant(command);
		}
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofMillis(30));
		cluster.time.advance(Duration.ofMillis(35));
		assertThat(lock).isNotDone();
		cluster.grant();
		cluster.time.advance(TIMEOUT);
		assertThat(lock).isCompleted();
	}

	/** The first round takes a whole operation timeout, so that hardly any is left. */
	@Test
	void dividedVotesAreNotSettledBeyondTheTimeForIt() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).granting();
		cluster.nodes.get(2).refusing();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofMillis(10));
		cluster.time.advance(TIMEOUT.plusMillis(10));
		assertThat(lock).isCompletedExceptionally();
	}

	/**
	 * Two nodes granted, which is more than any other has: the others are asked again.
	 */
	@Test
	void whoComesFirstInADividedVoteAsksThoseAgainThatRefused() {
		ScriptedCluster cluster = dividedWithoutAWait();
		cluster.nodes.forEach((node) -> node.requests.get(0).reply(divide(node, node.requests.get(0).command())));
		assertThat(this.lock).isNotDone();
		cluster.grant();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(this.lock).isCompleted();
		assertThat(cluster.nodes).extracting((node) -> node.requests.size()).containsExactly(1, 1, 2, 2, 2);
	}

	/** Its replies count as long as those of the first question did. */
	@Test
	void questionOfASettlementHasATimeLimitOfItsOwn() {
		ScriptedCluster cluster = dividedWithoutAWait();
		cluster.time.advance(Duration.ofMillis(60));
		cluster.nodes.forEach((node) -> node.requests.get(0).reply(divide(node, node.requests.get(0).command())));
		cluster.time.advance(Duration.ofMillis(25));
		cluster.time.advance(Duration.ofMillis(90));
		cluster.nodes.subList(2, 5).forEach((node) -> node.requests.get(1).grant());
		assertThat(this.lock).isCompleted();
	}

	/** What they replied before stays true. */
	@Test
	void lastQuestionOfASettlementLeavesTheNodesTimeToReply() {
		ScriptedCluster cluster = dividedWithoutAWait();
		List<Integer> replied = new ArrayList<>(Collections.nCopies(5, 0));
		for (Duration step = Duration.ofMillis(3); !this.lock.isDone(); cluster.time.advance(step)) {
			for (int i = 0; i < 5; i++) {
				ScriptedNode node = cluster.nodes.get(i);
				List<ScriptedNode.Request> asked = List.copyOf(node.requests)
					.subList(replied.get(i), node.requests.size());
				replied.set(i, node.requests.size());
				asked.forEach((request) -> request.reply((request.command() instanceof NodeCommand.Acquire)
						? Refusals.of(true, List.of("other@%s:ab:7".formatted(node.name())), 20_000, null)
						: ScriptedNode.grant(request.command())));
			}
		}
		assertThat(IntStream.range(0, 5)
			.boxed()
			.flatMap((i) -> cluster.nodes.get(i).requests.stream().skip(replied.get(i))))
			.noneMatch((request) -> request.command() instanceof NodeCommand.Acquire);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(this.lock::join)
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("the votes were divided: other@node0 had 1, ")
			.withMessageNotContaining("no reply");
	}

	private ScriptedCluster dividedWithoutAWait() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		this.lock = cluster.acquire(ORDER);
		return cluster;
	}

	private static NodeReply divide(ScriptedNode node, NodeCommand command) {
		return (node.name().compareTo("node2") < 0) ? ScriptedNode.grant(command)
				: Refusals.of(true, List.of("other@%s:ab:7".formatted(node.name())), 20_000, null);
	}

	@Test
	void divisionBehindAHolderThatWasSeenIsContention() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofMillis(600));
		for (int i = 0; i < 5; i++) {
			String owner = "another@host:%d:ab:7".formatted(i);
			cluster.nodes.get(i).script = (command) -> (command instanceof NodeCommand.Acquire)
					? Refusals.of(true, List.of(owner), 20_000, null) : ScriptedNode.grant(command);
		}
		cluster.time.advance(Duration.ofMillis(800));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.withCauseInstanceOf(LockNotAcquiredException.class);
	}

	private CompletableFuture<LockHandle> lock = new CompletableFuture<>();

	private ScriptedCluster refused(int nodes) {
		return refused(nodes, 0);
	}

	/** A claim that all nodes refused, and that stands in their queues. */
	private ScriptedCluster refused(int nodes, int rank) {
		ScriptedCluster cluster = new ScriptedCluster(nodes);
		cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Refused(true, List.of(new Blocker.Owner("other@host:1:ab:7")), 20_000, null, rank)
				: ScriptedNode.grant(command));
		this.lock = cluster.acquire(ORDER, Duration.ofSeconds(20));
		return cluster;
	}

	private static long asked(ScriptedCluster cluster) {
		return cluster.nodes.stream().flatMap((node) -> node.operations().stream()).filter("acquire"::equals).count();
	}

	/** Another request hears the outcome of the same question, and cancels it. */
	@Test
	void waiterThatGivesUpBeforeItsPauseLeavesItsPlaceAtOnce() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> waiting = cluster.acquire(ORDER, Duration.ofSeconds(5));
		CompletableFuture<LockHandle> behind = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.acquire(ORDER).whenComplete((lock, ex) -> {
			cluster.grant();
			waiting.cancel(false);
		});
		List<ScriptedNode.Request> first = cluster.nodes.stream().map(ScriptedNode::last).toList();
		cluster.nodes.forEach(ScriptedNode::refusing);
		first.forEach((request) -> request.reply(ScriptedNode.refusal(true)));
		cluster.time.advance(Duration.ZERO);
		assertThat(waiting).isCancelled();
		assertThat(behind).isCompleted();
	}

	@Test
	void waiterBehindAKeyThatNeverExpiresAsksNoMoreOftenThanOthers() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Acquire)
				? Refusals.of(true, List.of("ops"), 9_999_999_999_999L, null) : ScriptedNode.grant(command));
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.time.advance(Duration.ofSeconds(5));
		assertThat(asked(cluster)).isBetween(3L, 300L);
	}

	@Test
	void waiterDoesNotDependOnMessages() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.grant();
		cluster.time.advance(Duration.ofMillis(1200));
		assertThat(lock).isCompleted();
	}

	@Test
	void grantThatNobodyWantsAnyMoreIsNotAHolderToThoseBehindIt() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> first = cluster.acquire(ORDER);
		CompletableFuture<LockHandle> second = cluster.acquire(ORDER);
		first.cancel(true);
		cluster.grant();
		cluster.nodes.forEach((node) -> node.requests.get(0).grant());
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void releaseTakesTheTicketOfTheNextLocalClaimAlong() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		LockHandle lock = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> next = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.nodes.forEach((node) -> node.withWaiting(2));
		lock.closeAsync();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
		assertThat(next).isNotDone();
		cluster.offer(0, 1);
		assertThat(next).isCompleted();
	}

	@Test
	void refusalByAnOlderTicketDoesNotSayThatAllPermitsAreHeld() {
		assertThatExceptionOfType(CompletionException.class).isThrownBy(refusedPermit(null)::join)
			.withMessageContaining("older@host:1 has waited for it for longer")
			.withMessageNotContaining("permits are held");
	}

	@Test
	void refusalByHoldersOfAllPermitsNamesOne() {
		assertThatExceptionOfType(CompletionException.class).isThrownBy(refusedPermit("third@host:1:cd:9")::join)
			.withMessageContaining("all 2 permits are held, one of them by ");
	}

	/** One permit is held, and another waits longer for the second unless it is held. */
	private static CompletableFuture<LockHandle> refusedPermit(@Nullable String second) {
		Blocker waiting = new Blocker.Waiting("0000000000000001:2:200:older@host:1:ef:3");
		Blocker other = (second != null) ? new Blocker.Owner(second) : waiting;
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (ScriptedNode node : cluster.nodes) {
			node.script = (command) -> (command instanceof NodeCommand.Acquire) ? new NodeReply.Refused(true,
					List.of(new Blocker.Owner("other@host:1:ab:7"), other), 20_000, null, 1)
					: ScriptedNode.grant(command);
		}
		return cluster.acquire(ORDER.permits(2).fair());
	}

	/** The votes are divided for as long as they may be settled. */
	@Test
	void requestWithoutAWaitFollowsAnotherForTwoOperationTimeoutsAtMost() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		cluster.acquire(ORDER, Duration.ofSeconds(20));
		cluster.time.advance(TIMEOUT.dividedBy(2));
		CompletableFuture<LockHandle> follower = cluster.acquire(ORDER);
		for (int i = 0; i < 5; i++) {
			String owner = "other@host:%d:ab:7".formatted(i);
			cluster.nodes.get(i).script = (i < 2) ? ScriptedNode::grant
					: (command) -> (command instanceof NodeCommand.Acquire)
							? Refusals.of(true, List.of(owner), 20_000, null) : ScriptedNode.grant(command);
		}
		cluster.time.advance(TIMEOUT.multipliedBy(2).minusMillis(1));
		assertThat(follower).isNotDone();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(follower).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(follower::join)
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("its outcome was not known in time");
	}

}
