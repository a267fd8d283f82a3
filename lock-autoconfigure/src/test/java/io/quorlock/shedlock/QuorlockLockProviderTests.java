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

package io.quorlock.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockHandle;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.shedlock.ShedLockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.engine.LockInspector;
import io.quorlock.shedlock.QuorlockLockProvider.QuorlockSimpleLock;
import io.quorlock.store.NodeState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link QuorlockLockProvider} and {@link QuorlockSimpleLock}.
 */
class QuorlockLockProviderTests extends AbstractExtensibleLockProviderIntegrationTest {

	private static EmbeddedRedis redis;

	private static ConfigurableApplicationContext context;

	private static final Duration AT_MOST = Duration.ofMillis(100);

	private final LockHandle handle = mock(LockHandle.class);

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(5);
		context = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"distributed-lock.restart-quarantine=0s", "distributed-lock.lease-time=2s",
					"distributed-lock.connection.operation-timeout=1s",
					"distributed-lock.nodes=" + String.join(",", redis.uris()))
			.run();
		LockInspector locks = context.getBean(LockInspector.class);
		Awaitility.await().until(() -> locks.status().nodes().stream().allMatch(NodeState::voting));
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	/** With a lease that a busy machine has time to grant. */
	@Test
	@Override
	public void shouldTimeout() throws InterruptedException {
		doTestTimeout(Duration.ofSeconds(1));
	}

	@AfterEach
	void forgetLocks() {
		redis.nodes()
			.forEach((node) -> node.execute("DEL", "lock:{name}", "lock:{name2}", "lock:{lock1}", "lock:{lock2}"));
	}

	@Override
	protected ExtensibleLockProvider getLockProvider() {
		return context.getBean(ExtensibleLockProvider.class);
	}

	@Override
	protected void assertUnlocked(String lockName) {
		assertThat(nodesThatHold(lockName)).isLessThan(3);
	}

	@Override
	protected void assertLocked(String lockName) {
		assertThat(nodesThatHold(lockName)).isGreaterThanOrEqualTo(3);
	}

	private static long nodesThatHold(String lockName) {
		return redis.nodes().stream().filter((node) -> holds(node, lockName)).count();
	}

	private static boolean holds(EmbeddedRedisNode node, String lockName) {
		return Long.valueOf(1).equals(node.execute("EXISTS", "lock:{" + lockName + "}"));
	}

	/** The original asks for a lease of two milliseconds, shorter than a round trip. */
	@Override
	@Test
	public void shouldNotBeAbleToExtendExpiredLock() {
		SimpleLock lock = getLockProvider().lock(lockConfig(LOCK_NAME1, Duration.ofMillis(200), Duration.ZERO))
			.orElseThrow();
		sleepFor(Duration.ofMillis(250));
		assertThat(lock.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
		assertUnlocked(LOCK_NAME1);
	}

	/** Half a minute with the pauses that it makes. */
	@Override
	@Test
	@Tag("proof")
	public void fuzzTestShouldPass() throws ExecutionException, InterruptedException {
		super.fuzzTestShouldPass();
	}

	@Test
	@Tag("long")
	void aTimeAboveTheLongestLeaseIsReachedByRenewal() {
		Optional<SimpleLock> lock = getLockProvider().lock(lockConfig("name", Duration.ofHours(1), Duration.ZERO));
		sleepFor(Duration.ofSeconds(3)); // longer than the lease
		assertLocked("name");
		assertThat(leaseOf("name")).isLessThanOrEqualTo(2000);
		lock.orElseThrow().unlock();
		assertUnlocked("name");
	}

	@Test
	void anExtensionBeyondTheLongestLeaseIsRefusedAndLeavesTheLock() {
		SimpleLock lock = getLockProvider().lock(lockConfig("name", Duration.ofSeconds(1), Duration.ZERO))
			.orElseThrow();
		assertThatIllegalArgumentException().isThrownBy(() -> lock.extend(Duration.ofHours(1), Duration.ZERO))
			.withMessageContaining("PT1H");
		lock.unlock();
		assertUnlocked("name");
	}

	@Test
	void anExtensionCountsTheEarliestReleaseAnew() {
		SimpleLock lock = getLockProvider().lock(lockConfig("name", Duration.ofSeconds(2), Duration.ofSeconds(2)))
			.orElseThrow();
		lock.extend(Duration.ofSeconds(2), Duration.ZERO).orElseThrow().unlock();
		assertUnlocked("name");
		SimpleLock longer = getLockProvider().lock(lockConfig("name", Duration.ofSeconds(2), Duration.ZERO))
			.orElseThrow();
		longer.extend(Duration.ofSeconds(2), Duration.ofSeconds(1)).orElseThrow().unlock();
		assertLocked("name");
		Awaitility.await().untilAsserted(() -> assertUnlocked("name"));
	}

	@Test
	void aRenewedLockEndsWithLockAtMostFor() {
		ExtensibleLockProvider provider = new QuorlockLockProvider(context.getBean(LockTemplate.class),
				Duration.ofMillis(100));
		SimpleLock lock = provider.lock(lockConfig("name", Duration.ofMillis(500), Duration.ZERO)).orElseThrow();
		SimpleLock extended = lock.extend(Duration.ofSeconds(1), Duration.ZERO).orElseThrow();
		sleepFor(Duration.ofMillis(600));
		assertLocked("name");
		Awaitility.await().untilAsserted(() -> assertUnlocked("name"));
		assertThat(extended.extend(Duration.ofSeconds(1), Duration.ZERO)).isEmpty();
	}

	/** Also within a transaction, whose end ShedLock does not know. */
	@Test
	void lockIsReleasedWhenTheTaskEnds() {
		FakeLockTemplate locks = new FakeLockTemplate();
		assertThat(new QuorlockLockProvider(locks, Duration.ofMinutes(1)).lock(lockConfig("name"))).isPresent();
		assertThat(locks.lastRequest().isReleasedImmediately()).isTrue();
	}

	@Test
	void renewedLockThatIsLostIsNotExtended() {
		FakeLockTemplate locks = new FakeLockTemplate();
		SimpleLock lock = new QuorlockLockProvider(locks, Duration.ofMillis(1)).lock(lockConfig("name")).orElseThrow();
		locks.lose("name");
		assertThat(lock.extend(Duration.ofMinutes(1), Duration.ZERO)).isEmpty();
	}

	@Test
	void noQuorumDoesNotMeanThatAnotherHoldsTheLock() {
		redis.nodes().subList(0, 3).forEach(EmbeddedRedisNode::pause);
		try {
			LockConfiguration configuration = new LockConfiguration(ClockProvider.now(), "name", Duration.ofSeconds(10),
					Duration.ZERO);
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> getLockProvider().lock(configuration));
		}
		finally {
			redis.nodes().subList(0, 3).forEach(EmbeddedRedisNode::resume);
		}
		Awaitility.await().ignoreExceptions().untilAsserted(() -> {
			Optional<SimpleLock> lock = getLockProvider().lock(lockConfig("name"));
			assertThat(lock).isPresent();
			lock.get().unlock();
		});
	}

	private static long leaseOf(String lockName) {
		return redis.nodes()
			.stream()
			.mapToLong((node) -> (node.execute("PTTL", "lock:{" + lockName + "}") instanceof Long millis) ? millis : 0)
			.max()
			.orElse(0);
	}

	private SimpleLock lock() {
		given(this.handle.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
		return new QuorlockSimpleLock(new LockConfiguration(Instant.now(), "job", AT_MOST, Duration.ZERO), this.handle,
				true);
	}

	@Test
	void lockOfATaskThatTakesTooLongIsClosed() {
		lock();
		verify(this.handle, Mockito.timeout(10_000)).closeAsync();
	}

	/** The timer would keep the handle for as long as the task might have taken. */
	@Test
	void unlockLeavesNoTimer() {
		lock().unlock();
		verify(this.handle).close();
		// The same thread completes what is due, in that order.
		new CompletableFuture<>().completeOnTimeout(null, 2 * AT_MOST.toMillis(), TimeUnit.MILLISECONDS).join();
		verify(this.handle, never()).closeAsync();
	}

	/** It would be held by nobody, and renewed, if its creation failed. */
	@Test
	void lockMayBeHeldForEver() {
		LockConfiguration configuration = new LockConfiguration(Instant.now(), "job", ChronoUnit.FOREVER.getDuration(),
				Duration.ZERO);
		new QuorlockSimpleLock(configuration, this.handle, true).unlock();
		verify(this.handle).close();
		verify(this.handle, never()).closeAsync();
	}

	@Test
	void lockThatEndsWithItsLeaseIsExtendedByBothTimes() {
		SimpleLock lock = new QuorlockSimpleLock(new LockConfiguration(Instant.now(), "job", AT_MOST, Duration.ZERO),
				this.handle, false);
		assertThat(lock.extend(Duration.ofMinutes(2), Duration.ofMinutes(1))).isPresent();
		verify(this.handle).extend(Duration.ofMinutes(2));
		verify(this.handle).holdAtLeast(Duration.ofMinutes(1));
		verify(this.handle, never()).ensureHeld();
	}

	/** The task would go on, and another instance begin. */
	@Test
	void lockThatEndsWhileItIsExtendedIsNotExtended() {
		SimpleLock lock = lock();
		willAnswer((call) -> {
			verify(this.handle, Mockito.timeout(10_000)).closeAsync();
			return null;
		}).given(this.handle).holdAtLeast(Duration.ZERO);
		assertThat(lock.extend(Duration.ofMinutes(1), Duration.ZERO)).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LockAutoConfiguration.class, ShedLockAutoConfiguration.class })
	static class Application {

	}

}
