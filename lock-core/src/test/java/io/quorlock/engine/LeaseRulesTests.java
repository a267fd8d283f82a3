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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.Refusals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What becomes of a lease: its renewal, its loss, its release and its next holder.
 */
@Timeout(60)
class LeaseRulesTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void olderRenewalNeverLowersTheValidity() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = cluster.nodes.stream().map(ScriptedNode::last).toList();
		SimulationAccess.extend(lock, Duration.ofSeconds(60));
		cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(55));
		renewals.forEach(ScriptedNode.Request::grant);
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(55));
	}

	@Test
	void releaseThatANodeAnswersWithAnErrorIsSentAgain() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		ScriptedNode full = cluster.nodes.get(2);
		full.script = (command) -> new NodeReply.Failed(Cause.ERROR, "LOADING Redis is loading the dataset in memory");
		lock.closeAsync();
		full.granting();
		full.connected();
		assertThat(full.operations()).containsExactly("acquire", "release", "release");
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void callbackThatIsRegisteredAfterTheLossRuns() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.pause(Duration.ofSeconds(31));
		assertThat(lock.isHeld()).isFalse();
		List<LockLostEvent> events = new ArrayList<>();
		lock.onLost(events::add);
		assertThat(events).hasSize(1);
	}

	@Test
	void extensionThatNoQuorumConfirmsFails() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.forEach(ScriptedNode::down);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> lock.extend(Duration.ofSeconds(60)))
			.withMessageContaining("no quorum confirmed");
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void severalLeasesRemainAsLongAsTheShortest() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle shorter = cluster.acquire(LockRequest.of("a").leaseTime(Duration.ofSeconds(5))).join();
		LockHandle longer = cluster.acquire(LockRequest.of("b")).join();
		assertThat(new CompositeHandle(List.of(shorter, longer)).remaining()).isEqualTo(shorter.remaining());
	}

	@Test
	void greatestFenceIsRemembered() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		long greatest = 5_000_000_000_000_000L;
		for (int slot = 0; slot < 3; slot++) {
			long fence = greatest - slot * 1_000_000_000_000_000L;
			cluster.nodes.get(slot).script = (command) -> (command instanceof NodeCommand.Acquire)
					? Refusals.of(true, List.of("other@host:1:ab:7"), 20_000, new long[] { fence })
					: ScriptedNode.grant(command);
		}
		assertThat(cluster.acquire(ORDER)).isCompletedExceptionally();
		cluster.grant();
		assertThat(cluster.acquire(ORDER).join().fencingToken()).isGreaterThan(greatest);
	}

	@Test
	void leaseWhoseLastRenewalFailedIsNotHandedOver() {
		ScriptedCluster cluster = new ScriptedCluster(3, LeaseRulesTests::handingOverForLong);
		LockHandle first = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> second = cluster.engine.acquireAsync(ORDER, Duration.ofMinutes(1));
		cluster.silence();
		cluster.time.advance(Duration.ofMillis(10_150));
		cluster.grant();
		first.closeAsync();
		assertThat(second).isCompleted();
		assertThat(cluster.nodes.get(0).operations()).filteredOn("acquire"::equals).hasSize(2);
	}

	@Test
	void leaseOfWhichLessThanHalfIsLeftIsNotHandedOver() {
		ScriptedCluster cluster = new ScriptedCluster(3, LeaseRulesTests::handingOverForLong);
		LockHandle first = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> second = cluster.engine.acquireAsync(ORDER, Duration.ofMinutes(1));
		cluster.time.pause(Duration.ofSeconds(16));
		first.closeAsync();
		assertThat(second).isCompleted();
		assertThat(cluster.nodes.get(0).operations()).filteredOn("acquire"::equals).hasSize(2);
	}

	@Test
	void extensionByAnEarlierHolderLeavesTheNextHoldersLeaseAlone() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle first = cluster.acquire(ORDER).join();
		HeldLease lease = cluster.engine.leases().iterator().next();
		Holder holder = lease.holder();
		CompletableFuture<LockHandle> second = cluster.engine.acquireAsync(ORDER, Duration.ofMinutes(1));
		first.closeAsync();
		Duration before = second.join().remaining();
		// The first holder had looked at its handle before it was closed.
		assertThat(lease.extend(holder, Duration.ofMillis(500)).toCompletableFuture().join()).isFalse();
		assertThat(second.join().remaining()).isEqualTo(before);
	}

	private static TestSettings handingOverForLong(TestSettings it) {
		return new TestSettings(it.instanceId(), it.waitTime(), it.leaseTime(), it.maxLeaseTime(), it.maxHoldTime(),
				it.operationTimeout(), it.retryMinDelay(), it.retryMaxDelay(), it.maxAttempts(), it.clockDriftFactor(),
				it.fencing(), it.fencingRetention(), it.handoverMax(), Duration.ofMinutes(1));
	}

	@Test
	void limitOfAnEarlierHolderDoesNotEndTheNextHoldersLease() {
		ScriptedCluster cluster = new ScriptedCluster(3, (it) -> limited(it, Duration.ofSeconds(20)));
		LockHandle first = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> second = cluster.engine.acquireAsync(ORDER, Duration.ofMinutes(1));
		cluster.time.advance(Duration.ofSeconds(15));
		first.closeAsync();
		assertThat(cluster.nodes.get(0).operations()).filteredOn("acquire"::equals).hasSize(1);
		cluster.time.advance(Duration.ofSeconds(40));
		assertThat(second.join().isHeld()).isTrue();
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(second.join().isHeld()).isFalse();
	}

	private static TestSettings limited(TestSettings it, Duration hold) {
		return new TestSettings(it.instanceId(), it.waitTime(), it.leaseTime(), it.maxLeaseTime(), hold,
				it.operationTimeout(), it.retryMinDelay(), it.retryMaxDelay(), it.maxAttempts(), it.clockDriftFactor(),
				it.fencing(), it.fencingRetention(), it.handoverMax(), Duration.ofMinutes(1));
	}

	@Test
	void leaseBelowTheDriftMarginIsRefusedNamingTheLeast() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		assertThatIllegalArgumentException().isThrownBy(() -> cluster.acquire(ORDER.leaseTime(Duration.ofMillis(2))))
			.withMessageContaining("the least is 3 ms");
		assertThat(cluster.nodes.get(0).requests).isEmpty();
		assertThat(cluster.acquire(ORDER.leaseTime(Duration.ofMillis(3)))).isCompleted();
	}

	@Test
	void hugeMaximumHoldTimeKeepsTheRenewal() {
		UnaryOperator<TestSettings> huge = (it) -> new TestSettings(it.instanceId(), it.waitTime(), it.leaseTime(),
				it.maxLeaseTime(), Duration.ofDays(1_000_000), it.operationTimeout(), it.retryMinDelay(),
				it.retryMaxDelay(), it.maxAttempts(), it.clockDriftFactor(), it.fencing(), it.fencingRetention(),
				it.handoverMax(), it.handoverMaxDuration());
		ScriptedCluster cluster = new ScriptedCluster(3, huge);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofMinutes(5));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void coolDownOfTenYearsIsTaken() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.holdAtLeast(Duration.ofDays(10 * 365))).join();
		lock.closeAsync().toCompletableFuture().join();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
		assertThat(cluster.acquire(ORDER)).isCompleted();
	}

	@Test
	void lockThatNobodyGotDoesNotCoolDownAfterACancellation() {
		assertNoCoolDown((cluster, lock) -> lock.cancel(true));
	}

	@Test
	void lockThatNobodyGotDoesNotCoolDownAfterAStop() {
		assertNoCoolDown((cluster, lock) -> CompletableFuture.runAsync(cluster.engine::stop));
	}

	@Test
	void lockThatNobodyGotDoesNotCoolDownAfterAnInterrupt() throws InterruptedException {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		Thread thread = new Thread(() -> failure.set(catchThrowable(
				() -> new DefaultLockTemplate(cluster.engine).acquire(ORDER.holdAtLeast(Duration.ofMinutes(10))))));
		thread.start();
		Awaitility.await().until(() -> cluster.nodes.stream().noneMatch((node) -> node.requests.isEmpty()));
		thread.interrupt();
		thread.join();
		assertThat(failure.get()).isInstanceOf(LockException.class);
		cluster.nodes.forEach((node) -> node.requests.get(0).grant());
		assertReleasedWithoutCoolDown(cluster);
	}

	private static void assertNoCoolDown(BiConsumer<ScriptedCluster, CompletableFuture<LockHandle>> end) {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER.holdAtLeast(Duration.ofMinutes(10)));
		end.accept(cluster, lock);
		Awaitility.await().until(lock::isCompletedExceptionally);
		cluster.nodes.forEach((node) -> node.requests.get(0).grant());
		assertReleasedWithoutCoolDown(cluster);
	}

	private static void assertReleasedWithoutCoolDown(ScriptedCluster cluster) {
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.last().command()).isInstanceOfSatisfying(NodeCommand.Release.class,
					(release) -> assertThat(release.cooldownMillis()).isZero()));
	}

	@Test
	void stopNotifiesTheHolderOnceLikeAnyLoss() {
		List<LockLostEvent> events = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {

			@Override
			public void onLost(LockRequest request, LockLostEvent event) {
				events.add(event);
			}

		});
		LockHandle lock = cluster.acquire(ORDER).join();
		lock.onLost(events::add);
		cluster.engine.stop();
		cluster.time.advance(Duration.ofMinutes(2));
		assertThat(lock.isHeld()).isFalse();
		assertThat(events).hasSize(2).allSatisfy((event) -> assertThat(event.reason()).contains("stopped"));
	}

	@Test
	void downgradeOfSeveralLeasesTurnsThoseThatAreExclusive() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle outer = cluster.acquire(LockRequest.ofAll("a", "b")).join();
		LockHandle other = cluster.acquire(LockRequest.of("c")).join();
		LockHandle reader = cluster.acquire(LockRequest.of("d").shared()).join();
		LockHandle all = new CompositeHandle(
				List.of(((Handle) outer).reenter(List.of("a")), ((Handle) outer).reenter(List.of("b")), other, reader));
		all.downgrade();
		assertThat(List.of(all, outer, other)).extracting(LockHandle::mode).containsOnly(LockMode.SHARED);
		assertThat(all.isHeld()).isTrue();
		assertThat(cluster.nodes.get(0).operations()).filteredOn("renew"::equals).hasSize(2);
		assertThatIllegalStateException().isThrownBy(all::downgrade).withMessageContaining("not held exclusively");
		all.closeAsync();
		assertThatIllegalStateException().isThrownBy(all::downgrade).withMessageContaining("closed");
	}

}
