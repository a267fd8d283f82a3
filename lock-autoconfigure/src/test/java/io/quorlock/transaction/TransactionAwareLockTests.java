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

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import io.quorlock.LockHandle;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for the {@link Lock} view of a {@link TransactionAwareLockTemplate}.
 */
class TransactionAwareLockTests {

	private final LockTemplate delegate = mock(LockTemplate.class);

	private final LockHandle handle = mock(LockHandle.class);

	private final Lock lock = new TransactionAwareLockTemplate(this.delegate, true).asLock("order");

	@BeforeEach
	void grant() {
		given(this.delegate.acquire(any())).willReturn(this.handle);
	}

	private LockRequest requested() {
		ArgumentCaptor<LockRequest> request = ArgumentCaptor.captor();
		verify(this.delegate).acquire(request.capture());
		return request.getValue();
	}

	@Test
	void waitThatMayBeInterruptedIsOneOfTheTemplateBehind() {
		given(this.delegate.acquire(any()))
			.willThrow(new LockInterruptedException("interrupted", "order", Duration.ZERO, new InterruptedException()));
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.lock::lockInterruptibly);
		assertThat(requested().isInterruptible()).isTrue();
	}

	@Test
	void waitWithoutALimitIsNotInterrupted() {
		this.lock.lock();
		assertThat(requested().isInterruptible()).isFalse();
		assertThat(requested().waitTime()).isEqualTo(LockRequest.UNLIMITED_WAIT);
		this.lock.unlock();
		verify(this.handle).close();
	}

	@Test
	void attemptHasTheOutcomeAndTheWaitOfTheTemplateBehind() throws InterruptedException {
		assertThat(this.lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
		assertThat(requested().waitTime()).isEqualTo(Duration.ofSeconds(5));
		assertThat(requested().isInterruptible()).isTrue();
		this.lock.unlock();
		given(this.delegate.acquire(any()))
			.willThrow(new LockNotAcquiredException("held", "order", null, Duration.ZERO, 1));
		assertThat(this.lock.tryLock(6, TimeUnit.SECONDS)).isFalse();
	}

	@Test
	void attemptWithoutAWaitIsNotInterrupted() {
		assertThat(this.lock.tryLock()).isTrue();
		assertThat(requested().waitTime()).isEqualTo(Duration.ZERO);
		assertThat(requested().isInterruptible()).isFalse();
		this.lock.unlock();
	}

}
