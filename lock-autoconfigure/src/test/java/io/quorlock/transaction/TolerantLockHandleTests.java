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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.spi.ReentrantLockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link TransactionalLockHandle}, as a method whose loss is ignored finds it.
 */
class TolerantLockHandleTests {

	private final ReentrantLockHandle delegate = mock(ReentrantLockHandle.class);

	private final TransactionalLockHandle handle = TransactionalLockHandle.tolerant(this.delegate);

	@Test
	void whatTheMethodAsksOfItsLockReachesTheLock() {
		this.handle.extend(Duration.ofSeconds(1));
		this.handle.holdAtLeast(Duration.ofSeconds(2));
		this.handle.downgrade();
		this.handle.ensureHeld();
		this.handle.onLost((event) -> {
		});
		this.handle.onAtRisk((event) -> {
		});
		this.handle.onReleaseRequested((event) -> {
		});
		this.handle.reenter(List.of("order"));
		this.handle.close();
		verify(this.delegate).extend(Duration.ofSeconds(1));
		verify(this.delegate).holdAtLeast(Duration.ofSeconds(2));
		verify(this.delegate).downgrade();
		verify(this.delegate).ensureHeld();
		verify(this.delegate).onLost(any());
		verify(this.delegate).onAtRisk(any());
		verify(this.delegate).onReleaseRequested(any());
		verify(this.delegate).reenter(List.of("order"));
		verify(this.delegate).close();
	}

	@Test
	void whatTheMethodReadsOfItsLockIsThatOfTheLock() {
		given(this.delegate.name()).willReturn("order");
		given(this.delegate.names()).willReturn(List.of("order", "stock"));
		given(this.delegate.mode()).willReturn(LockMode.SHARED);
		given(this.delegate.fencingToken()).willReturn(6L);
		given(this.delegate.fencingToken("order")).willReturn(7L);
		given(this.delegate.permit()).willReturn(3);
		given(this.delegate.isGrantedBy("engine")).willReturn(true);
		given(this.delegate.remaining()).willReturn(Duration.ofSeconds(4));
		assertThat(this.handle.name()).isEqualTo("order");
		assertThat(this.handle.names()).containsExactly("order", "stock");
		assertThat(this.handle.mode()).isEqualTo(LockMode.SHARED);
		assertThat(this.handle.fencingToken()).isEqualTo(6);
		assertThat(this.handle.fencingToken("order")).isEqualTo(7);
		assertThat(this.handle.permit()).isEqualTo(3);
		assertThat(this.handle.isGrantedBy("engine")).isTrue();
		assertThat(this.handle.isGrantedBy("another")).isFalse();
		assertThat(this.handle.remaining()).isEqualTo(Duration.ofSeconds(4));
		assertThat(this.handle.isHeld()).isFalse();
		given(this.delegate.isHeld()).willReturn(true);
		assertThat(this.handle.isHeld()).isTrue();
	}

	@Test
	void lockThatIsNotOfTheEngineCannotBeReentered() {
		LockHandle foreign = mock();
		given(foreign.name()).willReturn("order");
		TransactionalLockHandle handle = TransactionalLockHandle.tolerant(foreign);
		assertThat(handle.isGrantedBy("engine")).isFalse();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> handle.reenter(List.of("order")))
			.withMessage("Lock 'order' cannot be re-entered");
	}

	@Test
	void asynchronousCloseIsThatOfTheLock() {
		CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
		given(this.delegate.closeAsync()).willReturn(closed);
		assertThat(this.handle.closeAsync()).isSameAs(closed);
	}

	@Test
	void isDescribedAsTheLock() {
		given(this.delegate.toString()).willReturn("Lock 'order'");
		assertThat(this.handle).hasToString("Lock 'order'");
	}

}
