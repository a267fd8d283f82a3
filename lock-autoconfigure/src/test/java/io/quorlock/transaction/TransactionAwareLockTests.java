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

package io.quorlock.transaction;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link TransactionAwareLock}.
 */
class TransactionAwareLockTests {

	private final Lock delegate = mock(Lock.class);

	private final Lock lock = new TransactionAwareLock(this.delegate);

	@Test
	void waitThatMayBeInterruptedIsOneOfTheLockBehind() throws InterruptedException {
		willThrow(new InterruptedException()).given(this.delegate).lockInterruptibly();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.lock::lockInterruptibly);
		verify(this.delegate, never()).lock();
	}

	@Test
	void attemptHasTheOutcomeAndTheWaitOfTheLockBehind() throws InterruptedException {
		given(this.delegate.tryLock(5, TimeUnit.SECONDS)).willReturn(true);
		assertThat(this.lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
		assertThat(this.lock.tryLock(6, TimeUnit.SECONDS)).isFalse();
		assertThat(this.lock.tryLock()).isFalse();
		verify(this.delegate).tryLock();
	}

}
