package io.quorlock.quorum.node;

import java.time.Duration;
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

import io.quorlock.quorum.node.NodeReply.Outcome;

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
			.until(() -> this.node.status().isCounted() && !this.listener.connected.isEmpty());
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
		assertThat(reply.outcome()).isEqualTo(Outcome.OK);
		assertThat(reply.counted()).isTrue();
		assertThat(reply.fences()).containsExactly(5);
	}

	@Test
	void heldLockIsRefusedWithItsHolder() {
		acquire("a1", 5, "order");
		NodeReply reply = acquire("a2", 9, "order");
		assertThat(reply.outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(reply.owner()).isEqualTo("a1");
		assertThat(reply.remainingMillis()).isBetween(1L, LEASE);
		assertThat(reply.fences()).containsExactly(5);
	}

	@Test
	void voteIsAboveWhatIsStoredAndAtLeastWhatIsProposed() {
		acquire("a1", 5, "order");
		release("a1", 0, "order");
		assertThat(
				send(new NodeCommand.Acquire(keys("order"), new Attempt("a2"), LEASE, new long[] { 1 }, 16, FENCE_LIFE))
					.fences())
			.containsExactly(21);
		release("a2", 0, "order");
		assertThat(acquire("a3", 1_795_000_000_000_000L, "order").fences()).containsExactly(1_795_000_000_000_000L);
		release("a3", 0, "order");
		assertThat(acquire("a4", 1, "order").fences()).containsExactly(1_795_000_000_000_001L);
	}

	@Test
	void withoutFencingNothingIsVotedFor() {
		NodeReply granted = send(new NodeCommand.Acquire(keys("order"), new Attempt("a1"), LEASE, null, 1, 0));
		assertThat(granted.outcome()).isEqualTo(Outcome.OK);
		assertThat(granted.fences()).isNull();
		NodeReply refused = send(new NodeCommand.Acquire(keys("order"), new Attempt("a2"), LEASE, null, 1, 0));
		assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(refused.owner()).isEqualTo("a1");
	}

	@Test
	void severalNamesAreLockedAllOrNone() {
		acquire("a1", 5, "b");
		NodeReply refused = acquire("a2", 7, "a", "b", "c");
		assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(refused.owner()).isEqualTo("a1");
		assertThat(refused.fences()).containsExactly(0, 5, 0);
		assertThat(ownerOf("a")).isNull();
		assertThat(ownerOf("c")).isNull();
		release("a1", 0, "b");
		assertThat(acquire("a3", 6, "a", "b", "c").fences()).containsExactly(6, 6, 6);
		assertThat(ownerOf("c")).isEqualTo("a3");
	}

	@Test
	void releaseFreesTheLockOfItsAttemptOnly() {
		acquire("a1", 5, "order");
		assertThat(release("a2", 0, "order").outcome()).isEqualTo(Outcome.OK);
		assertThat(ownerOf("order")).isEqualTo("a1");
		assertThat(release("a1", 0, "order").outcome()).isEqualTo(Outcome.OK);
		assertThat(ownerOf("order")).isNull();
		assertThat(release("a1", 0, "order").outcome()).isEqualTo(Outcome.OK);
	}

	@Test
	void releaseWithCooldownLetsTheLockExpire() {
		acquire("a1", 5, "order");
		release("a1", 300, "order");
		assertThat(send(new NodeCommand.Inspect(keys("order"))).remainingMillis()).isLessThanOrEqualTo(300);
		awaitFree("order");
	}

	@Test
	void leaseEnds() {
		send(new NodeCommand.Acquire(keys("order"), new Attempt("a1"), 200, null, 1, 0));
		awaitFree("order");
	}

	@Test
	void renewalLengthensTheLease() {
		send(new NodeCommand.Acquire(keys("order"), new Attempt("a1"), 2_000, null, 1, 0));
		assertThat(renew("a1", LEASE, false, "order").outcome()).isEqualTo(Outcome.OK);
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
				new NodeCommand.Renew(keys("order"), new Attempt("a1"), LEASE, false, new long[] { 77 }, FENCE_LIFE))
			.outcome()).isEqualTo(Outcome.OK);
		assertThat(ownerOf("order")).isEqualTo("a1");
		release("a1", 0, "order");
		assertThat(acquire("a2", 1, "order").fences()).containsExactly(78);
	}

	@Test
	void renewalTouchesNobodyElsesLock() {
		acquire("a1", 5, "a");
		send(new NodeCommand.Acquire(keys("b"), new Attempt("a2"), 5_000, null, 1, 0));
		assertThat(renew("a2", LEASE, false, "a", "b").outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(ownerOf("a")).isEqualTo("a1");
		assertThat(remaining("b")).isGreaterThan(LEASE / 2);
	}

	@Test
	void raiseLiftsTheFenceWhereTheAttemptHoldsTheLock() {
		acquire("a1", 5, "order");
		assertThat(raise("a2", 50).outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(raise("a1", 40).outcome()).isEqualTo(Outcome.OK);
		assertThat(raise("a1", 30).outcome()).isEqualTo(Outcome.OK);
		release("a1", 0, "order");
		assertThat(acquire("a3", 1, "order").fences()).containsExactly(41);
	}

	@Test
	void inspectionTellsOwnerAndFence() {
		assertThat(send(new NodeCommand.Inspect(keys("order"))).outcome()).isEqualTo(Outcome.OK);
		acquire("a1", 5, "order");
		NodeReply reply = send(new NodeCommand.Inspect(keys("order")));
		assertThat(reply.outcome()).isEqualTo(Outcome.REFUSED);
		assertThat(reply.owner()).isEqualTo("a1");
		assertThat(reply.fences()).containsExactly(5);
		release("a1", 0, "order");
		assertThat(send(new NodeCommand.Inspect(keys("order"))).fences()).containsExactly(5);
	}

	@Test
	void forcedReleaseFreesTheLockOfAnybody() {
		acquire("a1", 5, "order");
		assertThat(send(new NodeCommand.ForceRelease(keys("order"))).outcome()).isEqualTo(Outcome.OK);
		assertThat(ownerOf("order")).isNull();
	}

	@Test
	void releaseIsAnnouncedToWatchers() throws InterruptedException {
		String lockKey = keys("order").lockKey(0);
		this.node.watch(lockKey);
		this.node.watch(lockKey);
		this.node.flush();
		assertThat(this.listener.watching.poll(20, TimeUnit.SECONDS)).isEqualTo(lockKey);
		acquire("a1", 5, "order");
		acquire("b1", 5, "other");
		release("b1", 0, "other");
		release("a1", 0, "order");
		assertThat(this.listener.released.poll(20, TimeUnit.SECONDS)).isEqualTo(lockKey);
		assertThat(this.listener.released).isEmpty();
	}

	@Test
	void namesOfAllKindsAreKeptApart() {
		List<String> names = List.of("a:b", "a b", "{a}", "ü\u0000\n", "a".repeat(1024), "*", "\uD83D\uDD12");
		names.forEach((name) -> assertThat(acquire("owner of " + name, 1, name).outcome()).isEqualTo(Outcome.OK));
		names.forEach((name) -> assertThat(ownerOf(name)).isEqualTo("owner of " + name));
	}

	@Test
	void stoppedNodeAnswersAtOnceAndCanBeStartedAgain() {
		acquire("a1", 5, "order");
		this.node.stop();
		assertThat(this.node.status().isCounted()).isFalse();
		assertThat(acquire("a2", 5, "order").outcome()).isEqualTo(Outcome.NOT_SENT);
		this.node.start(this.listener);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> this.node.status().isCounted());
		assertThat(ownerOf("order")).isEqualTo("a1");
	}

	private NodeReply acquire(String token, long proposed, String... names) {
		long[] fences = new long[names.length];
		Arrays.fill(fences, proposed);
		return send(new NodeCommand.Acquire(keys(names), new Attempt(token), LEASE, fences, 1, FENCE_LIFE));
	}

	private NodeReply renew(String token, long lease, boolean shorten, String... names) {
		return send(new NodeCommand.Renew(keys(names), new Attempt(token), lease, shorten, null, 0));
	}

	private NodeReply raise(String token, long fence) {
		return send(new NodeCommand.Raise(keys("order"), new Attempt(token), new long[] { fence }, FENCE_LIFE));
	}

	private NodeReply release(String token, long cooldown, String... names) {
		return send(new NodeCommand.Release(keys(names), new Attempt(token), cooldown));
	}

	private @Nullable String ownerOf(String name) {
		return send(new NodeCommand.Inspect(keys(name))).owner();
	}

	private long remaining(String name) {
		return send(new NodeCommand.Inspect(keys(name))).remainingMillis();
	}

	private void awaitFree(String name) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> ownerOf(name) == null);
	}

	private static LockKeys keys(String... names) {
		return new LockKeys("lock:", List.of(names));
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

		private final LinkedBlockingQueue<String> watching = new LinkedBlockingQueue<>();

		@Override
		public void onConnected(LockNode node) {
			this.connected.add(node);
		}

		@Override
		public void onReleased(LockNode node, String lockKey) {
			this.released.add(lockKey);
		}

		@Override
		public void onWatching(LockNode node, String lockKey) {
			this.watching.add(lockKey);
		}

	}

}
