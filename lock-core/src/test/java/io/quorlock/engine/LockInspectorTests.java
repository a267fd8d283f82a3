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
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockKeyException;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.inspect.LockHold;
import io.quorlock.engine.inspect.LockWait;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.NodeReport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link LockInspector}.
 */
class LockInspectorTests {

	private final ObservedEngine observed = new ObservedEngine(3).start();

	private final LockTemplate template = this.observed.template();

	private final LockInspector inspector = this.observed.inspector();

	@AfterEach
	void stop() {
		this.observed.close();
	}

	@Test
	void saysWhatIsHeld() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(42))) {
			LockHold held = this.inspector.held().get(0);
			assertThat(held.names()).containsExactly("order:42");
			assertThat(held.baseName()).isEqualTo("order");
			assertThat(held.owner()).startsWith(this.observed.engine().settings().instanceId() + ":");
			assertThat(held.fencingTokens()).containsEntry("order:42", lock.fencingToken());
			assertThat(held.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
			assertThat(held.nodes()).hasSizeGreaterThanOrEqualTo(2);
			assertThat(held.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(held.heldFor()).isBetween(Duration.ZERO, Duration.ofSeconds(29));
			assertThat(this.inspector.heldByBaseName()).containsExactly(entry("order", 1));
		}
		assertThat(this.inspector.held()).isEmpty();
		assertThat(this.inspector.heldByBaseName()).isEmpty();
	}

	@Test
	void saysWhichNodesGrantedALock() {
		this.observed.nodes.get(1).cutOff();
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			assertThat(this.inspector.held()).singleElement()
				.satisfies((held) -> assertThat(held.nodes()).containsExactly("node0:6379", "node2:6379"));
		}
	}

	@Test
	void saysWhatIsWaitedFor() throws Exception {
		CompletableFuture<LockHandle> waiting;
		try (LockHandle lock = this.template.acquire(LockRequest.of("order").key(42))) {
			waiting = this.template.acquireAsync(LockRequest.of("order").key(42)).toCompletableFuture();
			LockWait wait = this.inspector.waiting().get(0);
			assertThat(wait.names()).containsExactly("order:42");
			assertThat(wait.baseName()).isEqualTo("order");
			assertThat(wait.thread()).isEqualTo(Thread.currentThread().getName());
			assertThat(wait.attempts()).isZero();
			assertThat(this.inspector.waitingByBaseName()).containsExactly(entry("order", 1));
		}
		waiting.get().close();
		assertThat(this.inspector.waiting()).isEmpty();
	}

	@Test
	void saysOfWhichKindALockIs() throws Exception {
		LockRequest request = LockRequest.of("export").permits(1).fair();
		CompletableFuture<LockHandle> waiting;
		try (LockHandle lock = this.template.acquire(request)) {
			waiting = this.template.acquireAsync(request).toCompletableFuture();
			assertThat(this.inspector.held()).singleElement().satisfies((held) -> {
				assertThat(held.permit()).isEqualTo(lock.permit());
				assertThat(held.permits()).isOne();
				assertThat(held.fair()).isTrue();
			});
			assertThat(this.inspector.waiting()).singleElement().satisfies((wait) -> {
				assertThat(wait.permits()).isOne();
				assertThat(wait.fair()).isTrue();
			});
		}
		waiting.get().close();
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			assertThat(this.inspector.held()).singleElement().satisfies((held) -> {
				assertThat(held.permits()).isZero();
				assertThat(held.fair()).isFalse();
			});
		}
	}

	@Test
	void asksTheNodesForTheOwner() {
		try (LockHandle lock = this.template.acquire(LockRequest.of("order"))) {
			List<NodeReport> answers = this.inspector.inspect("order").join();
			assertThat(answers).extracting(NodeReport::node).containsExactly("node0:6379", "node1:6379", "node2:6379");
			assertThat(answers).allSatisfy((answer) -> {
				assertThat(answer.owner()).isEqualTo(this.inspector.held().get(0).owner());
				assertThat(answer.remaining()).isPositive();
				assertThat(answer.fence()).isGreaterThanOrEqualTo(lock.fencingToken());
				assertThat(answer.error()).isNull();
			});
		}
		assertThat(this.inspector.inspect("order").join()).allSatisfy((answer) -> {
			assertThat(answer.owner()).isNull();
			assertThat(answer.fence()).isPositive();
		});
	}

	@Test
	void saysWhichNodesDidNotAnswer() {
		this.observed.nodes.get(0).silence();
		this.observed.nodes.get(1).cutOff();
		assertThat(this.inspector.inspect("order").join()).extracting(NodeReport::error)
			.containsExactly("no reply within 2000 ms", "connection refused", null);
		assertThat(this.inspector.status().available()).isTrue();
	}

	@Test
	void refusesWhatIsNoName() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.inspector.inspect(""));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.inspector.forceRelease(""));
	}

	@Test
	void forceReleaseTellsTheHolderOfThisInstance() {
		CompletableFuture<LockLostEvent> lost = new CompletableFuture<>();
		LockHandle lock = this.template.acquire(LockRequest.of("order"));
		lock.onLost(lost::complete);
		assertThat(this.inspector.forceRelease("order").join())
			.allSatisfy((answer) -> assertThat(answer.error()).isNull());
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("by force");
		assertThat(lost.join().reason()).isEqualTo("an operator released it by force");
		assertThat(this.inspector.inspect("order").join()).extracting(NodeReport::owner).containsOnlyNulls();
	}

	@Test
	void forceReleaseLeavesTheNextInLineAlone() throws Exception {
		LockHandle lock = this.template.acquire(LockRequest.of("order"));
		CompletableFuture<LockHandle> next = this.template.acquireAsync(LockRequest.of("order")).toCompletableFuture();
		this.inspector.forceRelease("order").join();
		try (LockHandle handle = next.get()) {
			assertThat(handle.isHeld()).isTrue();
			assertThat(handle.fencingToken()).isGreaterThan(lock.fencingToken());
			String owner = this.inspector.held().get(0).owner();
			// A quorum is enough: the others may store it a little later.
			Awaitility.await()
				.untilAsserted(() -> assertThat(this.inspector.inspect("order").join()).extracting(NodeReport::owner)
					.containsOnly(owner));
		}
	}

	@Test
	void forceReleaseFreesWhatAnotherInstanceHolds() throws Exception {
		LockEngine neighbour = this.observed.startNeighbour();
		try {
			LockHandle theirs = new DefaultLockTemplate(neighbour).acquire(LockRequest.of("order"));
			assertThat(this.template.tryAcquire(LockRequest.of("order"))).isEmpty();
			this.inspector.forceRelease("order").join();
			try (LockHandle ours = this.template.tryAcquire(LockRequest.of("order")).orElseThrow()) {
				assertThat(ours.fencingToken()).isGreaterThan(theirs.fencingToken());
			}
		}
		finally {
			neighbour.stop();
		}
	}

	@Test
	void saysForHowLongOthersHaveWaited() {
		ScriptedCluster cluster = new ScriptedCluster(1);
		String ticket = Ticket
			.of(cluster.time.wallMicros(), LockTarget.exclusive(List.of("order")), 200, "app@host:2:ab:7")
			.text();
		cluster.nodes.get(0).script = (command) -> new NodeReply.Inspected(true, List.of(), List.of(ticket), 0);
		cluster.time.advance(Duration.ofSeconds(3));
		NodeReport report = new LockInspector(cluster.engine).inspect("order").join().get(0);
		assertThat(report.waiters()).singleElement()
			.extracting(NodeReport.Waiter::waiting)
			.isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void saysHowFarTheClockOfANodeIsAhead() {
		ScriptedCluster cluster = new ScriptedCluster(1);
		long sinceOrigin = cluster.time.wallMicros() - cluster.time.nanoTime() / 1_000;
		cluster.nodes.get(0).status = new NodeStatus(NodeStatus.State.VOTING, "", Duration.ZERO, "run", null,
				OptionalLong.of(sinceOrigin + 5_000_000));
		assertThat(new LockInspector(cluster.engine).status().nodes().get(0).clockOffsetMicros()).isEqualTo(5_000_000);
	}

}
