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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link TransactionalLockHandle}: to its owner it is closed, although the
 * transaction keeps the lock; and for the one that a method finds whose loss is ignored.
 */
class TransactionalLockHandleTests {

	private final LockHandle delegate = mock();

	private final LockHandle handle = new TransactionLocks().enlist(this.delegate, false);

	private final List<Consumer<ReleaseRequest>> callbacks = new ArrayList<>();

	private final ReentrantLockHandle lock = mock(ReentrantLockHandle.class);

	private final TransactionalLockHandle tolerant = TransactionalLockHandle.tolerant(this.lock);

	@BeforeEach
	void prepare() {
		given(this.delegate.names()).willReturn(List.of("a"));
		willAnswer((call) -> this.callbacks.add(call.getArgument(0))).given(this.delegate).onReleaseRequested(any());
	}

	@Test
	void requestToReleaseItReachesItsOwnerUntilItIsClosed() {
		List<ReleaseRequest> requests = new ArrayList<>();
		this.handle.onReleaseRequested(requests::add);
		ReleaseRequest request = new ReleaseRequest(List.of("a"), Duration.ofSeconds(1));
		this.callbacks.get(0).accept(request);
		assertThat(requests).containsExactly(request);
		this.handle.close();
		this.callbacks.get(0).accept(request);
		assertThat(requests).hasSize(1);
		verify(this.delegate, never()).close();
	}

	@Test
	void nothingIsChangedOnceItIsClosed() {
		this.handle.extend(Duration.ofSeconds(1));
		verify(this.delegate).extend(Duration.ofSeconds(1));
		this.handle.close();
		assertThatIllegalStateException().isThrownBy(() -> this.handle.extend(Duration.ofSeconds(2)))
			.withMessageContaining("was closed");
		assertThatIllegalStateException().isThrownBy(() -> this.handle.holdAtLeast(Duration.ofSeconds(2)))
			.withMessageContaining("was closed");
		// The transaction would go on as a reader, beside others.
		assertThatIllegalStateException().isThrownBy(this.handle::downgrade).withMessageContaining("was closed");
		verify(this.delegate, never()).extend(Duration.ofSeconds(2));
		verify(this.delegate, never()).holdAtLeast(any());
		verify(this.delegate, never()).downgrade();
	}

	@Test
	void whatTheMethodAsksOfItsLockReachesTheLock() {
		this.tolerant.extend(Duration.ofSeconds(1));
		this.tolerant.holdAtLeast(Duration.ofSeconds(2));
		this.tolerant.downgrade();
		this.tolerant.ensureHeld();
		this.tolerant.onLost((event) -> {
		});
		this.tolerant.onAtRisk((event) -> {
		});
		this.tolerant.onReleaseRequested((event) -> {
		});
		this.tolerant.reenter(List.of("order"));
		this.tolerant.close();
		verify(this.lock).extend(Duration.ofSeconds(1));
		verify(this.lock).holdAtLeast(Duration.ofSeconds(2));
		verify(this.lock).downgrade();
		verify(this.lock).ensureHeld();
		verify(this.lock).onLost(any());
		verify(this.lock).onAtRisk(any());
		verify(this.lock).onReleaseRequested(any());
		verify(this.lock).reenter(List.of("order"));
		verify(this.lock).close();
	}

	@Test
	void whatTheMethodReadsOfItsLockIsThatOfTheLock() {
		given(this.lock.name()).willReturn("order");
		given(this.lock.names()).willReturn(List.of("order", "stock"));
		given(this.lock.mode()).willReturn(LockMode.SHARED);
		given(this.lock.fencingToken()).willReturn(6L);
		given(this.lock.fencingToken("order")).willReturn(7L);
		given(this.lock.permit()).willReturn(3);
		given(this.lock.isGrantedBy("engine")).willReturn(true);
		given(this.lock.remaining()).willReturn(Duration.ofSeconds(4));
		assertThat(this.tolerant.name()).isEqualTo("order");
		assertThat(this.tolerant.names()).containsExactly("order", "stock");
		assertThat(this.tolerant.mode()).isEqualTo(LockMode.SHARED);
		assertThat(this.tolerant.fencingToken()).isEqualTo(6);
		assertThat(this.tolerant.fencingToken("order")).isEqualTo(7);
		assertThat(this.tolerant.permit()).isEqualTo(3);
		assertThat(this.tolerant.isGrantedBy("engine")).isTrue();
		assertThat(this.tolerant.isGrantedBy("another")).isFalse();
		assertThat(this.tolerant.remaining()).isEqualTo(Duration.ofSeconds(4));
		assertThat(this.tolerant.isHeld()).isFalse();
		given(this.lock.isHeld()).willReturn(true);
		assertThat(this.tolerant.isHeld()).isTrue();
	}

	@Test
	void lockThatIsNotOfTheEngineCannotBeReentered() {
		LockHandle foreign = mock();
		given(foreign.name()).willReturn("order");
		TransactionalLockHandle tolerant = TransactionalLockHandle.tolerant(foreign);
		assertThat(tolerant.isGrantedBy("engine")).isFalse();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> tolerant.reenter(List.of("order")))
			.withMessage("Lock 'order' cannot be re-entered");
	}

	@Test
	void asynchronousCloseIsThatOfTheLock() {
		CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
		given(this.lock.closeAsync()).willReturn(closed);
		assertThat(this.tolerant.closeAsync()).isSameAs(closed);
	}

	@Test
	void isDescribedAsTheLock() {
		given(this.lock.toString()).willReturn("Lock 'order'");
		assertThat(this.tolerant).hasToString("Lock 'order'");
	}

}
