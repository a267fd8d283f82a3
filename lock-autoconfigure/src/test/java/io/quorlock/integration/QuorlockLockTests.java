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

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.integration.support.locks.DistributedLock;

import io.quorlock.LockLostException;
import io.quorlock.aop.FakeLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link QuorlockLock}.
 */
class QuorlockLockTests {

	private final FakeLockTemplate template = new FakeLockTemplate();

	private final QuorlockLockRegistry registry = new QuorlockLockRegistry(this.template, "integration",
			Duration.ofSeconds(30));

	/** Who unlocks it does so before a transaction ends, if it is within one. */
	@Test
	void isReleasedWhenItIsUnlocked() {
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

}
