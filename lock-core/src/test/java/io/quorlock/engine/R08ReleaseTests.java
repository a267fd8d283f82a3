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
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R8: a release is idempotent, and is repeated on the nodes that did not reply.
 */
@Timeout(60)
class R08ReleaseTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void releaseIsRepeatedOnNodesThatDidNotReply() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		lock.closeAsync();
		lock.closeAsync();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
		cluster.nodes.get(1).granting();
		cluster.nodes.get(1).connected();
		assertThat(cluster.nodes.get(1).operations()).containsExactly("acquire", "release", "release");
		cluster.time.advance(LEASE);
		assertThat(cluster.nodes.get(1).operations()).hasSize(3);
	}

	/** The claim behind it may have ended since, and would keep others out. */
	@Test
	void releaseThatIsRepeatedBringsNoTicket() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.nodes.forEach((node) -> node.withWaiting(2));
		ScriptedNode lost = cluster.nodes.get(1);
		lost.script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		lock.closeAsync();
		assertThat(((NodeCommand.Release) lost.last().command()).ticket()).isNotNull();
		lost.withWaiting(2);
		lost.connected();
		assertThat(lost.operations()).containsExactly("acquire", "release", "release");
		assertThat(((NodeCommand.Release) lost.last().command()).ticket()).isNull();
	}

	@Test
	void engineThatWasStoppedAndStartedRepeatsReleases() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.engine.stop();
		cluster.engine.start();
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.ERROR, "BUSY");
		lock.closeAsync();
		cluster.nodes.get(1).granting();
		cluster.time.advance(Duration.ofSeconds(2));
		assertThat(cluster.nodes.get(1).operations()).containsExactly("acquire", "release", "release");
	}

	/** It does not vote, but holds the key all the same. */
	@Test
	void releaseIsRepeatedOnANodeInQuarantine() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		ScriptedNode restarted = cluster.nodes.get(1);
		restarted.status = NodeStatus.of(NodeStatus.State.QUARANTINED, "started 1 s ago");
		restarted.script = (command) -> new NodeReply.Failed(Cause.ERROR, "BUSY");
		lock.closeAsync();
		restarted.granting();
		cluster.time.advance(Duration.ofSeconds(2));
		assertThat(restarted.operations()).containsExactly("acquire", "release", "release");
	}

	@Test
	void closeIsDoneAfterOneOperationTimeoutAtTheLatest() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		CompletableFuture<?> closed = lock.closeAsync().toCompletableFuture();
		cluster.time.advance(TIMEOUT.minusMillis(1));
		assertThat(closed).isNotDone();
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(closed).isDone();
	}

	/** Whoever is told that the lock is free finds it free on a majority. */
	@Test
	void closeOnAnInterruptedThreadAwaitsTheConfirmationOfAQuorum() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		CompletableFuture<Boolean> interruptedAfterwards = new CompletableFuture<>();
		Thread closing = new Thread(() -> {
			Thread.currentThread().interrupt();
			try {
				lock.close();
				interruptedAfterwards.complete(Thread.currentThread().isInterrupted());
			}
			catch (Throwable ex) {
				interruptedAfterwards.completeExceptionally(ex);
			}
		});
		closing.start();
		awaitWaiting(closing);
		assertThat(interruptedAfterwards).isNotDone();
		closing.interrupt();
		awaitWaiting(closing);
		assertThat(interruptedAfterwards).isNotDone();
		cluster.nodes.get(0).last().grant();
		awaitWaiting(closing);
		assertThat(interruptedAfterwards).isNotDone();
		cluster.nodes.get(1).last().grant();
		assertThat(interruptedAfterwards).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	/** One of them is held by the outer call still. */
	@Test
	void closeOfSeveralLeasesAwaitsTheConfirmationOfEach() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockContext outer = LockContext.with(cluster.acquire(LockRequest.of("invoice")).join(), null);
		LockRequest request = LockRequest.ofAll("invoice", "order").within(outer);
		DefaultLockTemplate template = new DefaultLockTemplate(cluster.engine);
		LockHandle first = template.acquire(request);
		LockHandle second = template.acquire(request.within(LockContext.with(first, outer)));
		first.close();
		cluster.silence();
		CompletableFuture<Void> closed = new CompletableFuture<>();
		Thread closing = new Thread(() -> {
			second.close();
			closed.complete(null);
		});
		closing.start();
		awaitWaiting(closing);
		assertThat(closed).isNotDone();
		cluster.nodes.get(0).last().grant();
		cluster.nodes.get(1).last().grant();
		assertThat(closed).succeedsWithin(Duration.ofSeconds(20));
	}

	/** It has seen its interrupt, and waits all the same; or it has ended. */
	private static void awaitWaiting(Thread thread) {
		Awaitility.await()
			.until(() -> !thread.isAlive() || (thread.getState() == Thread.State.WAITING && !thread.isInterrupted()));
	}

	@Test
	void closeReturnsOnceTheReleaseWasSentIfThatIsEnough() {
		ScriptedCluster cluster = new ScriptedCluster(3,
				(engine) -> engine.set(EngineSettings::confirmingReleases, false), (quorum) -> {
				});
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		assertThat(lock.closeAsync().toCompletableFuture()).isDone();
		cluster.nodes.forEach((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void releaseThatWasOnlySentIsRepeatedUntilItIsConfirmed() {
		ScriptedCluster cluster = new ScriptedCluster(3,
				(engine) -> engine.set(EngineSettings::confirmingReleases, false), (quorum) -> {
				});
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		lock.closeAsync();
		cluster.nodes.get(1).granting();
		cluster.nodes.get(1).connected();
		assertThat(cluster.nodes.get(1).operations()).containsExactly("acquire", "release", "release");
	}

	/** The node got nothing of the acquire, but a renewal, which puts the lock on it. */
	@Test
	void releaseReachesNodesThatOnlyARenewalReached() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(2).down();
		LockHandle lock = cluster.acquire(ORDER).join();
		ScriptedNode returned = cluster.nodes.get(2).granting();
		returned.status = cluster.nodes.get(0).status;
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(returned.operations()).endsWith("renew");
		lock.closeAsync();
		assertThat(returned.operations()).endsWith("renew", "release");
	}

	@Test
	void releaseIsNotRepeatedOnceTheLeaseHasEnded() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		cluster.nodes.get(1).status = NodeStatus.of(NodeStatus.State.DOWN, "connection closed");
		lock.closeAsync();
		cluster.time.advance(Duration.ofMinutes(2));
		cluster.nodes.get(1).connected();
		assertThat(cluster.nodes.get(1).operations()).containsExactly("acquire", "release");
	}

	@Test
	void releaseIsRepeatedUntilTheNodeConfirmsIt() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.ERROR, "BUSY");
		lock.closeAsync();
		cluster.time.advance(Duration.ofSeconds(5));
		assertThat(cluster.nodes.get(1).operations()).hasSizeGreaterThan(4);
		cluster.nodes.get(1).granting();
		cluster.time.advance(Duration.ofSeconds(2));
		int sent = cluster.nodes.get(1).operations().size();
		cluster.time.advance(Duration.ofSeconds(5));
		assertThat(cluster.nodes.get(1).operations()).hasSize(sent);
	}

	/**
	 * What is left would keep everything about the lock in memory, a third of its lease
	 * long.
	 */
	@Test
	void releasedLockLeavesNoTimer() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		int before = cluster.time.pending();
		LockHandle lock = cluster.acquire(ORDER).join();
		assertThat(cluster.time.pending()).isGreaterThan(before);
		lock.closeAsync();
		assertThat(cluster.time.pending()).isEqualTo(before);
	}

	@Test
	void lockThatWasAskedForWithoutAWaitLeavesNoTimer() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		int before = cluster.time.pending();
		cluster.acquire(ORDER).join().close();
		assertThat(cluster.time.pending()).isEqualTo(before);
		cluster.silence();
		CompletableFuture<LockHandle> late = cluster.acquire(ORDER);
		cluster.nodes.forEach((node) -> node.last().grant());
		cluster.grant();
		late.join().close();
		assertThat(cluster.time.pending()).isEqualTo(before);
	}

}
