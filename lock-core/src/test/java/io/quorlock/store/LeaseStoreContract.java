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

package io.quorlock.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What every store must do, whatever grants its leases. Each test has names of its own.
 */
public abstract class LeaseStoreContract {

	private static final AtomicInteger NAMES = new AtomicInteger();

	protected final String name = "contract:" + NAMES.incrementAndGet();

	private final List<LeaseStore> stores = new ArrayList<>();

	/**
	 * Create a store of another instance, start it, and wait until it is available.
	 * @param instanceId the instance
	 * @return the store
	 */
	protected abstract LeaseStore startStore(String instanceId) throws Exception;

	/** The clock of the stores. */
	protected long now() {
		return System.nanoTime();
	}

	protected boolean supportsSharedMode() {
		return true;
	}

	protected boolean supportsPermits() {
		return true;
	}

	@AfterEach
	void closeStores() {
		for (LeaseStore store : this.stores) {
			store.stop().toCompletableFuture().join();
			store.close();
		}
	}

	protected final LeaseStore store(String instanceId) throws Exception {
		LeaseStore store = startStore(instanceId);
		this.stores.add(store);
		return store;
	}

	protected final TestContender contend(LeaseStore store, TestClaim claim) {
		return TestContender.of(store, claim, now());
	}

	protected final TestContender start(LeaseStore store, TestClaim claim) {
		return contend(store, claim).start();
	}

	@Test
	void grantsWhatIsFree() throws Exception {
		TestContender contender = start(store("a"), TestClaim.of(this.name));
		Grant grant = contender.granted();
		assertThat(grant.isValid()).isTrue();
		assertThat(grant.validUntilNanos() - now()).isPositive();
		assertThat(grant.names()).containsExactly(this.name);
		assertThat(grant.owner()).startsWith("a:");
		assertThat(grant.tokens()).hasSize(1);
		assertThat(grant.nodes()).isNotEmpty();
		assertThat(contender.waitingReports()).isZero();
		assertThat(contender.contender().attempts()).isPositive();
		assertThat(contender.release()).isEqualTo(ReleaseResult.CONFIRMED);
		assertThat(contender.ends()).isOne();
	}

	@Test
	void holdsNoLockWhileAListenerRuns() throws Exception {
		LeaseStore store = store("a");
		CompletableFuture<Boolean> usable = new CompletableFuture<>();
		Contender contender = store.contend(TestClaim.of(this.name).at(now()), new Contender.Listener() {

			@Override
			public void onWaiting() {
			}

			@Override
			public void onGranted(Grant grant) {
				usable.complete(isUsableByOthers(store, grant));
			}

			@Override
			public void onFailed(ClaimFailure failure) {
				usable.completeExceptionally(new AssertionError(failure));
			}

		});
		contender.start();
		assertThat(TestContender.await(usable)).isTrue();
	}

	private boolean isUsableByOthers(LeaseStore store, Grant grant) {
		Thread other = new Thread(() -> {
			store.status();
			contend(store, TestClaim.of(this.name)).start();
			grant.isValid();
			grant.nodes();
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

	@Test
	void refusesWhatAnotherInstanceHolds() throws Exception {
		LeaseStore holding = store("a");
		LeaseStore asking = store("b");
		TestContender holder = start(holding, TestClaim.of(this.name));
		holder.granted();
		TestContender refused = start(asking, TestClaim.of(this.name));
		assertThat(refused.refused().owner()).isEqualTo("a");
		assertThat(refused.waitingReports()).isZero();
		holder.release();
		start(asking, TestClaim.of(this.name)).granted();
	}

	@Test
	void refusesWhatTheSameInstanceHolds() throws Exception {
		LeaseStore store = store("a");
		start(store, TestClaim.of(this.name)).granted();
		assertThat(start(store, TestClaim.of(this.name)).refused().owner()).isEqualTo("a");
	}

	@Test
	void grantsToAWaiterOnceItIsReleased() throws Exception {
		TestContender holder = start(store("a"), TestClaim.of(this.name));
		Grant first = holder.granted();
		TestContender waiter = start(store("b"), TestClaim.of(this.name).waiting(Duration.ofSeconds(20)));
		Awaitility.await().until(() -> waiter.waitingReports() == 1);
		assertThat(waiter.hasEnded()).isFalse();
		holder.release();
		Grant second = waiter.granted();
		assertThat(token(second)).isGreaterThan(token(first));
		assertThat(waiter.waitingReports()).isOne();
	}

	@Test
	void refusesWhenTheWaitIsOver() throws Exception {
		start(store("a"), TestClaim.of(this.name)).granted();
		long begun = now();
		TestContender waiter = start(store("b"), TestClaim.of(this.name).waiting(Duration.ofMillis(300)));
		assertThat(waiter.refused().owner()).isEqualTo("a");
		assertThat(Duration.ofNanos(now() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
	}

	@Test
	void endsACancelledClaimAndLeavesNothingOfIt() throws Exception {
		LeaseStore other = store("b");
		TestContender holder = start(store("a"), TestClaim.of(this.name));
		holder.granted();
		TestContender waiter = start(other, TestClaim.of(this.name).waiting(Duration.ofSeconds(20)));
		Awaitility.await().until(() -> waiter.waitingReports() == 1);
		waiter.contender().cancel();
		assertThat(waiter.failed()).isInstanceOf(ClaimFailure.Cancelled.class);
		holder.release();
		start(other, TestClaim.of(this.name).waiting(Duration.ofSeconds(5))).granted();
		assertThat(waiter.ends()).isOne();
	}

	@Test
	void leavesNothingOfAClaimThatIsCancelledAtOnce() throws Exception {
		LeaseStore store = store("a");
		for (int i = 0; i < 30; i++) {
			TestContender cancelled = start(store, TestClaim.of(this.name).waiting(Duration.ofSeconds(20)));
			cancelled.contender().cancel();
			if (cancelled.outcome() instanceof Grant) {
				cancelled.release();
			}
			TestContender next = start(store, TestClaim.of(this.name).waiting(Duration.ofSeconds(5)));
			next.granted();
			next.release();
		}
	}

	@Test
	void countsFencingTokensUp() throws Exception {
		LeaseStore[] stores = { store("a"), store("b") };
		long last = 0;
		for (int i = 0; i < 10; i++) {
			TestContender contender = start(stores[i % 2],
					TestClaim.of(this.name).tokens(1 + i).waiting(Duration.ofSeconds(10)));
			long token = token(contender.granted());
			assertThat(token).isGreaterThan(last);
			last = token + i;
			contender.release();
		}
	}

	@Test
	void grantsSeveralNamesOrNone() throws Exception {
		LeaseStore store = store("a");
		LeaseStore other = store("b");
		TestContender holder = start(store, TestClaim.of(this.name + ":2"));
		holder.granted();
		TestContender refused = start(other, TestClaim.of(this.name + ":1", this.name + ":2", this.name + ":3"));
		assertThat(refused.refused().owner()).isEqualTo("a");
		// What the refused claim left behind goes as soon as it has arrived.
		Duration wait = Duration.ofSeconds(10);
		TestContender free = start(store, TestClaim.of(this.name + ":1", this.name + ":3").waiting(wait));
		assertThat(free.granted().tokens()).hasSize(2);
		free.release();
		holder.release();
		start(other, TestClaim.of(this.name + ":1", this.name + ":2", this.name + ":3").waiting(wait)).granted();
	}

	@Test
	void losesALeaseThatNothingRenewsWhenItEnds() throws Exception {
		LeaseStore other = store("b");
		TestContender holder = start(store("a"), TestClaim.of(this.name).lease(Duration.ofMillis(500)));
		Grant grant = holder.granted();
		long until = grant.validUntilNanos();
		TestContender waiter = start(other, TestClaim.of(this.name).waiting(Duration.ofSeconds(20)));
		waiter.granted();
		assertThat(now() - until).isPositive();
		assertThat(grant.isValid()).isFalse();
		assertThat(TestContender.await(holder.lost())).isNotBlank();
	}

	/** As after a pause of the process between the grant and its use. */
	@Test
	void reportsALossThatWasNoticedBeforeTheLeaseIsKept() throws Exception {
		LeaseStore store = store("a");
		CompletableFuture<Grant> granted = new CompletableFuture<>();
		store.contend(TestClaim.of(this.name).lease(Duration.ofMillis(500)).at(now()), new Contender.Listener() {

			@Override
			public void onWaiting() {
			}

			@Override
			public void onGranted(Grant grant) {
				granted.complete(grant);
			}

			@Override
			public void onFailed(ClaimFailure failure) {
				granted.completeExceptionally(new AssertionError(failure));
			}

		}).start();
		Grant grant = TestContender.await(granted);
		Awaitility.await().until(() -> !grant.isValid());
		CompletableFuture<String> lost = new CompletableFuture<>();
		grant.keep(new Grant.Listener() {

			@Override
			public void onLost(String reason) {
				lost.complete(reason);
			}

			@Override
			public void onRenewed(boolean confirmed) {
			}

			@Override
			public void onRisk() {
			}

		});
		assertThat(lost).succeedsWithin(Duration.ofSeconds(10)).asString().isNotBlank();
	}

	@Test
	void keepsALeaseThatIsRenewed() throws Exception {
		LeaseStore other = store("b");
		TestContender holder = start(store("a"), TestClaim.of(this.name).renewedLease(Duration.ofMillis(1_500)));
		Grant grant = holder.granted();
		start(other, TestClaim.of(this.name).waiting(Duration.ofMillis(2_500))).refused();
		assertThat(grant.isValid()).isTrue();
		assertThat(holder.lost()).isNotDone();
		holder.release();
	}

	@Test
	void extendsALease() throws Exception {
		TestContender holder = start(store("a"), TestClaim.of(this.name).lease(Duration.ofMillis(800)));
		Grant grant = holder.granted();
		long before = grant.validUntilNanos();
		assertThat(TestContender.await(grant.extend(Duration.ofSeconds(3), 0).toCompletableFuture())).isTrue();
		assertThat(grant.validUntilNanos() - before).isPositive();
		assertThat(TestContender.await(grant.extend(Duration.ofMillis(100), 0).toCompletableFuture())).isTrue();
		Awaitility.await().until(() -> !grant.isValid());
		assertThat(TestContender.await(grant.extend(Duration.ofSeconds(3), 0).toCompletableFuture())).isFalse();
	}

	@Test
	void losesALeaseThatIsNotRenewedAnyMore() throws Exception {
		TestContender holder = start(store("a"), TestClaim.of(this.name).renewedLease(Duration.ofSeconds(1)));
		Grant grant = holder.granted();
		grant.stopRenewal("held for too long", 0);
		assertThat(TestContender.await(holder.lost())).contains("held for too long");
		assertThat(grant.isValid()).isFalse();
	}

	@Test
	void grantsAsManyTokensAsAreAskedForAndTheNextHolderGreaterOnes() throws Exception {
		TestContender holder = start(store("a"), TestClaim.of(this.name).tokens(4));
		long[] tokens = Objects.requireNonNull(holder.granted().tokens());
		assertThat(holder.granted().tokenCount()).isEqualTo(4);
		holder.release();
		long[] next = Objects.requireNonNull(start(store("b"), TestClaim.of(this.name)).granted().tokens());
		assertThat(next[0]).isGreaterThan(tokens[0] + 3);
	}

	/** Its limit may end in the instant in which another holder gets the lease. */
	@Test
	void goesOnToRenewForALaterHolder() throws Exception {
		TestContender holder = start(store("a"), TestClaim.of(this.name).renewedLease(Duration.ofSeconds(1)).tokens(4));
		Grant grant = holder.granted();
		Awaitility.await().until(grant::passOn);
		grant.stopRenewal("held for too long", 0);
		long before = grant.validUntilNanos();
		Awaitility.await().until(() -> grant.validUntilNanos() - before > 0);
		assertThat(grant.isValid()).isTrue();
	}

	@Test
	void doesNotExtendForAFormerHolder() throws Exception {
		TestContender holder = start(store("a"), TestClaim.of(this.name).tokens(4));
		Grant grant = holder.granted();
		Awaitility.await().until(grant::passOn);
		assertThat(TestContender.await(grant.extend(Duration.ofSeconds(3), 0).toCompletableFuture())).isFalse();
		assertThat(TestContender.await(grant.extend(Duration.ofSeconds(3), 1).toCompletableFuture())).isTrue();
		assertThat(grant.isValid()).isTrue();
	}

	@Test
	void keepsOthersOutWhileANameCoolsDown() throws Exception {
		LeaseStore store = store("a");
		LeaseStore other = store("b");
		TestContender holder = start(store, TestClaim.of(this.name));
		holder.granted();
		long begun = now();
		holder.release(Duration.ofMillis(700), null);
		start(other, TestClaim.of(this.name)).refused();
		TestContender waiter = start(other, TestClaim.of(this.name).waiting(Duration.ofSeconds(20)));
		waiter.granted();
		assertThat(Duration.ofNanos(now() - begun)).isGreaterThan(Duration.ofMillis(690));
		waiter.release();
		start(store, TestClaim.of(this.name)).granted();
	}

	@Test
	void startsTheNextContenderBehindARelease() throws Exception {
		LeaseStore store = store("a");
		TestContender holder = start(store, TestClaim.of(this.name));
		holder.granted();
		TestContender next = contend(store, TestClaim.of(this.name).waiting(Duration.ofSeconds(10)));
		holder.release(Duration.ZERO, next);
		next.granted();
	}

	@Test
	void ignoresTheReleaseOfALostLease() throws Exception {
		LeaseStore store = store("a");
		TestContender former = start(store, TestClaim.of(this.name).lease(Duration.ofMillis(200)));
		former.granted();
		TestContender.await(former.lost());
		TestContender holder = start(store, TestClaim.of(this.name).waiting(Duration.ofSeconds(10)));
		Grant grant = holder.granted();
		former.release();
		assertThat(start(store("b"), TestClaim.of(this.name)).refused().owner()).isEqualTo("a");
		assertThat(grant.isValid()).isTrue();
	}

	@Test
	void grantsOneOfSeveralThatAskAtTheSameInstant() throws Exception {
		List<LeaseStore> all = List.of(store("a"), store("b"), store("c"));
		for (int i = 0; i < 20; i++) {
			String contested = this.name + ":" + i;
			List<TestContender> contenders = all.stream()
				.map((store) -> contend(store, TestClaim.of(contested)))
				.toList();
			contenders.parallelStream().forEach(TestContender::start);
			assertThat(contenders.stream().map(TestContender::outcome))
				.filteredOn((outcome) -> outcome instanceof Grant)
				.hasSize(1);
		}
	}

	@Test
	void refusesAClaimWithoutAWaitThroughTheContenderThatWaits() throws Exception {
		LeaseStore other = store("b");
		TestContender holder = start(store("a"), TestClaim.of(this.name));
		holder.granted();
		TestContender waiter = start(other, TestClaim.of(this.name).waiting(Duration.ofSeconds(20)));
		Awaitility.await().until(() -> waiter.waitingReports() == 1);
		CompletableFuture<ClaimFailure> reply = new CompletableFuture<>();
		waiter.contender().askFor(reply::complete);
		assertThat(TestContender.await(reply)).isInstanceOfSatisfying(ClaimFailure.Held.class,
				(held) -> assertThat(held.owner()).isEqualTo("a"));
		assertThat(waiter.hasEnded()).isFalse();
		assertThat(waiter.contender().lastFailure()).isInstanceOf(ClaimFailure.Held.class);
	}

	@Test
	void reportsTheHoldersOfAName() throws Exception {
		LeaseStore store = store("a");
		TestContender holder = start(store, TestClaim.of(this.name));
		Grant grant = holder.granted();
		assertThat(inspect(store("b"))).anySatisfy((report) -> {
			assertThat(report.error()).isNull();
			assertThat(report.owner()).isEqualTo(grant.owner());
			assertThat(report.remaining()).isPositive();
			assertThat(report.fence()).isEqualTo(token(grant));
		});
		holder.release();
		assertThat(inspect(store)).allSatisfy((report) -> assertThat(report.owner()).isNull());
	}

	private List<NodeReport> inspect(LeaseStore store) {
		return TestContender.await(store.inspect(this.name).toCompletableFuture());
	}

	@Test
	void takesANameByForce() throws Exception {
		LeaseStore store = store("a");
		TestContender holder = start(store, TestClaim.of(this.name));
		Grant grant = holder.granted();
		TestContender.await(store.forceRelease(this.name, 0).toCompletableFuture());
		assertThat(grant.isValid()).isFalse();
		assertThat(TestContender.await(holder.lost())).isNotBlank();
		start(store("b"), TestClaim.of(this.name).waiting(Duration.ofSeconds(10))).granted();
	}

	@Test
	void neverGrantsANameTwice() throws Exception {
		List<LeaseStore> all = List.of(store("a"), store("b"), store("c"));
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger max = new AtomicInteger();
		List<Thread> threads = IntStream.range(0, 9).mapToObj((i) -> new Thread(() -> {
			for (int n = 0; n < 10; n++) {
				TestContender contender = start(all.get(i % 3),
						TestClaim.of(this.name).waiting(Duration.ofSeconds(50)));
				contender.granted();
				max.accumulateAndGet(inside.incrementAndGet(), Math::max);
				Thread.onSpinWait();
				inside.decrementAndGet();
				contender.release();
			}
		})).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(max).hasValue(1);
	}

	@Test
	void letsReadersInTogetherAndAWriterAlone() throws Exception {
		assumeTrue(supportsSharedMode());
		LeaseStore a = store("a");
		LeaseStore b = store("b");
		TestContender first = start(a, TestClaim.of(this.name).shared());
		TestContender second = start(b, TestClaim.of(this.name).shared());
		first.granted();
		second.granted();
		start(b, TestClaim.of(this.name)).refused();
		first.release();
		start(a, TestClaim.of(this.name)).refused();
		second.release();
		TestContender writer = start(a, TestClaim.of(this.name).waiting(Duration.ofSeconds(10)));
		long token = token(writer.granted());
		start(b, TestClaim.of(this.name).shared()).refused();
		writer.release();
		assertThat(token(start(b, TestClaim.of(this.name).shared()).granted())).isGreaterThanOrEqualTo(token);
	}

	@Test
	void grantsAsManyPermitsAsThereAre() throws Exception {
		assumeTrue(supportsPermits());
		LeaseStore a = store("a");
		LeaseStore b = store("b");
		TestContender first = start(a, TestClaim.of(this.name).permits(2));
		TestContender second = start(b, TestClaim.of(this.name).permits(2));
		assertThat(List.of(first.granted().permit(), second.granted().permit())).containsExactlyInAnyOrder(1, 2);
		start(b, TestClaim.of(this.name).permits(2)).refused();
		TestContender waiter = start(b, TestClaim.of(this.name).permits(2).waiting(Duration.ofSeconds(10)));
		Awaitility.await().until(() -> waiter.waitingReports() == 1);
		int freed = first.granted().permit();
		long token = token(first.granted());
		first.release();
		assertThat(waiter.granted().permit()).isEqualTo(freed);
		assertThat(token(waiter.granted())).isGreaterThan(token);
	}

	@Test
	void keepsOthersOutWhileAPermitCoolsDown() throws Exception {
		assumeTrue(supportsPermits());
		LeaseStore a = store("a");
		LeaseStore b = store("b");
		TestContender first = start(a, TestClaim.of(this.name).permits(2));
		TestContender second = start(b, TestClaim.of(this.name).permits(2));
		int cools = first.granted().permit();
		second.granted();
		long begun = now();
		first.release(Duration.ofMillis(700), null);
		start(b, TestClaim.of(this.name).permits(2)).refused();
		TestContender waiter = start(b, TestClaim.of(this.name).permits(2).waiting(Duration.ofSeconds(20)));
		assertThat(waiter.granted().permit()).isEqualTo(cools);
		assertThat(Duration.ofNanos(now() - begun)).isGreaterThan(Duration.ofMillis(690));
	}

	@Test
	void isNotAvailableWhenItIsClosed() throws Exception {
		LeaseStore store = startStore("a");
		assertThat(store.status().available()).isTrue();
		store.stop().toCompletableFuture().join();
		store.close();
		assertThat(start(store, TestClaim.of(this.name)).failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(store.status().available()).isFalse();
	}

	@Test
	void worksAgainAfterItWasClosedAndStarted() throws Exception {
		LeaseStore store = store("a");
		store.stop().toCompletableFuture().join();
		store.close();
		store.start();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> store.status().available());
		start(store, TestClaim.of(this.name).waiting(Duration.ofSeconds(10))).granted();
	}

	private static long token(Grant grant) {
		long @Nullable [] tokens = grant.tokens();
		assertThat(tokens).isNotNull();
		return tokens[0];
	}

}
