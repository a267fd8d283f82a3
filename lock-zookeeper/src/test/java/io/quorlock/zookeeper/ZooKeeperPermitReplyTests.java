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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.store.ClaimFailure;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of claims for permits whose replies come late, are lost, or are out of
 * date when they are read.
 */
class ZooKeeperPermitReplyTests extends AbstractStoppedTimeTests {

	@Test
	void claimThatWasCancelledBeforeTheReplyHasEndedOnceAndForAll() {
		contend(other(), claim()).granted();
		this.proxy.holdReplies();
		TestContender claim = contend(claim());
		claim.contender().cancel();
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Cancelled.class);
		this.proxy.releaseReplies();
		// Replied to behind all that the other asked for.
		TestContender next = contend(claim());
		next.refused();
		assertThat(next.contender().attempts()).isOne();
		assertThat(claim.ends()).isOne();
	}

	/**
	 * Its node is deleted behind the reply: it must not look for it, and make another.
	 */
	@Test
	void claimThatWasCancelledBeforeTheReplyAsksForNothingMore() throws Exception {
		contend(claim()).release();
		this.proxy.holdReplies();
		TestContender claim = contend(claim().waiting(WAIT));
		Awaitility.await().until(() -> children("locks") == 1);
		claim.contender().cancel();
		this.proxy.releaseReplies();
		// Replied to behind all that the other asked for.
		contend(claim()).release();
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> children("locks") + children("leases") == 0);
	}

	/** Another claim is about to take one of two permits, and has the turn for it. */
	@Test
	void claimThatDoesNotWaitIsNotRefusedWhileAPermitIsFree() throws Exception {
		contend(two()).release();
		contend(other(), two()).release();
		atNextList(this.proxy::holdReplies);
		TestContender first = contend(two().waiting(WAIT));
		Awaitility.await().until(() -> children("leases") == 1);
		TestContender second = contend(other(), two());
		Awaitility.await().until(() -> second.contender().lastFailure() instanceof ClaimFailure.Held);
		this.time.advance(Duration.ofMillis(200)); // since when the turn is held
		contend(other(), TestClaim.of(this.name + ":2")).release();
		assertThat(second.hasEnded()).isFalse();
		this.proxy.releaseReplies();
		assertThat(first.granted().permit()).isOne();
		assertThat(second.granted().permit()).isEqualTo(2);
		assertThat(second.waitingReports()).isZero();
	}

	private TestClaim two() {
		return TestClaim.of(this.name).permits(2);
	}

	/** It sees meanwhile that another permit is free, too. */
	@Test
	void claimThatDoesNotWaitQueuesForTheTurnOnce() throws Exception {
		contend(three()).release();
		TestContender holder = contend(other(), three()).holds();
		Awaitility.await().until(() -> children("locks") == 0); // nobody has the turn
		atNextList(this.proxy::holdReplies);
		TestContender first = contend(three().waiting(WAIT));
		Awaitility.await().until(() -> children("leases") == 2);
		TestContender second = contend(other(), three());
		Awaitility.await().until(() -> second.contender().lastFailure() instanceof ClaimFailure.Held);
		holder.release();
		contend(other(), TestClaim.of(this.name + ":2")).release(); // behind what it sees
		assertThat(children("locks")).isEqualTo(2);
		this.proxy.releaseReplies();
		first.granted();
		second.granted();
		Awaitility.await().until(() -> children("locks") == 0);
	}

	private TestClaim three() {
		return TestClaim.of(this.name).permits(3);
	}

	/** Another may have the turn by then. */
	@Test
	void permitIsNotTakenBehindAPauseThatTheTurnDidNotOutlast() throws Exception {
		contend(claim()).release();
		atNextList(this.proxy::holdReplies);
		TestContender claim = contend(claim().waiting(WAIT));
		Awaitility.await().until(() -> children("leases") == 1);
		this.time.pauseUntil(this.time.nanoTime() + TIMEOUT.toNanos());
		this.proxy.releaseReplies();
		Awaitility.await().until(() -> children("leases") == 0);
		assertThat(claim.isGranted()).isFalse();
	}

	/** What kept it waiting before it had the turn says nothing of the permits. */
	@Test
	void claimThatWaitedForTheTurnEndsWithoutAReplyToItsLastLook() {
		contend(other(), claim()).granted();
		TestContender first = contend(other(), claim().waiting(WAIT)).waits();
		TestContender second = waiting(Duration.ofSeconds(10));
		Awaitility.await()
			.until(() -> second.contender().lastFailure().description().contains("b is first in the queue"));
		first.contender().cancel();
		Awaitility.await().until(() -> second.contender().lastFailure().description().contains("all 1 permits"));
		this.proxy.holdReplies();
		this.time.advance(Duration.ofSeconds(10));
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(second.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
	}

	@Test
	void claimThatLosesItsTurnWaitsNoLongerThanItWantedTo() throws Exception {
		contend(other(), claim()).granted();
		TestContender waiter = waiting(Duration.ofMinutes(10));
		this.proxy.cut();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		this.time.advance(TIMEOUT);
		assertThat(waiter.contender().lastFailure()).as("that all permits are held is long over")
			.isNotInstanceOf(ClaimFailure.Held.class);
		this.time.advance(Duration.ofMinutes(10).minus(TIMEOUT));
		this.time.advance(OPERATION_TIMEOUT); // in case that it had no turn yet
		Awaitility.await().until(waiter::hasEnded);
		assertThat(waiter.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
	}

	/** Only the permit ends with its lease. */
	@Test
	void claimForALeaseThatIsNotRenewedKeepsTheTurnForAsLongAsItWaits() throws Exception {
		contend(other(), claim()).granted();
		TestContender waiter = contend(claim().lease(Duration.ofSeconds(2)).waiting(WAIT)).waits();
		this.time.advance(Duration.ofSeconds(4));
		// Behind what it would have asked for.
		contend(TestClaim.of(this.name + ":2")).release();
		assertThat(waiter.contender().attempts()).isOne();
	}

	/** The request waits for a connection that is not made any more. */
	@Test
	void claimThatAsksAsItsSessionExpiresQueuesAgain() throws Exception {
		TestContender holder = contend(other(), claim()).holds();
		TestContender waiter = waiting(WAIT);
		expireBehindTheNext(() -> waiter.contender().askFor((failure) -> {
		}));
		holder.release();
		Awaitility.await().until(() -> {
			this.time.advance(Duration.ZERO); // when the next session is opened
			return waiter.hasEnded();
		});
		assertThat(waiter.granted().permit()).isOne();
	}

	@Test
	void claimThatHasTheTurnEndsWithoutAReplyAfterTheOperationTimeout() {
		contend(claim()).release();
		// The look at the permits is what follows the turn.
		atNextList(this.proxy::holdReplies);
		TestContender claim = contend(claim().waiting(Duration.ofMillis(200)));
		Awaitility.await().until(() -> children("leases") == 1);
		this.time.advance(Duration.ofMillis(200));
		this.time.advance(OPERATION_TIMEOUT.minusNanos(1));
		assertThat(claim.hasEnded()).isFalse();
		this.time.advance(Duration.ofNanos(1));
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
	}

	@Test
	void whatRefusesAClaimIsReadBehindASync() {
		contend(other(), claim()).granted();
		this.operations.clear();
		assertThat(contend(claim()).refused().owner()).isEqualTo("b");
		Awaitility.await().untilAsserted(() -> assertThat(this.operations).startsWith("sync", "list"));
	}

	@Test
	void claimThatHasTheTurnIsRefusedWhenItsWaitIsOver() throws Exception {
		contend(other(), claim()).granted();
		TestContender waiter = waiting(Duration.ofSeconds(10));
		this.time.advance(Duration.ofSeconds(9));
		assertThat(waiter.hasEnded()).isFalse();
		this.operations.clear();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(waiter.refused().owner()).isEqualTo("b");
		assertThat(waiter.refused().description()).isEqualTo("all 1 permits are held, one of them by b");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.operations).as("by what it sees then").containsSequence("sync", "list"));
		Awaitility.await().until(() -> children("locks") == 0);
	}

	/** That all permits were held once is no reason to say so when nobody knows. */
	@Test
	void claimThatHasTheTurnEndsWithoutAReplyToItsLastLook() {
		contend(other(), claim()).granted();
		TestContender waiter = waiting(Duration.ofSeconds(10));
		this.proxy.holdReplies();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(waiter.hasEnded()).isFalse();
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(waiter.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
	}

	@Test
	void thoseThatAskThroughAClaimAreRepliedToWhetherItHasTheTurnOrNot() {
		contend(other(), claim()).granted();
		TestContender first = waiting(WAIT);
		assertThat(askThrough(first).description()).contains("all 1 permits are held");
		TestContender second = waiting(WAIT);
		assertThat(askThrough(second).description()).contains("a is first in the queue");
		assertThat(first.hasEnded() || second.hasEnded()).isFalse();
		// However often they looked.
		assertThat(first.waitingReports()).isOne();
		assertThat(second.waitingReports()).isOne();
		assertThat(first.contender().lastFailure()).isInstanceOf(ClaimFailure.Held.class);
		assertThat(second.contender().lastFailure()).isInstanceOf(ClaimFailure.Held.class);
	}

	/** As the engine asks for those that followed a request before it was the first. */
	@Test
	void thoseThatAskThroughAClaimBeforeItIsStartedAreRepliedTo() {
		contend(other(), claim()).granted();
		TestContender waiter = TestContender.of(this.store, claim().waiting(WAIT), this.time.nanoTime());
		CompletableFuture<ClaimFailure> reply = new CompletableFuture<>();
		waiter.contender().askFor(reply::complete);
		waiter.start();
		assertThat(TestContender.await(reply).description()).isEqualTo("all 1 permits are held, one of them by b");
	}

	@Test
	void thoseThatAskThroughAClaimThatGetsTheTurnMeanwhileAreRepliedTo() throws Exception {
		contend(other(), claim()).granted();
		TestContender first = contend(other(), claim().waiting(WAIT)).waits();
		TestContender second = waiting(WAIT);
		// No reply is under way that would do.
		Awaitility.await()
			.until(() -> second.contender().lastFailure().description().contains("b is first in the queue"));
		this.proxy.holdReplies();
		first.contender().cancel();
		Awaitility.await().until(() -> children("locks") == 1);
		CompletableFuture<ClaimFailure> reply = new CompletableFuture<>();
		second.contender().askFor(reply::complete);
		this.proxy.releaseReplies();
		assertThat(TestContender.await(reply).description()).isEqualTo("all 1 permits are held, one of them by b");
	}

	@Test
	void claimsThatAreCancelledLeaveTheQueueForTheTurn() throws Exception {
		contend(other(), claim()).granted();
		TestContender first = waiting(WAIT);
		TestContender second = waiting(WAIT);
		assertThat(children("locks")).isEqualTo(2);
		second.contender().cancel();
		Awaitility.await().until(() -> children("locks") == 1);
		first.contender().cancel();
		Awaitility.await().until(() -> children("locks") == 0);
	}

	@Test
	void permitThatIsBegunWhenTheClaimIsCancelledIsNotTaken() throws Exception {
		contend(claim()).release();
		// What follows the look at the permits is the creation of one.
		atNextList(this.proxy::holdReplies);
		TestContender claim = contend(claim().waiting(WAIT));
		Awaitility.await().until(() -> children("leases") == 1);
		claim.contender().cancel();
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Cancelled.class);
		this.proxy.releaseReplies();
		Awaitility.await().until(() -> children("leases") == 0 && children("locks") == 0);
	}

	/**
	 * What makes a name cool down would keep out those as well who may have another
	 * permit.
	 */
	@Test
	void permitThatCoolsDownKeepsItsNode() throws Exception {
		TestContender holder = contend(claim()).holds();
		holder.release(Duration.ofMillis(500), null);
		assertThat(children("leases")).isOne();
		this.time.advance(Duration.ofMillis(499));
		contend(claim()).refused();
		this.time.advance(Duration.ofMillis(1));
		Awaitility.await().until(() -> children("leases") == 0);
		assertThat(contend(claim()).granted().permit()).isOne();
	}

	/** Such as one that does not queue for its turn. */
	@Test
	void permitThatAnotherTookMeanwhileIsNotTakenTwice() throws Exception {
		contend(claim()).release();
		String foreign = "/quorlock/" + this.name + "/leases/_c_foreign-lease-0000009999";
		atNextList(() -> this.admin.create(foreign, "192.168.0.1"));
		TestContender waiter = waiting(WAIT);
		assertThat(waiter.isGranted()).isFalse();
		assertThat(children("leases")).isOne();
		this.admin.delete(foreign);
		assertThat(waiter.granted().permit()).isOne();
	}

	@Test
	void claimLooksAgainWhenTheConnectionIsLostWhileAllPermitsAreHeld() {
		TestContender holder = contend(other(), claim()).holds();
		atNextList(this.proxy::cut);
		TestContender waiter = contend(claim().waiting(WAIT));
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		this.proxy.restore();
		Awaitility.await().until(() -> waiter.waitingReports() == 1);
		holder.release();
		waiter.granted();
	}

	@Test
	void claimEndsWhereTheNodeForPermitsMayNotBeCreated() throws Exception {
		contend(claim()).release();
		this.admin.delete("/quorlock/" + this.name + "/leases");
		ACL noCreate = new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE);
		this.admin.client().setACL("/quorlock/" + this.name, new ArrayList<>(List.of(noCreate)), -1);
		assertThat(contend(claim().waiting(WAIT)).failed()).isInstanceOf(ClaimFailure.Unavailable.class)
			.extracting(ClaimFailure::description)
			.asString()
			.startsWith("ZooKeeper 127.0.0.1:")
			.endsWith(" replied with NOAUTH to a claim below '/quorlock'");
	}

	private TestContender waiting(Duration wait) {
		TestContender waiter = contend(claim().waiting(wait));
		Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> {
			// What is looked at again after a pause.
			this.time.advance(Duration.ofMillis(1));
			return waiter.waitingReports() == 1 && waiter.contender().lastFailure() instanceof ClaimFailure.Held;
		});
		return waiter;
	}

	private TestClaim claim() {
		return TestClaim.of(this.name).permits(1);
	}

	private int children(String part) throws Exception {
		return this.admin.client().getChildren("/quorlock/" + this.name + "/" + part, false).size();
	}

}
