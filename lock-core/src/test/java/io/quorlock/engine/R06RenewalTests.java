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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.node.NodeCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * R6: a lease is renewed at a third of it, on all nodes.
 */
@Timeout(60)
class R06RenewalTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void extensionThatTheDriftMarginConsumesIsRefusedAndChangesNothing() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ScriptedCluster.ORDER).join();
		Duration remaining = lock.remaining();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofMillis(1)))
			.withMessageContaining("clock drift takes");
		assertThat(lock.remaining()).isEqualTo(remaining);
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
	}

	@Test
	void leaseIsRenewedOnAllNodesAtAThirdOfIt() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofMillis(9_950));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
		cluster.time.advance(Duration.ofMillis(50));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "renew");
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "renew", "renew"));
		assertThat(lock.isHeld()).isTrue();
	}

	/** A fence that ended with the lease would order no later holder (R9). */
	@Test
	void renewalStoresTheFenceForItsRetentionAndNotForTheLease() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(cluster.nodes).allSatisfy((node) -> {
			NodeCommand.Renew renew = (NodeCommand.Renew) node.last().command();
			assertThat(renew.leaseMillis()).isEqualTo(LEASE.toMillis());
			assertThat(renew.fenceMillis()).isGreaterThanOrEqualTo(Duration.ofMinutes(10).plus(LEASE).toMillis());
			assertThat(renew.fences()).contains(lock.fencingToken() + 15);
		});
	}

	@Test
	void leasesGrantedAboutTheSameTimeAreRenewedAtTheSameInstant() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (int i = 0; i < 20; i++) {
			cluster.acquire(LockRequest.of("order").key(i)).join();
			cluster.time.advance(Duration.ofMillis(1));
		}
		cluster.time.advance(Duration.ofMillis(9_900));
		cluster.nodes.get(0).requests.clear();
		Set<Integer> renewedTogether = new HashSet<>();
		for (int i = 0; i < 200; i++) {
			cluster.time.advance(Duration.ofMillis(1));
			renewedTogether.add(cluster.nodes.get(0).operations().size());
		}
		assertThat(renewedTogether).contains(0, 20).hasSizeLessThanOrEqualTo(3);
	}

	@Test
	void renewalWithoutAQuorumHasNoEffectAndIsRetriedUntilTheValidityEnds() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(0).down();
		cluster.nodes.get(1).down();
		cluster.time.advance(Duration.ofSeconds(29));
		assertThat(renewals(cluster.nodes.get(0))).isGreaterThan(50);
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(1));
		cluster.nodes.get(0).granting();
		cluster.time.advance(Duration.ofMillis(300));
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
	}

	@Test
	void retriesDoNotPileUpOnNodesThatOweAReply() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofSeconds(12));
		cluster.nodes.forEach((node) -> assertThat(renewals(node)).isOne());
		cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(lock.remaining()).isBetween(Duration.ofSeconds(27), Duration.ofSeconds(28));
		cluster.time.advance(Duration.ofSeconds(17));
		assertThat(renewals(cluster.nodes.get(0))).isBetween(4L, 5L);
	}

	@Test
	void retryAsksTheNodesThatReplied() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).down();
		cluster.time.advance(Duration.ofSeconds(12));
		assertThat(renewals(cluster.nodes.get(0))).isOne();
		assertThat(renewals(cluster.nodes.get(2))).isGreaterThan(5);
		cluster.nodes.get(1).granting();
		cluster.time.advance(Duration.ofMillis(300));
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
	}

	/** The reply was perhaps lost, and the node may have the lease no longer. */
	@Test
	void nodeThatOwesAReplyIsAskedAgainAfterATenthOfTheLease() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).down();
		cluster.time.advance(Duration.ofSeconds(12));
		assertThat(renewals(cluster.nodes.get(0))).isOne();
		cluster.nodes.get(0).granting();
		cluster.time.advance(Duration.ofMillis(1_500));
		assertThat(renewals(cluster.nodes.get(0))).isEqualTo(2);
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
	}

	@Test
	void tooFewNodesThatOweNothingAreNotAsked() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER).join();
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).silent();
		cluster.time.advance(Duration.ofSeconds(12));
		cluster.nodes.forEach((node) -> assertThat(renewals(node)).isOne());
	}

	@Test
	void retryFailsWhenAllWhomItAskedHaveReplied() {
		AtomicInteger failures = new AtomicInteger();
		ScriptedCluster cluster = new ScriptedCluster(3, failuresCountedBy(failures));
		cluster.acquire(ORDER).join();
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).down();
		cluster.nodes.get(2).down();
		while (renewals(cluster.nodes.get(1)) < 2) {
			cluster.time.advance(Duration.ofMillis(1));
		}
		assertThat(renewals(cluster.nodes.get(0))).isOne();
		assertThat(failures).hasValue(2);
	}

	@Test
	void renewalFailsWithTheLastReplyThoughThatIsAConfirmation() {
		AtomicInteger failures = new AtomicInteger();
		ScriptedCluster cluster = new ScriptedCluster(3, failuresCountedBy(failures));
		cluster.acquire(ORDER).join();
		cluster.nodes.get(0).down();
		cluster.nodes.get(1).down();
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(renewals(cluster.nodes.get(2))).isOne();
		assertThat(failures).hasValue(1);
	}

	private static LockListener failuresCountedBy(AtomicInteger failures) {
		return new LockListener() {

			@Override
			public void onRenewed(LockRequest request, boolean success) {
				failures.addAndGet(success ? 0 : 1);
			}

		};
	}

	private static long renewals(ScriptedNode node) {
		return node.operations().stream().filter("renew"::equals).count();
	}

	@Test
	void validityStartsWhenTheRenewalWasSent() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		while (!cluster.nodes.get(0).operations().contains("renew")) {
			cluster.time.advance(Duration.ofMillis(1));
		}
		ScriptedNode.Request first = cluster.nodes.get(0).last();
		ScriptedNode.Request second = cluster.nodes.get(1).last();
		cluster.time.advance(Duration.ofMillis(90));
		first.grant();
		second.grant();
		assertThat(lock.remaining()).isBetween(LEASE.minusMillis(91 + 302), LEASE.minusMillis(90 + 302));
	}

	@Test
	void replyToAnOlderRenewalDoesNotRaiseALoweredValidity() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = cluster.nodes.stream().map(ScriptedNode::last).toList();
		CompletableFuture<Void> extended = CompletableFuture.runAsync(() -> lock.extend(Duration.ofSeconds(3)));
		Awaitility.await().until(() -> cluster.nodes.get(2).operations().size() == 3);
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(3));
		renewals.forEach(ScriptedNode.Request::grant);
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(3));
		cluster.nodes.forEach((node) -> node.last().grant());
		extended.join();
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(3));
	}

	@Test
	void renewalsDoNotMultiply() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (int i = 0; i < 500; i++) {
			cluster.acquire(ORDER).join().closeAsync();
		}
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofSeconds(61));
		assertThat(cluster.nodes.get(0).operations().stream().filter("renew"::equals)).hasSize(6);
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void watchdogRenewsNoLongerThanTheMaximumHoldTime() {
		ScriptedCluster cluster = new ScriptedCluster(3,
				(settings) -> new TestSettings("app", settings.waitTime(), LEASE, settings.maxLeaseTime(),
						Duration.ofSeconds(45), TIMEOUT, settings.retryMinDelay(), settings.retryMaxDelay(),
						Integer.MAX_VALUE, 0.01, true, settings.fencingRetention(), 16,
						settings.handoverMaxDuration()));
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofSeconds(45));
		assertThat(lock.isHeld()).isTrue();
		cluster.time.advance(Duration.ofSeconds(30));
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("distributed-lock.max-hold-time");
	}

	@Test
	void ofTwoExtensionsTheLaterOneReachesTheNodesLast() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.leaseTime(Duration.ofSeconds(30))).join();
		lock.extend(Duration.ofSeconds(5));
		lock.extend(Duration.ofSeconds(60));
		NodeCommand.Renew last = (NodeCommand.Renew) cluster.nodes.get(0).last().command();
		assertThat(last.leaseMillis()).isEqualTo(60_000);
		assertThat(last.shorten()).isFalse();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(59));
	}

	/** Two of three decide; what the third one says is reported as well. */
	@Test
	void allNodesThatConfirmARenewalAreReported() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(new LockInspector(cluster.engine).held().get(0).nodes()).containsExactly("node0", "node1", "node2");
	}

	@Test
	void nodesThatConfirmedTheLastRenewalAreReported() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(2).refusing();
		cluster.acquire(ORDER).join();
		LockInspector inspector = new LockInspector(cluster.engine);
		assertThat(inspector.held().get(0).nodes()).containsExactly("node0", "node1");
		cluster.nodes.get(0).down();
		cluster.nodes.get(2).granting();
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(inspector.held().get(0).nodes()).containsExactly("node1", "node2");
	}

	@Test
	void renewalsThatAreConfirmedAreReported() {
		List<Boolean> renewals = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {

			@Override
			public void onRenewed(LockRequest request, boolean success) {
				renewals.add(success);
			}

		});
		cluster.acquire(ORDER).join();
		cluster.time.advance(Duration.ofSeconds(25));
		assertThat(renewals).containsExactly(true, true);
	}

	/** Its user would rely on it. */
	@Test
	void extensionThatIsConfirmedAfterTheLeaseHasEndedFails() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		CompletableFuture<Boolean> extended = ((Handle) lock).extendAsync(LEASE).toCompletableFuture();
		List<ScriptedNode.Request> renewals = cluster.nodes.stream().map(ScriptedNode::last).toList();
		cluster.time.pause(LEASE);
		renewals.forEach(ScriptedNode.Request::grant);
		cluster.time.catchUp();
		assertThat(extended).isCompletedWithValue(false);
		assertThat(lock.isHeld()).isFalse();
	}

	/** What its earlier holder asked for in vain is no reason against the next one. */
	@Test
	void renewalThatSucceedsEndsTheReasonOfOneThatFailed() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofSeconds(12));
		cluster.grant();
		cluster.time.advance(Duration.ofSeconds(2));
		cluster.time.pause(Duration.ofSeconds(40));
		assertThat(lock.loss()).hasValueSatisfying((loss) -> assertThat(loss)
			.hasMessageContaining("its validity ended without a renewal (a pause of this process?)"));
	}

	/** A renewal from before the lease was shortened tells nothing about it. */
	@Test
	void failureOfARenewalFromBeforeAShorterExtensionIsNoReason() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofMillis(10_010));
		cluster.grant();
		lock.extend(Duration.ofSeconds(5));
		cluster.time.advance(Duration.ofMillis(200));
		cluster.time.pause(Duration.ofSeconds(10));
		assertThat(lock.loss()).hasValueSatisfying((loss) -> assertThat(loss)
			.hasMessageContaining("its validity ended without a renewal (a pause of this process?)"));
	}

	@Test
	void renewalsLeaveNoTimers() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		int before = cluster.time.pending();
		cluster.time.advance(Duration.ofMinutes(10));
		lock.extend(Duration.ofSeconds(20));
		assertThat(cluster.time.pending()).isEqualTo(before);
	}

}
