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
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Names that move from group {@code a} to group {@code b}, while instances of all
 * versions run (R23).
 */
@Timeout(60)
class MoveTests {

	private static final String NAME = "order";

	private static final Sharding OLD = new Sharding(List.of("a"), Sharding.By.NAME);

	private static final Sharding NEW = new Sharding(List.of("b"), Sharding.By.NAME);

	private final SystemClock clock = new SystemClock();

	private final TimerThread timer = new TimerThread("test-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool();

	private final Map<String, List<InMemoryLockNode>> nodes = new TreeMap<>();

	private final List<LockEngine> engines = new ArrayList<>();

	private final AtomicLong sealWait = new AtomicLong(Long.MAX_VALUE);

	MoveTests() {
		for (String id : List.of("a", "b")) {
			List<InMemoryLockNode> group = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				InMemoryLockNode node = new InMemoryLockNode(id + i, this.clock);
				node.start(TestAcquires.NOBODY);
				group.add(node);
			}
			this.nodes.put(id, group);
		}
	}

	@AfterEach
	void close() {
		this.engines.forEach(LockEngine::stop);
		this.timer.close();
		this.callbacks.shutdownNow();
	}

	private LockTemplate old() {
		return instance(1, OLD, null);
	}

	private LockTemplate joint() {
		return instance(2, NEW, Move.begun(OLD));
	}

	private LockTemplate behindSeal() {
		return instance(3, NEW, Move.ending(OLD, Map.of("a", this.sealWait::get)));
	}

	private LockTemplate instance(int version, Sharding sharding, @Nullable Move move) {
		String name = "app@host:" + this.engines.size();
		Map<String, QuorumStore> stores = new TreeMap<>();
		this.nodes.forEach((id, group) -> {
			QuorumSettings settings = QuorumSettings.builder(name).operationTimeout(Duration.ofSeconds(2)).build();
			stores.put(id, new QuorumStore(settings, group.stream().map((node) -> node.withLayout(version)).toList(),
					this.clock, this.timer, List.of()));
		});
		LockEngine engine = LockEngine
			.builder(EngineSettings.builder(name).build(),
					new GroupedLeaseStore(sharding, move, stores, Duration.ZERO, this.clock::nanoTime), this.clock,
					this.timer)
			.callbacks(this.callbacks)
			.build();
		this.engines.add(engine);
		engine.start();
		return new DefaultLockTemplate(engine);
	}

	private void seal() {
		this.nodes.getOrDefault("a", List.of()).forEach((node) -> node.seal(2));
	}

	/** The nodes on which the name is held. */
	private List<String> holders() {
		return this.nodes.values().stream().flatMap(List::stream).filter((node) -> {
			AtomicReference<@Nullable NodeReply> reply = new AtomicReference<>();
			node.submit(new OperatorCommand.Inspect(NAME), 0, (slot, received) -> reply.set(received));
			return reply.get() instanceof NodeReply.Inspected inspected && !inspected.holders().isEmpty();
		}).map(InMemoryLockNode::name).toList();
	}

	private static LockRequest request() {
		return LockRequest.of(NAME).waitTime(Duration.ZERO);
	}

	@Test
	void nameThatMovesIsLockedInBothGroups() {
		LockTemplate old = old();
		LockTemplate joint = joint();
		this.sealWait.set(0);
		LockTemplate alone = behindSeal();
		try (LockHandle lock = joint.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(holders()).containsExactly("a0", "a1", "a2", "b0", "b1", "b2");
			refused(old, request());
			refused(alone, request());
		}
		try (LockHandle lock = old.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(holders()).containsExactly("a0", "a1", "a2");
			refused(joint, request());
		}
		try (LockHandle lock = alone.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(holders()).containsExactly("b0", "b1", "b2");
			refused(joint, request());
		}
		try (LockHandle lock = joint.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	private static void refused(LockTemplate template, LockRequest request) {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> template.acquire(request));
	}

	@Test
	void lastVersionLocksInBothGroupsUntilTheSealIsOldEnough() {
		LockTemplate template = behindSeal();
		this.sealWait.set(1);
		try (LockHandle lock = template.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(holders()).hasSize(6);
		}
		this.sealWait.set(0);
		try (LockHandle lock = template.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(holders()).hasSize(3);
		}
		this.sealWait.set(Long.MAX_VALUE);
		try (LockHandle lock = template.acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(holders()).hasSize(6);
		}
	}

	@Test
	void lastVersionSaysWhatItWaitsFor() {
		AtomicLong other = new AtomicLong(0);
		Move move = Move.ending(OLD, new TreeMap<>(Map.of("a", this.sealWait::get, "c", other::get)));
		assertThat(move.description()).contains("until a majority of the nodes is sealed").endsWith("it is not in a");
		other.set(Long.MAX_VALUE);
		assertThat(move.description()).endsWith("it is not in a, c");
		other.set(0);
		this.sealWait.set(Duration.ofMillis(2_001).toNanos());
		assertThat(move.description()).endsWith("in the old and in the new one for another 3 s");
		this.sealWait.set(0);
		assertThat(move.description()).isEqualTo("names are locked in their new groups alone");
		assertThat(Move.begun(OLD).description())
			.isEqualTo("names that change their group are locked in the old and in the new one");
	}

	@Test
	void moveIsOverOnceTheSealsOfAllOldGroupsAreOldEnough() {
		AtomicLong other = new AtomicLong(1);
		Move move = Move.ending(OLD, new TreeMap<>(Map.of("a", this.sealWait::get, "c", other::get)));
		this.sealWait.set(0);
		assertThat(move.isOver()).isFalse();
		other.set(0);
		assertThat(move.isOver()).isTrue();
		this.sealWait.set(1);
		assertThat(move.isOver()).isFalse();
		assertThat(Move.ending(OLD, Map.of()).isOver()).as("nothing is known of its seals").isFalse();
		assertThat(Move.begun(OLD).isOver()).isFalse();
	}

	@Test
	void sealThatIsGoneWhenTheLockIsGrantedFailsTheClaim() throws Exception {
		LockTemplate holder = behindSeal();
		LockTemplate waiter = behindSeal();
		this.sealWait.set(0);
		LockHandle lock = holder.acquire(request());
		var waiting = waiter.acquireAsync(LockRequest.of(NAME).waitTime(Duration.ofSeconds(30))).toCompletableFuture();
		this.sealWait.set(5);
		lock.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::get)
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("seal");
		try (LockHandle next = waiter.acquire(request())) {
			assertThat(next.isHeld()).isTrue();
			assertThat(holders()).hasSize(6);
		}
	}

	@Test
	void tokensRiseFromEachVersionToEachOther() {
		this.sealWait.set(0);
		List<LockTemplate> all = List.of(old(), joint(), behindSeal(), joint(), old(), joint(), joint(), behindSeal());
		long before = 0;
		for (int round = 0; round < 3; round++) {
			for (LockTemplate template : all) {
				try (LockHandle lock = template.acquire(request())) {
					assertThat(lock.fencingToken()).isGreaterThan(before);
					before = lock.fencingToken();
				}
			}
		}
	}

	/** Whichever group has the greater fence, both store it. */
	@Test
	void tokenOfAJointLockIsStoredInBothGroups() {
		for (String group : List.of("a", "b")) {
			long far = (System.currentTimeMillis() + Duration.ofHours(group.equals("a") ? 1 : 2).toMillis()) * 1_000;
			this.nodes.getOrDefault(group, List.of()).forEach((node) -> TestAcquires.raiseFence(node, NAME, far));
			long token;
			try (LockHandle lock = joint().acquire(request())) {
				token = lock.fencingToken();
				assertThat(token).isGreaterThan(far);
			}
			try (LockHandle lock = old().acquire(request())) {
				assertThat(lock.fencingToken()).isGreaterThan(token);
				token = lock.fencingToken();
			}
			try (LockHandle lock = joint().acquire(request())) {
				assertThat(lock.fencingToken()).isGreaterThan(token);
				token = lock.fencingToken();
			}
			this.sealWait.set(0);
			try (LockHandle lock = behindSeal().acquire(request())) {
				assertThat(lock.fencingToken()).isGreaterThan(token);
			}
		}
	}

	@Test
	void permitsOfBothGroupsHaveOneNumber() {
		LockTemplate old = old();
		LockTemplate joint = joint();
		LockRequest permits = LockRequest.of("exports").permits(4).waitTime(Duration.ZERO);
		for (int round = 0; round < 20; round++) {
			List<LockHandle> held = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				held.add((i % 2 == 0) ? old.acquire(permits) : joint.acquire(permits));
			}
			assertThat(held.stream().map(LockHandle::permit)).containsExactlyInAnyOrder(1, 2, 3, 4);
			refused(joint, permits);
			refused(old, permits);
			held.forEach(LockHandle::close);
		}
		this.sealWait.set(0);
		LockTemplate alone = behindSeal();
		for (int round = 0; round < 20; round++) {
			List<LockHandle> held = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				held.add((i % 2 == 0) ? alone.acquire(permits) : joint.acquire(permits));
			}
			assertThat(held.stream().map(LockHandle::permit)).containsExactlyInAnyOrder(1, 2, 3, 4);
			refused(joint, permits);
			refused(alone, permits);
			held.forEach(LockHandle::close);
		}
	}

	@Test
	void readersAreReadersInBothGroups() {
		LockTemplate old = old();
		LockTemplate joint = joint();
		LockRequest read = request().shared();
		try (LockHandle one = old.acquire(read); LockHandle other = joint.acquire(read)) {
			assertThat(other.fencingToken()).isPositive();
			refused(joint, request());
		}
		try (LockHandle writer = joint.acquire(request())) {
			refused(old, read);
			writer.downgrade();
			try (LockHandle reader = old.acquire(read)) {
				assertThat(reader.isHeld()).isTrue();
			}
			refused(old, request());
		}
	}

	@Test
	void instanceOfTheOldLayoutIsRefusedAsOld() {
		LockTemplate old = old();
		LockHandle held = old.acquire(LockRequest.of(NAME));
		seal();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> old.acquire(LockRequest.of("other").waitTime(Duration.ZERO)))
			.withMessageContaining(
					"this instance still runs layout version 1; the node is sealed at 2: deploy the new layout");
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> held.extend(Duration.ofSeconds(20)));
		refused(joint(), request());
		held.close();
		try (LockHandle lock = joint().acquire(request())) {
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void namesOfSeveralGroupsMoveTogether() {
		LockTemplate joint = joint();
		LockTemplate old = old();
		LockRequest several = LockRequest.ofAll("x", "y", NAME).waitTime(Duration.ZERO);
		try (LockHandle lock = joint.acquire(several)) {
			assertThat(lock.names()).containsExactly(NAME, "x", "y");
			assertThat(lock.fencingToken("x")).isPositive();
			refused(old, request());
		}
		try (LockHandle lock = old.acquire(LockRequest.of("x"))) {
			refused(joint, several);
			try (LockHandle other = joint.acquire(request())) {
				assertThat(other.isHeld()).isTrue();
			}
		}
	}

	@Test
	void crowdOfAllVersionsHasOneHolderAtATime() throws Exception {
		this.sealWait.set(0);
		List<LockTemplate> first = List.of(old(), joint(), joint());
		crowd(first);
		seal();
		crowd(List.of(first.get(1), behindSeal(), behindSeal()));
	}

	private void crowd(List<LockTemplate> templates) throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger overlaps = new AtomicInteger();
		AtomicLong last = new AtomicLong();
		List<Thread> threads = new ArrayList<>();
		AtomicInteger failures = new AtomicInteger();
		for (int i = 0; i < 9; i++) {
			LockTemplate template = templates.get(i % templates.size());
			Thread thread = new Thread(() -> {
				for (int round = 0; round < 20; round++) {
					try (LockHandle lock = template.acquire(LockRequest.of(NAME).waitTime(Duration.ofSeconds(30)))) {
						overlaps.addAndGet((inside.incrementAndGet() > 1) ? 1 : 0);
						overlaps.addAndGet((last.getAndSet(lock.fencingToken()) >= lock.fencingToken()) ? 1 : 0);
						inside.decrementAndGet();
					}
					catch (RuntimeException ex) {
						failures.incrementAndGet();
					}
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(overlaps).hasValue(0);
		assertThat(failures).hasValue(0);
	}

}
