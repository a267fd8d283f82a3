package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R4: a waiter retries at random, and the release message wakes it.
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
	void retriesOfARefusedWaiterCostOneCommandMostOfTheTime() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ORDER, Duration.ofSeconds(20));
		cluster.time.advance(Duration.ofSeconds(19));
		long asked = asked(cluster);
		long full = cluster.nodes.stream()
			.mapToLong((node) -> node.operations().stream().filter("acquire"::equals).count())
			.min()
			.orElseThrow();
		long attempts = asked - 4 * full;
		assertThat((double) asked / attempts).isLessThan(2.5);
	}

	@Test
	void waiterIsWokenByTheReleaseMessageOfAMajority() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofSeconds(5));
		assertThat(cluster.nodes.get(0).watched).containsExactly("order");
		cluster.grant();
		cluster.nodes.get(0).announceRelease("order");
		assertThat(lock).isNotDone();
		cluster.nodes.get(2).announceRelease("order");
		assertThat(lock).isCompleted();
		lock.join().closeAsync();
		// It stops listening before its own release.
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.packets).endsWith(List.of("acquire"), List.of("unwatch", "release")));
	}

	@Test
	void waiterThatIsAlwaysLateAsksAsOftenAsThoseThatComeAfterIt() {
		ScriptedCluster cluster = new ScriptedCluster(3, (engine) -> {
		}, (quorum) -> quorum.random(() -> -1)); // the longest of all back-offs
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ORDER, Duration.ofMinutes(1));
		for (int burst = 0; burst < 20; burst++) {
			for (int release = 0; release < 10; release++) {
				cluster.announceRelease(0, 1, 2); // somebody else is quicker each time
			}
			long asked = asked(cluster);
			cluster.time.advance(Duration.ofMillis(100)); // twice the shortest back-off
			assertThat(asked(cluster)).as("burst %d", burst).isGreaterThan(asked);
		}
	}

	private static long asked(ScriptedCluster cluster) {
		return cluster.nodes.stream().flatMap((node) -> node.operations().stream()).filter("acquire"::equals).count();
	}

	@Test
	void waiterThatGivesUpUnsubscribesAtOnce() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.watched).isNotEmpty());
		cluster.time.advance(Duration.ofSeconds(6));
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.watched).isEmpty());
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
				? NodeReply.Refused.of(true, List.of("ops"), 9_999_999_999_999L, null) : ScriptedNode.grant(command));
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.time.advance(Duration.ofSeconds(5));
		assertThat(asked(cluster)).isBetween(3L, 300L);
	}

	@Test
	void channelOfANameIsWatchedOnceHoweverManyContendersWait() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		TestClaim claim = TestClaim.of("order").waiting(Duration.ofMinutes(1));
		List<TestContender> contenders = Stream
			.generate(() -> TestContender.of(cluster.engine.store(), claim, cluster.time.nanoTime()).start())
			.limit(3)
			.toList();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.sent).containsOnlyOnce("watch"));
		contenders.subList(0, 2).forEach((contender) -> contender.contender().cancel());
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.watched).containsExactly("order"));
		contenders.get(2).contender().cancel();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.watched).isEmpty());
	}

	@Test
	void waiterDoesNotDependOnTheReleaseMessage() {
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
	void nextInQueueSubscribesBehindTheReleaseOfItsInstance() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.silence();
		lock.closeAsync(); // another may have it and release it before this is answered
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.sent).containsExactly("acquire", "release", "watch"));
	}

	@Test
	void givesWayUntilAMajorityAnnouncesTheOthersRelease() {
		ScriptedCluster cluster = new ScriptedCluster(5, TestSettings::withoutHandover);
		CompletableFuture<LockHandle> lock = giveWay(cluster);
		cluster.time.advance(Duration.ofMillis(49));
		assertThat(lock).isNotDone();
		cluster.announceRelease(0, 1, 2);
		assertThat(lock).isCompleted();
	}

	@Test
	void givesWayForALimitedTimeIfNobodyTakesTheLock() {
		ScriptedCluster cluster = new ScriptedCluster(5, TestSettings::withoutHandover);
		CompletableFuture<LockHandle> lock = giveWay(cluster);
		cluster.time.advance(Duration.ofMillis(50));
		assertThat(lock).isCompleted();
	}

	@Test
	void releaseThatOnlySomeNodesAnnouncedSoonEndsGivingWay() {
		ScriptedCluster cluster = new ScriptedCluster(5, TestSettings::withoutHandover);
		CompletableFuture<LockHandle> lock = giveWay(cluster);
		cluster.announceRelease(3);
		assertThat(lock).isNotDone();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(lock).isCompleted();
	}

	@Test
	void releaseAnnouncedBeforeTheReplyToTheOwnReleaseSoonEndsGivingWay() {
		ScriptedCluster cluster = new ScriptedCluster(5, TestSettings::withoutHandover);
		LockHandle lock = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> next = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.silence();
		lock.closeAsync();
		cluster.announceRelease(3);
		cluster.nodes.forEach((node) -> node.granting().requests.get(1).reply(new NodeReply.Released(true, 1)));
		assertThat(next).isNotDone();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(next).isCompleted();
	}

	/** A request whose instance has just released a lock for which others wait, too. */
	private CompletableFuture<LockHandle> giveWay(ScriptedCluster cluster) {
		LockHandle lock = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> next = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.nodes.forEach((node) -> node.heardBy(1));
		lock.closeAsync();
		assertThat(next).isNotDone();
		return next;
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
		Blocker waiting = new Blocker.Waiting("0000000000000001:w:older@host:1:ef:3");
		Blocker other = (second != null) ? new Blocker.Owner(second) : waiting;
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (ScriptedNode node : cluster.nodes) {
			node.script = (command) -> (command instanceof NodeCommand.Acquire)
					? new NodeReply.Refused(true, List.of(new Blocker.Owner("other@host:1:ab:7"), other), 20_000, null)
					: ScriptedNode.grant(command);
		}
		return cluster.acquire(ORDER.permits(2).fair());
	}

}
