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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.quorlock.LockHandle;
import io.quorlock.shedlock.QuorlockLockProvider.QuorlockSimpleLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link QuorlockSimpleLock}.
 */
class QuorlockSimpleLockTests {

	private static final Duration AT_MOST = Duration.ofMillis(100);

	private final LockHandle handle = mock(LockHandle.class);

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

}
