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
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.spi.ReentrantLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link TransactionLocks}, the {@link TransactionalLockHandle} of its locks,
 * and {@link PendingLock}.
 */
class TransactionLocksTests {

	private final TransactionLocks transaction = new TransactionLocks();

	private final ReentrantLockHandle lock = lock("order");

	private final PendingLock pending = new PendingLock();

	private final LockHandle granted = mock(LockHandle.class);

	@Test
	void handleThatIsOpenAnswersAsItsLock() {
		LockHandle handle = this.transaction.enlist(this.lock, false);
		given(this.lock.remaining()).willReturn(Duration.ofSeconds(4));
		assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(4));
		handle.ensureHeld();
		willThrow(new LockLostException("lost")).given(this.lock).ensureHeld();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::ensureHeld);
		assertThat(handle.isHeld()).isFalse();
		given(this.lock.isHeld()).willReturn(true);
		assertThat(handle.isHeld()).isTrue();
	}

	@Test
	void lockThatIsReleasedImmediatelyIsReleasedByEitherWayOfClosingIt() {
		this.transaction.enlist(this.lock, true).close();
		verify(this.lock).close();
		ReentrantLockHandle other = lock("stock");
		this.transaction.enlist(other, true).closeAsync();
		verify(other).closeAsync();
		assertThat(this.transaction.reentrant(null)).isNull();
	}

	/** A loop that takes the same lock a thousand times keeps it once. */
	@Test
	void handleOfALockThatIsKeptAnywayIsReleasedAtOnce() {
		ReentrantLockHandle again = lock("order");
		ReentrantLockHandle other = lock("stock");
		this.transaction.enlist(this.lock, false).close();
		this.transaction.enlist(other, false).close();
		this.transaction.enlist(again, false).close();
		verify(again).close();
		verify(this.lock, never()).close();
		verify(other, never()).close();
	}

	@Test
	void transactionThatIsOverKeepsNothing() {
		LockHandle open = this.transaction.enlist(lock("stock"), false);
		this.transaction.enlist(this.lock, false).close();
		given(this.lock.closeAsync()).willReturn(new CompletableFuture<>());
		assertThat(this.transaction.complete()).isNotDone();
		verify(this.lock).closeAsync();
		assertThat(this.transaction.enlist(this.lock, false)).isSameAs(this.lock);
		open.close();
		assertThat(this.transaction.reentrant(null)).isNull();
	}

	@Test
	void lockThatIsGrantedInTheInstantOfACancellationIsReleasedBeforeTheCompletion() {
		CompletableFuture<LockHandle> granted = new CompletableFuture<>() {

			@Override
			public boolean cancel(boolean interrupt) {
				complete(TransactionLocksTests.this.lock);
				return false;
			}

		};
		this.transaction.acquireAsync((request) -> granted, LockRequest.of("order"), false)
			.toCompletableFuture()
			.cancel(true);
		verify(this.lock).closeAsync();
		willThrow(new IllegalStateException("closed")).given(this.lock).ensureHeld();
		this.transaction.ensureHeld(); // the commit does not depend on it
		assertThat(this.transaction.reentrant(null)).isNull();
		assertThat(this.transaction.complete()).isCompleted();
	}

	private static ReentrantLockHandle lock(String name) {
		ReentrantLockHandle lock = mock(ReentrantLockHandle.class);
		given(lock.names()).willReturn(List.of(name));
		return lock;
	}

	@Test
	void lockThatIsGrantedIsPassedOn() {
		CompletableFuture<LockHandle> acquiring = new CompletableFuture<>();
		this.pending.await(acquiring);
		assertThat(this.pending).isNotDone();
		acquiring.complete(this.granted);
		assertThat(this.pending).isCompletedWithValue(this.granted);
		verify(this.granted, never()).closeAsync();
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
		given(this.granted.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
		this.pending.cancel(true);
		this.pending.await(CompletableFuture.completedFuture(this.granted));
		verify(this.granted).closeAsync();
	}

}
