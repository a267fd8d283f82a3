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
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.quorum.node.InMemoryLockNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who waits beside many others, and who does not wait at all.
 */
@Timeout(120)
class WaitingTests {

	private static final int ROUNDS = Integer.getInteger("waiting.rounds", 200);

	@Test
	void oneOfTheInstancesThatAskAtOnceWins() throws Exception {
		List<InMemoryLockNode> nodes = EngineFixture.nodes(3);
		List<EngineFixture> engines = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			engines.add(new EngineFixture(EngineFixture.settings(), nodes));
		}
		try {
			assertThat(winnersPerRound(engines, 1)).containsOnly(1);
		}
		finally {
			engines.forEach(EngineFixture::close);
		}
	}

	@Test
	void oneOfTheThreadsThatAskAtOnceWins() throws Exception {
		try (EngineFixture engine = EngineFixture.of(3)) {
			assertThat(winnersPerRound(List.of(engine), 4)).containsOnly(1);
		}
	}

	/** Everybody asks at once, and who wins holds until everybody has a reply. */
	private List<Integer> winnersPerRound(List<EngineFixture> engines, int threads) throws Exception {
		int parties = engines.size() * threads;
		CyclicBarrier barrier = new CyclicBarrier(parties);
		List<AtomicInteger> winners = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			winners.add(new AtomicInteger());
		}
		List<CompletableFuture<Void>> askers = new ArrayList<>();
		for (int i = 0; i < parties; i++) {
			EngineFixture engine = engines.get(i / threads);
			CompletableFuture<Void> asker = new CompletableFuture<>();
			askers.add(asker);
			Thread thread = new Thread(() -> {
				try {
					for (AtomicInteger winner : winners) {
						ask(engine, barrier, winner);
					}
					asker.complete(null);
				}
				catch (Exception ex) {
					asker.completeExceptionally(ex);
				}
			});
			thread.setDaemon(true);
			thread.start();
		}
		CompletableFuture.allOf(askers.toArray(CompletableFuture[]::new)).get(100, TimeUnit.SECONDS);
		return winners.stream().map(AtomicInteger::get).toList();
	}

	private static void ask(EngineFixture engine, CyclicBarrier barrier, AtomicInteger winners)
			throws InterruptedException, BrokenBarrierException {
		barrier.await();
		LockHandle handle = null;
		try {
			handle = engine.template.acquire(LockRequest.of("job").waitTime(Duration.ZERO));
			winners.incrementAndGet();
		}
		catch (LockNotAcquiredException ex) {
			// somebody holds it
		}
		barrier.await();
		if (handle != null) {
			handle.close();
		}
		barrier.await();
	}

	@Test
	void severalNamesAreServedBesideSingleOnes() throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		try (EngineFixture engine = EngineFixture.of(3)) {
			List<Thread> singles = new ArrayList<>();
			for (String name : List.of("a", "a", "b", "b")) {
				Thread thread = new Thread(() -> {
					while (!over.get()) {
						try (LockHandle lock = engine.template.acquire(LockRequest.of(name))) {
							TimeUnit.MILLISECONDS.sleep(5);
						}
						catch (InterruptedException | LockException ex) {
							return;
						}
					}
				});
				thread.setDaemon(true);
				singles.add(thread);
				thread.start();
			}
			for (int i = 0; i < 10; i++) {
				engine.template.acquire(LockRequest.ofAll("a", "b").waitTime(Duration.ofSeconds(5))).close();
			}
			over.set(true);
			for (Thread thread : singles) {
				thread.join();
			}
		}
	}

	@Test
	@Tag("proof")
	void stopAnswersAHundredThousandWaitersInAnOutage() throws Exception {
		try (EngineFixture fixture = new EngineFixture(EngineFixture.settings(), nodesThatAreDown())) {
			List<CompletableFuture<LockHandle>> waiting = ask(fixture, 100_000);
			fixture.engine.stop();
			for (CompletableFuture<LockHandle> next : waiting) {
				assertThatExceptionOfType(Exception.class).isThrownBy(() -> next.get(30, TimeUnit.SECONDS))
					.withCauseInstanceOf(LockUnavailableException.class);
			}
			assertThat(fixture.engine.acquisitions).isEmpty();
		}
	}

	@Test
	@Tag("long")
	void manyWaitersFailOneAfterAnotherWithALimitOfAttempts() throws Exception {
		List<SwitchableNode> nodes = nodesThatAreDown();
		try (EngineFixture fixture = new EngineFixture(withOneAttempt(EngineFixture.settings()), nodes)) {
			List<CompletableFuture<LockHandle>> waiting = ask(fixture, 20_000);
			for (CompletableFuture<LockHandle> next : waiting) {
				assertThatExceptionOfType(Exception.class).isThrownBy(() -> next.get(60, TimeUnit.SECONDS))
					.withCauseInstanceOf(LockUnavailableException.class);
			}
			assertThat(fixture.engine.acquisitions).isEmpty();
		}
	}

	@Test
	void stopAnswersThreadsThatBlock() throws Exception {
		try (EngineFixture fixture = new EngineFixture(EngineFixture.settings(), nodesThatAreDown())) {
			CountDownLatch answered = new CountDownLatch(300);
			for (int i = 0; i < 300; i++) {
				Thread thread = new Thread(null, () -> {
					try {
						fixture.template.acquire(LockRequest.of("order").waitTime(Duration.ofMinutes(10)));
					}
					catch (LockException ex) {
						answered.countDown();
					}
				}, "waiter", 128 * 1024);
				thread.setDaemon(true);
				thread.start();
			}
			Awaitility.await().until(() -> fixture.engine.acquisitions.size() == 300);
			fixture.engine.stop();
			assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static List<CompletableFuture<LockHandle>> ask(EngineFixture fixture, int waiters) {
		List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
		for (int i = 0; i < waiters; i++) {
			waiting.add(fixture.engine.acquireAsync(LockRequest.of("order"), Duration.ofMinutes(10)));
		}
		return waiting;
	}

	private static List<SwitchableNode> nodesThatAreDown() {
		List<SwitchableNode> nodes = EngineFixture.nodes(3).stream().map(SwitchableNode::new).toList();
		nodes.forEach(SwitchableNode::cutOff);
		return nodes;
	}

	private static TestSettings withOneAttempt(TestSettings it) {
		return new TestSettings(it.instanceId(), it.waitTime(), it.leaseTime(), it.maxLeaseTime(), it.maxHoldTime(),
				it.operationTimeout(), it.retryMinDelay(), it.retryMaxDelay(), 1, it.clockDriftFactor(), it.fencing(),
				it.fencingRetention(), it.handoverMax(), it.handoverMaxDuration());
	}

	@Test
	void lockWaitsWithoutSpinningWhateverTheLimitOfAttempts() {
		waitsWithoutSpinningWhateverTheLimitOfAttempts((template) -> template.asLock("order").lock());
	}

	@Test
	void unlimitedWaitHasNoLimitOfAttempts() {
		waitsWithoutSpinningWhateverTheLimitOfAttempts(
				(template) -> template.acquire(LockRequest.of("order").waitTime(LockRequest.UNLIMITED_WAIT)));
	}

	private static void waitsWithoutSpinningWhateverTheLimitOfAttempts(Consumer<LockTemplate> user) {
		ScriptedCluster cluster = new ScriptedCluster(3, WaitingTests::withOneAttempt);
		cluster.nodes.forEach(ScriptedNode::refusing);
		Thread thread = new Thread(() -> user.accept(new DefaultLockTemplate(cluster.engine)));
		thread.setDaemon(true);
		thread.start();
		Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
		cluster.time.advance(Duration.ofSeconds(2));
		assertThat(thread.isAlive()).isTrue();
		// Each attempt is two commands, and waits for 50 ms at least.
		assertThat(cluster.nodes.get(0).requests).hasSizeBetween(2, 82);
	}

	@Test
	void tryLockTakesTheLongestTimeThereIs() throws Exception {
		try (EngineFixture engine = EngineFixture.of(3)) {
			Lock lock = engine.template.asLock("order");
			assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
			lock.unlock();
		}
	}

	@Test
	void reentryNeverCrossesEngines() {
		try (EngineFixture one = EngineFixture.of(3); EngineFixture other = EngineFixture.of(3)) {
			assertThat(one.template.<Integer, RuntimeException>execute(LockRequest.of("order"), () -> other.template
				.<Integer, RuntimeException>execute(LockRequest.of("order"), () -> other.engine.leases().size())))
				.isEqualTo(1);
		}
	}

}
