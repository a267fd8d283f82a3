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

package io.quorlock.leader;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.ReleaseRequest;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link DefaultLeaderElection} where something happens at the worst moment.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DefaultLeaderElectionTests {

	private static final String ROLE = "importer";

	private static final LockRequest LOCK = LockRequest.of("leader").key(ROLE).waitTime(Duration.ZERO);

	private final AskedLocks locks = new AskedLocks();

	private final List<Object> events = new CopyOnWriteArrayList<>();

	private volatile Consumer<Object> listener = (event) -> {
	};

	/** What decides when it is asked again who leads. */
	private final AtomicLong nanos = new AtomicLong();

	private final LeaderElection election = new DefaultLeaderElection(List.of(ROLE), "shop@test:1", this.locks,
			(event) -> {
				this.events.add(event);
				this.listener.accept(event);
			}, this.nanos::get);

	@AfterEach
	void stop() {
		this.election.stop();
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	@Test
	void secondStartLeavesTheCandidateAlone() {
		this.election.start();
		CompletableFuture<LockHandle> attempt = this.locks.asking(1);
		this.election.start();
		this.election.stop();
		assertThat(attempt).isCancelled();
	}

	/** A command-line application ends though it is a candidate. */
	@Test
	void candidateDoesNotKeepTheProcessAlive() {
		this.locks.answer = (request) -> {
			assertThat(Thread.currentThread().getName()).isEqualTo("quorlock-leader-importer");
			return Thread.currentThread().isDaemon()
					? CompletableFuture.completedFuture(this.locks.acquire(request.waitTime(Duration.ZERO)))
					: new CompletableFuture<>();
		};
		this.election.start();
		Awaitility.await().until(() -> this.election.isLeader(ROLE));
	}

	/** Health asks, too. */
	@Test
	void questionWhoLeadsThatCannotBeAskedIsAnsweredAsUnknown() {
		this.election.start();
		this.locks.asking(1);
		this.locks.answer = (request) -> {
			throw new IllegalStateException("no thread is left");
		};
		pass(Duration.ofMillis(1_001));
		assertThat(this.election.currentLeader(ROLE)).isEmpty();
	}

	/** An application context can be stopped and started again. */
	@Test
	void electionThatWasStoppedCompetesAgainOnceItIsStarted() {
		this.election.start();
		this.locks.asking(1);
		this.election.stop();
		assertThat(this.election.currentLeader(ROLE)).isEmpty();
		assertThat(this.election.enter(ROLE)).isEmpty();
		this.election.resign(ROLE);
		this.election.start();
		this.locks.asking(2).complete(this.locks.acquire(LOCK));
		Awaitility.await().until(() -> this.election.isLeader(ROLE));
	}

	/** The role is asked for beside the request that waits, to learn who leads. */
	@Test
	void lockThatTheQuestionWhoLeadsIsGrantedIsReleased() {
		this.election.start();
		this.locks.asking(1);
		pass(Duration.ofMillis(1_001));
		assertThat(this.election.currentLeader(ROLE)).isEmpty();
		this.locks.asking(2).complete(this.locks.acquire(LOCK));
		awaitRelease();
		assertThat(this.election.isLeader(ROLE)).isFalse();
	}

	@Test
	void whoLeadsIsAskedOnceASecondAtMost() {
		this.election.start();
		this.locks.asking(1);
		for (int asked = 1; asked < 4; asked++) {
			pass(Duration.ofSeconds(1));
			this.election.currentLeader(ROLE);
			assertThat(this.locks.asking).hasSize(asked);
			pass(Duration.ofMillis(1));
			this.election.currentLeader(ROLE);
			this.election.currentLeader(ROLE);
			assertThat(this.locks.asking).hasSize(asked + 1);
		}
	}

	/** As long as no node replies, say. */
	@Test
	void roleIsCompetedForOnceASecondAtMost() {
		List<Long> attempts = new CopyOnWriteArrayList<>();
		this.locks.answer = (request) -> {
			attempts.add(System.nanoTime());
			return CompletableFuture.failedFuture(new LockUnavailableException("1 of 5 nodes answered"));
		};
		long begun = System.nanoTime();
		this.election.start();
		Awaitility.await().until(() -> attempts.size() >= 2);
		assertThat(attempts.get(1) - begun).isGreaterThanOrEqualTo(1_000_000_000);
	}

	/** So that the other candidates come first, however long it has led. */
	@Test
	void leaderThatResignsCompetesAgainAfterASecond() {
		List<Long> attempts = new CopyOnWriteArrayList<>();
		this.locks.answer = (request) -> {
			attempts.add(System.nanoTime());
			return (attempts.size() == 1)
					? CompletableFuture.completedFuture(this.locks.acquire(request.waitTime(Duration.ZERO)))
					: new CompletableFuture<>();
		};
		this.election.start();
		Awaitility.await().until(() -> this.election.isLeader(ROLE));
		Awaitility.await().until(() -> System.nanoTime() - attempts.get(0) > 1_000_000_000);
		long resigned = System.nanoTime();
		this.election.resign(ROLE);
		Awaitility.await().until(() -> attempts.size() == 2);
		assertThat(attempts.get(1) - resigned).isGreaterThanOrEqualTo(1_000_000_000);
	}

	@Test
	void leaderResignsWhenItsLockIsWanted() {
		LockHandle handle = mock(LockHandle.class);
		leadUntilItsLockIsWanted(handle);
		assertThat(this.election.isLeader(ROLE)).isFalse();
		verify(handle, timeout(10_000)).close();
	}

	/** A listener may take its time to begin. */
	@Test
	void leaderHearsFromTheFirstThatItsLockIsWanted() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.isHeld()).willReturn(true);
		List<Boolean> heard = new CopyOnWriteArrayList<>();
		willAnswer((invocation) -> heard.add(this.events.isEmpty())).given(handle).onReleaseRequested(any());
		this.election.start();
		this.locks.asking(1).complete(handle);
		Awaitility.await().until(() -> this.events.size() == 1 && heard.size() == 1);
		assertThat(heard).containsExactly(true);
	}

	@Test
	void timeWithinWhichTheLockIsWantedIsLogged(CapturedOutput output) {
		leadUntilItsLockIsWanted(mock(LockHandle.class));
		assertThat(output).contains("Resigning from role 'importer': its lock is wanted within 3000 ms");
	}

	private void leadUntilItsLockIsWanted(LockHandle handle) {
		CompletableFuture<Consumer<ReleaseRequest>> wanted = new CompletableFuture<>();
		given(handle.isHeld()).willReturn(true);
		willAnswer((invocation) -> {
			wanted.complete(invocation.getArgument(0));
			return null;
		}).given(handle).onReleaseRequested(any());
		this.election.start();
		this.locks.asking(1).complete(handle);
		Awaitility.await().until(() -> this.events.size() == 1);
		wanted.join().accept(new ReleaseRequest(List.of("leader:" + ROLE), Duration.ofSeconds(3)));
	}

	/** The leader may have changed since. */
	@Test
	void whoLeadsIsAskedForAgainAfterFiveSeconds() {
		this.election.start();
		heldByAnother(this.locks.asking(1));
		this.locks.waiting();
		int asked = this.locks.asking.size();
		pass(Duration.ofSeconds(5));
		assertThat(this.election.currentLeader(ROLE)).contains("other");
		assertThat(this.locks.asking).hasSize(asked);
		pass(Duration.ofMillis(1));
		assertThat(this.election.currentLeader(ROLE)).contains("other");
		assertThat(this.locks.asking).hasSize(asked + 1);
		this.locks.asking(asked + 1).completeExceptionally(heldBy("third"));
		assertThat(this.election.currentLeader(ROLE)).contains("third");
	}

	@Test
	void leaderIsLoggedWhenItChanges(CapturedOutput output) {
		this.election.start();
		heldByAnother(this.locks.asking(1));
		this.locks.waiting();
		for (String leader : List.of("other", "third", "third")) {
			int asked = this.locks.asking.size();
			pass(Duration.ofMillis(5_001));
			this.election.currentLeader(ROLE);
			this.locks.asking(asked + 1).completeExceptionally(heldBy(leader));
			assertThat(this.election.currentLeader(ROLE)).contains(leader);
		}
		assertThat(output).containsOnlyOnce("Role 'importer' is led by other")
			.containsOnlyOnce("Role 'importer' is led by third");
	}

	/** The one before may be gone. */
	@Test
	void leaderThatTheNodesDoNotNameIsUnknown() {
		this.election.start();
		heldByAnother(this.locks.asking(1));
		pass(Duration.ofMillis(5_001));
		this.election.currentLeader(ROLE);
		this.locks.asking(2).completeExceptionally(heldBy(null));
		assertThat(this.election.currentLeader(ROLE)).isEmpty();
	}

	/** That of an application may do something when it has locked. */
	@Test
	void leaderIsKnownThoughTheTemplateAddsAStage() {
		this.election.start();
		this.locks.asking(1);
		this.locks.answer = (request) -> CompletableFuture.<LockHandle>failedFuture(heldBy("other"))
			.thenApply((handle) -> handle);
		pass(Duration.ofMillis(1_001));
		this.election.currentLeader(ROLE);
		assertThat(this.election.currentLeader(ROLE)).contains("other");
	}

	private static LockNotAcquiredException heldBy(@Nullable String leader) {
		return new LockNotAcquiredException("held", "leader:" + ROLE, leader, Duration.ZERO, 1);
	}

	@Test
	void leaderIsUnknownWhileTheLockIsUnavailable() {
		this.election.start();
		heldByAnother(this.locks.asking(1));
		this.locks.waiting().completeExceptionally(new LockUnavailableException("1 of 5 nodes answered"));
		Awaitility.await().until(() -> this.election.currentLeader(ROLE).isEmpty());
	}

	/** It is told once for each time, not once for all. */
	@Test
	void nextTimeWithoutALeaderIsReportedAgain(CapturedOutput output) {
		List<LockRequest> attempts = new CopyOnWriteArrayList<>();
		this.locks.answer = (request) -> {
			attempts.add(request);
			return (attempts.size() == 2)
					? CompletableFuture.completedFuture(this.locks.acquire(request.waitTime(Duration.ZERO)))
					: CompletableFuture.failedFuture(new LockUnavailableException("1 of 5 nodes answered"));
		};
		this.election.start();
		Awaitility.await().until(() -> this.election.isLeader(ROLE));
		assertThat(output).containsOnlyOnce(
				"No leader of role 'importer' can be elected at present, trying on: 1 of 5 nodes answered");
		this.election.resign(ROLE);
		Awaitility.await().until(() -> output.toString().split("No leader of role", -1).length == 3);
	}

	@Test
	void timeWithoutALeaderIsReportedOnceHoweverLongItLasts(CapturedOutput output) {
		this.election.start();
		this.locks.asking(1).completeExceptionally(new LockUnavailableException("1 of 5 nodes answered"));
		Awaitility.await().until(() -> output.toString().contains("No leader of role"));
		for (int asked = 2; asked < 5; asked++) {
			pass(Duration.ofMillis(1_001));
			this.election.currentLeader(ROLE);
			this.locks.asking(asked).completeExceptionally(new LockUnavailableException("2 of 5 nodes answered"));
		}
		assertThat(output).containsOnlyOnce("No leader of role");
	}

	@Test
	void timeWithoutALeaderThatFollowsOneWithAnotherLeaderIsReportedAgain(CapturedOutput output) {
		List<LockRequest> attempts = new CopyOnWriteArrayList<>();
		this.locks.answer = (request) -> {
			attempts.add(request);
			return CompletableFuture.failedFuture((attempts.size() == 2)
					? new LockNotAcquiredException("held", "leader:" + ROLE, "other", Duration.ZERO, 1)
					: new LockUnavailableException("1 of 5 nodes answered"));
		};
		this.election.start();
		Awaitility.await().until(() -> output.toString().split("No leader of role", -1).length == 3);
	}

	@Test
	void endOfALeadershipIsLoggedWithItsReason(CapturedOutput output) {
		this.locks.answer = (request) -> CompletableFuture
			.completedFuture(this.locks.acquire(request.waitTime(Duration.ZERO)));
		this.election.start();
		Awaitility.await().until(() -> this.events.size() == 1);
		this.election.resign(ROLE);
		Awaitility.await().until(() -> this.events.size() == 3);
		assertThat(output).contains("Leading role 'importer' with fencing token ")
			.containsOnlyOnce("No longer leading role 'importer': it was given up")
			.doesNotContain("lost");
		this.locks.lose("leader:" + ROLE);
		Awaitility.await().until(() -> this.events.size() >= 4);
		assertThat(output).containsOnlyOnce("No longer leading role 'importer': its lock was lost");
	}

	/** Its listeners stop what the others could not start. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void instanceThatGivesARoleUpSinceAListenerFailedDoesNotLeadWhenThatIsTold(boolean error) {
		List<Boolean> leading = new CopyOnWriteArrayList<>();
		this.listener = (event) -> {
			leading.add(this.election.isLeader(ROLE));
			if (event instanceof LeadershipGrantedEvent && error) {
				throw new NoClassDefFoundError("test");
			}
			else if (event instanceof LeadershipGrantedEvent) {
				throw new IllegalStateException("cannot lead now");
			}
		};
		this.election.start();
		this.locks.asking(1).complete(this.locks.acquire(LOCK));
		Awaitility.await().until(() -> leading.size() == 2);
		assertThat(leading).containsExactly(true, false);
	}

	/** The beans that it uses are stopped behind it. */
	@Test
	void stopWaitsForAListenerThatGivesTheRoleUpSlowly() {
		CompletableFuture<LeadershipRevokedEvent> done = new CompletableFuture<>();
		this.listener = (event) -> {
			if (event instanceof LeadershipRevokedEvent revoked) {
				long began = System.nanoTime();
				Awaitility.await().until(() -> System.nanoTime() - began > 1_500_000_000);
				done.complete(revoked);
			}
		};
		this.election.start();
		this.locks.asking(1).complete(this.locks.acquire(LOCK));
		Awaitility.await().until(() -> !this.events.isEmpty());
		this.election.stop();
		assertThat(done).isCompleted();
	}

	@Test
	void stopOfACandidateThatWaitsIsNotHeldUp(CapturedOutput output) {
		this.election.start();
		this.locks.asking(1);
		this.election.stop();
		assertThat(output).doesNotContain("did not return within");
	}

	/** Each may need the time that a stop has. */
	@Test
	void rolesAreGivenUpAtTheSameTime(CapturedOutput output) {
		CountDownLatch told = new CountDownLatch(2);
		List<Object> leading = new CopyOnWriteArrayList<>();
		this.locks.answer = (request) -> CompletableFuture
			.completedFuture(this.locks.acquire(request.waitTime(Duration.ZERO)));
		LeaderElection both = new DefaultLeaderElection(List.of(ROLE, "exporter"), "shop@test:1", this.locks,
				(event) -> {
					if (event instanceof LeadershipRevokedEvent) {
						told.countDown();
						await(told);
					}
					else {
						leading.add(event);
					}
				});
		both.start();
		Awaitility.await().until(() -> leading.size() == 2);
		both.stop();
		assertThat(told.getCount()).isZero();
		assertThat(output).doesNotContain("did not return within");
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void interruptEndsTheWaitForListenersAndIsLeftToTheCallerOfTheStop() {
		CompletableFuture<Void> slow = new CompletableFuture<>();
		this.listener = (event) -> {
			if (event instanceof LeadershipRevokedEvent) {
				slow.join();
			}
		};
		this.election.start();
		this.locks.asking(1).complete(this.locks.acquire(LOCK));
		Awaitility.await().until(() -> !this.events.isEmpty());
		Thread.currentThread().interrupt();
		this.election.stop();
		assertThat(Thread.interrupted()).isTrue();
		slow.complete(null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void roleWithoutANameIsRefused(String role) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DefaultLeaderElection(List.of(ROLE, role), "shop@test:1", this.locks, (event) -> {
			}))
			.withMessage("Role to lead must not be empty");
	}

	/** Nothing is tried any more. */
	@Test
	void questionWhoLeadsThatFailsAfterTheStopIsNotReported(CapturedOutput output) {
		this.election.start();
		this.locks.asking(1);
		pass(Duration.ofMillis(1_001));
		this.election.currentLeader(ROLE);
		CompletableFuture<LockHandle> question = this.locks.asking(2);
		this.election.stop();
		question.completeExceptionally(new LockUnavailableException("the engine is stopped"));
		assertThat(output).doesNotContain("trying on");
	}

	@Test
	void leaderOfTheTimeBeforeIsForgottenByTheNext() {
		this.election.start();
		heldByAnother(this.locks.asking(1));
		this.locks.waiting().complete(this.locks.acquire(LOCK));
		Awaitility.await().until(() -> !this.events.isEmpty());
		assertThat(this.election.currentLeader(ROLE)).contains("shop@test:1");
		this.election.resign(ROLE);
		assertThat(this.election.currentLeader(ROLE)).isEmpty();
	}

	@Test
	void stopThatComesBeforeTheLeadershipCanBeSeenEndsIt() {
		this.election.start();
		LockHandle handle = this.locks.acquire(LOCK);
		LockHandle stopping = (LockHandle) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockHandle.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("fencingToken")) {
						this.election.stop(); // does not wait for the thread it runs on
					}
					try {
						return method.invoke(handle, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
		this.locks.asking(1).complete(stopping);
		awaitRelease();
		assertThat(this.events).extracting(Object::getClass)
			.containsExactly(LeadershipGrantedEvent.class, LeadershipRevokedEvent.class);
	}

	@Test
	void lockThatIsGrantedWhileTheElectionStopsIsReleased() {
		this.locks.answer = (request) -> {
			LockHandle handle = this.locks.acquire(request.waitTime(Duration.ZERO));
			this.election.stop(); // does not wait for the thread it runs on
			return CompletableFuture.completedFuture(handle);
		};
		this.election.start();
		this.locks.asking(1);
		awaitRelease();
		assertThat(this.events).isEmpty();
	}

	@Test
	void interruptThatAListenerLeavesDoesNotReachTheNext() {
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		this.listener = (event) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			if (event instanceof LeadershipGrantedEvent) {
				this.election.resign(ROLE);
				Thread.currentThread().interrupt();
			}
		};
		this.election.start();
		this.locks.asking(1).complete(this.locks.acquire(LOCK));
		Awaitility.await().until(() -> interrupted.size() == 2);
		assertThat(interrupted).containsExactly(false, false);
	}

	private void heldByAnother(CompletableFuture<LockHandle> attempt) {
		attempt
			.completeExceptionally(new LockNotAcquiredException("held", "leader:" + ROLE, "other", Duration.ZERO, 1));
		Awaitility.await().until(() -> this.election.currentLeader(ROLE).equals(Optional.of("other")));
	}

	private void awaitRelease() {
		Awaitility.await().until(() -> this.locks.heldCount() == 0);
	}

	/** Locks that are granted when the test says so. */
	private static final class AskedLocks extends FakeLockTemplate {

		private final List<CompletableFuture<LockHandle>> asking = new CopyOnWriteArrayList<>();

		private final List<CompletableFuture<LockHandle>> waiting = new CopyOnWriteArrayList<>();

		private volatile Function<LockRequest, CompletableFuture<LockHandle>> answer = (
				request) -> new CompletableFuture<>();

		@Override
		public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
			CompletableFuture<LockHandle> future = this.answer.apply(request);
			(LockRequest.UNLIMITED_WAIT.equals(request.waitTime()) ? this.waiting : this.asking).add(future);
			return future;
		}

		/**
		 * Return one of the requests that do not wait, the first of which is an attempt.
		 */
		CompletableFuture<LockHandle> asking(int count) {
			Awaitility.await().until(() -> this.asking.size() >= count);
			return this.asking.get(count - 1);
		}

		/** Return the request that waits. It follows the first attempt. */
		CompletableFuture<LockHandle> waiting() {
			Awaitility.await().until(() -> !this.waiting.isEmpty());
			return this.waiting.get(0);
		}

	}

}
