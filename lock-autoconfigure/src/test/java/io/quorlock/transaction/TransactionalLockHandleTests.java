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
import java.util.function.Consumer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.ReleaseRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link TransactionalLockHandle}: to its owner it is closed, although the
 * transaction keeps the lock.
 */
class TransactionalLockHandleTests {

	private final LockHandle delegate = mock();

	private final LockHandle handle = new TransactionLocks().enlist(this.delegate, false);

	private final List<Consumer<ReleaseRequest>> callbacks = new ArrayList<>();

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

}
