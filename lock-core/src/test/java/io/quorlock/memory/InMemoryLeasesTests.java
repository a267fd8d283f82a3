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

package io.quorlock.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeReport.Holder;
import io.quorlock.store.NodeReport.Waiter;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link InMemoryLeases} in time that stands still.
 */
class InMemoryLeasesTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration WAIT = Duration.ofSeconds(60);

	private final ManualTime time = new ManualTime();

	private final InMemoryLeases leases = new InMemoryLeases(this.time, 0);

	private final LeaseStore a = store("a");

	private final LeaseStore b = store("b");

	private LeaseStore store(String instanceId) {
		LeaseStore store = this.leases.store(instanceId, true, this.time);
		store.start();
		return store;
	}

	private TestContender start(LeaseStore store, TestClaim claim) {
		return TestContender.of(store, claim, this.time.nanoTime()).start();
	}

	/** Nobody else has to reply, so that a busy machine ends no claim by a time-out. */
	@Test
	void claimThatCanBeGrantedIsGrantedBeforeTheCallReturns() {
		TestContender holder = start(this.a, TestClaim.of("order"));
		assertThat(holder.isGranted()).isTrue();
		TestContender refused = start(this.b, TestClaim.of("order"));
		assertThat(refused.hasEnded()).isTrue();
		TestContender waiter = start(this.b, TestClaim.of("order").waiting(WAIT));
		holder.release();
		assertThat(waiter.isGranted()).isTrue();
	}

	@Test
	void renewedLeaseOutlivesEveryPauseOfTheProcess() {
		TestContender holder = start(this.a, TestClaim.of("order"));
		this.time.pause(Duration.ofHours(1));
		assertThat(holder.granted().loss()).isNull();
		assertThat(holder.granted().validUntilNanos() - this.time.nanoTime()).isEqualTo(LEASE.toNanos());
		this.time.catchUp();
		assertThat(holder.granted().loss()).isNull();
		assertThat(holder.renewals()).containsExactly(true);
		assertThat(start(this.b, TestClaim.of("order")).refused().description()).isEqualTo("a holds it");
	}

	@Test
	void fixedLeaseEndsWhenItIsOverAlsoBeforeATimerRuns() {
		TestContender holder = start(this.a, TestClaim.of("order").lease(LEASE));
		TestContender waiter = start(this.b, TestClaim.of("order").waiting(WAIT));
		this.time.pause(LEASE);
		assertThat(holder.granted().loss()).isEqualTo("its lease time of 30000 ms ended before it was released")
			.isEqualTo(holder.lost().join());
		assertThat(waiter.isGranted()).isTrue();
	}

	@Test
	void outageEndsLeasesOfItsInstanceAloneWhichAreAtRiskBefore() {
		TestContender holder = start(this.a, TestClaim.of("order"));
		TestContender other = start(this.b, TestClaim.of("stock"));
		this.leases.simulateOutage("a", "it is cut off");
		assertThat(start(this.a, TestClaim.of("free")).failed()).isInstanceOf(ClaimFailure.Unavailable.class)
			.extracting(ClaimFailure::description)
			.asString()
			.contains("it is cut off");
		this.time.advance(LEASE.dividedBy(2));
		assertThat(holder.granted().risk()).isNull();
		this.time.advance(LEASE.dividedBy(4));
		assertThat(Objects.requireNonNull(holder.granted().risk()).reason()).isEqualTo("it is cut off");
		assertThat(holder.risks().get(holder.risks().size() - 1)).isPresent();
		this.time.advance(LEASE.dividedBy(4));
		assertThat(holder.lost()).isCompletedWithValue("its validity ended without a renewal");
		assertThat(other.granted().loss()).isNull();
	}

	@Test
	void outageThatEndsInTimeCostsNoLease() {
		TestContender holder = start(this.a, TestClaim.of("order"));
		this.leases.simulateOutage("a", "it is cut off");
		TestContender waiter = start(this.a, TestClaim.of("stock").waiting(WAIT));
		assertThat(holder.granted().extend(LEASE, 0).toCompletableFuture()).isCompletedWithValue(false);
		this.time.advance(LEASE.multipliedBy(9).dividedBy(10));
		assertThat(holder.granted().risk()).isNotNull();
		assertThat(waiter.hasEnded()).isFalse();
		this.leases.simulateOutage("a", null);
		assertThat(holder.granted().risk()).isNull();
		assertThat(holder.risks().get(holder.risks().size() - 1)).isEmpty();
		assertThat(waiter.isGranted()).isTrue();
		this.time.advance(LEASE.multipliedBy(5));
		assertThat(holder.granted().loss()).isNull();
	}

	@Test
	void lossIsThatOfOneInstance() {
		TestContender reader = start(this.a, TestClaim.of("order").shared());
		TestContender other = start(this.b, TestClaim.of("order").shared());
		this.leases.simulateLoss("a", "order");
		assertThat(reader.granted().loss()).isNotNull();
		assertThat(other.granted().loss()).isNull();
	}

	/** One that stands in the queue of a free name would keep out its next holder. */
	@Test
	void claimForSeveralNamesReservesNoneWhileAnotherIsHeld() {
		TestContender first = start(this.a, TestClaim.of("a"));
		TestContender both = start(this.b, TestClaim.of("a", "b").waiting(WAIT));
		TestContender second = start(this.a, TestClaim.of("b"));
		assertThat(second.isGranted()).isTrue();
		first.release();
		assertThat(both.hasEnded()).isFalse();
		second.release();
		assertThat(both.isGranted()).isTrue();
	}

	@Test
	void nobodyPassesOneThatHasWaitedForLonger() {
		TestContender reader = start(this.a, TestClaim.of("order").shared());
		TestContender writer = start(this.b, TestClaim.of("order").waiting(WAIT));
		TestContender younger = start(this.a, TestClaim.of("order").shared().waiting(WAIT));
		assertThat(start(this.a, TestClaim.of("order").shared()).refused().description())
			.isEqualTo("b has waited for it for longer");
		reader.release();
		assertThat(writer.isGranted()).isTrue();
		assertThat(younger.hasEnded()).isFalse();
		writer.release();
		assertThat(younger.isGranted()).isTrue();
	}

	/** None of them is served from within another. */
	@Test
	void thousandsThatWaitAreServedInTheirOrder() {
		TestContender holder = start(this.a, TestClaim.of("order"));
		List<TestContender> waiters = new ArrayList<>();
		IntStream.range(0, 5_000)
			.forEach((i) -> waiters.add(start(this.b, TestClaim.of("order").shared().waiting(WAIT))));
		holder.release();
		assertThat(waiters).allMatch(TestContender::isGranted);
		long[] tokens = waiters.stream().mapToLong((waiter) -> token(waiter.granted())).toArray();
		assertThat(tokens).isSorted();
	}

	private static long token(Grant grant) {
		return Objects.requireNonNull(grant.tokens())[0];
	}

	@Test
	void claimAsksAsOftenAsItMay() {
		start(this.a, TestClaim.of("order"));
		assertThat(start(this.b, TestClaim.of("order").waiting(WAIT).attempts(1)).refused().owner()).isEqualTo("a");
	}

	@Test
	void unusedLeaseIsGivenUpWhenItIsAskedFor() {
		List<Object> requests = new CopyOnWriteArrayList<>();
		Grant grant = start(this.a, TestClaim.of("order")).granted();
		assertThat(this.b.requestRelease("order", WAIT).toCompletableFuture()).isCompletedWithValue(true);
		grant.onWanted(() -> requests.add("wanted"));
		assertThat(this.b.requestRelease("order", WAIT).toCompletableFuture()).isCompletedWithValue(true);
		grant.onReleaseRequested(requests::add);
		assertThat(this.b.requestRelease("order", WAIT).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(requests).containsExactly("wanted", "wanted", new ReleaseRequest(List.of("order"), WAIT));
		assertThat(this.b.requestRelease("free", WAIT).toCompletableFuture()).isCompletedWithValue(false);
	}

	@Test
	void reportsHoldersAndWhoWaitsAndWhatCoolsDown() {
		TestContender first = start(this.a, TestClaim.of("export").permits(2).tokens(3));
		TestContender second = start(this.b, TestClaim.of("export").permits(2));
		start(this.b, TestClaim.of("export").permits(2).waiting(WAIT));
		this.time.advance(Duration.ofSeconds(5));
		first.release(Duration.ofSeconds(7), null);
		NodeReport report = this.a.inspect("export").toCompletableFuture().join().get(0);
		assertThat(report.holders()).extracting(Holder::owner, Holder::permit, Holder::remaining)
			.containsExactly(tuple(null, 1, Duration.ofSeconds(7)), tuple(second.granted().owner(), 2, LEASE));
		assertThat(report.waiters()).extracting(Waiter::mode, Waiter::waiting)
			.containsExactly(tuple(LockMode.EXCLUSIVE, Duration.ofSeconds(5)));
		assertThat(report.fence()).isEqualTo(Stream.of(first, second)
			.mapToLong((contender) -> token(contender.granted()) + contender.granted().tokenCount() - 1)
			.max()
			.getAsLong());
	}

	@Test
	void nothingIsLeftOfWhatHasEnded() {
		TestContender holder = start(this.a, TestClaim.of("order"));
		TestContender waiter = start(this.b, TestClaim.of("order", "stock").waiting(WAIT));
		waiter.contender().cancel();
		holder.release();
		start(this.b, TestClaim.of("order").lease(LEASE));
		this.time.advance(LEASE);
		assertThat(this.leases).extracting("queues").isEqualTo(Map.of());
		assertThat(this.time.pending()).isZero();
	}

}
