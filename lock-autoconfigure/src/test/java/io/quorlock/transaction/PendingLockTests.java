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

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link PendingLock}.
 */
class PendingLockTests {

	private final PendingLock pending = new PendingLock();

	private final LockHandle lock = mock(LockHandle.class);

	@Test
	void lockThatIsGrantedIsPassedOn() {
		CompletableFuture<LockHandle> acquiring = new CompletableFuture<>();
		this.pending.await(acquiring);
		assertThat(this.pending).isNotDone();
		acquiring.complete(this.lock);
		assertThat(this.pending).isCompletedWithValue(this.lock);
		verify(this.lock, never()).closeAsync();
	}

	@Test
	void refusalIsPassedOn() {
		LockUnavailableException failure = new LockUnavailableException("1 of 5 nodes answered");
		this.pending.await(CompletableFuture.failedFuture(failure));
		assertThatException().isThrownBy(this.pending::join).withCause(failure);
	}

	@Test
	void cancellationGivesUpTheWait() {
		CompletableFuture<LockHandle> acquiring = new CompletableFuture<>();
		this.pending.await(acquiring);
		this.pending.cancel(true);
		assertThat(acquiring).isCancelled();
	}

	@Test
	void lockThatIsGrantedToACancelledWaitIsReleased() {
		given(this.lock.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
		this.pending.cancel(true);
		this.pending.await(CompletableFuture.completedFuture(this.lock));
		verify(this.lock).closeAsync();
	}

}
