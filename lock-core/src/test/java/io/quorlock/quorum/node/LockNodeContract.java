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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
public abstract class LockNodeContract {

	private static final long LEASE = 20_000;

	private static final long FENCE_LIFE = 60_000;

	private static final String INSTANCE = "app@host:1:7f";

	private final RecordingListener listener = new RecordingListener();

	private LockNode node;

	/**
	 * Creates a node that is not started, in front of an empty store.
	 * @return the node
	 */
	protected abstract LockNode createNode();

	@BeforeEach
	void startNode() {
		this.node = createNode();
		this.node.start(this.listener);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.node.status().isVoting() && !this.listener.connected.isEmpty());
	}

	@AfterEach
	void stopNode() throws Exception {
		this.node.stop();
		closeStore();
	}

	/**
	 * Closes what the node needed, after it was stopped.
	 * @throws Exception if that fails
	 */
	protected void closeStore() throws Exception {
	}

	/**
	 * Returns whether the node knows if an instance listens to its channel.
	 * @return whether a release request says so
	 */
	protected boolean knowsListeners() {
		return true;
	}

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

	private static NodeCommand read(String token, long proposed) {
		return new NodeCommand.Acquire(new CommandHeader(LockTarget.shared(List.of("order")), new Attempt(token)),
				LEASE, new long[] { proposed }, 16, FENCE_LIFE, null, 1);
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

	/**
	 * Tickets of an instance that listens stand; others go as soon as they are offered
	 * something.
	 */
	private static Ticket ticket(LockTarget target, long stamp, String claim) {
		return Ticket.of(stamp, target, 200, INSTANCE + ":" + claim).living(LEASE);
	}

	private static NodeCommand queued(LockTarget permits, long stamp, String token) {
		return new NodeCommand.Acquire(new CommandHeader(permits, new Attempt(token)), LEASE, null, 1, 0,
				ticket(permits, stamp, token), 1);
	}

	@Test
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

	private static void assertGranted(NodeReply reply, int permit, @Nullable Long fence) {
		assertThat(reply).isInstanceOfSatisfying(Granted.class, (granted) -> {
			assertThat(granted.permit()).isEqualTo(permit);
			assertThat(granted.fences()).isEqualTo((fence != null) ? new long[] { fence } : null);
		});
	}

	private static NodeCommand permit(String token, int hint, @Nullable Long proposed) {
		return permit(LockTarget.permits("order", 2), token, hint, proposed);
	}

	private static NodeCommand permit(LockTarget target, String token, int hint, @Nullable Long proposed) {
		long[] fences = (proposed != null) ? new long[] { proposed } : null;
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), LEASE, fences, 16, FENCE_LIFE,
				null, hint);
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

	private static NodeCommand raise(LockTarget target, String token, long fence) {
		return new NodeCommand.Raise(new CommandHeader(target, new Attempt(token)), new long[] { fence, fence },
				FENCE_LIFE, 0);
	}

	private static NodeCommand shared(LockTarget target, String token, long lease) {
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), lease, null, 1, 0, null, 1);
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

	@Test
	void renewalOfAReaderTouchesNoWritersLock() {
		acquire("a1", 5, "a");
		LockTarget shared = LockTarget.shared(List.of("a", "b"));
		Refused refused = refused(send(
				new NodeCommand.Renew(new CommandHeader(shared, new Attempt("r1")), 2 * LEASE, false, null, 0, 0)));
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

	private static NodeCommand renewal(LockTarget target, String token, long lease, boolean shorten,
			@Nullable Long fence) {
		return new NodeCommand.Renew(new CommandHeader(target, new Attempt(token)), lease, shorten,
				(fence != null) ? new long[] { fence } : null, (fence != null) ? FENCE_LIFE : 0, 0);
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
		assertThat(send(new OperatorCommand.ForceRelease("order"))).isEqualTo(new Done(true));
		assertThat(ownerOf("order")).isNull();
	}

	private void listen() throws InterruptedException {
		this.node.listen(INSTANCE);
		this.node.flush();
		assertThat(this.listener.listening.poll(20, TimeUnit.SECONDS)).isNotNull();
	}

	private InstanceMessage message() throws InterruptedException {
		InstanceMessage message = this.listener.messages.poll(20, TimeUnit.SECONDS);
		assertThat(message).isNotNull();
		return message;
	}

	/** In any order: some drivers receive messages on several threads. */
	private void assertMessages(InstanceMessage first, InstanceMessage second) throws InterruptedException {
		assertThat(List.of(message(), message())).containsExactlyInAnyOrder(first, second);
	}

	private static NodeCommand claim(LockTarget target, Ticket ticket) {
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(ticket.text())), LEASE, null, 1, 0, ticket,
				1);
	}

	private static InstanceMessage offer(Ticket ticket, String name) {
		return new InstanceMessage.Offer(ticket.text(), name);
	}

	// ---- the queue

	@Test
	void releaseOffersTheNameToTheFirstAndTellsTheNext() throws InterruptedException {
		listen();
		acquire("a1", 5, "order");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		Ticket second = ticket(order, 2, "second");
		Ticket first = ticket(order, 1, "first");
		assertThat(refused(send(claim(order, second))).rank()).isZero();
		assertThat(refused(send(claim(order, first))).rank()).isBetween(0, 1);
		assertThat(refused(send(claim(order, first))).rank()).isZero();
		assertThat(refused(send(claim(order, second))).rank()).isEqualTo(1);
		assertThat(inspect("order").waiters()).containsExactlyInAnyOrder(first.text(), second.text());
		assertThat(release("a1", 0, "order")).isEqualTo(new Released(true, 2));
		assertMessages(offer(first, "order"), new InstanceMessage.Next(second.text(), "order"));
		// The name is kept for the first.
		assertThat(refused(acquire("a2", 5, "order")).blockers()).containsExactly(new Blocker.Waiting(first.text()));
		assertThat(refused(send(claim(order, second))).blockers()).containsExactly(new Blocker.Waiting(first.text()));
		assertThat(send(claim(order, first))).isInstanceOf(Granted.class);
		assertThat(inspect("order").waiters()).containsExactly(second.text());
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void ticketThatIsOfferedANameAndDoesNotComeIsDropped() throws InterruptedException {
		listen();
		acquire("a1", 5, "order");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		send(claim(order, ticket(order, 1, "dead")));
		release("a1", 0, "order");
		assertThat(acquire("a2", 5, "order")).isInstanceOf(Refused.class);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> acquire("a3", 5, "order") instanceof Granted);
	}

	@Test
	void nameThatIsFreedOnceMoreIsOfferedOnceMore() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = Ticket.of(2, order, LEASE, INSTANCE + ":first").living(LEASE);
		send(claim(order, first));
		release("a1", 0, "order");
		assertThat(message()).isEqualTo(offer(first, "order"));
		Ticket older = ticket(order, 1, "older");
		assertThat(send(claim(order, older))).isInstanceOf(Granted.class);
		assertThat(this.listener.messages).isEmpty();
		release(older.text(), 0, "order");
		assertThat(message()).isEqualTo(offer(first, "order"));
	}

	@Test
	void ticketOfAnInstanceThatDoesNotListenIsSkipped() throws InterruptedException {
		assumeThat(knowsListeners()).isTrue();
		listen();
		acquire("a1", 5, "order");
		LockTarget order = LockTarget.exclusive(List.of("order"));
		for (int i = 1; i <= 3; i++) {
			send(claim(order, Ticket.of(i, order, 200, "gone@host:1:7f:" + i).living(LEASE)));
		}
		Ticket live = ticket(order, 4, "live");
		send(claim(order, live));
		release("a1", 0, "order");
		assertThat(message()).isEqualTo(offer(live, "order"));
		assertThat(inspect("order").waiters()).containsExactly(live.text());
	}

	@Test
	void refusalByATicketOffersTheNameToThatTicketOnce() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		send(new NodeCommand.Acquire(new CommandHeader(order, new Attempt("a1")), 300, null, 1, 0, null, 1));
		Ticket first = ticket(order, 1, "first");
		send(claim(order, first));
		awaitFree("order"); // its lease ended, so that nobody has released it
		assertThat(this.listener.messages).isEmpty();
		for (int i = 0; i < 3; i++) {
			assertThat(refused(acquire("a2", 5, "order")).blockers())
				.containsExactly(new Blocker.Waiting(first.text()));
		}
		assertThat(message()).isEqualTo(offer(first, "order"));
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void releaseWritesTheTicketThatItBringsDownBeforeItOffersTheName() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket later = ticket(order, 2, "later");
		send(claim(order, later));
		Ticket next = ticket(order, 1, "next");
		assertThat(send(new NodeCommand.Release(new CommandHeader(order, new Attempt("a1")), 0, next, false)))
			.isEqualTo(new Released(true, 2));
		assertMessages(offer(next, "order"), new InstanceMessage.Next(later.text(), "order"));
	}

	@Test
	void releaseOfAReaderCountsTheTicketThatItBringsDown() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(read("r1", 5));
		Ticket writer = ticket(LockTarget.exclusive(List.of("order")), 1, "writer");
		send(claim(LockTarget.exclusive(List.of("order")), writer));
		Ticket next = ticket(shared, 2, "next");
		assertThat(send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r1")), 0, next, false)))
			.isEqualTo(new Released(true, 2));
		assertThat(inspect("order").waiters()).containsExactlyInAnyOrder(writer.text(), next.text());
	}

	@Test
	void roundThatFailedIsNotOfferedWhatItFreedItself() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		Ticket own = ticket(order, 2, "own");
		acquire("a1", 5, "order");
		send(new NodeCommand.Release(new CommandHeader(order, new Attempt("a1")), 0, own, true));
		assertThat(inspect("order").waiters()).containsExactly(own.text());
		assertThat(this.listener.messages).isEmpty();
		assertThat(send(claim(order, own))).isInstanceOf(Granted.class);
		Ticket older = ticket(order, 1, "older");
		send(claim(order, older));
		send(new NodeCommand.Release(new CommandHeader(order, new Attempt(own.text())), 0, own, true));
		assertMessages(offer(older, "order"), new InstanceMessage.Next(own.text(), "order"));
	}

	@Test
	void claimForSeveralNamesReservesNoneWhileAnotherIsHeld() throws InterruptedException {
		listen();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		LockTarget only = LockTarget.exclusive(List.of("a"));
		acquire("a1", 5, "b");
		acquire("a2", 5, "a");
		Ticket older = ticket(both, 1, "both");
		Ticket younger = ticket(only, 2, "only");
		send(claim(both, older));
		send(claim(only, younger));
		release("a2", 0, "a");
		assertMessages(offer(older, "a"), new InstanceMessage.Next(younger.text(), "a"));
		assertThat(send(claim(both, older))).isInstanceOf(Refused.class);
		assertThat(message()).isEqualTo(offer(younger, "a"));
		assertThat(send(claim(only, younger))).isInstanceOf(Granted.class);
		release("a1", 0, "b");
		assertThat(message()).isEqualTo(offer(older, "b"));
	}

	@Test
	void roundForSeveralNamesStandsInTheQueuesOfThoseThatAreTaken() throws InterruptedException {
		listen();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		acquire("a1", 5, "b");
		Ticket ticket = ticket(both, 1, "both");
		send(new NodeCommand.Release(new CommandHeader(both, new Attempt("a2")), 0, ticket, true));
		assertThat(inspect("a").waiters()).isEmpty();
		assertThat(inspect("b").waiters()).containsExactly(ticket.text());
	}

	@Test
	void permitsThatAreFreedTogetherAreOfferedToAsManyTickets() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, null));
		send(permit("p2", 2, null));
		List<Ticket> tickets = List.of(ticket(two, 1, "t1"), ticket(two, 2, "t2"), ticket(two, 3, "t3"));
		tickets.forEach((ticket) -> send(claim(two, ticket)));
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p1")), 0));
		assertMessages(offer(tickets.get(0), "order"), new InstanceMessage.Next(tickets.get(1).text(), "order"));
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p2")), 0));
		assertMessages(offer(tickets.get(1), "order"), new InstanceMessage.Next(tickets.get(2).text(), "order"));
		send(new NodeCommand.Withdraw(new CommandHeader(two, new Attempt("t1")), tickets.get(0).text()));
		assertThat(message()).isEqualTo(offer(tickets.get(2), "order"));
	}

	@Test
	void readersInFrontOfAWriterAreOfferedTheNameTogether() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = ticket(shared, 1, "r1");
		Ticket second = ticket(shared, 2, "r2");
		Ticket writer = ticket(exclusive, 3, "w");
		Ticket behind = ticket(shared, 4, "r3");
		List.of(first, second, behind).forEach((ticket) -> send(claim(shared, ticket)));
		send(claim(exclusive, writer));
		release("a1", 0, "order");
		assertThat(List.of(message(), message(), message())).containsExactlyInAnyOrder(offer(first, "order"),
				offer(second, "order"), new InstanceMessage.Next(writer.text(), "order"));
		assertThat(send(claim(shared, second))).isInstanceOf(Granted.class);
		assertThat(refused(send(claim(shared, behind))).blockers()).containsExactly(new Blocker.Waiting(writer.text()));
		assertThat(message()).isEqualTo(offer(writer, "order")); // is it still there?
		send(new NodeCommand.Withdraw(new CommandHeader(exclusive, new Attempt("w")), writer.text()));
		assertThat(message()).isEqualTo(offer(behind, "order"));
	}

	@Test
	void readerWhoseClockIsFarAheadKeepsItsPlaceInFrontOfAWriter() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		long ahead = 9_000_000_000_000_000L;
		Ticket reader = ticket(shared, ahead, "r1");
		send(claim(shared, reader));
		send(claim(exclusive, ticket(exclusive, ahead + 1, "w")));
		release("a1", 0, "order");
		Thread.sleep(10); // the clock of the node moves on, and the limit with it
		assertThat(send(claim(shared, reader))).isInstanceOf(Granted.class);
	}

	@Test
	void writerThatBecomesAReaderLetsOtherReadersIn() throws InterruptedException {
		listen();
		acquire("a1", 5, "order");
		LockTarget shared = LockTarget.shared(List.of("order"));
		Ticket reader = ticket(shared, 1, "r1");
		send(claim(shared, reader));
		send(new NodeCommand.Renew(new CommandHeader(shared, new Attempt("a1")), LEASE, false, null, 0, 0));
		assertThat(message()).isEqualTo(offer(reader, "order"));
	}

	@Test
	void forcedReleaseForgetsTheReaders() {
		send(read("r1", 5));
		send(new OperatorCommand.ForceRelease("order"));
		send(read("r2", 5));
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::owner).containsExactly("r2");
	}

	@Test
	void forcedReleaseNotifiesTheHolderAndOffersTheName() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire(INSTANCE + ":5", 5, "order");
		Ticket waiting = ticket(order, 1, "waiting");
		send(claim(order, waiting));
		send(new OperatorCommand.ForceRelease("order"));
		assertMessages(new InstanceMessage.Forced(INSTANCE + ":5"), offer(waiting, "order"));
	}

	@Test
	void grantToATicketStoresTheFencesAndTakesTheTicketAway() throws InterruptedException {
		listen();
		for (LockTarget target : List.of(LockTarget.exclusive(List.of("a")), LockTarget.exclusive(List.of("b", "c")),
				LockTarget.shared(List.of("d")), LockTarget.shared(List.of("e", "f")))) {
			String[] names = target.names().toArray(String[]::new);
			acquire("a1", 5, names);
			NodeCommand claim = fencedClaim(target, 50);
			assertThat(send(claim)).isInstanceOf(Refused.class);
			assertThat(target.names()).allSatisfy((name) -> assertThat(inspect(name).waiters()).hasSize(1));
			release("a1", 0, names);
			assertThat(send(claim)).isInstanceOf(Granted.class);
			assertThat(target.names()).allSatisfy((name) -> {
				assertThat(inspect(name).waiters()).isEmpty();
				assertThat(inspect(name).fence()).isEqualTo(50);
			});
		}
	}

	private static NodeCommand fencedClaim(LockTarget target, long proposed) {
		long[] fences = new long[target.names().size()];
		Arrays.fill(fences, proposed);
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt("claim")), LEASE, fences, 1, FENCE_LIFE,
				ticket(target, 1, "claim"), 1);
	}

	@Test
	void permitGrantedToATicketTakesTheTicketAway() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, 5L));
		send(permit("p2", 2, 5L));
		NodeCommand claim = fencedClaim(two, 50);
		assertThat(send(claim)).isInstanceOf(Refused.class);
		assertThat(inspect("order").waiters()).hasSize(1);
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p2")), 0));
		assertGranted(send(claim), 2, 50L);
		assertThat(inspect("order").waiters()).isEmpty();
	}

	@Test
	void refusalOfPermitsSaysWhenTheFirstOfThemEnds() {
		LockTarget two = LockTarget.permits("order", 2);
		for (int first : List.of(1, 2)) {
			send(new NodeCommand.Acquire(new CommandHeader(two, new Attempt("p1")), 2 * LEASE, null, 1, 0, null,
					first));
			send(permit("p2", 3 - first, null));
			assertThat(refused(send(permit("p3", 1, null))).remainingMillis()).isBetween(1L, LEASE);
			send(new OperatorCommand.ForceRelease("order"));
		}
	}

	@Test
	void permitThatIsFreeButForAnOlderTicketIsOfferedToIt() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(new NodeCommand.Acquire(new CommandHeader(two, new Attempt("p1")), 300, null, 1, 0, null, 1));
		send(permit("p2", 2, null));
		Ticket older = ticket(two, 1, "older");
		send(claim(two, older));
		// Its lease ended, so that nobody has released it.
		Awaitility.await().until(() -> inspect("order").holders().size() == 1);
		assertThat(this.listener.messages).isEmpty();
		assertThat(refused(send(claim(two, ticket(two, 2, "later")))).blockers())
			.contains(new Blocker.Waiting(older.text()));
		assertThat(message()).isEqualTo(offer(older, "order"));
	}

	@Test
	void readerThatIsGrantedLetsTheNextReadersIn() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		send(new NodeCommand.Acquire(new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("a1")), 300,
				null, 1, 0, null, 1));
		Ticket first = ticket(shared, 1, "r1");
		Ticket second = ticket(shared, 2, "r2");
		send(claim(shared, first));
		send(claim(shared, second));
		awaitFree("order"); // its lease ended, so that nobody has released it
		assertThat(this.listener.messages).isEmpty();
		assertThat(send(claim(shared, first))).isInstanceOf(Granted.class);
		assertThat(message()).isEqualTo(offer(second, "order"));
	}

	@Test
	void ticketBehindADeadOneIsSeen() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		send(new NodeCommand.Acquire(new CommandHeader(order, new Attempt("a1")), 300, null, 1, 0, null, 1));
		send(claim(order, ticket(order, 1, "dead").living(100)));
		Ticket live = ticket(order, 2, "live");
		send(claim(order, live));
		awaitFree("order");
		assertThat(refused(acquire("a2", 5, "order")).blockers()).containsExactly(new Blocker.Waiting(live.text()));
		assertThat(inspect("order").waiters()).containsExactly(live.text());
	}

	@Test
	void releaseOfSeveralNamesCountsAndOffersEachQueue() throws InterruptedException {
		listen();
		acquire("a1", 5, "a", "b");
		Ticket first = ticket(LockTarget.exclusive(List.of("a")), 1, "first");
		Ticket second = ticket(LockTarget.exclusive(List.of("b")), 2, "second");
		send(claim(LockTarget.exclusive(List.of("a")), first));
		send(claim(LockTarget.exclusive(List.of("b")), second));
		assertThat(release("a2", 0, "a", "b")).isEqualTo(new Released(true, 2));
		assertThat(this.listener.messages).isEmpty();
		assertThat(release("a1", 0, "a", "b")).isEqualTo(new Released(true, 2));
		assertMessages(offer(first, "a"), offer(second, "b"));
	}

	@Test
	void lastReaderToLeaveOffersTheName() throws InterruptedException {
		listen();
		LockTarget shared = LockTarget.shared(List.of("order"));
		LockTarget exclusive = LockTarget.exclusive(List.of("order"));
		send(shared(shared, "r1", LEASE));
		send(shared(shared, "r2", LEASE));
		Ticket writer = ticket(exclusive, 1, "writer");
		send(claim(exclusive, writer));
		assertThat(release(shared, "r1")).isEqualTo(new Released(true, 1));
		assertThat(this.listener.messages).isEmpty();
		assertThat(release(shared, "r2")).isEqualTo(new Released(true, 1));
		assertThat(message()).isEqualTo(offer(writer, "order"));
	}

	@Test
	void releaseOfAPermitWritesTheTicketThatItBringsDown() throws InterruptedException {
		listen();
		LockTarget two = LockTarget.permits("order", 2);
		send(permit(two, "p1", 1, null));
		send(permit(two, "p2", 2, null));
		Ticket next = ticket(two, 1, "next");
		send(new NodeCommand.Release(new CommandHeader(two, new Attempt("p1")), 0, next, false));
		assertThat(message()).isEqualTo(offer(next, "order"));
		assertThat(inspect("order").waiters()).containsExactly(next.text());
	}

	@Test
	void ticketThatIsWithdrawnWhileTheNameIsHeldOffersItToNobody() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		Ticket first = ticket(order, 1, "first");
		Ticket second = ticket(order, 2, "second");
		send(claim(order, first));
		send(claim(order, second));
		send(new NodeCommand.Withdraw(new CommandHeader(order, new Attempt("first")), first.text()));
		assertThat(inspect("order").waiters()).containsExactly(second.text());
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void claimThatDoesNotWaitIsToldHowManyDo() throws InterruptedException {
		listen();
		LockTarget order = LockTarget.exclusive(List.of("order"));
		acquire("a1", 5, "order");
		assertThat(refused(acquire("a2", 5, "order")).rank()).isZero();
		send(claim(order, ticket(order, 1, "first")));
		send(claim(order, ticket(order, 2, "second")));
		assertThat(refused(acquire("a2", 5, "order")).rank()).isEqualTo(2);
		assertThat(refused(acquire("a2", 5, "order", "other")).rank()).isEqualTo(2);
	}

	@Test
	void forcedReleaseOfOnePermitLeavesTheOthers() {
		LockTarget two = LockTarget.permits("order", 2);
		send(permit("p1", 1, null));
		send(permit("p2", 2, null));
		assertThat(send(new OperatorCommand.ForceRelease(new CommandHeader(two, new Attempt("")), 2)))
			.isEqualTo(new Done(true));
		assertThat(inspect("order").holders()).extracting(Inspected.Holder::owner).containsExactly("p1");
	}

	// ---- requests

	@Test
	void requestToLetGoReachesTheInstanceThatHoldsTheName() throws InterruptedException {
		assumeThat(knowsListeners()).isTrue();
		listen();
		acquire("app@host:1:7f:12", 5, "order");
		acquire("app@host:2:7f:12", 5, "other");
		assertThat(send(requestRelease("other"))).isEqualTo(new NodeReply.PassedOn(true, 0));
		assertThat(send(requestRelease("free"))).isEqualTo(new NodeReply.PassedOn(true, 0));
		send(requestRelease("order"));
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

	// ---- a driver holds no lock of its own while it calls back

	@Test
	void othersCanUseTheNodeWhileAHandlerRuns() {
		CompletableFuture<Boolean> usable = new CompletableFuture<>();
		this.node.submit(new OperatorCommand.Inspect("order"), 0, (slot, reply) -> usable.complete(isUsableByOthers()));
		assertThat(usable.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
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

	private NodeReply acquire(String token, long proposed, String... names) {
		long[] fences = new long[names.length];
		Arrays.fill(fences, proposed);
		return send(new NodeCommand.Acquire(List.of(names), new Attempt(token), LEASE, fences, 1, FENCE_LIFE));
	}

	private NodeReply renew(String token, long lease, boolean shorten, String... names) {
		return send(TestCommands.renew(List.of(names), new Attempt(token), lease, shorten, null, 0));
	}

	private NodeReply raise(String token, long fence) {
		return send(TestCommands.raise(List.of("order"), new Attempt(token), new long[] { fence }, FENCE_LIFE));
	}

	private NodeReply release(String token, long cooldown, String... names) {
		return send(new NodeCommand.Release(List.of(names), new Attempt(token), cooldown));
	}

	private NodeReply release(LockTarget target, String token) {
		return send(new NodeCommand.Release(new CommandHeader(target, new Attempt(token)), 0));
	}

	private static long @Nullable [] votes(NodeReply reply) {
		return ((Granted) reply).fences();
	}

	private static List<@Nullable String> owners(Refused refused) {
		List<@Nullable String> owners = new ArrayList<>();
		refused.blockers()
			.forEach((blocker) -> owners.add((blocker instanceof Blocker.Owner owner) ? owner.token()
					: (blocker != null) ? blocker.getClass().getSimpleName() : null));
		return owners;
	}

	private static Refused refused(NodeReply reply) {
		return (Refused) reply;
	}

	private Inspected inspect(String name) {
		return (Inspected) send(new OperatorCommand.Inspect(name));
	}

	private @Nullable String ownerOf(String name) {
		List<Inspected.Holder> holders = inspect(name).holders();
		return holders.isEmpty() ? null : holders.get(0).owner();
	}

	private long remaining(String name) {
		return inspect(name).holders().get(0).remainingMillis();
	}

	private void awaitFree(String name) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> inspect(name).holders().isEmpty());
	}

	private NodeReply send(NodeCommand command) {
		CompletableFuture<NodeReply> future = new CompletableFuture<>();
		this.node.submit(command, 3, (slot, reply) -> {
			if (slot != 3 || !future.complete(reply)) {
				throw new IllegalStateException("A second or misdirected reply: " + reply);
			}
		});
		return future.orTimeout(20, TimeUnit.SECONDS).join();
	}

	private static final class RecordingListener implements NodeListener {

		private final LinkedBlockingQueue<LockNode> connected = new LinkedBlockingQueue<>();

		private final LinkedBlockingQueue<InstanceMessage> messages = new LinkedBlockingQueue<>();

		private final LinkedBlockingQueue<LockNode> listening = new LinkedBlockingQueue<>();

		private volatile Runnable onMessage = () -> {
		};

		@Override
		public void onConnected(LockNode node) {
			this.connected.add(node);
		}

		@Override
		public void onMessage(LockNode node, InstanceMessage message) {
			this.messages.add(message);
			this.onMessage.run();
		}

		@Override
		public void onListening(LockNode node) {
			this.listening.add(node);
		}

	}

}
