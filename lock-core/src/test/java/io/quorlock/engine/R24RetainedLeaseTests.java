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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.Refusals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * R24: leases that are kept although nobody uses them.
 */
@Timeout(60)
class R24RetainedLeaseTests {

	private static final Duration RETAIN = Duration.ofSeconds(10);

	private static final LockRequest ORDER = ScriptedCluster.ORDER.retainTime(RETAIN);

	private final List<LockLostEvent> losses = new ArrayList<>();

	private final List<LockRequest> releases = new ArrayList<>();

	private final ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {

		@Override
		public void onLost(LockRequest request, LockLostEvent event) {
			R24RetainedLeaseTests.this.losses.add(event);
		}

		@Override
		public void onReleased(LockRequest request, Duration held) {
			R24RetainedLeaseTests.this.releases.add(request);
		}

	});

	private LockHandle acquire(LockRequest request) {
		return this.cluster.acquire(request).join();
	}

	private List<String> operations() {
		return this.cluster.nodes.get(0).operations();
	}

	private String owner() {
		return this.cluster.nodes.get(0).requests.get(0).command().attempt().owner();
	}

	private void wanted() {
		this.cluster.nodes.forEach((node) -> node.announceWanted(owner()));
	}

	private void requestRelease() {
		this.cluster.nodes.forEach((node) -> node.announceRequest(owner()));
	}

	@Test
	void leaseIsTakenAgainWithTheNextTokenWithoutAskingTheNodes() {
		LockHandle first = acquire(ORDER);
		first.close();
		LockHandle second = acquire(ORDER);
		assertThat(second.isHeld()).isTrue();
		assertThat(second.fencingToken()).isEqualTo(first.fencingToken() + 1);
		assertThat(first.isHeld()).isFalse();
		assertThat(operations()).containsExactly("acquire");
		first.close();
		assertThat(second.isHeld()).isTrue();
	}

	@Test
	void ownerSaysThatTheLeaseMayBeKeptOnlyIfItMay() {
		acquire(ORDER);
		acquire(LockRequest.of("plain"));
		assertThat(owner()).matches("app@host:1:[0-9a-f]+:r[0-9]+");
		assertThat(this.cluster.nodes.get(0).last().command().attempt().owner()).matches("app@host:1:[0-9a-f]+:[0-9]+");
	}

	@Test
	void leaseIsReleasedWhenNobodyUsedItForTheRetainTime() {
		acquire(ORDER).close();
		this.cluster.time.advance(RETAIN.minusMillis(1));
		acquire(ORDER).close();
		this.cluster.time.advance(RETAIN.minusMillis(1));
		assertThat(operations()).containsExactly("acquire", "renew");
		this.cluster.time.advance(Duration.ofMillis(1));
		assertThat(operations()).containsExactly("acquire", "renew", "release");
	}

	@Test
	void lossThatIsFoundByTheReleaseIsReported() {
		LockHandle lock = acquire(ORDER);
		this.cluster.time.pause(Duration.ofMillis(29_900));
		lock.close();
		this.cluster.time.catchUp();
		assertThat(this.losses).hasSize(1);
		assertThat(this.releases).isEmpty();
	}

	@Test
	void shorterRetainTimeOfALaterHolderCounts() {
		acquire(ORDER).close();
		acquire(ORDER.retainTime(Duration.ofSeconds(1))).close();
		this.cluster.time.advance(Duration.ofSeconds(1));
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void lastHolderWithoutARetainTimeReleases() {
		acquire(ORDER).close();
		acquire(ScriptedCluster.ORDER).close();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void leaseThatIsInUseIsNotGivenUpByTheTimer() {
		acquire(ORDER).close();
		LockHandle lock = acquire(ORDER);
		this.cluster.time.advance(RETAIN.plusSeconds(5));
		assertThat(lock.isHeld()).isTrue();
		assertThat(operations()).doesNotContain("release");
	}

	@Test
	void whoeverIsRefusedGetsALeaseThatNobodyUses() {
		acquire(ORDER).close();
		wanted();
		assertThat(operations()).containsExactly("acquire", "release");
		assertThat(acquire(ORDER).isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void leaseInUseThatIsWantedPassesToNobodyInThisProcess() {
		LockHandle lock = acquire(ORDER);
		CompletableFuture<LockHandle> next = this.cluster.acquire(ORDER, Duration.ofSeconds(5));
		wanted();
		assertThat(lock.isHeld()).isTrue();
		lock.close();
		assertThat(operations()).startsWith("acquire", "release");
		this.cluster.time.advance(Duration.ofSeconds(1));
		assertThat(next.join().fencingToken()).isGreaterThan(lock.fencingToken() + 1);
	}

	@Test
	void requestToReleaseGetsALeaseThatNobodyUses() {
		acquire(ORDER).close();
		requestRelease();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void requestToReleaseEndsTheTimeForWhichALeaseIsKept() {
		LockHandle lock = acquire(ORDER);
		requestRelease();
		assertThat(lock.isHeld()).isTrue();
		lock.close();
		assertThat(operations()).containsExactly("acquire", "release");
	}

	@Test
	void howeverOftenItIsTakenAgainOthersGetItWhenALeaseHasPassed() {
		for (int i = 0; i < 29; i++) {
			acquire(ORDER).close();
			this.cluster.time.advance(Duration.ofSeconds(1));
		}
		assertThat(operations()).doesNotContain("release");
		acquire(ORDER).close();
		this.cluster.time.advance(Duration.ofSeconds(1));
		assertThat(operations()).endsWith("release");
	}

	@Test
	void howeverManyWaitHereOthersGetItWhenALeaseHasPassed() {
		LockHandle lock = acquire(ORDER);
		for (int i = 0; i < 40; i++) {
			CompletableFuture<LockHandle> next = this.cluster.acquire(ORDER, Duration.ofSeconds(60));
			this.cluster.time.advance(Duration.ofSeconds(1));
			assertThat(operations().contains("release")).as("after %d s", i).isEqualTo(i >= 30);
			lock.close();
			this.cluster.time.advance(Duration.ofMillis(1));
			lock = next.join();
		}
	}

	@Test
	void leaseThatIsTakenAgainBelongsToItsNewHolderAlone() {
		LockHandle first = acquire(ORDER);
		first.close();
		LockHandle second = acquire(ORDER);
		second.extend(Duration.ofSeconds(40));
		assertThat(second.remaining()).isGreaterThan(Duration.ofSeconds(35));
	}

	@Test
	void furtherTokensAreTakenInTimeAndAreStoredBeforeTheyAreUsed() {
		long last = 0;
		for (int i = 0; i < 100_000; i++) {
			LockHandle lock = acquire(ORDER);
			assertThat(lock.fencingToken()).isGreaterThan(last);
			last = lock.fencingToken();
			assertThat(greatestStored()).isGreaterThanOrEqualTo(last);
			lock.close();
		}
		assertThat(operations().stream().distinct()).containsExactly("acquire", "raise");
		assertThat(operations()).hasSizeLessThan(12);
	}

	private long greatestStored() {
		if (this.cluster.nodes.get(0).last().command() instanceof NodeCommand.Raise raise) {
			return raise.fences()[0];
		}
		NodeCommand.Acquire acquire = (NodeCommand.Acquire) this.cluster.nodes.get(0).requests.get(0).command();
		return Objects.requireNonNull(acquire.proposed())[0];
	}

	@Test
	void renewalRestoresTheFenceThatWasRaised() {
		for (int i = 0; i < 200; i++) {
			acquire(ORDER).close();
		}
		long raised = greatestStored();
		acquire(ORDER);
		this.cluster.time.advance(Duration.ofSeconds(10));
		NodeCommand.Renew renew = (NodeCommand.Renew) this.cluster.nodes.get(0).last().command();
		assertThat(renew.fences()).containsExactly(raised);
	}

	@Test
	void requestWaitsForTokensThatAreOnTheirWay() {
		CompletableFuture<LockHandle> next = taker();
		assertThat(operations()).containsExactly("acquire", "raise");
		this.cluster.nodes.get(0).last().grant();
		assertThat(next).isNotDone();
		this.cluster.nodes.get(1).last().grant();
		assertThat(next.join().isHeld()).isTrue();
	}

	@Test
	void tokensThatNodesInQuarantineStoreAreNotUsed() {
		CompletableFuture<LockHandle> next = taker();
		this.cluster.nodes.get(0).last().grant();
		this.cluster.nodes.get(1).last().reply(new NodeReply.Done(false));
		assertThat(next).isNotDone();
		this.cluster.nodes.get(2).last().grant();
		assertThat(next.join().isHeld()).isTrue();
	}

	@Test
	void requestThatWasCancelledWhileItWaitedForTokensLeavesTheLeaseToTheNext() {
		acquire(ORDER).close();
		this.cluster.silence();
		for (int i = 1; i < TokenRange.FIRST_RETAINED; i++) {
			acquire(ORDER).close();
		}
		CompletableFuture<LockHandle> cancelled = this.cluster.acquire(ORDER, Duration.ofSeconds(5));
		CompletableFuture<LockHandle> next = this.cluster.acquire(ORDER, Duration.ofSeconds(5));
		cancelled.cancel(false);
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(next).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(operations()).containsExactly("acquire", "raise");
	}

	/**
	 * Returns a request that took the lease and waits for tokens that are on their way.
	 */
	private CompletableFuture<LockHandle> taker() {
		acquire(ORDER).close();
		this.cluster.silence();
		for (int i = 1; i < TokenRange.FIRST_RETAINED; i++) {
			acquire(ORDER).close();
		}
		CompletableFuture<LockHandle> taker = this.cluster.acquire(ORDER);
		assertThat(taker).isNotDone();
		return taker;
	}

	@Test
	void requestWithoutAWaitCompetesWithNobodyWhoTakesTheLease() {
		CompletableFuture<LockHandle> taker = taker();
		CompletableFuture<LockHandle> other = this.cluster.acquire(ORDER);
		assertThat(other).isNotDone();
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(taker).isCompleted();
		assertThat(taker.join().isHeld()).isTrue();
		assertThat(other).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(other::join)
			.havingCause()
			.isInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("of this instance has held 'order' for 0 ms");
		assertThat(operations()).containsExactly("acquire", "raise");
	}

	@Test
	void requestWithoutAWaitAsksIfWhoeverTakesTheLeaseIsCancelled() {
		CompletableFuture<LockHandle> taker = taker();
		CompletableFuture<LockHandle> other = this.cluster.acquire(ORDER);
		taker.cancel(false);
		assertThat(operations()).containsExactly("acquire", "raise");
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(operations()).containsExactly("acquire", "raise", "release", "acquire");
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(other.join().isHeld()).isTrue();
	}

	@Test
	void requestsWithoutAWaitShareTheQuestionOfWhoeverTookALeaseThatWasLost() {
		CompletableFuture<LockHandle> taker = taker();
		CompletableFuture<LockHandle> before = this.cluster.acquire(ORDER);
		NodeCommand raise = this.cluster.nodes.get(0).last().command();
		List<ScriptedNode.Request> raises = this.cluster.nodes.stream().map(ScriptedNode::last).toList();
		assertThat(raise).isInstanceOf(NodeCommand.Raise.class);
		new LockInspector(this.cluster.engine).forceRelease("order");
		raises.forEach(ScriptedNode.Request::grant);
		CompletableFuture<LockHandle> after = this.cluster.acquire(ORDER);
		assertThat(operations()).endsWith("acquire").filteredOn("acquire"::equals).hasSize(2);
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(taker.join().isHeld()).isTrue();
		assertThat(before).isCompletedExceptionally();
		assertThat(after).isCompletedExceptionally();
		assertThat(operations()).filteredOn("acquire"::equals).hasSize(2);
	}

	@Test
	void requestWithoutAWaitSharesTheQuestionOfWhoeverTookALeaseWithoutTokens() {
		CompletableFuture<LockHandle> taker = taker();
		CompletableFuture<LockHandle> other = this.cluster.acquire(ORDER);
		this.cluster.nodes.forEach((node) -> node.last().reply(new NodeReply.Failed(Cause.ERROR, "OOM")));
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(operations()).containsExactly("acquire", "raise", "release", "acquire");
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(taker.join().isHeld()).isTrue();
		assertThat(other).isCompletedExceptionally();
		assertThat(operations()).containsExactly("acquire", "raise", "release", "acquire");
	}

	@Test
	void withoutFurtherTokensTheNodesAreAsked() {
		acquire(ORDER).close();
		this.cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Raise)
				? new NodeReply.Failed(Cause.ERROR, "OOM") : ScriptedNode.grant(command));
		long last = 0;
		for (int i = 0; i < 2 * TokenRange.FIRST_RETAINED; i++) {
			LockHandle lock = acquire(ORDER);
			assertThat(lock.fencingToken()).isGreaterThan(last);
			last = lock.fencingToken();
			lock.close();
		}
		assertThat(operations()).containsExactly("acquire", "raise", "release", "acquire", "raise", "release",
				"acquire");
	}

	@Test
	@Tag("long")
	@Timeout(300) // a second has a million tokens
	void tokensNeverRunMoreThanASecondAheadOfTheClock() {
		for (int i = 0; i < 1_200_000; i++) {
			acquire(ORDER).close();
		}
		long max = this.cluster.time.wallMicros() + 1_000_000;
		assertThat(this.cluster.nodes.get(0).requests).map(ScriptedNode.Request::command)
			.filteredOn(NodeCommand.Raise.class::isInstance)
			.isNotEmpty()
			.allSatisfy((raise) -> assertThat(((NodeCommand.Raise) raise).fences()[0]).isLessThanOrEqualTo(max));
		// Who would exceed that asks the nodes.
		assertThat(operations()).contains("release");
	}

	/** Each cycle asks the nodes, and takes tokens for many holders. */
	@Test
	void tokensOfLeasesThatAreHardlyRetainedDoNotRunAheadEither() {
		LockRequest briefly = ORDER.retainTime(Duration.ofNanos(1));
		long last = 0;
		for (int i = 0; i < 5_000; i++) {
			LockHandle lock = acquire(briefly);
			assertThat(lock.fencingToken()).isGreaterThan(last)
				.isLessThanOrEqualTo(this.cluster.time.wallMicros() + 1_000_000);
			last = lock.fencingToken();
			lock.close();
			this.cluster.time.advance(Duration.ofNanos(10_000));
		}
		assertThat(operations()).filteredOn("acquire"::equals).hasSize(5_000);
		assertThat(last).isGreaterThan(this.cluster.time.wallMicros() + 500_000);
	}

	@Test
	void withoutFencingNoTokensAreTaken() {
		ScriptedCluster unfenced = new ScriptedCluster(3, (engine) -> {
		}, (quorum) -> quorum.set(QuorumSettings::fencing, false));
		for (int i = 0; i < 1_000; i++) {
			unfenced.acquire(ORDER).join().close();
		}
		assertThat(unfenced.nodes.get(0).operations()).containsExactly("acquire");
	}

	@Test
	void requestsThatTheLeaseDoesNotSuitAskBehindItsRelease() {
		List<LockRequest> others = List.of(ScriptedCluster.ORDER.leaseTime(Duration.ofSeconds(3)),
				ScriptedCluster.ORDER.fair(), ScriptedCluster.ORDER.holdAtLeast(Duration.ofMillis(1)),
				LockRequest.ofAll("order", "stock"));
		for (LockRequest other : others) {
			for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
				int before = operations().size();
				acquire(ORDER).close();
				LockHandle lock = this.cluster.acquire(other, wait).join();
				assertThat(operations().subList(before, operations().size())).as("%s", other)
					.startsWith("acquire", "release", "acquire");
				lock.close();
				this.cluster.time.advance(Duration.ofMillis(1));
			}
		}
	}

	@Test
	void requestForSeveralNamesWaitsForNoLeaseThatNobodyUses() {
		LockRequest stock = LockRequest.of("stock").retainTime(RETAIN);
		acquire(ORDER).close();
		acquire(stock).close();
		LockHandle both = this.cluster.acquire(LockRequest.ofAll("order", "stock"), Duration.ofSeconds(5)).join();
		assertThat(operations()).containsExactly("acquire", "acquire", "release", "release", "acquire");
		both.close();
		LockHandle used = acquire(ORDER);
		acquire(stock).close();
		CompletableFuture<LockHandle> next = this.cluster.acquire(LockRequest.ofAll("order", "stock"),
				Duration.ofSeconds(5));
		used.close();
		assertThat(next).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void requestForManyNamesTakesLeasesThatNobodyUses() {
		List<String> names = IntStream.range(0, LockRequest.MAX_NAMES).mapToObj((i) -> "order:" + i).toList();
		names.forEach((name) -> acquire(LockRequest.of(name).retainTime(RETAIN)).close());
		assertThat(acquire(LockRequest.ofAll(names)).isHeld()).isTrue();
	}

	@Test
	void readerThatWaitsTakesItOverAndOneThatDoesNotAsksBehindItsRelease() {
		LockRequest reader = ScriptedCluster.ORDER.shared();
		acquire(ORDER).close();
		this.cluster.acquire(reader, Duration.ofSeconds(5)).join().close();
		assertThat(operations()).containsExactly("acquire", "release");
		acquire(ORDER).close();
		acquire(reader);
		assertThat(operations()).containsExactly("acquire", "release", "acquire", "release", "acquire");
	}

	@Test
	void leaseThatWasTurnedForReadersIsReleased() {
		LockHandle lock = acquire(ORDER);
		lock.downgrade();
		lock.close();
		assertThat(operations()).endsWith("release");
	}

	@Test
	void lossOfALeaseThatNobodyUsesIsNoLoss() {
		LockHandle lock = acquire(ORDER);
		lock.onLost(this.losses::add);
		lock.close();
		this.cluster.time.pause(Duration.ofSeconds(31));
		this.cluster.time.catchUp();
		assertThat(this.losses).isEmpty();
		assertThat(acquire(ORDER).isHeld()).isTrue();
		assertThat(operations()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void leaseWhoseValidityEndedIsNotTakenAgain() {
		acquire(ORDER).close();
		this.cluster.time.pause(Duration.ofSeconds(31));
		LockHandle lock = acquire(ORDER);
		assertThat(lock.isHeld()).isTrue();
		assertThat(operations()).contains("release").endsWith("acquire");
	}

	@Test
	void stopReleasesItAndTellsNobody() {
		acquire(ORDER).close();
		this.cluster.engine.stop();
		assertThat(operations()).containsExactly("acquire", "release");
		assertThat(this.losses).isEmpty();
	}

	@Test
	void leaseThatNobodyUsesIsNotHeld() {
		LockInspector inspector = new LockInspector(this.cluster.engine);
		acquire(ORDER).close();
		assertThat(inspector.held()).isEmpty();
		assertThat(inspector.heldByBaseName()).isEmpty();
		assertThat(inspector.retained()).singleElement().satisfies((lease) -> {
			assertThat(lease.name()).isEqualTo("order");
			assertThat(lease.owner()).isEqualTo(owner());
			assertThat(lease.remaining()).isPositive();
			assertThat(lease.nodes()).contains("node0");
		});
		LockHandle lock = acquire(ORDER);
		assertThat(inspector.held()).singleElement()
			.satisfies((held) -> assertThat(held.fencingTokens()).containsEntry("order", lock.fencingToken()));
		assertThat(inspector.heldByBaseName()).containsEntry("order", 1);
		assertThat(inspector.retained()).isEmpty();
	}

	@Test
	void defaultOfTheInstanceServesRequestsWithoutATimeOfTheirOwn() {
		ScriptedCluster retaining = new ScriptedCluster(3, (engine) -> engine.set(EngineSettings::retainTime, RETAIN),
				(quorum) -> {
				});
		retaining.acquire(ScriptedCluster.ORDER).join().close();
		retaining.acquire(ScriptedCluster.ORDER).join().close();
		assertThat(retaining.nodes.get(0).operations()).containsExactly("acquire");
		retaining.acquire(ScriptedCluster.ORDER.retainTime(Duration.ZERO)).join().close();
		assertThat(retaining.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void retainTimeIsRefusedWhereItCannotBeServed() {
		assertThatIllegalArgumentException().isThrownBy(() -> ORDER.shared())
			.withMessageContaining("cannot be retained");
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll("a", "b").retainTime(RETAIN));
		assertThatIllegalArgumentException().isThrownBy(() -> ORDER.permits(2));
		assertThatIllegalArgumentException().isThrownBy(() -> ORDER.fair());
		assertThatIllegalArgumentException().isThrownBy(() -> ORDER.leaseTime(RETAIN));
		assertThatIllegalArgumentException().isThrownBy(() -> ORDER.holdAtLeast(RETAIN));
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a").retainTime(RETAIN.negated()));
		assertThat(LockRequest.ofAll("a", "b").retainTime(Duration.ZERO).retainTime()).isZero();
	}

	private void refuse(String owner) {
		refuse(this.cluster, owner);
	}

	private static void refuse(ScriptedCluster cluster, String owner) {
		cluster.nodes.forEach((node) -> node.script = (command) -> (command instanceof NodeCommand.Acquire)
				? Refusals.of(true, List.of(owner), 20_000, null) : ScriptedNode.grant(command));
	}

	@Test
	void requestWithoutAWaitAsksAgainWhenTheLeaseIsGivenUp() {
		refuse("other@host:1:ab:r7");
		CompletableFuture<LockHandle> lock = this.cluster.acquire(ScriptedCluster.ORDER);
		assertThat(lock).isNotDone();
		this.cluster.grant();
		this.cluster.time.advance(Duration.ofMillis(1));
		assertThat(lock.join().isHeld()).isTrue();
	}

	@Test
	void requestWithoutAWaitIsRefusedAfterOneOperationTimeoutIfTheLeaseIsInUse() {
		refuse("other@host:1:ab:r7");
		CompletableFuture<LockHandle> lock = this.cluster.acquire(ScriptedCluster.ORDER);
		this.cluster.time.advance(Duration.ofMillis(99));
		assertThat(lock).isNotDone();
		this.cluster.time.advance(Duration.ofMillis(1));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> {
			try {
				lock.join();
			}
			catch (java.util.concurrent.CompletionException ex) {
				throw ex.getCause();
			}
		}).withMessageContaining("other@host:1 holds it");
	}

	private static List<Long> acquires(ScriptedCluster cluster) {
		return cluster.nodes.stream()
			.map((node) -> node.operations().stream().filter("acquire"::equals).count())
			.toList();
	}

	@Test
	void requestAsksAllNodesAgainWhenTheOwnerHasHadTimeToReleaseTheLease() {
		for (Duration wait : List.of(Duration.ZERO, Duration.ofSeconds(5))) {
			ScriptedCluster fresh = new ScriptedCluster(3);
			refuse(fresh, "other@host:1:ab:r7");
			CompletableFuture<LockHandle> lock = fresh.acquire(ScriptedCluster.ORDER, wait);
			fresh.grant();
			fresh.time.advance(Duration.ofNanos(299_999));
			assertThat(acquires(fresh)).as("wait %s", wait).containsExactly(1L, 1L, 1L);
			fresh.time.advance(Duration.ofNanos(1));
			assertThat(acquires(fresh)).as("wait %s", wait).containsExactly(2L, 2L, 2L);
			assertThat(lock.join().isHeld()).isTrue();
		}
	}

	@Test
	void requestAsksEarlyOnceAndOnlyIfTheLeaseMayBeKept() {
		refuse("other@host:1:ab:r7");
		this.cluster.acquire(ScriptedCluster.ORDER, Duration.ofSeconds(5));
		this.cluster.time.advance(Duration.ofMillis(1));
		assertThat(acquires(this.cluster)).containsExactly(2L, 2L, 2L);
		refuse("other@host:1:ab:7");
		this.cluster.acquire(LockRequest.of("stock"), Duration.ofSeconds(5));
		this.cluster.time.advance(Duration.ofMillis(1));
		assertThat(acquires(this.cluster)).containsExactly(3L, 3L, 3L);
	}

	@Test
	void lastAttemptWaitsForTheOffer() {
		ScriptedCluster twice = new ScriptedCluster(3, (engine) -> engine.set(EngineSettings::maxAttempts, 2),
				(quorum) -> {
				});
		refuse(twice, "other@host:1:ab:r7");
		CompletableFuture<LockHandle> lock = twice.acquire(ScriptedCluster.ORDER, Duration.ofSeconds(5));
		twice.time.advance(Duration.ofMillis(1));
		assertThat(acquires(twice)).containsExactly(1L, 1L, 1L);
		twice.grant();
		twice.offer(0, 1);
		assertThat(lock.join().isHeld()).isTrue();
	}

	@Test
	void requestThatWaitsAsksAllNodesAgainOnceItListensAgain() {
		refuse("other@host:1:ab:r7");
		CompletableFuture<LockHandle> lock = this.cluster.acquire(ScriptedCluster.ORDER, Duration.ofSeconds(5));
		this.cluster.silence();
		this.cluster.nodes.subList(0, 2).forEach(ScriptedNode::confirmListening);
		this.cluster.time.advance(Duration.ofNanos(1_000_000));
		assertThat(this.cluster.nodes)
			.allSatisfy((node) -> assertThat(node.last().command().operation()).isEqualTo("acquire"));
		this.cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(lock.join().isHeld()).isTrue();
	}

	@Test
	void requestWithoutAWaitIsRefusedAtOnceByALeaseThatMayNotBeKept() {
		refuse("other@host:1:ab:7");
		assertThat(this.cluster.acquire(ScriptedCluster.ORDER)).isCompletedExceptionally();
	}

	/** The next holder has its own time, and the lease is kept for it. */
	@Test
	void maxHoldTimeOfAHolderThatLeftDoesNotEndTheRetainedLease() {
		ScriptedCluster limited = new ScriptedCluster(3,
				(engine) -> engine.set(EngineSettings::maxHoldTime, Duration.ofSeconds(25)), (quorum) -> {
				});
		LockHandle first = limited.acquire(ORDER).join();
		limited.time.advance(Duration.ofSeconds(24));
		first.close();
		limited.time.advance(Duration.ofSeconds(2));
		LockHandle second = limited.acquire(ORDER).join();
		limited.time.advance(Duration.ofSeconds(20));
		assertThat(second.isHeld()).isTrue();
		assertThat(limited.nodes.get(0).operations()).containsExactly("acquire", "renew", "renew", "renew", "renew");
	}

	@Test
	void leaseThatIsGivenUpLeavesNoTimer() {
		int before = this.cluster.time.pending();
		acquire(ORDER).close();
		wanted();
		assertThat(operations()).containsExactly("acquire", "release");
		assertThat(this.cluster.time.pending()).isEqualTo(before);
	}

	/** Otherwise the last one would have to wait for the nodes. */
	@Test
	void furtherTokensAreAskedForWhenHalfOfThemAreUsed() {
		acquire(ORDER).close();
		this.cluster.silence();
		for (int i = 1; i < TokenRange.FIRST_RETAINED / 2 - 1; i++) {
			acquire(ORDER).close();
		}
		assertThat(operations()).containsExactly("acquire");
		acquire(ORDER).close();
		assertThat(operations()).containsExactly("acquire", "raise");
	}

}
