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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockMode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of claims and leases whose replies come late, are lost, or are out of date
 * when they are read.
 */
@ExtendWith(LogCaptureExtension.class)
class ZooKeeperReplyTests extends AbstractStoppedTimeTests {

	private static final Duration COOLDOWN = Duration.ofMinutes(2);

	@Test
	void claimThatDoesNotWaitEndsWithoutAReplyAndLeavesNothing() {
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name));
		TestContender permit = contend(TestClaim.of(this.name + ":p").permits(1));
		TestContender failFast = contend(TestClaim.of(this.name).waiting(WAIT).failFast());
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT));
		this.time.advance(OPERATION_TIMEOUT.minusNanos(1));
		assertThat(claim.hasEnded() || permit.hasEnded()).isFalse();
		this.time.advance(Duration.ofNanos(1));
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(permit.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(failFast.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(waiter.hasEnded()).isFalse();
		this.proxy.releaseReplies();
		waiter.granted();
	}

	@Test
	void claimThatIsUnavailableNamesTheRequestWithoutAReply() {
		contend(other(), TestClaim.of(this.name)).granted();
		this.proxy.holdReplies();
		TestContender create = contend(TestClaim.of(this.name));
		TestContender permit = contend(TestClaim.of(this.name).permits(2));
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(create.failed().description())
			.startsWith(
					"no reply for 5000 ms to the request to create a node in /quorlock/" + this.name + "; session 0x")
			.contains(", connected to ", ":" + this.proxy.port());
		assertThat(permit.failed().description())
			.startsWith("no reply for 5000 ms to the request to list /quorlock/" + this.name + "/leases; session 0x");
	}

	@Test
	void claimThatIsUnavailableBecauseThisProcessWasPausedSaysSo() {
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name));
		TestContender permit = contend(TestClaim.of(this.name).permits(2));
		this.time.pauseUntil(this.time.nanoTime() + OPERATION_TIMEOUT.plusMillis(700).toNanos());
		this.time.advance(Duration.ZERO);
		for (TestContender each : List.of(claim, permit)) {
			assertThat(each.failed().description()).contains("no reply for 5700 ms",
					"this process itself was 700 ms late");
		}
	}

	@Test
	void claimThatFailsFastWaitsForAnotherHolder() {
		contend(TestClaim.of(this.name)).granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT).failFast());
		Awaitility.await().until(() -> waiter.contender().lastFailure() instanceof ClaimFailure.Held);
		this.time.advance(OPERATION_TIMEOUT.multipliedBy(2));
		assertThat(waiter.hasEnded()).isFalse();
	}

	@Test
	void claimEndsWithoutAReplyToItsLastLook() {
		contend(other(), TestClaim.of(this.name)).granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(Duration.ofSeconds(2)));
		Awaitility.await().until(() -> waiter.waitingReports() == 1 && this.operations.contains("read"));
		this.proxy.holdReplies();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(waiter.hasEnded()).isFalse();
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(waiter.failed()).isInstanceOf(ClaimFailure.Unavailable.class)
			.extracting(ClaimFailure::description)
			.asString()
			.startsWith("no reply for 5000 ms to the request to list /quorlock/" + this.name);
	}

	/** The servers have no less time to reply than for a claim that does not wait. */
	@Test
	void claimWhoseWaitIsShorterThanARoundTripIsGranted() {
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(Duration.ofMillis(200)));
		this.time.advance(Duration.ofMillis(200));
		assertThat(claim.hasEnded()).isFalse();
		this.proxy.releaseReplies();
		claim.granted();
	}

	@Test
	void claimWhoseWaitIsShorterThanARoundTripIsRefusedWithTheHolder() {
		contend(other(), TestClaim.of(this.name)).granted();
		contend(other(), TestClaim.of(this.name + ":p").permits(1)).granted();
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(Duration.ofMillis(200)));
		TestContender permit = contend(TestClaim.of(this.name + ":p").permits(1).waiting(Duration.ofMillis(200)));
		this.time.advance(Duration.ofMillis(200));
		assertThat(claim.hasEnded() || permit.hasEnded()).isFalse();
		this.proxy.releaseReplies();
		assertThat(permit.refused().owner()).isEqualTo("b");
		// The claim in front may be about to give up.
		Awaitility.await().until(() -> {
			this.time.advance(Duration.ofMillis(10));
			return claim.hasEnded();
		});
		assertThat(claim.refused().owner()).isEqualTo("b");
	}

	@Test
	void claimWithAShortWaitEndsWithoutAReplyAfterTheOperationTimeout() {
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(Duration.ofMillis(200)));
		this.time.advance(OPERATION_TIMEOUT.minusNanos(1));
		assertThat(claim.hasEnded()).isFalse();
		this.time.advance(Duration.ofNanos(1));
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
	}

	@Test
	void thoseThatAskThroughAClaimThatWaitsAreRepliedToInTime() {
		contend(other(), TestClaim.of(this.name)).granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT)).waits();
		this.proxy.holdReplies();
		CompletableFuture<ClaimFailure> reply = new CompletableFuture<>();
		waiter.contender().askFor(reply::complete);
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(TestContender.await(reply)).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(waiter.hasEnded()).isFalse();
	}

	/** A candidate may wait for months while it is asked every few seconds who leads. */
	@Test
	void claimThatIsAskedOverAndOverKeepsNothingOfIt() {
		contend(other(), TestClaim.of(this.name)).granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT)).waits();
		int before = this.time.pending();
		for (int i = 0; i < 20; i++) {
			askThrough(waiter);
		}
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(this.time.pending()).isLessThanOrEqualTo(before);
	}

	@Test
	void thoseThatAskAreRepliedToOnce() {
		contend(other(), TestClaim.of(this.name)).granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT)).waits();
		List<ClaimFailure> replies = new CopyOnWriteArrayList<>();
		waiter.contender().askFor(replies::add);
		askThrough(waiter);
		askThrough(waiter);
		this.time.advance(OPERATION_TIMEOUT);
		assertThat(replies).singleElement().isInstanceOf(ClaimFailure.Held.class);
	}

	/** A server may not have heard of the latest release. */
	@Test
	void whatRefusesAClaimIsReadBehindASync() {
		contend(other(), TestClaim.of(this.name)).granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(Duration.ofSeconds(2)));
		Awaitility.await().until(() -> waiter.waitingReports() == 1 && this.operations.contains("read"));
		this.operations.clear();
		assertThat(askThrough(waiter).owner()).isEqualTo("b");
		// A read of its entry into the queue may still have been under way, here and
		// below.
		awaitOperations("sync", "list", "read");
		this.operations.clear();
		this.time.advance(Duration.ofSeconds(2));
		waiter.refused();
		awaitOperations("sync", "list");
	}

	/** The former server may not have passed it on yet. */
	@Test
	void nodeWhoseCreateGotNoReplyIsLookedForBehindASync() throws Exception {
		contend(TestClaim.of(this.name)).release();
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(WAIT));
		Awaitility.await().until(() -> this.admin.queue(this.name).size() == 1);
		this.operations.clear();
		this.proxy.cut();
		this.proxy.restore();
		claim.granted();
		awaitOperations("create", "sync", "list", "list");
		assertThat(this.admin.queue(this.name)).hasSize(1);
	}

	/** As by a server that reaps empty containers. */
	@Test
	void claimQueuesAgainWhenItsQueueIsGoneBehindALostReply() throws Exception {
		contend(TestClaim.of(this.name)).release();
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(WAIT));
		Awaitility.await().until(() -> this.admin.queue(this.name).size() == 1);
		this.proxy.cut();
		this.admin.deleteQueue(this.name);
		this.admin.delete("/quorlock/" + this.name);
		this.proxy.restore();
		claim.granted();
		assertThat(this.admin.queue(this.name)).hasSize(1);
	}

	@Test
	void claimIsNotGrantedUntilItsSessionIsProven() throws Exception {
		contend(TestClaim.of(this.name)).release();
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(WAIT));
		Awaitility.await().until(() -> this.admin.queue(this.name).size() == 1);
		this.time.pauseUntil(this.time.nanoTime() + TIMEOUT.toNanos());
		this.proxy.releaseReplies();
		Awaitility.await().until(() -> claim.contender().lastFailure() instanceof ClaimFailure.Unavailable);
		assertThat(claim.isGranted()).isFalse();
		Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			this.time.advance(HEARTBEAT);
			return claim.isGranted();
		});
		assertThat(claim.granted().isValid()).isTrue();
	}

	@Test
	void nodeInFrontThatIsGoneBeforeItIsWatchedIsNoObstacle() {
		contend(other(), TestClaim.of(this.name)).granted();
		atNextList(() -> this.admin.deleteQueueBut(this.name, "a:"));
		contend(TestClaim.of(this.name).waiting(WAIT)).granted();
	}

	@Test
	void claimLooksAgainWhenTheConnectionIsLostBeforeItWatches() {
		TestContender holder = contend(other(), TestClaim.of(this.name)).holds();
		atNextList(this.proxy::cut);
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT));
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		this.proxy.restore();
		Awaitility.await().until(() -> this.operations.contains("read"));
		holder.release();
		waiter.granted();
	}

	/** As that of a client with another user, whose end could not be watched. */
	@Test
	void claimThatMayNotReadTheNodeInFrontSaysSoInsteadOfWaiting() throws Exception {
		contend(TestClaim.of(this.name)).release();
		ACL unreadable = new ACL(ZooDefs.Perms.DELETE, ZooDefs.Ids.ANYONE_ID_UNSAFE);
		this.admin.client()
			.create("/quorlock/" + this.name + "/_c_foreign-lock-", new byte[0], new ArrayList<>(List.of(unreadable)),
					CreateMode.EPHEMERAL_SEQUENTIAL);
		for (TestClaim claim : List.of(TestClaim.of(this.name), TestClaim.of(this.name).waiting(WAIT))) {
			assertThat(contend(claim).failed()).isInstanceOf(ClaimFailure.Unavailable.class)
				.extracting(ClaimFailure::description)
				.asString()
				.endsWith(" replied with NOAUTH to a claim below '/quorlock'");
		}
	}

	/** Whatever it was about to learn or to do. */
	@ParameterizedTest
	@ValueSource(strings = { "create the queue", "look at the queue", "inspect its node", "restore the base" })
	void claimGoesOnThoughTheConnectionIsLostAsItIsAboutTo(String what) throws Exception {
		String asked = what.equals("create the queue") ? this.name + ":2" : this.name;
		TestContender holder = contend(other(), TestClaim.of(this.name)).holds();
		CompletableFuture<Void> cut = new CompletableFuture<>();
		Action action = () -> {
			this.proxy.cut();
			cut.complete(null);
		};
		switch (what) {
			case "inspect its node" -> this.proxy.holdReplies();
			case "restore the base" -> {
				this.admin.delete("/quorlock/%token-base");
				atNext("list", action);
			}
			default -> atNext("create", action);
		}
		TestContender waiter = contend(TestClaim.of(asked).waiting(WAIT));
		if (what.equals("inspect its node")) {
			Awaitility.await().until(() -> this.admin.queue(this.name).size() == 2);
			this.proxy.cut();
			// It looks for its node, then at the queue, then at its node.
			atNext("list", () -> atNext("list", action));
			this.proxy.restore();
		}
		TestContender.await(cut);
		holder.release();
		this.proxy.restore();
		Awaitility.await().until(() -> {
			this.time.advance(Duration.ofMillis(50)); // as the loss is not reported yet
			return waiter.hasEnded();
		});
		assertThat(waiter.granted().isValid()).isTrue();
	}

	@Test
	void claimQueuesAgainWhenItsNodeIsGoneBeforeItIsInspected() throws Exception {
		contend(TestClaim.of(this.name)).release();
		this.proxy.holdReplies();
		TestContender claim = contend(TestClaim.of(this.name).waiting(WAIT));
		Awaitility.await().until(() -> this.admin.queue(this.name).size() == 1);
		atNext("list", () -> atNext("list", () -> this.admin.deleteQueue(this.name)));
		this.proxy.cut();
		this.proxy.restore();
		claim.granted();
		assertThat(this.admin.queue(this.name)).hasSize(1);
	}

	/** With all that is in it, as by an administrator. */
	@Test
	void claimQueuesAgainWhenTheQueueIsGoneBeforeItLooks() throws Exception {
		contend(other(), TestClaim.of(this.name)).granted();
		atNext("create", () -> {
			this.admin.deleteQueue(this.name);
			this.admin.delete("/quorlock/" + this.name);
		});
		contend(TestClaim.of(this.name).waiting(WAIT)).granted();
		assertThat(this.admin.queue(this.name)).hasSize(1);
	}

	/** It is told so itself next, and queues in the next session. */
	@Test
	void claimGoesOnThoughARequestIsRefusedBecauseTheSessionIsOver() {
		TestContender holder = contend(other(), TestClaim.of(this.name)).holds();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT)).waits();
		((ZooKeeperContender) waiter.contender()).onRefused(Code.SESSIONEXPIRED, "SESSIONEXPIRED");
		assertThat(waiter.hasEnded()).isFalse();
		holder.release();
		waiter.granted();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1 })
	void claimOfAStoreThatIsClosedEndsAtOnce(long waitHours) {
		this.store.close();
		assertThat(contend(TestClaim.of(this.name).waiting(Duration.ofHours(waitHours))).failed())
			.isEqualTo(new ClaimFailure.Unavailable("the connection to ZooKeeper is closed"));
	}

	@Test
	void claimWhoseNodeInOneOfItsQueuesIsDeletedIsNotGrantedWithoutIt() throws Exception {
		String second = this.name + ":2";
		TestContender holder = contend(TestClaim.of(this.name)).holds();
		TestContender waiter = contend(TestClaim.of(this.name, second).waiting(WAIT)).waits();
		this.admin.deleteQueue(second);
		TestContender instead = contend(other(), TestClaim.of(second)).holds();
		holder.release();
		Awaitility.await().until(() -> this.admin.queue(second).size() == 2);
		assertThat(waiter.isGranted()).isFalse();
		instead.release();
		waiter.granted();
	}

	/** It knows the base of tokens again. */
	@Test
	void claimAsksForNothingWhileThereIsNoConnection() {
		this.operations.clear();
		this.proxy.cut();
		for (int i = 1; i <= 3; i++) {
			int claims = i;
			contend(TestClaim.of(this.name + ":" + i).waiting(WAIT));
			// Requests fail with the next attempt to connect.
			Awaitility.await().until(() -> Collections.frequency(this.operations, "create") >= claims);
		}
		assertThat(this.operations).containsOnly("create").hasSize(3);
	}

	@Test
	void claimAsksOnceAlsoBehindAReconnection() {
		contend(TestClaim.of(this.name)).release();
		this.proxy.cut();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		this.proxy.restore();
		Awaitility.await().until(() -> {
			this.operations.clear();
			contend(TestClaim.of(this.name)).release();
			return !this.operations.contains("list");
		});
	}

	/** Of an instance that did not live to end it. */
	@Test
	void coolDownIsLookedAtAgainWhenTheConnectionWasLostMeanwhile() throws Exception {
		TestContender holder = contend(other(), TestClaim.of(this.name)).holds();
		holder.release(Duration.ofMillis(1), null);
		other().close();
		assertThat(this.admin.queue(this.name)).containsExactly("cooldown");
		this.proxy.cut();
		Awaitility.await().until(() -> this.proxy.connectionsOpen() == 0);
		this.time.advance(Duration.ofMinutes(20));
		Awaitility.await().until(() -> this.time.isDueIn(Duration.ofSeconds(1)));
		this.proxy.restore();
		Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			this.time.advance(Duration.ofSeconds(1));
			return this.admin.queue(this.name).isEmpty();
		});
	}

	@Test
	void claimAsksOnceAgainAHeartbeatAfterTheBaseOfTokensWasRestored() throws Exception {
		this.admin.delete("/quorlock/%token-base");
		contend(TestClaim.of(this.name)).release(); // restores it
		Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			this.time.advance(HEARTBEAT);
			this.operations.clear();
			contend(TestClaim.of(this.name)).release();
			return !this.operations.contains("list");
		});
	}

	/** Those of an instance that did not live to end them. */
	@Test
	void eachCoolDownIsDeletedWhenItEndsAndNotWithTheLast() throws Exception {
		contend(other(), TestClaim.of(this.name + ":long")).release(Duration.ofMinutes(9), null);
		contend(other(), TestClaim.of(this.name + ":short")).release(COOLDOWN, null);
		other().close();
		this.time.advance(Duration.ofMinutes(20)); // the next look at all that cools down
		Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			this.time.advance(Duration.ofSeconds(10));
			return this.admin.queue(this.name + ":short").isEmpty();
		});
		assertThat(this.admin.queue(this.name + ":long")).containsExactly("cooldown");
	}

	@Test
	void claimIsRefusedThoughOnlyTheLastOfItsNamesCoolsDown() {
		String second = this.name + ":2";
		contend(TestClaim.of(second)).release(COOLDOWN, null);
		ClaimFailure.Held held = contend(other(), TestClaim.of(this.name, second)).refused();
		assertThat(held.owner()).isEqualTo("a");
		assertThat(held.description()).matches("a released it, and keeps others out for another 1\\d{5} ms");
	}

	@Test
	void severalNamesCoolDownTogetherAndNoneStaysLocked() throws Exception {
		String second = this.name + ":2";
		assertThat(contend(TestClaim.of(this.name, second)).release(COOLDOWN, null)).isEqualTo(ReleaseResult.CONFIRMED);
		assertThat(this.admin.queue(this.name)).containsExactly("cooldown");
		assertThat(this.admin.queue(second)).containsExactly("cooldown");
		this.time.advance(COOLDOWN);
		Awaitility.await().until(() -> this.admin.queue(this.name).isEmpty() && this.admin.queue(second).isEmpty());
		Awaitility.await().until(() -> !this.admin.exists("/quorlock/%cooldowns/" + second));
	}

	@Test
	void nameCoolsDownThoughTheConnectionIsLostBehindItsRelease() throws Exception {
		Grant grant = contend(TestClaim.of(this.name)).granted();
		this.proxy.blackhole();
		this.store.release(grant, COOLDOWN, null);
		this.proxy.cut();
		this.proxy.restore();
		Awaitility.await().until(() -> this.admin.queue(this.name).equals(List.of("cooldown")));
	}

	@Test
	void nameThatCannotCoolDownIsReleasedAllTheSame() throws Exception {
		TestContender holder = contend(TestClaim.of(this.name)).holds();
		this.admin.create("/quorlock/" + this.name + "/cooldown", "0 of another");
		assertThat(holder.release(COOLDOWN, null)).isEqualTo(ReleaseResult.CONFIRMED);
		assertThat(this.admin.queue(this.name)).containsExactly("cooldown");
	}

	@Test
	void releaseWithoutAReplyIsNotConfirmedAndStopWaitsForIt() {
		Grant first = contend(TestClaim.of(this.name)).granted();
		Grant second = contend(TestClaim.of(this.name + ":2")).granted();
		this.proxy.holdReplies();
		CompletableFuture<ReleaseResult> released = this.store.release(first, Duration.ZERO, null)
			.toCompletableFuture();
		CompletableFuture<?> stopped = this.store.stop().toCompletableFuture();
		this.time.advance(OPERATION_TIMEOUT.minusNanos(1));
		assertThat(released).isNotDone();
		assertThat(stopped).isNotDone();
		this.time.advance(Duration.ofNanos(1));
		assertThat(TestContender.await(released)).isEqualTo(ReleaseResult.UNCONFIRMED);
		TestContender.await(stopped);
		this.store.release(second, Duration.ZERO, null);
		stopped = this.store.stop().toCompletableFuture();
		assertThat(stopped).isNotDone();
		this.proxy.releaseReplies();
		TestContender.await(stopped);
	}

	@Test
	void nobodyWaitsForAReleaseThatTheServersRefuse() throws Exception {
		TestContender holder = contend(TestClaim.of(this.name)).holds();
		String path = "/quorlock/" + this.name;
		ACL noDelete = new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.DELETE, ZooDefs.Ids.ANYONE_ID_UNSAFE);
		this.admin.client().setACL(path, new ArrayList<>(List.of(noDelete)), -1);
		assertThat(holder.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
		TestContender.await(this.store.stop().toCompletableFuture());
		this.admin.client().setACL(path, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
		assertThat(this.admin.queue(this.name)).hasSize(1);
		Awaitility.await().until(() -> this.time.isDueIn(Duration.ofSeconds(10)));
		this.time.advance(Duration.ofSeconds(10));
		Awaitility.await().until(() -> this.admin.queue(this.name).isEmpty());
	}

	@Test
	void storeThatIsStartedAgainLooksOnceAtWhatCoolsDown() {
		this.store.close();
		this.proxy.cut();
		for (int i = 0; i < 3; i++) {
			// It is stopped before it has a session.
			this.store.start();
			this.store.close();
		}
		this.operations.clear();
		this.proxy.restore();
		this.store.start();
		Awaitility.await().until(() -> this.operations.contains("sync"));
		contend(TestClaim.of(this.name).waiting(WAIT)).release();
		assertThat(Collections.frequency(this.operations, "sync")).isOne();
	}

	/** As of a process that is restored from a checkpoint. */
	@Test
	void storeThatIsStartedAgainIsAnotherOwner() throws Exception {
		TestContender before = contend(TestClaim.of(this.name));
		String owner = before.granted().owner();
		String node = this.admin.queue(this.name).get(0);
		before.release();
		this.store.close();
		this.store.start();
		String next = contend(TestClaim.of(this.name).waiting(WAIT)).granted().owner();
		assertThat(next.split(":")[1]).isNotEqualTo(owner.split(":")[1]);
		assertThat(idOf(this.admin.queue(this.name).get(0)).getMostSignificantBits())
			.isNotEqualTo(idOf(node).getMostSignificantBits());
	}

	private static UUID idOf(String node) {
		return UUID.fromString(node.substring("_c_".length(), "_c_".length() + 36));
	}

	@Test
	void extensionOfALeaseThatIsRenewedDoesNotEndIt() {
		Grant grant = contend(TestClaim.of(this.name)).granted();
		assertThat(TestContender.await(grant.extend(Duration.ofSeconds(1), 0).toCompletableFuture())).isTrue();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(grant.isValid()).isTrue();
	}

	@Test
	void leaseThatIsPassedOnLastsForItsWholeTimeAgain() {
		Duration lease = Duration.ofSeconds(20);
		Grant grant = contend(TestClaim.of(this.name).lease(lease)).granted();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(grant.passOn()).isTrue();
		assertThat(grant.validUntilNanos() - this.time.nanoTime()).isEqualTo(lease.toNanos());
	}

	@Test
	void leaseThatWasExtendedByTheHolderBeforeIsLostWhenThatOfTheNextEnds() {
		TestContender holder = contend(TestClaim.of(this.name).lease(Duration.ofSeconds(5)));
		Grant grant = holder.granted();
		assertThat(TestContender.await(grant.extend(Duration.ofSeconds(30), 0).toCompletableFuture())).isTrue();
		assertThat(grant.passOn()).isTrue();
		this.time.advance(Duration.ofSeconds(5));
		assertThat(holder.lost()).isCompletedWithValue("the lease ended");
	}

	@Test
	void leaseThatWasPassedOnIsLostWhenItEndsThoughNobodyAsks() {
		TestContender holder = contend(TestClaim.of(this.name).lease(Duration.ofSeconds(5)));
		Grant grant = holder.granted();
		this.time.advance(Duration.ofSeconds(4));
		assertThat(grant.passOn()).isTrue();
		this.time.advance(Duration.ofSeconds(4));
		assertThat(holder.lost()).isNotDone();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(holder.lost()).isCompletedWithValue("the lease ended");
	}

	@Test
	void leaseThatIsLostBeforeItIsKeptIsToldToBeLost() {
		CompletableFuture<String> lost = new CompletableFuture<>();
		Contender.Listener listener = new Contender.Listener() {

			@Override
			public void onWaiting() {
				lost.completeExceptionally(new AssertionError("It waits"));
			}

			@Override
			public void onGranted(Grant grant) {
				ZooKeeperReplyTests.this.time.pauseUntil(grant.validUntilNanos());
				if (!grant.isValid()) {
					grant.keep(lost::complete);
				}
			}

			@Override
			public void onFailed(ClaimFailure failure) {
				lost.completeExceptionally(new AssertionError(failure));
			}

		};
		this.store.contend(TestClaim.of(this.name).at(this.time.nanoTime()), listener).start();
		assertThat(TestContender.await(lost)).contains("is not proven to be alive");
	}

	@Test
	void leaseThatIsRenewedIsAtRiskSinceItsSessionWasProven() {
		TestContender holder = contend(TestClaim.of(this.name));
		TestContender fixed = contend(TestClaim.of(this.name + ":2").lease(Duration.ofMinutes(5)));
		Grant grant = holder.granted();
		fixed.granted();
		long proven = grant.validUntilNanos();
		this.proxy.holdReplies();
		this.time.advance(Duration.ofNanos(proven - this.time.nanoTime() - TIMEOUT.dividedBy(3).toNanos()));
		assertThat(grant.risk()).isNull();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(grant.isValid()).isTrue();
		assertThat(proven - Objects.requireNonNull(grant.risk()).confirmedNanos())
			.isBetween(TIMEOUT.toNanos() * 98 / 100, TIMEOUT.toNanos());
		assertThat(holder.risks()).singleElement()
			.satisfies((risk) -> assertThat(risk).map(Grant.Risk::episode).contains(Grant.Episode.OF_STORE));
		assertThat(fixed.granted().risk()).isNull();
		assertThat(fixed.risks()).isEmpty();
	}

	@Test
	void riskOfASessionIsLoggedOnceForAllItsLocks(CapturedLog output) {
		long proven = contend(TestClaim.of(this.name)).granted().validUntilNanos();
		for (int i = 1; i < 20; i++) {
			contend(TestClaim.of(this.name + ":" + i)).granted();
		}
		this.proxy.holdReplies();
		this.time.advance(Duration.ofNanos(proven - this.time.nanoTime() - TIMEOUT.dividedBy(4).toNanos()));
		assertThat(output.toString().split("is at risk", -1)).hasSize(2);
		assertThat(output).contains("and with it what it holds (locks: 20), unless ");
		this.proxy.releaseReplies();
		Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			this.time.advance(Duration.ofSeconds(1));
			return output.toString().contains("is safe again: a heartbeat was confirmed");
		});
	}

	@Test
	void leaseThatWasReleasedIsToldOfNoHeartbeat() {
		TestContender former = contend(TestClaim.of(this.name));
		former.release();
		TestContender holder = contend(TestClaim.of(this.name)).holds();
		this.time.advance(HEARTBEAT);
		Awaitility.await().until(() -> !holder.renewals().isEmpty());
		assertThat(former.renewals()).isEmpty();
	}

	@Test
	void leaseWhoseDowngradeIsRefusedIsLostAllTheSameWhenItsNodeIsDeleted() throws Exception {
		TestContender holder = contend(TestClaim.of(this.name));
		Grant grant = holder.granted();
		this.time.advance(Duration.ofMillis(20)); // when leases begin to be watched
		ACL noCreate = new ACL(ZooDefs.Perms.ALL & ~ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE);
		this.admin.client().setACL("/quorlock/" + this.name, new ArrayList<>(List.of(noCreate)), -1);
		assertThat(TestContender.await(grant.downgrade(0).toCompletableFuture())).isFalse();
		this.time.advance(Duration.ofMillis(20));
		this.admin.deleteQueue(this.name);
		assertThat(TestContender.await(holder.lost())).contains("its node is gone");
	}

	@Test
	void downgradeWithoutAReplyIsNotConfirmed() {
		Grant grant = contend(TestClaim.of(this.name)).granted();
		this.proxy.holdReplies();
		CompletableFuture<Boolean> turned = grant.downgrade(0).toCompletableFuture();
		this.time.advance(OPERATION_TIMEOUT.minusNanos(1));
		assertThat(turned).isNotDone();
		this.time.advance(Duration.ofNanos(1));
		assertThat(TestContender.await(turned)).isFalse();
		assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
		assertThat(grant.isValid()).isTrue();
	}

	@Test
	void sessionThatExpiresCostsItsLeasesAndItsClaimsQueueAgain() throws Exception {
		TestContender other = contend(other(), TestClaim.of(this.name)).holds();
		TestContender holder = contend(TestClaim.of(this.name + ":2"));
		Grant grant = holder.granted();
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT)).waits();
		expire(this.store.sessionId());
		assertThat(TestContender.await(holder.lost())).contains("expired");
		assertThat(grant.isValid()).isFalse();
		Awaitility.await().until(() -> {
			this.time.advance(Duration.ZERO); // when the next session is opened
			return this.admin.queue(this.name).size() == 2;
		});
		other.release();
		assertThat(waiter.granted().isValid()).isTrue();
		assertThat(waiter.contender().attempts()).isEqualTo(2);
		assertThat(waiter.waitingReports()).isOne();
	}

	@Test
	void nothingIsKeptOfClaimsAndLeasesThatHaveEnded() {
		List<WeakReference<?>> ended = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			ended.add(released());
		}
		this.time.advance(Duration.ofMillis(100)); // when leases would be watched
		Grant held = contend(other(), TestClaim.of(this.name)).granted();
		for (int i = 0; i < 20; i++) {
			ended.add(cancelled());
		}
		// What was replied to last may still be at hand.
		Awaitility.await().until(() -> {
			System.gc();
			return ended.stream().filter((each) -> each.get() != null).count() <= 4;
		});
		assertThat(held.isValid()).isTrue();
	}

	/** A wait may be long, and claims many. */
	@Test
	void timersOfWhatHasEndedAreTakenBack() throws Exception {
		TestContender first = contend(other(), TestClaim.of(this.name)).holds();
		TestContender permit = contend(other(), TestClaim.of(this.name + ":p").permits(1)).holds();
		this.time.advance(Duration.ofMillis(100)); // when leases are watched
		int before = this.time.pending();
		for (String held : List.of(this.name, this.name + ":p")) {
			int permits = held.equals(this.name) ? 0 : 1;
			TestContender waiter = contend(TestClaim.of(held).permits(permits).waiting(WAIT)).waits();
			waiter.contender().cancel();
			waiter.failed();
		}
		TestContender holder = contend(TestClaim.of(this.name + ":2"));
		TestContender.await(holder.granted().downgrade(0).toCompletableFuture());
		holder.release();
		contend(TestClaim.of(this.name + ":q").permits(2).waiting(WAIT)).release();
		TestContender.await(this.store.inspect(this.name).toCompletableFuture());
		TestContender.await(this.store.stop().toCompletableFuture());
		// What looks for leases that are to be watched is not taken back.
		this.time.advance(Duration.ofMillis(100));
		Awaitility.await().until(() -> this.time.pending() <= before);
	}

	@Test
	void threadOfAStoreEndsWithIt() {
		Set<Thread> others = threads();
		ZooKeeperLeaseStore stopped = other();
		Set<Thread> own = threads();
		own.removeAll(others);
		assertThat(own).singleElement().satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
		stopped.close();
		Awaitility.await().until(() -> own.stream().noneMatch(Thread::isAlive));
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("quorlock-zookeeper"))
			.collect(Collectors.toSet());
	}

	/** Another may have raised it meanwhile. */
	@Test
	void baseOfTokensIsReadAgainBehindAReconnection() {
		this.proxy.cut();
		Awaitility.await().until(() -> this.store.status().nodes().get(0).state().equals("disconnected"));
		this.operations.clear();
		this.proxy.restore();
		Awaitility.await().until(() -> this.operations.contains("read"));
	}

	@Test
	void sessionThatIsOverIsNeitherReadyNorProven() throws Exception {
		CompletableFuture<Session> ready = new CompletableFuture<>();
		Session session = new Session(context(), new Session.Listener() {

			@Override
			public void onReady(Session session) {
				ready.complete(session);
			}

			@Override
			public void onOver(Session session, Session.Ending ending, String reason) {
			}

		});
		TestContender.await(ready);
		assertThat(session.isConnected() && session.isReady() && session.currentProof() >= 0).isTrue();
		session.close(10_000);
		assertThat(session.isConnected() || session.isReady() || session.currentProof() >= 0).isFalse();
	}

	private StoreContext context() {
		return ZooKeeperStores.context(TestZooKeeperSettings.with("127.0.0.1:" + this.proxy.port(), "b").build(),
				this.time);
	}

	/** As servers that were down keep a session which is over for its client. */
	@Test
	void formerSessionThatIsAliveAtTheServersIsEnded() throws Exception {
		String path = "/former-" + this.name;
		try (LoopbackProxy between = LoopbackProxy.to(this.proxy.port());
				RawClient former = new RawClient("127.0.0.1:" + between.port())) {
			former.client().create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
			between.cut();
			new Sessions.Former(context(), former.client().getSessionId(), former.client().getSessionPasswd(),
					(task) -> new Thread(task, "former-session").start(), () -> {
					});
			Awaitility.await().until(() -> !this.admin.exists(path));
			between.restore();
		}
	}

	@Test
	void sessionThatIsOverSendsNoHeartbeats() {
		this.store.close();
		this.time.advance(HEARTBEAT);
		assertThat(this.time.isDueIn(HEARTBEAT)).isFalse();
	}

	private WeakReference<Grant> released() {
		TestContender holder = contend(TestClaim.of(this.name));
		Grant grant = holder.granted();
		holder.release();
		return new WeakReference<>(grant);
	}

	/** While another one holds the lock. */
	private WeakReference<Contender> cancelled() {
		TestContender waiter = contend(TestClaim.of(this.name).waiting(WAIT)).waits();
		waiter.contender().cancel();
		waiter.failed();
		return new WeakReference<>(waiter.contender());
	}

}
