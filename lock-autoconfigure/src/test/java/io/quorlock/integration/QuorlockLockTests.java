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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.integration.support.locks.DistributedLock;

import io.quorlock.LockContext;
import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link QuorlockLock}.
 */
class QuorlockLockTests {

	private final FakeLockTemplate template = new FakeLockTemplate();

	private final QuorlockLockRegistry registry = new QuorlockLockRegistry(this.template, "integration",
			Duration.ofSeconds(30));

	/** Who unlocks it does so before a transaction ends, if it is within one. */
	@Test
	void isReleasedByItsUnlock() {
		DistributedLock lock = this.registry.obtain("key");
		assertThat(lock.tryLock()).isTrue();
		assertThat(this.template.lastRequest().isReleasedImmediately()).isTrue();
		lock.unlock();
	}

	@Test
	void threadThatLostItIsToldWhenItLocksAgain() {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock();
		this.template.lose("integration:key");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::lock);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
	}

	@Test
	void threadThatLostItIsToldWhyWhenItUnlocks() {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock();
		this.template.lose("integration:key");
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock)
			.withCauseInstanceOf(LockLostException.class);
	}

	@Test
	void threadThatIsInterruptedWhileItLocksIsInterruptedAfterwards() throws Exception {
		this.template.holdElsewhere("integration:key");
		boolean[] interrupted = new boolean[1];
		Thread thread = new Thread(() -> {
			this.registry.obtain("key").lock();
			interrupted[0] = Thread.currentThread().isInterrupted();
		});
		thread.start();
		Awaitility.await().until(() -> this.template.requests().size() == 1);
		thread.interrupt();
		Awaitility.await().until(() -> this.template.requests().size() == 2);
		this.template.releaseElsewhere("integration:key");
		thread.join(10_000);
		assertThat(interrupted[0]).isTrue();
	}

	@Test
	void threadThatHoldsItGetsItAgain() throws Exception {
		DistributedLock lock = this.registry.obtain("key");
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.tryLock()).isTrue();
		assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(1))).isTrue();
		assertThat(this.template.requests()).hasSize(1);
		lock.unlock();
		lock.unlock();
		assertThat(this.template.heldCount()).isOne();
		lock.unlock();
		assertThat(this.template.heldCount()).isZero();
	}

	@Test
	void lockThatAnotherHoldsIsNotTaken() throws Exception {
		this.template.holdElsewhere("integration:key");
		DistributedLock lock = this.registry.obtain("key");
		assertThat(lock.tryLock()).isFalse();
		assertThat(lock.tryLock(Duration.ZERO, Duration.ofSeconds(1))).isFalse();
		assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isFalse();
		assertThat(this.template.lastRequest().waitTime()).isZero();
	}

	@Test
	void interruptIsLeftToTheCallerOfATryThatDoesNotWait() {
		this.template.holdElsewhere("integration:key");
		Thread.currentThread().interrupt();
		assertThat(this.registry.obtain("key").tryLock()).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	/** It may still have been held when the caller asked, and be lost when it goes on. */
	@Test
	void lockThatIsLostAsItIsTakenAgainIsAskedFor() {
		LockTemplate template = mock(LockTemplate.class);
		LockHandle lost = handle();
		LockHandle next = handle();
		given(template.tryAcquire(any())).willReturn(Optional.of(lost)).willReturn(Optional.of(next));
		DistributedLock lock = new QuorlockLockRegistry(template, "integration", Duration.ofSeconds(30)).obtain("key");
		lock.lock();
		lock.lock();
		verify(template, times(2)).tryAcquire(any());
		verify(lost).close();
		lock.unlock();
		verify(next).close();
	}

	@Test
	void timesAreThoseThatTheCallerAsksFor() throws Exception {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock(Duration.ofSeconds(7));
		assertThat(this.template.lastRequest().leaseTime()).isEqualTo(Duration.ofSeconds(7));
		assertThat(this.template.lastRequest().waitTime()).isEqualTo(LockRequest.UNLIMITED_WAIT);
		lock.unlock();
		lock.tryLock(Duration.ofSeconds(2), Duration.ofSeconds(8));
		assertThat(this.template.lastRequest().leaseTime()).isEqualTo(Duration.ofSeconds(8));
		assertThat(this.template.lastRequest().waitTime()).isEqualTo(Duration.ofSeconds(2));
		lock.unlock();
		lock.tryLock(3, TimeUnit.SECONDS);
		assertThat(this.template.lastRequest().waitTime()).isEqualTo(Duration.ofSeconds(3));
		lock.unlock();
	}

	/** Whatever it asks for in between. */
	@Test
	void threadThatLostItIsToldAtItsLastUnlock() {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock();
		lock.lock();
		this.template.lose("integration:key");
		assertThat(lock.tryLock()).isFalse();
		lock.unlock();
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
	}

	@Test
	void threadThatLostItTwiceIsToldTwice() {
		DistributedLock lock = this.registry.obtain("key");
		for (int i = 0; i < 2; i++) {
			lock.lock();
			this.template.lose("integration:key");
			assertThat(lock.tryLock()).isFalse();
		}
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
	}

	@Test
	void threadThatHoldsNothingKeepsNothing() {
		this.template.holdElsewhere("integration:key");
		assertThat(this.registry.obtain("key").tryLock()).isFalse();
		assertThat(this.registry).extracting("holds", InstanceOfAssertFactories.type(ThreadLocal.class))
			.returns(null, ThreadLocal::get);
	}

	@Test
	void lockIsThatOfItsThreadUntilItsUnlock() {
		DistributedLock lock = this.registry.obtain("key");
		lock.lock();
		assertThat(LockContext.current()).isPresent();
		lock.unlock();
		assertThat(LockContext.current()).isEmpty();
	}

	@Test
	void locksOfAThreadAreHeldWithinEachOther() {
		DistributedLock outer = this.registry.obtain("outer");
		DistributedLock inner = this.registry.obtain("inner");
		outer.lock();
		inner.lock();
		assertThat(LockContext.current().map(LockHandle::name)).contains("integration:inner");
		inner.unlock();
		assertThat(LockContext.current().map(LockHandle::name)).contains("integration:outer");
		assertThat(outer.tryLock()).isTrue();
		assertThat(this.template.requests()).hasSize(2);
		outer.unlock();
		outer.unlock();
		assertThat(LockContext.current()).isEmpty();
		assertThat(this.template.heldCount()).isZero();
	}

	@Test
	void threadThatLostTwoIsToldOfEach() {
		List<DistributedLock> locks = List.of(this.registry.obtain("a"), this.registry.obtain("b"));
		locks.forEach(DistributedLock::lock);
		this.template.lose("integration:a");
		this.template.lose("integration:b");
		assertThat(locks).noneMatch(DistributedLock::tryLock);
		assertThat(locks).allSatisfy(
				(lock) -> assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock)
					.withMessageStartingWith("Lock 'integration:"));
	}

	@Test
	void lockThatWasLostIsClosedAtTheUnlockAndNotRenewed() {
		LockTemplate template = mock(LockTemplate.class);
		LockHandle handle = handle();
		LockLostException loss = new LockLostException("lost");
		willThrow(loss).given(handle).ensureHeld();
		willThrow(loss).given(handle).extend(any());
		given(template.tryAcquire(any())).willReturn(Optional.of(handle));
		QuorlockLockRegistry registry = new QuorlockLockRegistry(template, "integration", Duration.ofSeconds(30));
		DistributedLock lock = registry.obtain("key");
		lock.lock();
		assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("key")).withCause(loss);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
		verify(handle).close();
	}

	@Test
	void threadThatIsInterruptedDoesNotLock() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> this.registry.obtain("key").tryLock(1, TimeUnit.SECONDS));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.template.heldCount()).isZero();
	}

	private static LockHandle handle() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.name()).willReturn("integration:key");
		return handle;
	}

}
