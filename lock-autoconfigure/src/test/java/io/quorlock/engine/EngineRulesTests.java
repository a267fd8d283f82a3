package io.quorlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The rules of the engine one by one, with time that stands still and nodes that answer
 * as they are told. Each test carries the number of its rule.
 */
@Timeout(60)
class EngineRulesTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private final ManualTime time = new ManualTime();

	private final List<ScriptedNode> nodes = new ArrayList<>();

	private LockEngine engine(int count, LockListener... listeners) {
		return engine(count, UnaryOperator.identity(), listeners);
	}

	private LockEngine engine(int count, UnaryOperator<TestSettings> settings, LockListener... listeners) {
		for (int i = 0; i < count; i++) {
			this.nodes.add(new ScriptedNode("node" + i).granting());
		}
		LockEngine engine = TestEngines.create(settings.apply(TestSettings.defaults("app@host:1")), this.nodes,
				this.time, this.time, Runnable::run, List.of(listeners), List.of(), () -> 42);
		engine.start();
		return engine;
	}

	private CompletableFuture<LockHandle> acquire(LockEngine engine, LockRequest request) {
		return engine.acquireAsync(request, Duration.ZERO);
	}

	private static final LockRequest ORDER = LockRequest.of("order");

	// ---- R1

	@Test
	void r1FirstAttemptGoesToAllNodesAtOnceAndReturnsAtTheMajority() {
		LockEngine engine = engine(5);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire"));
		this.nodes.get(0).last().grant();
		this.nodes.get(3).last().grant();
		assertThat(lock).isNotDone();
		this.nodes.get(4).last().grant();
		assertThat(lock).isCompleted();
	}

	@Test
	void r1MajorityIsOfTheConfiguredNodesNotOfTheReachable() {
		LockEngine engine = engine(4);
		this.nodes.get(0).down();
		this.nodes.get(1).down();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(acquire(engine, ORDER)::join)
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("2 of 4 nodes vote, 3 are needed")
			.withMessageContaining("node node0: connection refused");
	}

	@Test
	void r1ValidityIsLeaseLessElapsedLessDrift() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		this.time.advance(Duration.ofMillis(40));
		this.nodes.get(0).last().grant();
		this.time.advance(Duration.ofMillis(30));
		this.nodes.get(1).last().grant();
		assertThat(lock.join().remaining()).isEqualTo(LEASE.minusMillis(70).minusMillis(300).minusMillis(2));
	}

	@Test
	void r1ReplyLaterThanTheOperationTimeoutNeverCounts() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		this.nodes.get(0).last().grant();
		this.time.pause(TIMEOUT.plusMillis(1)); // the timer has no chance to run
		this.nodes.get(1).last().grant();
		assertThat(lock).isCompletedExceptionally();
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void r1LeaseThatEndedOnTheWayIsNotHandedOut() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER.leaseTime(Duration.ofMillis(50)));
		this.nodes.get(0).last().grant();
		this.time.pause(Duration.ofMillis(48)); // lease less 0.5 ms less 2 ms
		this.nodes.get(1).last().grant();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("too late for a lease of 50 ms");
	}

	// ---- R2

	@Test
	void r2FailedAttemptIsReleasedOnAllNodesWhateverTheyAnswered() {
		LockEngine engine = engine(5);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		this.nodes.get(0).last().grant();
		for (int i = 1; i < 4; i++) {
			this.nodes.get(i).last().reply(ScriptedNode.refusal(true));
		}
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("other@host:1 holds it, for another 20000 ms");
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void r2EveryAttemptHasATokenOfItsOwn() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::refusing);
		engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.time.advance(Duration.ofSeconds(5));
		List<String> tokens = this.nodes.stream()
			.flatMap((node) -> node.requests.stream())
			.filter((request) -> request.command() instanceof NodeCommand.Acquire)
			.map((request) -> request.command().attempt().token())
			.distinct()
			.toList();
		assertThat(tokens).hasSizeGreaterThan(5).allMatch((token) -> token.startsWith("app@host:1:"));
	}

	// ---- R3

	@Test
	void r3NothingOfAnAttemptFollowsItsRelease() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		lock.closeAsync();
		this.time.advance(LEASE.multipliedBy(2));
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void r3NodeToWhichNothingWasSentIsNotReleased() {
		LockEngine engine = engine(3);
		this.nodes.get(2).down();
		acquire(engine, ORDER).join().closeAsync();
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "release");
		assertThat(this.nodes.get(2).operations()).containsExactly("acquire");
	}

	// ---- R4

	@Test
	void r4ZeroWaitAsksExactlyOnce() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::refusing);
		assertThat(acquire(engine, ORDER)).isCompletedExceptionally();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void r4WaitIsExceededByOneOperationTimeoutAtMost() {
		LockEngine engine = engine(5);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ofSeconds(2));
		this.time.advance(Duration.ofSeconds(2));
		assertThat(lock).isNotDone();
		this.time.advance(TIMEOUT);
		assertThat(lock).isCompletedExceptionally();
	}

	@Test
	void r4RetriesOfARefusedWaiterCostOneCommandMostOfTheTime() {
		LockEngine engine = engine(5);
		this.nodes.forEach(ScriptedNode::refusing);
		engine.acquireAsync(ORDER, Duration.ofSeconds(20));
		this.time.advance(Duration.ofSeconds(19));
		long asked = this.nodes.stream()
			.flatMap((node) -> node.operations().stream())
			.filter("acquire"::equals)
			.count();
		long full = this.nodes.stream()
			.mapToLong((node) -> node.operations().stream().filter("acquire"::equals).count())
			.min()
			.orElseThrow();
		long attempts = asked - 4 * full;
		assertThat((double) asked / attempts).isLessThan(2.5);
	}

	@Test
	void r4WaiterIsWokenByTheReleaseMessageOfAMajority() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		assertThat(this.nodes.get(0).watched).containsExactly("order");
		this.nodes.forEach(ScriptedNode::granting);
		this.nodes.get(0).announceRelease("order");
		assertThat(lock).isNotDone();
		this.nodes.get(2).announceRelease("order");
		assertThat(lock).isCompleted();
		lock.join().closeAsync();
		// It stops listening before its own release.
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.packets).endsWith(List.of("acquire"), List.of("unwatch", "release")));
	}

	@Test
	void r4WaiterThatGivesUpStopsListeningAtOnce() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::refusing);
		engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.watched).isNotEmpty());
		this.time.advance(Duration.ofSeconds(6));
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.watched).isEmpty());
	}

	@Test
	void r4WaiterDoesNotDependOnTheReleaseMessage() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.nodes.forEach(ScriptedNode::granting);
		this.time.advance(Duration.ofMillis(1200));
		assertThat(lock).isCompleted();
	}

	@Test
	void r4NextInLineListensFromBehindTheReleaseOfItsInstance() {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		LockHandle lock = acquire(engine, ORDER).join();
		engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.nodes.forEach(ScriptedNode::silent);
		lock.closeAsync(); // another may have it and release it before this is answered
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.sent).containsExactly("acquire", "release", "watch"));
	}

	@Test
	void r4GivesWayUntilAMajorityAnnouncesTheOthersRelease() {
		LockEngine engine = engine(5, EngineRulesTests::withoutHandOver);
		CompletableFuture<LockHandle> lock = giveWay(engine);
		this.time.advance(Duration.ofMillis(49));
		assertThat(lock).isNotDone();
		announce(engine, 0, 1, 2);
		assertThat(lock).isCompleted();
	}

	@Test
	void r4GivesWayForATimeOnlyToThoseWhoDoNotTakeTheLock() {
		LockEngine engine = engine(5, EngineRulesTests::withoutHandOver);
		CompletableFuture<LockHandle> lock = giveWay(engine);
		this.time.advance(Duration.ofMillis(50));
		assertThat(lock).isCompleted();
	}

	@Test
	void r4ReleaseThatOnlySomeNodesAnnouncedEndsTheGivingWaySoon() {
		LockEngine engine = engine(5, EngineRulesTests::withoutHandOver);
		CompletableFuture<LockHandle> lock = giveWay(engine);
		announce(engine, 3);
		assertThat(lock).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(lock).isCompleted();
	}

	@Test
	void r4ReleaseThatSomeNodesAnnouncedAheadOfTheOwnOnesAnswerEndsTheGivingWaySoon() {
		LockEngine engine = engine(5, EngineRulesTests::withoutHandOver);
		LockHandle lock = acquire(engine, ORDER).join();
		CompletableFuture<LockHandle> next = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.nodes.forEach(ScriptedNode::silent);
		lock.closeAsync();
		announce(engine, 3);
		this.nodes.forEach((node) -> node.granting().requests.get(1).reply(new NodeReply.Released(true, 1)));
		assertThat(next).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(next).isCompleted();
	}

	/** A request whose instance has just released a lock for which others wait, too. */
	private CompletableFuture<LockHandle> giveWay(LockEngine engine) {
		LockHandle lock = acquire(engine, ORDER).join();
		CompletableFuture<LockHandle> next = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		this.nodes.forEach((node) -> node.heardBy(1));
		lock.closeAsync();
		assertThat(next).isNotDone();
		return next;
	}

	private void announce(LockEngine engine, int... slots) {
		for (int slot : slots) {
			this.nodes.get(slot).announceRelease("order");
		}
	}

	// ---- R6

	@Test
	void r6LeaseIsRenewedOnAllNodesAtAThirdOfIt() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.time.advance(Duration.ofMillis(9_950));
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire");
		this.time.advance(Duration.ofMillis(50));
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "renew");
		this.time.advance(Duration.ofSeconds(10));
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "renew", "renew"));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void r6LeasesGrantedAboutTheSameTimeAreRenewedAtTheSameInstant() {
		LockEngine engine = engine(3);
		for (int i = 0; i < 20; i++) {
			acquire(engine, LockRequest.of("order").key(i)).join();
			this.time.advance(Duration.ofMillis(1));
		}
		this.time.advance(Duration.ofMillis(9_900));
		this.nodes.get(0).requests.clear();
		Set<Integer> renewedTogether = new HashSet<>();
		for (int i = 0; i < 200; i++) {
			this.time.advance(Duration.ofMillis(1));
			renewedTogether.add(this.nodes.get(0).operations().size());
		}
		assertThat(renewedTogether).contains(0, 20).hasSizeLessThanOrEqualTo(3);
	}

	@Test
	void r6RenewalWithoutAQuorumDoesNotCountAndIsTriedAgainUntilTheValidityEnds() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.get(0).silent();
		this.nodes.get(1).silent();
		this.time.advance(Duration.ofSeconds(29));
		assertThat(this.nodes.get(0).operations().stream().filter("renew"::equals).count()).isGreaterThan(50);
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(1));
		this.nodes.get(0).granting();
		this.time.advance(Duration.ofMillis(300));
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
	}

	@Test
	void r6ValidityCountsFromWhenTheRenewalWasSent() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.forEach(ScriptedNode::silent);
		while (!this.nodes.get(0).operations().contains("renew")) {
			this.time.advance(Duration.ofMillis(1));
		}
		ScriptedNode.Request first = this.nodes.get(0).last();
		ScriptedNode.Request second = this.nodes.get(1).last();
		this.time.advance(Duration.ofMillis(90));
		first.grant();
		second.grant();
		assertThat(lock.remaining()).isBetween(LEASE.minusMillis(91 + 302), LEASE.minusMillis(90 + 302));
	}

	@Test
	void r6AnswerOfAnOlderRenewalDoesNotRaiseALoweredValidity() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.forEach(ScriptedNode::silent);
		this.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = this.nodes.stream().map(ScriptedNode::last).toList();
		CompletableFuture<Void> extended = CompletableFuture.runAsync(() -> lock.extend(Duration.ofSeconds(3)));
		Awaitility.await().until(() -> this.nodes.get(2).operations().size() == 3);
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(3));
		renewals.forEach(ScriptedNode.Request::grant);
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(3));
		this.nodes.forEach((node) -> node.last().grant());
		extended.join();
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(3));
	}

	@Test
	void r6RenewalsDoNotMultiply() {
		LockEngine engine = engine(3);
		for (int i = 0; i < 500; i++) {
			acquire(engine, ORDER).join().closeAsync();
		}
		LockHandle lock = acquire(engine, ORDER).join();
		this.time.advance(Duration.ofSeconds(61));
		assertThat(this.nodes.get(0).operations().stream().filter("renew"::equals)).hasSize(6);
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void r6WatchdogRenewsNoLongerThanTheMaximumHoldTime() {
		LockEngine engine = engine(3,
				(settings) -> new TestSettings("app", settings.waitTime(), LEASE, settings.maxLeaseTime(),
						Duration.ofSeconds(45), TIMEOUT, settings.retryMinDelay(), settings.retryMaxDelay(),
						Integer.MAX_VALUE, 0.01, true, settings.fencingRetention(), 16,
						settings.handoverMaxDuration()));
		LockHandle lock = acquire(engine, ORDER).join();
		this.time.advance(Duration.ofSeconds(45));
		assertThat(lock.isHeld()).isTrue();
		this.time.advance(Duration.ofSeconds(30));
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("distributed-lock.max-hold-time");
	}

	// ---- R7

	@Test
	void r7LockIsLostAtTheFirstCallAfterAPauseBeforeAnyTimerRan() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.time.pause(LEASE);
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.remaining()).isZero();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld);
	}

	@Test
	void r7LossIsToldOnceAndReleasedBehindTheLastRenewal() {
		List<LockLostEvent> events = new ArrayList<>();
		LockEngine engine = engine(3, new LockListener() {
			@Override
			public void onLost(LockRequest request, LockLostEvent event) {
				events.add(event);
			}
		});
		LockHandle lock = acquire(engine, ORDER).join();
		List<LockLostEvent> told = new ArrayList<>();
		lock.onLost(told::add);
		this.nodes.forEach(ScriptedNode::silent);
		this.time.advance(LEASE);
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.name()).isEqualTo("order");
			assertThat(event.heldFor()).isBetween(Duration.ofSeconds(29), LEASE);
			assertThat(event.reason()).contains("no quorum confirmed its renewal");
		});
		assertThat(told).isEqualTo(events);
		assertThat(this.nodes.get(0).operations()).endsWith("renew", "release");
	}

	@Test
	void r7LockIsLostOnceAQuorumSaysThatAnotherHasIt() {
		LockEngine engine = engine(5);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.subList(0, 2).forEach(ScriptedNode::refusing);
		this.nodes.subList(2, 4).forEach(ScriptedNode::silent);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(lock.isHeld()).isTrue(); // two of five, and two may still confirm
		this.nodes.get(2).last().reply(ScriptedNode.refusal(true));
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("a majority of the nodes says that another owner holds it");
		this.time.advance(Duration.ofMillis(1));
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("renew", "release"));
	}

	@Test
	void r7RefusalsThatDoNotCountOrComeTooLateLoseNothing() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.forEach(ScriptedNode::silent);
		this.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = this.nodes.stream().map(ScriptedNode::last).toList();
		renewals.get(0).reply(ScriptedNode.refusal(true));
		renewals.get(1).reply(ScriptedNode.refusal(false));
		assertThat(lock.isHeld()).isTrue();
		this.nodes.subList(1, 3).forEach(ScriptedNode::granting);
		this.time.advance(Duration.ofSeconds(1)); // retried, and confirmed by a quorum
		renewals.get(2).reply(ScriptedNode.refusal(true));
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
	}

	@Test
	void r7LostLockIsNeverRevived() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.forEach(ScriptedNode::silent);
		this.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = this.nodes.stream().map(ScriptedNode::last).toList();
		this.time.pause(Duration.ofSeconds(20));
		renewals.forEach(ScriptedNode.Request::grant);
		assertThat(lock.isHeld()).isFalse();
		this.time.catchUp();
		assertThat(lock.isHeld()).isFalse();
	}

	// ---- R8

	@Test
	void r8ReleaseIsRepeatedWhereItWasNotAnswered() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.get(1).answer = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		lock.closeAsync();
		lock.closeAsync();
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "release");
		this.nodes.get(1).granting();
		this.nodes.get(1).connected();
		assertThat(this.nodes.get(1).operations()).containsExactly("acquire", "release", "release");
		this.time.advance(LEASE);
		assertThat(this.nodes.get(1).operations()).hasSize(3);
	}

	@Test
	void r8CloseIsDoneAfterOneOperationTimeoutAtTheLatest() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<?> closed = lock.closeAsync().toCompletableFuture();
		this.time.advance(TIMEOUT.minusMillis(1));
		assertThat(closed).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(closed).isDone();
	}

	// ---- R9

	@Test
	void r9TokenIsTheGreatestVoteAndARoundTripIsEnoughWhenAMajorityStoresIt() {
		LockEngine engine = engine(5, EngineRulesTests::withoutHandOver);
		long token = acquire(engine, ORDER).join().fencingToken();
		assertThat(token).isEqualTo(this.time.wallMicros);
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire"));
	}

	@Test
	void r9FenceIsRaisedWhereAMajorityIsNotKnownToStoreIt() {
		LockEngine engine = engine(5, EngineRulesTests::withoutHandOver);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		long high = this.time.wallMicros + 1_000_000;
		this.nodes.get(0).last().reply(new NodeReply.Granted(true, new long[] { high }));
		this.nodes.get(1).last().grant();
		this.nodes.get(2).last().grant();
		assertThat(lock).isNotDone();
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "raise"));
		this.nodes.get(3).last().reply(new NodeReply.Done(true));
		assertThat(lock).isNotDone();
		this.nodes.get(4).last().reply(new NodeReply.Done(true));
		assertThat(lock.join().fencingToken()).isEqualTo(high);
	}

	@Test
	void r9BothRoundsShareOneOperationTimeout() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		this.time.advance(Duration.ofMillis(60));
		this.nodes.get(0).last().reply(new NodeReply.Granted(true, new long[] { this.time.wallMicros + 1_000_000 }));
		this.nodes.get(1).last().grant();
		this.time.advance(Duration.ofMillis(40));
		assertThat(lock).isCompletedExceptionally();
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "raise", "release");
	}

	@Test
	void r9ProposalIsMoreThanAnyFenceSeen() {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		long first = acquire(engine, ORDER).join().fencingToken();
		this.time.wallMicros -= 60_000_000; // the wall clock jumps back
		engine.stop();
		engine.start();
		assertThat(acquire(engine, ORDER).join().fencingToken()).isGreaterThan(first);
	}

	// ---- R10

	@Test
	void r10AnswerOfANodeInQuarantineIsTakenButNotCounted() {
		LockEngine engine = engine(3);
		this.nodes.get(0).silent();
		this.nodes.get(1).silent();
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		this.nodes.get(0).last().reply(new NodeReply.Granted(false, new long[] { 1 }));
		assertThat(lock).isNotDone();
		this.nodes.get(1).last().grant();
		assertThat(lock).isCompleted();
		lock.join().closeAsync();
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	// ---- R12

	@Test
	void r12SeveralNamesAreOneCommandPerNodeAndHaveATokenEach() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, LockRequest.ofAll("b", "a", "b")).join();
		assertThat(lock.names()).containsExactly("a", "b");
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire");
		assertThat(lock.fencingToken("a")).isPositive();
		assertThat(lock.fencingToken("b")).isPositive();
	}

	// ---- R13, R17

	@Test
	void r13OnlyTheHeadOfALineAsksTheNodes() {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::silent);
		engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire");
	}

	@Test
	void r17ReleasedLeasePassesToTheNextInLineWithTheNextToken() {
		LockEngine engine = engine(3);
		LockHandle first = acquire(engine, ORDER).join();
		CompletableFuture<LockHandle> second = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		CompletableFuture<LockHandle> third = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		long token = first.fencingToken();
		first.closeAsync();
		assertThat(second.join().fencingToken()).isEqualTo(token + 1);
		assertThat(third).isNotDone();
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire");
		first.closeAsync(); // an earlier holder's late close releases nothing
		assertThat(second.join().isHeld()).isTrue();
	}

	@Test
	void r17HandOverEndsAfterItsMaximumAndItsDuration() {
		LockEngine engine = engine(3);
		CompletableFuture<LockHandle> holder = acquire(engine, ORDER);
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			waiting.add(engine.acquireAsync(ORDER, Duration.ofSeconds(60)));
		}
		long last = 0;
		holder.join().closeAsync();
		for (CompletableFuture<LockHandle> next : waiting) {
			assertThat(next.join().fencingToken()).isGreaterThan(last);
			last = next.join().fencingToken();
			next.join().closeAsync();
		}
		assertThat(this.nodes.get(0).operations().stream().filter("acquire"::equals)).hasSize(3);
	}

	@Test
	void r17NextAsksBehindTheReleaseIfNobodyElsewhereHeardTheOneBefore() {
		releaseTwice(0);
		assertThat(this.nodes.get(0).packets).endsWith(List.of("unwatch", "release", "acquire"));
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release",
				"acquire", "release", "acquire"));
	}

	@Test
	void r17NextWaitsForTheReleaseIfOthersHeardTheOneBefore() {
		releaseTwice(1);
		assertThat(this.nodes).allSatisfy(
				(node) -> assertThat(node.operations()).containsExactly("acquire", "release", "acquire", "release"));
		assertThat(this.nodes.get(0).packets).endsWith(List.of("unwatch", "release", "watch"));
	}

	@Test
	void r17ReleaseIsSentThoughTheNextInLineGoesOnWaiting() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, LockRequest.of("order").leaseTime(LEASE)).join();
		CompletableFuture<LockHandle> next = engine.acquireAsync(LockRequest.ofAll("order", "stock"),
				Duration.ofSeconds(5));
		acquire(engine, LockRequest.of("stock").leaseTime(LEASE)).join();
		lock.closeAsync();
		assertThat(next).isNotDone();
		assertThat(this.nodes).allSatisfy((node) -> {
			assertThat(node.sent).contains("release");
			assertThat(node.watched).isEmpty();
		});
	}

	@Test
	void r17ReleaseIsSentThoughTheNextInLineHasNothingToAsk() {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		List<CompletableFuture<LockHandle>> requests = requests(engine);
		requests.get(0).join().closeAsync(); // nobody heard it: the next one asks at once
		CompletableFuture<LockHandle> stock = acquire(engine, LockRequest.of("stock"));
		assertThat(stock).isCompleted();
		CompletableFuture<LockHandle> both = engine.acquireAsync(LockRequest.ofAll("order", "stock"),
				Duration.ofSeconds(5));
		requests.get(2).cancel(false);
		requests.get(1).join().closeAsync();
		assertThat(both).isNotDone();
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).endsWith("release", "acquire", "acquire", "release"));
	}

	@Test
	void r17NextWaitsForTheReleaseIfOthersHaveHadTheLockSince() {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		List<CompletableFuture<LockHandle>> requests = requests(engine);
		this.nodes.forEach(ScriptedNode::refusing);
		requests.get(0).join().closeAsync();
		this.nodes.forEach(ScriptedNode::granting);
		this.time.advance(Duration.ofMillis(200));
		LockHandle second = requests.get(1).join();
		this.nodes.forEach(ScriptedNode::silent);
		second.closeAsync();
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("acquire", "release"));
	}

	@Test
	void r17NextWaitsForTheReleaseIfOthersWereKeptOutForTheMaximumDuration() {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		List<CompletableFuture<LockHandle>> requests = requests(engine);
		requests.get(0).join().closeAsync();
		this.time.advance(engine.settings().handoverMaxDuration());
		this.nodes.forEach(ScriptedNode::silent);
		requests.get(1).join().closeAsync();
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("acquire", "release"));
	}

	@Test
	void r17InstanceThatWasAloneGivesWayAfterOneTurnMoreToOthersWhoCome() {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		List<CompletableFuture<LockHandle>> requests = requests(engine);
		CompletableFuture<LockHandle> last = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		requests.get(0).join().closeAsync();
		this.nodes.forEach((node) -> node.heardBy(1)); // from now on somebody waits
		requests.get(1).join().closeAsync();
		assertThat(requests.get(2)).isCompleted();
		requests.get(2).join().closeAsync();
		assertThat(last).isNotDone();
		announce(engine, 0, 1);
		assertThat(last).isCompleted();
	}

	/** The first release is heard by so many elsewhere, the second is not answered. */
	private void releaseTwice(int listeners) {
		LockEngine engine = engine(3, EngineRulesTests::withoutHandOver);
		List<CompletableFuture<LockHandle>> requests = requests(engine);
		this.nodes.forEach((node) -> node.heardBy(listeners));
		requests.get(0).join().closeAsync();
		this.time.advance(Duration.ofMillis(listeners * 50)); // gives way
		this.nodes.forEach(ScriptedNode::silent);
		requests.get(1).join().closeAsync();
	}

	private List<CompletableFuture<LockHandle>> requests(LockEngine engine) {
		return List.of(acquire(engine, ORDER), engine.acquireAsync(ORDER, Duration.ofSeconds(5)),
				engine.acquireAsync(ORDER, Duration.ofSeconds(5)));
	}

	@Test
	void r17ExtendedLeaseIsNotHandedOn() {
		LockEngine engine = engine(3);
		LockHandle first = acquire(engine, ORDER).join();
		CompletableFuture<LockHandle> second = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		first.extend(Duration.ofSeconds(60));
		first.closeAsync();
		assertThat(second.join().remaining()).isLessThan(LEASE);
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "renew", "release", "acquire");
	}

	// ---- R14, R18

	@Test
	void r14StopReleasesWhatIsHeldAndFailsWhoWaits() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		CompletableFuture<LockHandle> waiting = engine.acquireAsync(ORDER, Duration.ofSeconds(5));
		engine.stop();
		assertThat(waiting).isCompletedExceptionally();
		assertThat(lock.isHeld()).isFalse();
		this.time.advance(LEASE);
		assertThat(this.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void r14WhatIsGrantedWhileTheEngineStopsIsReleased() throws Exception {
		LockEngine engine = engine(3);
		this.nodes.forEach(ScriptedNode::silent);
		CompletableFuture<LockHandle> lock = acquire(engine, ORDER);
		Thread stopping = new Thread(engine::stop);
		stopping.start();
		Awaitility.await().until(() -> lock.isDone() && !engine.isRunning());
		this.nodes.forEach((node) -> node.last().grant());
		stopping.join(10_000);
		assertThat(lock).isCompletedExceptionally();
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void r6OfTwoExtensionsTheLaterOneReachesTheNodesLast() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER.leaseTime(Duration.ofSeconds(30))).join();
		lock.extend(Duration.ofSeconds(5));
		lock.extend(Duration.ofSeconds(60));
		NodeCommand.Renew last = (NodeCommand.Renew) this.nodes.get(0).last().command();
		assertThat(last.leaseMillis()).isEqualTo(60_000);
		assertThat(last.shorten()).isFalse();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(59));
	}

	@Test
	void r8ReleaseIsNotRepeatedOnceTheLeaseHasEnded() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER).join();
		this.nodes.get(1).answer = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		this.nodes.get(1).status = NodeStatus.of(NodeStatus.State.DOWN, "connection closed");
		lock.closeAsync();
		this.time.advance(Duration.ofMinutes(2));
		this.nodes.get(1).connected();
		assertThat(this.nodes.get(1).operations()).containsExactly("acquire", "release");
	}

	@Test
	void r15ObserverThatThrowsLosesNoVote() {
		this.nodes.add(new ScriptedNode("node0").granting());
		LockEngine engine = TestEngines.create(TestSettings.defaults("app"), this.nodes, this.time, this.time,
				Runnable::run, List.of(), List.of((node, operation, outcome, error, nanos) -> {
					throw new IllegalStateException("not my day");
				}));
		engine.start();
		assertThat(acquire(engine, ORDER)).isCompleted();
	}

	@Test
	void r18CoolDownIsWhatIsLeftOfHoldAtLeast() {
		LockEngine engine = engine(3);
		LockHandle lock = acquire(engine, ORDER.holdAtLeast(Duration.ofMinutes(5))).join();
		this.time.advance(Duration.ofSeconds(4));
		lock.closeAsync();
		NodeCommand.Release release = (NodeCommand.Release) this.nodes.get(0).last().command();
		assertThat(release.cooldownMillis()).isEqualTo(Duration.ofMinutes(5).minusSeconds(4).toMillis());
	}

	@Test
	void r18CoolDownHoldsAlsoAtShutDown() {
		LockEngine engine = engine(3);
		acquire(engine, ORDER.holdAtLeast(Duration.ofMinutes(5))).join();
		engine.stop();
		NodeCommand.Release release = (NodeCommand.Release) this.nodes.get(0).last().command();
		assertThat(release.cooldownMillis()).isEqualTo(Duration.ofMinutes(5).toMillis());
	}

	private static TestSettings withoutHandOver(TestSettings settings) {
		return new TestSettings(settings.instanceId(), settings.waitTime(), settings.leaseTime(),
				settings.maxLeaseTime(), settings.maxHoldTime(), settings.operationTimeout(), settings.retryMinDelay(),
				settings.retryMaxDelay(), settings.maxAttempts(), settings.clockDriftFactor(), settings.fencing(),
				settings.fencingRetention(), 0, settings.handoverMaxDuration());
	}

}
