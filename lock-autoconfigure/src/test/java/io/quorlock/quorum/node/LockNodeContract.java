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

/**
 * What every node must do, whatever it is made of.
 */
public abstract class LockNodeContract {

	private static final long LEASE = 20_000;

	private static final long FENCE_LIFE = 60_000;

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
				LEASE, new long[] { proposed }, 16, FENCE_LIFE, Ticket.of(1, true, token, Ticket.Registration.NEVER, 0),
				1);
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
	void olderTicketsKeepAsManyPermitsFree() {
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
		assertGranted(send(queued(three, 2, "c")), 2, null); // the other is left for the
																// older
		assertThat(owners(refused(send(queued(three, 3, "d"))))).hasSize(3);
		assertGranted(send(older), 3, null);
	}

	private static NodeCommand queued(LockTarget permits, long stamp, String token) {
		return new NodeCommand.Acquire(new CommandHeader(permits, new Attempt(token)), LEASE, null, 1, 0,
				Ticket.of(stamp, false, token, Ticket.Registration.WHEN_REFUSED, LEASE), 1);
	}

	@Test
	void thousandPermitsAreHeldAndTheNextIsRefused() {
		LockTarget many = LockTarget.permits("order", 1_000);
		for (int i = 1; i <= 1_000; i++) {
			assertGranted(send(permit(many, "p" + i, i, null)), i, null);
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
				Ticket.of(1, false, token, Ticket.Registration.NEVER, 0), hint);
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
	void forcedReleaseFreesTheLockOfAnybody() {
		acquire("a1", 5, "order");
		assertThat(send(new OperatorCommand.ForceRelease(List.of("order")))).isEqualTo(new Done(true));
		assertThat(ownerOf("order")).isNull();
	}

	@Test
	void releaseIsAnnouncedToWatchers() throws InterruptedException {
		this.node.watch("order");
		this.node.watch("order");
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo("order");
		acquire("a1", 5, "order");
		acquire("b1", 5, "other");
		release("b1", 0, "other");
		release("a1", 0, "order");
		assertThat(this.listener.released.poll(20, TimeUnit.SECONDS)).isEqualTo("order");
		assertThat(this.listener.released).isEmpty();
	}

	@Test
	void requestToLetGoReachesTheInstanceThatHoldsTheName() throws InterruptedException {
		String instance = LockNode.INSTANCE + "app@host:1:7f";
		this.node.watch(instance);
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo(instance);
		acquire("app@host:1:7f:12", 5, "order");
		acquire("app@host:2:7f:12", 5, "other");
		assertThat(send(requestRelease("other"))).isEqualTo(new Released(true, 0));
		assertThat(send(requestRelease("free"))).isEqualTo(new Released(true, 0));
		send(requestRelease("order"));
		assertThat(this.listener.messages.poll(20, TimeUnit.SECONDS)).isEqualTo(
				new InstanceMessage.ReleaseRequested("asker:1:1", Duration.ofSeconds(3), List.of("app@host:1:7f:12")));
		assertThat(this.listener.messages).isEmpty();
		assertThat(ownerOf("order")).isEqualTo("app@host:1:7f:12");
	}

	@Test
	void readerWhoseLeaseEndedIsNotAskedToLetGo() throws InterruptedException {
		String instance = LockNode.INSTANCE + "app@host:1:7f";
		this.node.watch(instance);
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo(instance);
		LockTarget shared = LockTarget.shared(List.of("order"));
		assertThat(send(ask(shared, "app@host:2:7f:12", 5))).isInstanceOf(Granted.class);
		CommandHeader soonOver = new CommandHeader(shared, new Attempt("app@host:1:7f:12"));
		assertThat(send(new NodeCommand.Acquire(soonOver, 100, new long[] { 5 }, 1, LEASE, null, 1)))
			.isInstanceOf(Granted.class);
		Awaitility.await().until(() -> inspect("order").holders().size() == 1);
		assertThat(send(requestRelease("order"))).isEqualTo(new Released(true, 0));
		assertThat(this.listener.messages).isEmpty();
	}

	@Test
	void whoeverIsRefusedAsksForALeaseThatMayBeKept() throws InterruptedException {
		String instance = LockNode.INSTANCE + "app@host:1:7f";
		this.node.watch(instance);
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo(instance);
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
				ask(LockTarget.shared(List.of("order")), "b:1:6", 9));
		for (NodeCommand command : refused) {
			assertThat(send(command)).isInstanceOf(Refused.class);
			assertThat(this.listener.messages.poll(20, TimeUnit.SECONDS)).as("%s", command)
				.isEqualTo(new InstanceMessage.LeaseWanted(List.of("app@host:1:7f:r13")));
			assertThat(this.listener.messages).isEmpty();
		}
		assertThat(ownerOf("order")).isEqualTo("app@host:1:7f:r13");
	}

	private static NodeCommand requestRelease(String name) {
		return new OperatorCommand.RequestRelease(
				new CommandHeader(LockTarget.exclusive(List.of(name)), new Attempt("asker:1:1")), 3_000);
	}

	@Test
	void ticketThatIsWithdrawnIsAnnouncedToReadersBehindIt() throws InterruptedException {
		this.node.watch("order");
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo("order");
		LockTarget shared = LockTarget.shared(List.of("order"));
		Ticket writer = Ticket.of(5, false, "a:1:2", Ticket.Registration.WHEN_REFUSED, LEASE);
		assertThat(send(ask(shared, "r1", 3))).isInstanceOf(Granted.class);
		Refused behindReader = refused(send(
				new NodeCommand.Acquire(new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("a1")),
						LEASE, null, 1, 0, writer, 1)));
		assertThat(behindReader.blockers()).containsExactly(new Blocker.Readers(List.of("r1")));
		Refused behindTicket = refused(send(ask(shared, "r2", 9)));
		assertThat(behindTicket.blockers()).containsExactly(new Blocker.Waiting(writer.text()));
		send(new NodeCommand.Withdraw(new CommandHeader(shared, new Attempt("")), writer.text()));
		assertThat(this.listener.released.poll(20, TimeUnit.SECONDS)).isEqualTo("order");
		assertThat(send(ask(shared, "r2", 9))).isInstanceOf(Granted.class);
	}

	@Test
	void readerThatIsReleasedAfterALossKeepsWritersOutForTheRestOfTheDelay() {
		LockTarget shared = LockTarget.shared(List.of("order"));
		assertThat(send(ask(shared, "r1", 3))).isInstanceOf(Granted.class);
		send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r2")), 5_000));
		assertThat(remaining("order")).isGreaterThan(5_000);
		send(new NodeCommand.Release(new CommandHeader(shared, new Attempt("r1")), 5_000));
		assertThat(remaining("order")).isBetween(1L, 5_000L);
		assertThat(acquire("a1", 1, "order")).isInstanceOf(Refused.class);
		assertThat(send(ask(shared, "r3", 3))).isInstanceOf(Granted.class);
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

	private static NodeCommand ask(LockTarget target, String token, long stamp) {
		Ticket ticket = Ticket.of(stamp, true, token, Ticket.Registration.NEVER, 0);
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), LEASE, null, 1, 0, ticket, 1);
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
		this.node.watch("order");
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo("order");
		acquire("a1", 5, "order");
		this.listener.onRelease = () -> usable.complete(isUsableByOthers());
		release("a1", 0, "order");
		assertThat(usable.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
	}

	private boolean isUsableByOthers() {
		Thread other = new Thread(() -> {
			this.node.status();
			this.node.watch("other");
			this.node.enqueue(new OperatorCommand.Inspect("other"), 0, (slot, reply) -> {
			});
			this.node.unwatch("other");
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

		private final LinkedBlockingQueue<String> released = new LinkedBlockingQueue<>();

		private final LinkedBlockingQueue<InstanceMessage> messages = new LinkedBlockingQueue<>();

		private final LinkedBlockingQueue<String> watching = new LinkedBlockingQueue<>();

		private volatile Runnable onRelease = () -> {
		};

		@Override
		public void onConnected(LockNode node) {
			this.connected.add(node);
		}

		@Override
		public void onReleased(LockNode node, String name, String first) {
			this.released.add(name);
			this.onRelease.run();
		}

		@Override
		public void onInstanceMessage(LockNode node, InstanceMessage message) {
			this.messages.add(message);
		}

		@Override
		public void onWatching(LockNode node, String name) {
			this.watching.add(name);
		}

	}

}
