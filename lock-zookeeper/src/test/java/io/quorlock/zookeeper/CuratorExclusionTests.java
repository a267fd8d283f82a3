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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.data.Stat;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Curator's recipes and this store on one path, as during a migration: both with the same
 * connect string, with and without a chroot.
 */
@ParameterizedClass
@ValueSource(strings = { "", RawClient.CHROOT })
@SuppressWarnings("NullAway.Init")
class CuratorExclusionTests {

	private static EmbeddedZooKeeper server;

	private static ZooKeeperLeaseStore store;

	private static CuratorFramework curator;

	private final String chroot;

	CuratorExclusionTests(String chroot) {
		this.chroot = chroot;
	}

	@BeforeParameterizedClassInvocation
	static void start(String chroot) throws Exception {
		server = EmbeddedZooKeeper.start();
		RawClient.createChroot(server);
		String connectString = server.connectString() + chroot;
		store = ZooKeeperStores.start(connectString, "a");
		curator = CuratorFrameworkFactory.newClient(connectString, new RetryOneTime(100));
		curator.start();
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		store.close();
		curator.close();
		server.close();
	}

	@RepeatedTest(3)
	void excludesInterProcessMutexAndIsExcludedByIt() throws Exception {
		assertThat(maxInside(25, () -> TestClaim.of("stock:42"), CuratorExclusionTests::mutex)).isOne();
	}

	/** Half of a crowd asks us, the other half Curator. */
	private static int maxInside(int rounds, Supplier<TestClaim> claims, Consumer<Runnable> theirs)
			throws InterruptedException {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger max = new AtomicInteger();
		AtomicInteger entered = new AtomicInteger();
		Runnable use = () -> {
			max.accumulateAndGet(inside.incrementAndGet(), Math::max);
			entered.incrementAndGet();
			Thread.yield();
			inside.decrementAndGet();
		};
		Runnable ours = () -> {
			TestContender contender = contend(claims.get().waiting(Duration.ofSeconds(60))).holds();
			use.run();
			contender.release();
		};
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			Runnable round = (i % 2 == 0) ? ours : () -> theirs.accept(use);
			threads.add(new Thread(() -> IntStream.range(0, rounds).forEach((n) -> round.run())));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(entered).hasValue(8 * rounds);
		return max.get();
	}

	@Test
	void namesTheHostThatCuratorWrites() throws Exception {
		InterProcessMutex mutex = new InterProcessMutex(curator, "/quorlock/order");
		mutex.acquire();
		assertThat(contend(TestClaim.of("order")).refused().owner()).isNotBlank();
		TestContender waiter = contend(TestClaim.of("order").waiting(Duration.ofSeconds(30)));
		mutex.release();
		waiter.granted();
		assertThat(mutex.acquire(300, TimeUnit.MILLISECONDS)).isFalse();
		waiter.release();
		assertThat(mutex.acquire(30, TimeUnit.SECONDS)).isTrue();
		mutex.release();
	}

	@Test
	void excludesWritersOfInterProcessReadWriteLockWhileItReads() throws Exception {
		InterProcessReadWriteLock theirs = new InterProcessReadWriteLock(curator, "/quorlock/catalog");
		TestContender reader = contend(TestClaim.of("catalog").shared()).holds();
		assertThat(theirs.writeLock().acquire(300, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(theirs.readLock().acquire(10, TimeUnit.SECONDS)).isTrue();
		reader.release();
		contend(TestClaim.of("catalog")).refused();
		theirs.readLock().release();
		assertThat(theirs.writeLock().acquire(10, TimeUnit.SECONDS)).isTrue();
		contend(TestClaim.of("catalog").shared()).refused();
		contend(TestClaim.of("catalog")).refused();
		theirs.writeLock().release();
		contend(TestClaim.of("catalog").shared()).granted();
	}

	@Test
	void countsPermitsTogetherWithInterProcessSemaphoreV2() throws Exception {
		InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(curator, "/quorlock/exports", 2);
		Lease theirs = semaphore.acquire(30, TimeUnit.SECONDS);
		TestContender ours = contend(TestClaim.of("exports").permits(2)).holds();
		contend(TestClaim.of("exports").permits(2)).refused();
		assertThat(semaphore.acquire(300, TimeUnit.MILLISECONDS)).isNull();
		ours.release();
		Lease second = semaphore.acquire(30, TimeUnit.SECONDS);
		assertThat(second).isNotNull();
		TestContender waiter = contend(TestClaim.of("exports").permits(2).waiting(Duration.ofSeconds(30)));
		semaphore.returnLease(theirs);
		waiter.granted();
		waiter.release();
		semaphore.returnLease(second);
	}

	@Test
	void neverExceedsThePermitsThatBothTake() throws Exception {
		InterProcessSemaphoreV2 semaphore = new InterProcessSemaphoreV2(curator, "/quorlock/imports", 3);
		assertThat(maxInside(15, () -> TestClaim.of("imports").permits(3), (work) -> permit(semaphore, work)))
			.isBetween(1, 3);
	}

	private static void permit(InterProcessSemaphoreV2 semaphore, Runnable work) {
		try {
			Lease lease = semaphore.acquire();
			work.run();
			semaphore.returnLease(lease);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void leavesNothingInTheQueueOfANameThatWasHeldForLongerThanAWatchTakes() throws Exception {
		for (int i = 0; i < 3; i++) {
			TestContender contender = contend(TestClaim.of("watched").waiting(Duration.ofSeconds(10))).holds();
			Awaitility.await().until(() -> watched("/quorlock/watched"));
			assertThat(contender.lost()).isNotDone();
			contender.release();
			assertThat(curator.getChildren().forPath("/quorlock/watched")).as("below " + this.chroot).isEmpty();
		}
	}

	/** A lease that is held for 20 ms is watched; then it holds on to its node. */
	private static boolean watched(String path) throws Exception {
		String node = path + "/" + curator.getChildren().forPath(path).get(0);
		Stat stat = curator.checkExists().forPath(node);
		return stat != null && System.currentTimeMillis() - stat.getCtime() > 100;
	}

	@Test
	void ignoresWhatElseStandsInTheContainer() throws Exception {
		curator.create().creatingParentsIfNeeded().forPath("/quorlock/mixed/leases");
		TestContender contender = contend(TestClaim.of("mixed")).holds();
		contender.release(Duration.ofMillis(300), null);
		mutexOn("/quorlock/mixed");
	}

	private static void mutexOn(String path) throws Exception {
		InterProcessMutex mutex = new InterProcessMutex(curator, path);
		assertThat(mutex.acquire(30, TimeUnit.SECONDS)).isTrue();
		mutex.release();
	}

	private static void mutex(Runnable work) {
		try {
			InterProcessMutex mutex = new InterProcessMutex(curator, "/quorlock/stock:42");
			mutex.acquire();
			work.run();
			mutex.release();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static TestContender contend(TestClaim claim) {
		return TestContender.of(store, claim, ZooKeeperStores.CLOCK.nanoTime()).start();
	}

}
