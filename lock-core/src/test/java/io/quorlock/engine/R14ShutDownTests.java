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
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R14: what is held when the engine stops is released.
 */
@Timeout(60)
@ExtendWith(LogCaptureExtension.class)
class R14ShutDownTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void stopReleasesHeldLocksAndFailsWaitingRequests() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> waiting = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.engine.stop();
		assertThat(waiting).isCompletedExceptionally();
		assertThat(lock.isHeld()).isFalse();
		cluster.time.advance(LEASE);
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void stopLogsOneLineForAllLocksThatAreHeld(CapturedLog output) {
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (int i = 0; i < 12; i++) {
			cluster.acquire(LockRequest.of("held").key(i)).join();
		}
		cluster.acquire(ORDER).join().close();
		cluster.acquire(LockRequest.of("unused").retainTime(Duration.ofMinutes(1))).join().closeAsync();
		assertThat(cluster.engine.leases()).hasSize(13);
		cluster.engine.stop();
		assertThat(output)
			.containsOnlyOnce("The lock engine of this instance stopped while 12 of its locks were held: 'held:")
			.contains(" and 2 more. They were released")
			.doesNotContain("was lost");
	}

	@Test
	@Tag("long")
	void lockGrantedWhileTheEngineStopsIsReleased() throws Exception {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		Thread stopping = new Thread(cluster.engine::stop);
		stopping.start();
		Awaitility.await().until(() -> lock.isDone() && !cluster.engine.isRunning());
		cluster.nodes.forEach((node) -> node.last().grant());
		stopping.join(10_000);
		assertThat(lock).isCompletedExceptionally();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	/** The timer, which would end the wait, may be closed with the engine. */
	@Test
	void extensionThatTheNodesConfirmAfterTheStopFailsAtOnce() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		CompletableFuture<Boolean> extended = ((Handle) lock).extendAsync(LEASE).toCompletableFuture();
		List<ScriptedNode.Request> renewals = cluster.nodes.stream().map(ScriptedNode::last).toList();
		cluster.nodes.forEach(ScriptedNode::granting);
		cluster.engine.stop();
		renewals.forEach(ScriptedNode.Request::grant);
		assertThat(extended).isCompletedWithValue(false);
	}

	/** The nodes are disconnected after that. */
	@Test
	void storeStopsWhenTheLastReleaseIsConfirmed() {
		ManualTime time = new ManualTime();
		List<ScriptedNode> nodes = List.of(new ScriptedNode("node0").granting());
		QuorumStore store = new QuorumStore(TestSettings.defaults("app@host:1").quorum(() -> 42), nodes, time, time,
				List.of());
		store.start();
		TestContender one = TestContender.of(store, TestClaim.of("one"), time.nanoTime()).start();
		TestContender other = TestContender.of(store, TestClaim.of("other"), time.nanoTime()).start();
		ScriptedNode node = nodes.get(0).silent();
		store.release(one.granted(), Duration.ZERO, null);
		ScriptedNode.Request first = node.last();
		store.release(other.granted(), Duration.ZERO, null);
		CompletableFuture<?> stopped = store.stop().toCompletableFuture();
		first.grant();
		assertThat(stopped).isNotDone();
		node.last().grant();
		assertThat(stopped).isDone();
	}

	/** What a node that hangs does not confirm ends with its lease. */
	/** Whoever stops the process does not want to wait for a release any longer. */
	@Test
	void stopOnAnInterruptedThreadWaitsForNothingAndLeavesItInterrupted() {
		ScriptedCluster cluster = new ScriptedCluster(1);
		cluster.acquire(ScriptedCluster.ORDER).join();
		cluster.silence();
		Thread.currentThread().interrupt();
		cluster.engine.stop();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	/** A claim that was refused leaves nothing behind to wait for, neither a timer. */
	@Test
	void storeThatAsksNothingStopsAtOnce() {
		ManualTime time = new ManualTime();
		QuorumStore store = new QuorumStore(TestSettings.defaults("app@host:1").quorum(() -> 42),
				List.of(new ScriptedNode("node0").refusing()), time, time, List.of());
		store.start();
		TestContender.of(store, TestClaim.of("order"), time.nanoTime()).start();
		int before = time.pending();
		assertThat(store.stop().toCompletableFuture()).isDone();
		assertThat(time.pending()).isEqualTo(before);
	}

	@Test
	void storeStopsAfterTwoOperationTimeoutsAtTheLatest() {
		ManualTime time = new ManualTime();
		QuorumStore store = new QuorumStore(TestSettings.defaults("app@host:1").quorum(() -> 42),
				List.of(new ScriptedNode("node0").silent()), time, time, List.of());
		store.start();
		TestContender.of(store, TestClaim.of("order").waiting(Duration.ofSeconds(5)), time.nanoTime()).start();
		CompletableFuture<?> stopped = store.stop().toCompletableFuture();
		time.advance(Duration.ofMillis(199));
		assertThat(stopped).isNotDone();
		time.advance(Duration.ofMillis(1));
		assertThat(stopped).isDone();
	}

}
