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

package io.quorlock.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DistributedLock;

import io.quorlock.LockContext;
import io.quorlock.LockKeyException;
import io.quorlock.LockUnavailableException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.integration.LockRegistryAutoConfiguration;
import io.quorlock.engine.LockInspector;
import io.quorlock.test.LockSimulator;
import io.quorlock.test.TestLocksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link QuorlockLockRegistry}: what Spring Integration documents of its lock
 * registries.
 */
class QuorlockLockRegistryTests {

	private static final String NAME = "integration:key";

	private ConfigurableApplicationContext context;

	private QuorlockLockRegistry registry;

	private LockSimulator simulator;

	@BeforeEach
	void start() {
		this.context = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"distributed-lock.backend=in-memory", "distributed-lock.retry.max-attempts=1")
			.run();
		this.registry = this.context.getBean(QuorlockLockRegistry.class);
		this.simulator = this.context.getBean(LockSimulator.class);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	@Test
	void locksAreReentrantAndBelongToTheThread() throws Exception {
		Lock lock = this.registry.obtain("key");
		lock.lock();
		lock.lockInterruptibly();
		assertThat(this.registry.obtain("key").tryLock()).isTrue();
		for (int i = 0; i < 3; i++) {
			assertThat(tryLockElsewhere()).isFalse();
			lock.unlock();
		}
		assertThat(tryLockElsewhere()).isTrue();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock)
			.withMessageContaining(NAME);
	}

	@Test
	void aLockIsInTheContextOfTheCallWhileItIsHeld() {
		Lock lock = this.registry.obtain("key");
		lock.lock();
		assertThat(LockContext.current().orElseThrow().name()).isEqualTo(NAME);
		lock.unlock();
		assertThat(LockContext.current()).isEmpty();
	}

	@Test
	void waitsAsLongAsItIsAskedTo() throws Exception {
		this.simulator.heldElsewhere(NAME);
		Lock lock = this.registry.obtain("key");
		assertThat(lock.tryLock()).isFalse();
		assertThat(lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
		CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> {
			lock.lock();
			lock.unlock();
		});
		LockInspector inspector = this.context.getBean(LockInspector.class);
		Awaitility.await("one request that asks again, whatever the limit of attempts")
			.until(() -> inspector.waiting().size() == 1);
		assertThat(waiting).isNotDone();
		this.simulator.free(NAME);
		waiting.get(10, TimeUnit.SECONDS);
	}

	@Test
	void takesTheLongestWaitThereIs() throws Exception {
		Lock lock = this.registry.obtain("key");
		assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
		lock.unlock();
	}

	@Test
	void waitingIsInterruptibleWhereTheContractSaysSo() throws Exception {
		this.simulator.heldElsewhere(NAME);
		DistributedLock lock = this.registry.obtain("key");
		assertThatInterruptEnds(lock::lockInterruptibly);
		assertThatInterruptEnds(() -> lock.tryLock(1, TimeUnit.MINUTES));
		assertThatInterruptEnds(() -> lock.tryLock(Duration.ofMinutes(1), Duration.ofSeconds(30)));

		Thread.currentThread().interrupt();
		this.simulator.free(NAME);
		lock.lock();
		assertThat(Thread.interrupted()).isTrue();
		lock.unlock();
	}

	private static void assertThatInterruptEnds(Waiting waiting) {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiting::run);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void aTimeToLiveEndsTheLockAndUnlockSaysSo() throws Exception {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock(Duration.ofMillis(200));
		Awaitility.await().until(this::tryLockElsewhere);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		assertThat(lock.tryLock(Duration.ZERO, Duration.ofMillis(200))).isTrue();
		lock.unlock();
	}

	@Test
	void renewingProlongsTheTimeToLive() {
		DistributedLock lock = this.registry.obtain("key");
		assertThatIllegalStateException().isThrownBy(() -> this.registry.renewLock("key"))
			.withMessageContaining("not held");
		lock.lock(Duration.ofMillis(300));
		this.registry.renewLock("key", Duration.ofSeconds(20));
		assertThat(LockContext.current().orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(10));
		this.registry.renewLock("key");
		assertThat(LockContext.current().orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(20));
		this.simulator.lose(NAME);
		assertThatIllegalStateException().isThrownBy(() -> this.registry.renewLock("key"));
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
	}

	@Test
	void aThreadThatLostItsLockIsRefusedOnceAndThenStartsAnew() {
		Lock lock = this.registry.obtain("key");
		lock.lock();
		this.simulator.lose(NAME);
		assertThat(lock.tryLock()).isFalse();
		assertThat(LockContext.current()).isEmpty();
		assertThat(lock.tryLock()).isTrue();
		lock.unlock();
	}

	@Test
	void lossIsReportedByUnlockAlsoIfTryLockCameBetween() throws Exception {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock();
		lock.lock();
		this.simulator.lose(NAME);
		assertThat(lock.tryLock()).isFalse();
		lock.unlock();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
		assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(2))).isTrue();
		lock.unlock();
	}

	@Test
	void timeToLiveBeyondTheLongestLeaseIsRefused() {
		DistributedLock lock = this.registry.obtain("key");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.lock(Duration.ofHours(1)))
			.withMessageContaining("max-lease-time");
		lock.lock();
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.renewLock("key", Duration.ofHours(1)))
			.withMessageContaining("max-lease-time");
		lock.unlock();
	}

	@Test
	void runsCodeUnderTheLock() throws Exception {
		assertThat(this.registry.<Boolean, RuntimeException>executeLocked("key", () -> tryLockElsewhere())).isFalse();
		this.simulator.heldElsewhere(NAME);
		assertThatExceptionOfType(TimeoutException.class)
			.isThrownBy(() -> this.registry.<RuntimeException>executeLocked("key", Duration.ofMillis(50), () -> {
			}));
	}

	@Test
	void keysThatNoOtherWouldLockAreRefused() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.registry.obtain(""));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.registry.obtain(new Object()));
	}

	@Test
	void noQuorumIsNotTakenForAnotherHolder() {
		this.simulator.unavailable();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.registry.obtain("key").tryLock());
	}

	@Test
	void expiringUnusedLocksLeavesThoseThatAreHeld() {
		Lock lock = this.registry.obtain("key");
		lock.lock();
		this.registry.expireUnusedOlderThan(0);
		assertThat(tryLockElsewhere()).isFalse();
		lock.unlock();
		assertThat(tryLockElsewhere()).isTrue();
	}

	private boolean tryLockElsewhere() {
		return CompletableFuture.supplyAsync(() -> {
			Lock lock = this.registry.obtain("key");
			boolean locked = lock.tryLock();
			if (locked) {
				lock.unlock();
			}
			return locked;
		}).join();
	}

	@FunctionalInterface
	private interface Waiting {

		void run() throws Exception;

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LockAutoConfiguration.class, TestLocksAutoConfiguration.class,
			LockRegistryAutoConfiguration.class })
	static class Application {

	}

}
