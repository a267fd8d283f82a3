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

package io.quorlock.quorum.node;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Done;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Granted;
import io.quorlock.quorum.node.NodeReply.Inspected;
import io.quorlock.quorum.node.NodeReply.Refused;
import io.quorlock.quorum.node.NodeReply.Released;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What every node must do, whatever it is made of.
 */
public abstract class LockNodeContract extends LockNodeQueueContract {

	@Test
	void freeLockIsGranted() {
		NodeReply reply = acquire("a1", 5, "order");
		assertThat(reply.voting()).isTrue();
		assertThat(votes(reply)).containsExactly(5);
	}

	@Test
	void heldLockIsRefusedWithItsHolder() {
		acquire("a1", 5, "order");
		Refused reply = refused(acquire("a2", 9, "order"));
		assertThat(owners(reply)).containsExactly("a1");
		assertThat(reply.remainingMillis()).isBetween(1L, LEASE);
		assertThat(reply.coolingDown()).isFalse();
		assertThat(reply.fences()).containsExactly(5);
	}

	@Test
	void voteIsAboveWhatIsStoredAndAtLeastWhatIsProposed() {
		acquire("a1", 5, "order");
		release("a1", 0, "order");
		assertThat(votes(send(
				new NodeCommand.Acquire(List.of("order"), new Attempt("a2"), LEASE, new long[] { 1 }, 16, FENCE_LIFE))))
			.containsExactly(21);
		release("a2", 0, "order");
		assertThat(votes(acquire("a3", 1_795_000_000_000_000L, "order"))).containsExactly(1_795_000_000_000_000L);
		release("a3", 0, "order");
		// a clock that is a minute behind
		assertThat(votes(acquire("a4", 1_794_999_940_000_000L, "order"))).containsExactly(1_795_000_000_000_001L);
	}

	@Test
	void voteOfAReaderIsTheGreaterOfWhatIsStoredAndWhatIsProposed() {
		acquire("a1", 7, "order");
		release("a1", 0, "order");
		assertThat(votes(send(read("r1", 5)))).containsExactly(7);
		assertThat(votes(send(read("r2", 9)))).containsExactly(9);
		assertThat(votes(send(read("r3", 8)))).containsExactly(9);
	}

	@Test
	void withoutFencingNothingIsVotedFor() {
		assertThat(send(new NodeCommand.Acquire(List.of("order"), new Attempt("a1"), LEASE, null, 1, 0)))
			.isEqualTo(new NodeReply.Granted(true, null));
		Refused refused = refused(
				send(new NodeCommand.Acquire(List.of("order"), new Attempt("a2"), LEASE, null, 1, 0)));
		assertThat(owners(refused)).containsExactly("a1");
		assertThat(refused.fences()).isNull();
	}

	@Test
	void permitsAreNumberedAndHaveFencesOfTheirOwn() {
		assertGranted(send(permit("p1", 1, 70L)), 1, 70L);
		assertGranted(send(permit("p2", 1, 90L)), 2, 90L);
		assertThat(owners(refused(send(permit("p3", 1, 90L))))).containsExactly("p1", "p2");
	}

	@Test
	void voteForAPermitIsAboveWhatIsStored() {
		LockTarget only = LockTarget.permits("order", 1);
		assertGranted(send(permit(only, "p1", 1, 70L)), 1, 70L);
		send(new NodeCommand.Release(new CommandHeader(only, new Attempt("p1")), 0));
		assertGranted(send(permit(only, "p2", 1, 5L)), 1, 70L + 16);
	}

	@Test
	void dropFreesThePermitsThatAreNotToBeKept() {
		LockTarget two = LockTarget.permits("order", 2);
		assertGranted(send(permit(two, "p1", 1, null)), 1, null);
		assertGranted(send(permit(two, "other", 2, null)), 2, null);
		send(new NodeCommand.Drop(new CommandHeader(two, new Attempt("p1")), 1));
		assertThat(owners(refused(send(permit(two, "p2", 1, null))))).containsExactly("p1", "other");
		send(new NodeCommand.Drop(new CommandHeader(two, new Attempt("p1")), 2));
		assertGranted(send(permit(two, "p2", 1, null)), 1, null);
		assertThat(owners(refused(send(permit(two, "p3", 1, null))))).containsExactly("p2", "other");
	}

	@Test
	void permitsAreNumberedWithoutFencing() {
		assertGranted(send(permit("p1", 2, null)), 2, null);
		assertGranted(send(permit("p2", 2, null)), 1, null);
		assertThat(owners(refused(send(permit("p3", 2, null))))).containsExactly("p2", "p1");
	}

	@Test
	void onlyPermitIsGrantedWithoutFencing() {
		LockTarget only = LockTarget.permits("order", 1);
		assertGranted(send(permit(only, "p1", 1, null)), 1, null);
		assertThat(owners(refused(send(permit(only, "p2", 1, null))))).containsExactly("p1");
	}

	@Test
	void olderTicketsKeepAsManyPermitsFree() throws InterruptedException {
		listen();
		LockTarget three = LockTarget.permits("order", 3);
		for (int i = 1; i <= 3; i++) {
			assertGranted(send(permit(three, "p" + i, i, null)), i, null);
		}
		NodeCommand older = queued(three, 1, "b");
		assertThat(owners(refused(send(older)))).containsExactly("p1", "p2", "p3");
		send(new NodeCommand.Release(new CommandHeader(three, new Attempt("p2")), 0));
		Refused later = refused(send(queued(three, 2, "c")));
		assertThat(later.blockers().get(1)).isInstanceOf(NodeReply.Blocker.Waiting.class);
		send(new NodeCommand.Release(new CommandHeader(three, new Attempt("p3")), 0));
		// The other is left for the older one.
		assertGranted(send(queued(three, 2, "c")), 2, null);
		assertThat(owners(refused(send(queued(three, 3, "d"))))).hasSize(3);
		assertGranted(send(older), 3, null);
	}

	@Test
	@Tag("long")
	void thousandPermitsAreHeldAndTheNextIsRefused() {
		LockTarget many = LockTarget.permits("order", 1_000);
		for (int i = 1; i <= 1_000; i++) {
			// So long that on a slow machine the first is still held when the last is
			// granted.
			assertGranted(send(new NodeCommand.Acquire(new CommandHeader(many, new Attempt("p" + i)), 30 * LEASE, null,
					1, 0, null, i)), i, null);
		}
		assertThat(owners(refused(send(permit(many, "next", 500, null))))).hasSize(1_000)
			.startsWith("p1", "p2")
			.endsWith("p1000");
	}

	@Test
	void severalNamesAreLockedAllOrNone() {
		acquire("a1", 5, "b");
		Refused refused = refused(acquire("a2", 7, "a", "b", "c"));
		assertThat(owners(refused)).containsExactly(null, "a1", null);
		assertThat(refused.remainingMillis()).isBetween(1L, LEASE);
		assertThat(refused.fences()).containsExactly(0, 5, 0);
		assertThat(ownerOf("a")).isNull();
		assertThat(ownerOf("c")).isNull();
		release("a1", 0, "b");
		assertThat(votes(acquire("a3", 6, "a", "b", "c"))).containsExactly(6, 6, 6);
		assertThat(ownerOf("c")).isEqualTo("a3");
		release("a3", 0, "a", "b", "c");
		assertThat(votes(acquire("a4", 1, "a", "b", "c"))).containsExactly(7, 7, 7);
	}

	@Test
	void refusalNamesAllOwnersAndTheLongestLease() {
		acquire("a1", 5, "b");
		send(new NodeCommand.Acquire(List.of("c"), new Attempt("a2"), 2 * LEASE, null, 1, 0));
		for (Refused refused : List.of(refused(acquire("a3", 7, "a", "b", "c")),
				refused(send(new NodeCommand.Acquire(List.of("a", "b", "c"), new Attempt("a3"), LEASE, null, 1, 0))))) {
			assertThat(owners(refused)).containsExactly(null, "a1", "a2");
			assertThat(refused.remainingMillis()).isBetween(LEASE + 1, 2 * LEASE);
		}
	}

	@Test
	void releaseFreesTheLockOfItsAttemptOnly() {
		acquire("a1", 5, "order");
		assertThat(release("a2", 0, "order")).isInstanceOf(Released.class);
		assertThat(ownerOf("order")).isEqualTo("a1");
		assertThat(release("a1", 0, "order")).isInstanceOf(Released.class);
		assertThat(ownerOf("order")).isNull();
		assertThat(release("a1", 0, "order")).isInstanceOf(Released.class);
	}

	@Test
	void releaseWithCooldownLetsTheLockExpireAndBelongToNobody() {
		acquire("a1", 5, "order");
		release("a1", 1_000, "order");
		Refused refused = refused(acquire("a2", 5, "order"));
		assertThat(owners(refused)).containsExactly("Cooldown");
		assertThat(refused.coolingDown()).isTrue();
		assertThat(refused.remainingMillis()).isBetween(1L, 1_000L);
		assertThat(inspect("order").holders()).singleElement().extracting(Inspected.Holder::owner).isNull();
		awaitFree("order");
	}

	@Test
	void repeatedReleaseLeavesTheCooldownAlone() {
		acquire("a1", 5, "order");
		release("a1", LEASE, "order");
		release("a1", 0, "order");
		release("a1", 10, "order");
		assertThat(remaining("order")).isGreaterThan(LEASE / 2);
	}

	@Test
	void cooldownBesideAHeldNameIsNoCooldown() {
		acquire("a1", 5, "a");
		release("a1", LEASE, "a");
		acquire("a2", 5, "b");
		Refused refused = refused(acquire("a3", 5, "a", "b"));
		assertThat(owners(refused)).containsExactly("Cooldown", "a2");
		assertThat(refused.coolingDown()).isFalse();
	}

	@Test
	void leaseEnds() {
		send(new NodeCommand.Acquire(List.of("order"), new Attempt("a1"), 200, null, 1, 0));
		awaitFree("order");
	}

	@Test
	void renewalLengthensTheLease() {
		send(new NodeCommand.Acquire(List.of("order"), new Attempt("a1"), 2_000, null, 1, 0));
		assertThat(renew("a1", LEASE, false, "order")).isEqualTo(new Done(true));
		assertThat(remaining("order")).isBetween(LEASE / 2, LEASE);
	}

	@Test
	void renewalShortensTheLeaseOnlyIfAskedTo() {
		acquire("a1", 5, "order");
		renew("a1", 500, false, "order");
		assertThat(remaining("order")).isGreaterThan(LEASE / 2);
		renew("a1", 500, true, "order");
		assertThat(remaining("order")).isLessThanOrEqualTo(500);
	}

	@Test
	void renewalPutsALostLockAndItsFenceBack() {
		assertThat(send(
				TestCommands.renew(List.of("order"), new Attempt("a1"), LEASE, false, new long[] { 77 }, FENCE_LIFE)))
			.isEqualTo(new Done(true));
		assertThat(ownerOf("order")).isEqualTo("a1");
		release("a1", 0, "order");
		assertThat(votes(acquire("a2", 1, "order"))).containsExactly(78);
	}

	@Test
	void renewalTouchesNobodyElsesLock() {
		acquire("a1", 5, "a");
		send(new NodeCommand.Acquire(List.of("b"), new Attempt("a2"), 5_000, null, 1, 0));
		Refused refused = refused(renew("a2", LEASE, false, "a", "b"));
		assertThat(owners(refused)).containsExactly("a1", null);
		assertThat(refused.remainingMillis()).isBetween(1L, LEASE);
		assertThat(ownerOf("a")).isEqualTo("a1");
		assertThat(remaining("b")).isGreaterThan(LEASE / 2);
	}

	@Test
	void raiseLiftsTheFenceWhereTheAttemptHoldsTheLock() {
		acquire("a1", 5, "order");
		assertThat(raise("a2", 50)).isEqualTo(new NodeReply.NotHeld(true));
		assertThat(raise("a1", 40)).isEqualTo(new Done(true));
		assertThat(raise("a1", 30)).isEqualTo(new Done(true));
		release("a1", 0, "order");
		assertThat(votes(acquire("a3", 1, "order"))).containsExactly(41);
	}

	@Test
	void raiseLiftsTheFenceOfEachNameWhereTheReaderIs() {
		LockTarget shared = LockTarget.shared(List.of("a", "b"));
		send(shared(shared, "r1", LEASE));
		assertThat(send(raise(shared, "r2", 50))).isEqualTo(new NodeReply.NotHeld(true));
		assertThat(send(raise(shared, "r1", 40))).isEqualTo(new Done(true));
		assertThat(send(raise(shared, "r1", 30))).isEqualTo(new Done(true));
		assertThat(inspect("a").fence()).isEqualTo(40);
		assertThat(inspect("b").fence()).isEqualTo(40);
		release(shared, "r1");
		assertThat(send(raise(shared, "r1", 60))).isEqualTo(new NodeReply.NotHeld(true));
		acquire("a1", 5, "a", "b");
		assertThat(send(raise(shared, "r1", 60))).isEqualTo(new NodeReply.NotHeld(true));
	}

	@Test
	void readerOfSeveralNamesIsRefusedWithTheirFences() {
		acquire("a1", 5, "a");
		acquire("a2", 7, "b");
		Refused refused = refused(
				send(new NodeCommand.Acquire(new CommandHeader(LockTarget.shared(List.of("a", "b")), new Attempt("r1")),
						LEASE, new long[] { 1, 1 }, 1, FENCE_LIFE, null, 1)));
		assertThat(owners(refused)).containsExactly("a1", "a2");
		assertThat(refused.fences()).containsExactly(5, 7);
	}

	@Test
	void readerIsRenewedAndPutBackWithItsFence() {
		LockTarget shared = LockTarget.shared(List.of("order"));
		assertThat(send(renewal(shared, "r1", LEASE, false, 77L))).isEqualTo(new Done(true));
		assertThat(ownerOf("order")).isEqualTo("r1");
		assertThat(inspect("order").fence()).isEqualTo(77);
		assertThat(send(renewal(shared, "r1", 2 * LEASE, false, 70L))).isEqualTo(new Done(true));
		assertThat(inspect("order").fence()).isEqualTo(77);
		assertThat(remaining("order")).isGreaterThan(LEASE);
		send(renewal(shared, "r1", 500, false, null));
		assertThat(remaining("order")).isGreaterThan(LEASE);
		send(renewal(shared, "r1", 500, true, null));
		assertThat(refused(acquire("a1", 5, "order")).remainingMillis()).isBetween(1L, 500L);
		awaitFree("order");
	}

	/** Its key expired on this node, where readers came in meanwhile. */
	@Test
	void renewalOfAWriterDoesNotTakeTheLockFromReaders() {
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(shared(shared, "r1", LEASE));
		Refused refused = refused(renew("a1", 2 * LEASE, false, "order"));
		assertThat(refused.blockers()).hasSize(1).doesNotContainNull();
		assertThat(refused.remainingMillis()).isBetween(1L, LEASE);
		assertThat(ownerOf("order")).isEqualTo("r1");
		assertThat(send(shared(shared, "r2", LEASE))).isInstanceOf(Granted.class);
	}

	@Test
	void renewalOfAReaderTouchesNoWritersLock() {
		acquire("a1", 5, "a");
		LockTarget shared = LockTarget.shared(List.of("a", "b"));
		Refused refused = refused(send(new NodeCommand.Renew(new CommandHeader(shared, new Attempt("r1")), 2 * LEASE,
				false, null, 0, true, 0)));
		assertThat(owners(refused)).containsExactly("a1", null);
		assertThat(refused.remainingMillis()).isBetween(1L, LEASE);
		assertThat(ownerOf("a")).isEqualTo("a1");
		assertThat(ownerOf("b")).isEqualTo("r1");
	}

	/** It must not end before those who rely on the writer's lease believe it to. */
	@Test
	void writerThatBecomesAReaderKeepsItsLease() {
		acquire("a1", 5, "order");
		send(renewal(LockTarget.shared(List.of("order")), "a1", 500, false, null));
		assertThat(inspect("order").holders().get(0).owner()).isEqualTo("a1");
		assertThat(remaining("order")).isGreaterThan(LEASE / 2);
		assertThat(refused(acquire("a2", 5, "order")).remainingMillis()).isGreaterThan(LEASE / 2);
	}

	/**
	 * However many readers wait in front of that writer, and whoever of them still lives.
	 */
	@Test
	void readerThatComesLaterWaitsForAWriterBehindManyReaders() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		acquire("a1", 5, "order");
		for (int i = 1; i <= 20; i++) {
			refused(send(queued(shared, i, "r" + i)));
		}
		refused(send(queued(LockTarget.exclusive(List.of("order")), 21, "w")));
		release("a1", 0, "order");
		Refused later = refused(send(ask(shared, "later")));
		assertThat(later.blockers().get(0)).isInstanceOf(NodeReply.Blocker.Waiting.class);
		assertThat(refused(send(queued(shared, 22, "r22"))).blockers().get(0))
			.isInstanceOf(NodeReply.Blocker.Waiting.class);
		for (int i = 1; i <= 20; i++) {
			assertThat(send(queued(shared, i, "r" + i))).isInstanceOf(Granted.class);
		}
	}

	@Test
	void nameOfReadersIsHeldAsLongAsTheLastOfThem() {
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(shared(shared, "long", 2 * LEASE));
		send(shared(shared, "short", LEASE));
		assertThat(refused(acquire("a1", 5, "order")).remainingMillis()).isBetween(LEASE + 1, 2 * LEASE);
		release(shared, "long");
		assertThat(refused(acquire("a1", 5, "order")).remainingMillis()).isBetween(1L, LEASE);
		assertThat(ownerOf("order")).isEqualTo("short");
		release(shared, "short");
		assertThat(acquire("a1", 5, "order")).isInstanceOf(Granted.class);
	}

	@Test
	void refusalNamesTheReadersWhoseLeaseGoesOn() {
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(shared(shared, "short", 100));
		send(shared(shared, "long", LEASE));
		Awaitility.await().until(() -> inspect("order").holders().size() == 1);
		assertThat(refused(acquire("a1", 5, "order")).blockers()).containsExactly(new Blocker.Readers(List.of("long")));
	}

	@Test
	void releaseOfSeveralNamesFreesThoseOfItsAttempt() {
		acquire("a1", 5, "a", "c");
		acquire("a2", 5, "b");
		assertThat(release("a1", 0, "a", "b", "c")).isEqualTo(new Released(true, 0));
		assertThat(ownerOf("a")).isNull();
		assertThat(ownerOf("b")).isEqualTo("a2");
		assertThat(ownerOf("c")).isNull();
	}

	@Test
	void releaseOfSeveralNamesWithCooldownLetsThemExpire() {
		acquire("a1", 5, "a", "b");
		release("a1", LEASE / 2, "a", "b");
		Refused refused = refused(acquire("a2", 5, "a", "b"));
		assertThat(owners(refused)).containsExactly("Cooldown", "Cooldown");
		assertThat(refused.coolingDown()).isTrue();
		assertThat(refused.remainingMillis()).isBetween(1L, LEASE / 2);
	}

	@Test
	void permitReleasedWithCooldownExpiresAndBelongsToNobody() {
		LockTarget only = LockTarget.permits("order", 1);
		send(permit(only, "p1", 1, null));
		send(new NodeCommand.Release(new CommandHeader(only, new Attempt("p1")), 500));
		Refused refused = refused(send(permit(only, "p2", 1, null)));
		assertThat(owners(refused)).containsExactly("Cooldown");
		assertThat(refused.remainingMillis()).isBetween(1L, 500L);
		Awaitility.await().until(() -> send(permit(only, "p2", 1, null)) instanceof Granted);
	}

	@Test
	void inspectionReturnsOwnerAndFence() {
		assertThat(inspect("order")).isEqualTo(new Inspected(true, List.of(), List.of(), 0));
		acquire("a1", 5, "order");
		Inspected held = inspect("order");
		assertThat(held.holders().get(0).owner()).isEqualTo("a1");
		assertThat(held.holders().get(0).remainingMillis()).isBetween(1L, LEASE);
		assertThat(held.fence()).isEqualTo(5);
		release("a1", 0, "order");
		assertThat(inspect("order")).isEqualTo(new Inspected(true, List.of(), List.of(), 5));
	}

	@Test
	void inspectionReturnsTheGreatestFenceOfThePermits() {
		send(permit("p1", 1, 90L));
		send(permit("p2", 2, 70L));
		assertThat(inspect("order").fence()).isEqualTo(90);
	}

	@Test
	void forcedReleaseFreesTheLockOfAnybody() {
		acquire("a1", 5, "order");
		assertThat(send(forceRelease(0, "a1"))).isEqualTo(new Done(true));
		assertThat(ownerOf("order")).isNull();
	}

	@Test
	void forcedReleaseLeavesTheLockOfWhomTheOperatorHasNotSeen() {
		acquire("app@host:1:7f:12", 5, "order");
		assertThat(send(forceRelease(0, "app@host:1:7f:11"))).isEqualTo(new Done(true));
		assertThat(ownerOf("order")).isEqualTo("app@host:1:7f:12");
	}

	@Test
	void forcedReleaseEndsACooldown() {
		acquire("a1", 5, "order");
		release("a1", 10_000, "order");
		send(forceRelease(0));
		assertThat(inspect("order").holders()).isEmpty();
	}

	@Test
	void requestToLetGoReachesTheInstanceThatHoldsTheName() throws InterruptedException {
		assumeThat(knowsListeners()).isTrue();
		listen();
		acquire("app@host:1:7f:12", 5, "order");
		acquire("app@host:2:7f:12", 5, "other");
		assertThat(send(requestRelease("other"))).isEqualTo(new NodeReply.PassedOn(true, 0));
		assertThat(send(requestRelease("free"))).isEqualTo(new NodeReply.PassedOn(true, 0));
		assertThat(send(requestRelease("order"))).isEqualTo(new NodeReply.PassedOn(true, 1));
		assertThat(this.listener.messages.poll(20, TimeUnit.SECONDS))
			.isEqualTo(new InstanceMessage.ReleaseRequested("asker:1:1", Duration.ofSeconds(3), "app@host:1:7f:12"));
		assertThat(this.listener.messages).isEmpty();
		assertThat(ownerOf("order")).isEqualTo("app@host:1:7f:12");
	}

	@Test
	void readerWhoseLeaseEndedIsNotAskedToLetGo() throws InterruptedException {
		assumeThat(knowsListeners()).isTrue();
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		assertThat(send(ask(shared, "app@host:2:7f:12"))).isInstanceOf(Granted.class);
		CommandHeader soonOver = new CommandHeader(shared, new Attempt("app@host:1:7f:12"));
		assertThat(send(new NodeCommand.Acquire(soonOver, 100, new long[] { 5 }, 1, LEASE, null, 1)))
			.isInstanceOf(Granted.class);
		Awaitility.await().until(() -> inspect("order").holders().size() == 1);
		assertThat(send(requestRelease("order"))).isEqualTo(new NodeReply.PassedOn(true, 0));
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void whoeverIsRefusedAsksForALeaseThatMayBeKept() throws InterruptedException {
		listen();
		acquire("app@host:1:7f:12", 5, "plain");
		acquire("b:1:1", 5, "plain");
		acquire("app@host:1:7f:r13", 5, "order");
		acquire("b:1:2", 5, "free");
		assertThat(this.listener.messages).isEmpty();
		List<NodeCommand> refused = List.of(
				new NodeCommand.Acquire(new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("b:1:3")),
						LEASE, new long[] { 5 }, 1, LEASE, null, 1),
				new NodeCommand.Acquire(new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("b:1:4")),
						LEASE, null, 1, 0, null, 1),
				new NodeCommand.Acquire(
						new CommandHeader(LockTarget.exclusive(List.of("another", "order")), new Attempt("b:1:5")),
						LEASE, null, 1, 0, null, 1),
				ask(LockTarget.shared(List.of("order")), "b:1:6"));
		for (NodeCommand command : refused) {
			assertThat(send(command)).isInstanceOf(Refused.class);
			assertThat(this.listener.messages.poll(20, TimeUnit.SECONDS)).as("%s", command)
				.isEqualTo(new InstanceMessage.LeaseWanted("app@host:1:7f:r13"));
			assertThat(this.listener.messages).isEmpty();
		}
		assertThat(ownerOf("order")).isEqualTo("app@host:1:7f:r13");
	}

	private static NodeCommand requestRelease(String name) {
		return new OperatorCommand.RequestRelease(
				new CommandHeader(LockTarget.exclusive(List.of(name)), new Attempt("asker:1:1")), 3_000);
	}

	@Test
	void readerThatIsReleasedAfterALossKeepsWritersOutForTheRestOfTheDelay() {
		LockTarget shared = LockTarget.shared(List.of("order"));
		assertThat(send(ask(shared, "r1"))).isInstanceOf(Granted.class);
		send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r2")), 5_000));
		assertThat(remaining("order")).isGreaterThan(5_000);
		send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r1")), 5_000));
		assertThat(remaining("order")).isBetween(1L, 5_000L);
		assertThat(acquire("a1", 1, "order")).isInstanceOf(Refused.class);
		assertThat(send(ask(shared, "r3"))).isInstanceOf(Granted.class);
		send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r3")), 0));
		send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r1")), 0));
		assertThat(acquire("a1", 1, "order")).isInstanceOf(Granted.class);
	}

	@Test
	void writerWhoseTurnIntoAReaderWasLostCoolsDownAsAWriter() {
		acquire("a1", 1, "order");
		NodeCommand release = new NodeCommand.Release(
				new CommandHeader(LockTarget.shared(List.of("order")), new Attempt("a1")), 5_000);
		send(release);
		assertThat(refused(acquire("a2", 1, "order")).blockers()).containsExactly(new Blocker.Cooldown());
		long remaining = remaining("order");
		assertThat(remaining).isBetween(1L, 5_000L);
		send(release);
		assertThat(remaining("order")).isLessThanOrEqualTo(remaining);
	}

	private static NodeCommand ask(LockTarget target, String token) {
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), LEASE, null, 1, 0, null, 1);
	}

	@Test
	void namesOfAllKindsAreKeptApart() {
		List<String> names = List.of("a:b", "a b", "{a}", "ü\u0000\n", "a".repeat(1024), "*", "\uD83D\uDD12");
		for (int i = 0; i < names.size(); i++) {
			assertThat(acquire("owner:" + i, 1, names.get(i))).isInstanceOf(Granted.class);
		}
		for (int i = 0; i < names.size(); i++) {
			assertThat(ownerOf(names.get(i))).isEqualTo("owner:" + i);
		}
	}

	@Test
	void stoppedNodeReportsAtOnceAndCanBeStartedAgain() {
		acquire("a1", 5, "order");
		this.node.stop();
		assertThat(this.node.status().isVoting()).isFalse();
		assertThat(acquire("a2", 5, "order")).isInstanceOfSatisfying(Failed.class,
				(failed) -> assertThat(failed.cause()).isEqualTo(Failed.Cause.NOT_SENT));
		this.node.start(this.listener);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> this.node.status().isVoting());
		assertThat(ownerOf("order")).isEqualTo("a1");
	}

	@Test
	void othersCanUseTheNodeWhileAHandlerRuns() {
		CompletableFuture<Boolean> usable = new CompletableFuture<>();
		this.node.submit(new OperatorCommand.Inspect("order"), 0, (slot, reply) -> usable.complete(isUsableByOthers()));
		assertThat(usable.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
	}

	/**
	 * Without the flush, each would wait for what the node sends by itself now and then.
	 */
	@Test
	void flushSendsWhatIsQueued() {
		Instant begin = Instant.now();
		for (int i = 0; i < 20; i++) {
			CompletableFuture<NodeReply> reply = new CompletableFuture<>();
			this.node.enqueue(new OperatorCommand.Inspect("order"), 0, (slot, received) -> reply.complete(received));
			this.node.flush();
			assertThat(reply.orTimeout(20, TimeUnit.SECONDS).join()).isInstanceOf(NodeReply.Inspected.class);
		}
		assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofMillis(2_500));
	}

	@Test
	void othersCanUseAStoppedNodeWhileAHandlerRuns() {
		this.node.stop();
		CompletableFuture<Boolean> usable = new CompletableFuture<>();
		this.node.submit(new OperatorCommand.Inspect("order"), 0, (slot, reply) -> usable.complete(isUsableByOthers()));
		assertThat(usable.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
	}

	@Test
	void othersCanUseTheNodeWhileAListenerRuns() throws InterruptedException {
		CompletableFuture<Boolean> usable = new CompletableFuture<>();
		listen();
		acquire(INSTANCE + ":1", 5, "order");
		this.listener.onMessage = () -> usable.complete(isUsableByOthers());
		send(requestRelease("order"));
		assertThat(usable.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
	}

	private boolean isUsableByOthers() {
		Thread other = new Thread(() -> {
			this.node.status();
			this.node.listen(INSTANCE);
			this.node.enqueue(new OperatorCommand.Inspect("other"), 0, (slot, reply) -> {
			});
			this.node.flush();
		});
		other.start();
		try {
			other.join(5_000);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return !other.isAlive();
	}

}
