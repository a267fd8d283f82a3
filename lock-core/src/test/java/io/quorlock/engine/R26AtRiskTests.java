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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.inspect.LockHold;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R26: a lock that is renewed is at risk when a third of its validity is left and no
 * quorum has confirmed a renewal.
 */
@Timeout(60)
class R26AtRiskTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	/** The lease is 30 s, its drift margin 302 ms; two thirds of the rest. */
	private static final Duration AT_RISK = Duration.ofNanos(19_798_666_666L);

	private static final Duration MILLI = Duration.ofMillis(1);

	private final List<LockAtRiskEvent> heard = new ArrayList<>();

	private final List<LockAtRiskEvent> events = new ArrayList<>();

	private final List<LockLostEvent> losses = new ArrayList<>();

	private final ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {
		@Override
		public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
			R26AtRiskTests.this.heard.add(event);
		}
	});

	private LockHandle acquire(LockRequest request) {
		LockHandle lock = this.cluster.acquire(request).join();
		lock.onAtRisk(this.events::add);
		lock.onLost(this.losses::add);
		return lock;
	}

	private void expectAtRisk(Boolean... atRisk) {
		assertThat(this.events).extracting(LockAtRiskEvent::atRisk).containsExactly(atRisk);
	}

	@Test
	void lockWithoutAConfirmedRenewalIsAtRiskWhenAThirdOfItsValidityIsLeft() {
		LockHandle lock = acquire(ORDER);
		this.cluster.silence();
		this.cluster.nodes.get(2).granting();
		this.cluster.time.advance(AT_RISK.minus(MILLI));
		assertThat(this.events).isEmpty();
		this.cluster.time.advance(MILLI.multipliedBy(2));
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.heard).isEqualTo(this.events);
		assertThat(this.events).singleElement().satisfies((event) -> {
			assertThat(event.atRisk()).isTrue();
			assertThat(event.name()).isEqualTo("order");
			assertThat(event.owner()).startsWith("app@host:1:");
			assertThat(event.unconfirmedFor()).isBetween(AT_RISK, AT_RISK.plus(MILLI));
			assertThat(event.remaining()).isBetween(Duration.ofMillis(9_898), Duration.ofMillis(9_900));
			assertThat(event.nodes()).containsExactly("node2");
			assertThat(event.reason()).contains("node node0: no reply").doesNotContain("node2");
		});
		this.cluster.time.advance(Duration.ofSeconds(11));
		expectAtRisk(true);
		assertThat(this.losses).hasSize(1);
	}

	@Test
	void lockIsSafeAgainOnceAQuorumConfirmsAndEachEpisodeIsReportedOnce() {
		LockHandle lock = acquire(ORDER);
		for (int episode = 1; episode <= 3; episode++) {
			this.cluster.silence();
			this.cluster.time.advance(Duration.ofSeconds(25));
			assertThat(this.events).hasSize(2 * episode - 1).last().extracting(LockAtRiskEvent::atRisk).isEqualTo(true);
			this.cluster.grant();
			this.cluster.time.advance(Duration.ofSeconds(3));
			assertThat(this.events).hasSize(2 * episode).last().satisfies((event) -> {
				assertThat(event.atRisk()).isFalse();
				assertThat(event.remaining()).isGreaterThan(Duration.ofSeconds(25));
				assertThat(event.nodes()).hasSizeGreaterThan(1);
				assertThat(event.reason()).isEmpty();
			});
		}
		assertThat(this.heard).isEqualTo(this.events);
		assertThat(lock.isHeld()).isTrue();
		assertThat(this.losses).isEmpty();
	}

	/** Replies come on the threads of the connections. */
	@Test
	void lockIsToldToBeSafeAgainWithTheReplyThatMakesItSo() {
		acquire(ORDER);
		this.cluster.silence();
		this.cluster.time.advance(AT_RISK.plus(MILLI));
		this.cluster.time.advance(Duration.ofSeconds(1));
		expectAtRisk(true);
		this.cluster.nodes.forEach((node) -> node.last().grant());
		expectAtRisk(true, false);
		this.cluster.grant();
		this.cluster.time.advance(Duration.ofSeconds(30));
		expectAtRisk(true, false);
	}

	@Test
	void lockThatIsRenewedIsNeverAtRisk() {
		acquire(ORDER);
		this.cluster.time.advance(Duration.ofMinutes(10));
		assertThat(this.events).isEmpty();
	}

	@Test
	void failuresThatEndBeforeAThirdIsLeftAreNoRisk() {
		acquire(ORDER);
		this.cluster.silence();
		this.cluster.time.advance(AT_RISK.minusSeconds(3));
		this.cluster.grant();
		this.cluster.time.advance(Duration.ofSeconds(60));
		assertThat(this.events).isEmpty();
	}

	@Test
	void fixedLeaseIsNeverAtRisk() {
		acquire(ORDER.leaseTime(Duration.ofSeconds(30)));
		this.cluster.time.advance(Duration.ofSeconds(40));
		assertThat(this.losses).hasSize(1);
		assertThat(this.events).isEmpty();
	}

	@Test
	void lockBeyondItsMaxHoldTimeIsLostWithoutHavingBeenAtRisk() {
		ScriptedCluster limited = new ScriptedCluster(3,
				(settings) -> settings.set(EngineSettings::maxHoldTime, Duration.ofSeconds(60)), (quorum) -> {
				});
		LockHandle lock = limited.acquire(ORDER).join();
		lock.onAtRisk(this.events::add);
		limited.time.advance(Duration.ofSeconds(100));
		assertThat(lock.loss()).isPresent();
		assertThat(this.events).isEmpty();
	}

	@Test
	void afterAPauseBeyondTheEndOnlyTheLossIsReported() {
		acquire(ORDER);
		this.cluster.time.pause(Duration.ofSeconds(30));
		this.cluster.time.catchUp();
		this.cluster.time.advance(Duration.ofSeconds(1));
		assertThat(this.losses).hasSize(1);
		assertThat(this.events).isEmpty();
		assertThat(this.heard).isEmpty();
	}

	@Test
	void afterAPauseTheRepliesThatAreThereAreReadFirst() {
		acquire(ORDER);
		this.cluster.silence();
		this.cluster.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = this.cluster.nodes.stream().map(ScriptedNode::last).toList();
		this.cluster.time.pause(Duration.ofSeconds(13));
		this.cluster.time.catchUp();
		assertThat(this.events).isEmpty();
		renewals.forEach(ScriptedNode.Request::grant);
		this.cluster.time.advance(Duration.ofSeconds(1));
		assertThat(this.events).isEmpty();
	}

	@Test
	void afterAPauseWithoutRepliesTheRiskIsReportedSoonAfter() {
		acquire(ORDER);
		this.cluster.silence();
		this.cluster.time.advance(Duration.ofSeconds(10));
		this.cluster.time.pause(Duration.ofSeconds(13));
		this.cluster.time.catchUp();
		assertThat(this.events).isEmpty();
		this.cluster.time.advance(Duration.ofMillis(50));
		expectAtRisk(true);
	}

	@Test
	void renewalThatAPausePostponedHasTimeForItsReplies() {
		acquire(ORDER);
		this.cluster.silence();
		this.cluster.time.pause(AT_RISK.minus(MILLI));
		this.cluster.time.catchUp();
		List<ScriptedNode.Request> renewals = this.cluster.nodes.stream().map(ScriptedNode::last).toList();
		this.cluster.time.advance(Duration.ofMillis(30));
		renewals.forEach(ScriptedNode.Request::grant);
		this.cluster.time.advance(Duration.ofSeconds(1));
		assertThat(this.events).isEmpty();
	}

	@Test
	void confirmationThatLeavesLessThanAThirdIsNoEndOfTheRisk() {
		LockHandle lock = acquire(ORDER);
		this.cluster.silence();
		this.cluster.time.advance(Duration.ofSeconds(1));
		((Handle) lock).extendAsync(Duration.ofSeconds(30));
		List<ScriptedNode.Request> early = this.cluster.nodes.stream().map(ScriptedNode::last).toList();
		this.cluster.time.advance(Duration.ofSeconds(24));
		early.forEach(ScriptedNode.Request::grant);
		assertThat(lock.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
		expectAtRisk(true);
		this.cluster.grant();
		this.cluster.time.advance(Duration.ofSeconds(1));
		expectAtRisk(true, false);
	}

	@Test
	void callbackThatComesLateRunsAtOnceAndOneOfAClosedHandleNever() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		LockHandle closed = ((Handle) lock).reenter(lock.names());
		List<LockAtRiskEvent> none = new ArrayList<>();
		closed.onAtRisk(none::add);
		closed.close();
		this.cluster.silence();
		this.cluster.time.advance(AT_RISK.plus(MILLI));
		lock.onAtRisk(this.events::add);
		expectAtRisk(true);
		this.cluster.grant();
		this.cluster.time.advance(Duration.ofSeconds(3));
		expectAtRisk(true, false);
		assertThat(none).isEmpty();
	}

	@Test
	void shorterLeaseIsAtRiskSooner() {
		LockHandle lock = acquire(ORDER);
		this.cluster.silence();
		((Handle) lock).extendAsync(Duration.ofSeconds(3));
		this.cluster.time.advance(Duration.ofMillis(1_970));
		assertThat(this.events).isEmpty();
		this.cluster.time.advance(Duration.ofMillis(20));
		expectAtRisk(true);
		assertThat(this.events.get(0).remaining()).isLessThan(Duration.ofSeconds(1));
	}

	@Test
	void riskIsSeenByTheInspector() {
		acquire(ORDER);
		LockInspector inspector = new LockInspector(this.cluster.engine);
		assertThat(inspector.held()).extracting(LockHold::atRisk).containsExactly(false);
		this.cluster.silence();
		this.cluster.time.advance(AT_RISK.plus(MILLI));
		assertThat(inspector.held()).extracting(LockHold::atRisk).containsExactly(true);
	}

	@Test
	void callbackThatFailsDoesNotKeepOthersFromRunning() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		lock.onAtRisk((event) -> {
			throw new IllegalStateException("test");
		});
		lock.onAtRisk(this.events::add);
		this.cluster.silence();
		this.cluster.time.advance(Duration.ofSeconds(25));
		this.cluster.grant();
		this.cluster.time.advance(Duration.ofSeconds(3));
		expectAtRisk(true, false);
	}

	/** A leader may hold its lock for weeks, and enter it again and again. */
	@Test
	void callbacksOfInnerHandlesThatWereClosedAreForgotten() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		List<WeakReference<List<LockAtRiskEvent>>> callbacks = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			List<LockAtRiskEvent> told = new ArrayList<>();
			LockHandle inner = ((Handle) lock).reenter(lock.names());
			inner.onAtRisk(told::add);
			inner.close();
			callbacks.add(new WeakReference<>(told));
		}
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(callbacks.stream().filter((callback) -> callback.get() != null)).hasSizeLessThan(10);
		});
		assertThat(lock.isHeld()).isTrue();
	}

}
