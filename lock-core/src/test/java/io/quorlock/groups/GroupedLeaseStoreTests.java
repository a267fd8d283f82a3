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

package io.quorlock.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.Settings;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link GroupedLeaseStore} (R23), over nodes in memory.
 */
@Timeout(60)
class GroupedLeaseStoreTests {

	private static final String IN_A = "order"; // as the test vectors say

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool();

	private final Map<String, List<InMemoryLockNode>> nodes = new TreeMap<>();

	private final Sharding sharding = new Sharding(List.of("a", "b"), Sharding.By.NAME);

	private final GroupedLeaseStore store;

	private final LockEngine engine;

	private final DefaultLockTemplate template;

	GroupedLeaseStoreTests() {
		Map<String, QuorumStore> stores = new TreeMap<>();
		for (String id : List.of("a", "b")) {
			List<InMemoryLockNode> group = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				group.add(new InMemoryLockNode(id + i, this.clock));
			}
			this.nodes.put(id, group);
			QuorumSettings settings = Settings.quorum("app@host:1")
				.set(QuorumSettings::operationTimeout, Duration.ofSeconds(2))
				.build();
			stores.put(id, new QuorumStore(settings, group, this.clock, this.timer, List.of()));
		}
		this.store = new GroupedLeaseStore(this.sharding, stores, this.clock::nanoTime);
		this.engine = new LockEngine(Settings.engine("app@host:1").build(), this.store, this.clock, this.timer,
				this.callbacks);
		this.template = new DefaultLockTemplate(this.engine);
		this.engine.start();
	}

	@AfterEach
	void close() {
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdownNow();
	}

	private String nameIn(String group) {
		return NamesOfGroups.nameIn(this.sharding, group);
	}

	private LockRequest both() {
		return LockRequest.ofAll(IN_A, nameIn("b")).waitTime(Duration.ZERO);
	}

	private List<InMemoryLockNode> nodesOf(String group) {
		return Objects.requireNonNull(this.nodes.get(group));
	}

	private void foreignHolder(String group, String name) {
		for (LockNode node : nodesOf(group)) {
			CompletableFuture<NodeReply> reply = new CompletableFuture<>();
			node.submit(TestAcquires.of(name, "other@host:9:1:1"), 0, (slot, received) -> reply.complete(received));
			assertThat(reply.join()).isInstanceOf(NodeReply.Granted.class);
		}
	}

	private int keysOf(String group, String name) {
		return (int) new LockInspector(this.engine).inspect(name)
			.join()
			.stream()
			.filter((report) -> report.node().startsWith(group) && report.owner() != null)
			.count();
	}

	@Test
	void nameIsAMatterOfItsGroupAlone() {
		assertThat(this.sharding.groupOf(IN_A)).isEqualTo("a");
		assertThat(this.store.status().nodes()).extracting(NodeState::name)
			.containsExactly("a0", "a1", "a2", "b0", "b1", "b2");
		LockHandle lock = this.template.acquire(LockRequest.of(IN_A));
		assertThat(keysOf("a", IN_A)).isEqualTo(3);
		assertThat(keysOf("b", IN_A)).isZero();
		lock.close();
		assertThat(keysOf("a", IN_A)).isZero();
	}

	@Test
	void namesOfSeveralGroupsHaveATokenEachAndAreReleasedTogether() {
		String second = nameIn("b");
		try (LockHandle lock = this.template.acquire(both())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(keysOf("a", IN_A)).isEqualTo(3);
			assertThat(keysOf("b", second)).isEqualTo(3);
			assertThat(lock.fencingToken(IN_A)).isPositive();
			assertThat(lock.fencingToken(second)).isPositive();
			lock.extend(Duration.ofSeconds(40));
			assertThat(lock.remaining()).isBetween(Duration.ofSeconds(35), Duration.ofSeconds(40));
		}
		assertThat(keysOf("a", IN_A)).isZero();
		assertThat(keysOf("b", second)).isZero();
		this.template.acquire(both()).close();
	}

	@Test
	void claimIsCheckedByTheGroupsOfAllItsNames() {
		TestClaim claim = TestClaim.of(IN_A, nameIn("b")).lease(Duration.ofMillis(2));
		assertThatIllegalArgumentException().isThrownBy(() -> this.store.check(claim.at(this.clock.nanoTime())))
			.withMessageContaining("the least is 3 ms");
	}

	@Test
	void nothingIsHeldIfOneNameIsTaken() {
		foreignHolder("b", nameIn("b"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.template.acquire(both()))
			.withMessageContaining("other@host:9");
		Awaitility.await().until(() -> keysOf("a", IN_A) == 0);
	}

	@Test
	void requestWithoutAWaitReceivesTheOutcomeOfTheGroupThatIsAskedLast() {
		foreignHolder("b", nameIn("b"));
		TestContender waiter = TestContender.of(this.store,
				TestClaim.of(IN_A, nameIn("b")).waiting(Duration.ofSeconds(30)), this.clock.nanoTime());
		List<ClaimFailure> outcomes = new CopyOnWriteArrayList<>();
		waiter.contender().askFor(outcomes::add);
		waiter.start();
		Awaitility.await().until(() -> !outcomes.isEmpty());
		waiter.contender().askFor(outcomes::add);
		Awaitility.await().until(() -> outcomes.size() == 2);
		assertThat(outcomes).allSatisfy((outcome) -> assertThat(outcome).isInstanceOf(ClaimFailure.Held.class));
		waiter.contender().cancel();
		assertThat(waiter.failed()).isInstanceOf(ClaimFailure.Cancelled.class);
		assertThat(outcomes).hasSize(2);
	}

	@Test
	void lossInOneGroupIsALossOfAllNames() {
		LockHandle lock = this.template.acquire(both());
		String second = nameIn("b");
		new LockInspector(this.engine).forceRelease(second).join();
		assertThat(lock.isHeld()).isFalse();
		this.template.acquire(LockRequest.of(IN_A).waitTime(Duration.ofSeconds(30))).close();
		this.template.acquire(both().waitTime(Duration.ofSeconds(30))).close();
	}

	@Test
	void forcedReleaseOfAPermitLeavesTheOthers() {
		LockRequest request = LockRequest.of(IN_A).permits(2);
		LockHandle one = this.template.acquire(request);
		LockHandle other = this.template.acquire(request);
		new LockInspector(this.engine).forceRelease(IN_A, one.permit()).join();
		assertThat(one.isHeld()).isFalse();
		assertThat(other.isHeld()).isTrue();
	}

	@Test
	void groupThatIsDownTakesItsNamesAndNoOthers() {
		nodesOf("b").forEach(InMemoryLockNode::stop);
		this.template.acquire(LockRequest.of(IN_A)).close();
		LockRequest request = LockRequest.of(nameIn("b")).waitTime(Duration.ZERO);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.template.acquire(request));
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.template.acquire(both()));
		StoreStatus status = new LockInspector(this.engine).status();
		assertThat(status.available()).isTrue();
		assertThat(new LockInspector(this.engine).status(nameIn("b")).available()).isFalse();
		assertThat(this.store.status(List.of(IN_A, nameIn("b"))).available()).isFalse();
		assertThat(this.store.status(List.of(nameIn("b"), IN_A)).available()).isFalse();
		assertThat(status.groups().get("a")).extracting(StoreStatus::available).isEqualTo(true);
		assertThat(status.groups().get("b")).extracting(StoreStatus::available).isEqualTo(false);
		assertThat(status.description()).contains("group a: 3 of 3 nodes vote", "group b: 0 of 3 nodes vote");
		assertThat(new LockInspector(this.engine).status(IN_A).available()).isTrue();
	}

	@Test
	void waitersForSeveralNamesDoNotWaitForEachOther() {
		List<CompletableFuture<?>> all = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			all.add(this.template.acquireAsync(both().waitTime(Duration.ofSeconds(30)))
				.thenAccept(LockHandle::close)
				.toCompletableFuture());
			all.add(this.template
				.acquireAsync(LockRequest.of((i % 2 == 0) ? IN_A : nameIn("b")).waitTime(Duration.ofSeconds(30)))
				.thenAccept(LockHandle::close)
				.toCompletableFuture());
		}
		CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
	}

	@Test
	void readersOfSeveralGroupsShareAndDowngrade() {
		LockHandle reader = this.template.acquire(both().shared());
		LockHandle other = this.template.acquire(both().shared());
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.template.acquire(both()));
		reader.close();
		other.close();
		LockHandle writer = this.template.acquire(both());
		writer.downgrade();
		this.template.acquire(both().shared()).close();
		writer.close();
	}

	@Test
	void replyOfOneGroupBlocksNobodyUntilThatOfTheOther() {
		CompletableFuture<Void> first = new CompletableFuture<>();
		CompletableFuture<Void> second = new CompletableFuture<>();
		LeaseStore one = Mockito.mock(LeaseStore.class);
		LeaseStore other = Mockito.mock(LeaseStore.class);
		BDDMockito.given(one.stop()).willReturn(first);
		BDDMockito.given(other.stop()).willReturn(second);
		CompletableFuture<?> stopped = new GroupedLeaseStore(new Sharding(List.of("a", "b"), Sharding.By.NAME),
				Map.of("a", one, "b", other), () -> 0)
			.stop()
			.toCompletableFuture();
		assertThat(CompletableFuture.runAsync(() -> first.complete(null))).succeedsWithin(Duration.ofSeconds(10));
		assertThat(stopped).isNotDone();
		second.complete(null);
		assertThat(stopped).isDone();
	}

}
