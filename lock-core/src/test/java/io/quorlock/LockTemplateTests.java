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

package io.quorlock;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;

/**
 * Tests for what {@link LockTemplate} does with a lock that was acquired.
 */
class LockTemplateTests {

	private final LockTemplate template = mock(CALLS_REAL_METHODS);

	private final LockHandle handle = mock();

	private final LockLostException loss = new LockLostException("it was lost");

	/** As by {@code ensureHeld()}. */
	@Test
	void lossThatTheCallbackThrowsItselfIsThrown() {
		given(this.handle.loss()).willReturn(Optional.of(this.loss));
		assertThatException().isThrownBy(() -> run(this.loss)).isSameAs(this.loss);
		then(this.handle).should().close();
	}

	@Test
	void lossIsAddedToWhatTheCallbackThrows() {
		given(this.handle.loss()).willReturn(Optional.of(this.loss));
		IllegalStateException failure = new IllegalStateException("on purpose");
		assertThatException().isThrownBy(() -> run(failure)).isSameAs(failure);
		assertThat(failure).hasSuppressedException(this.loss);
		assertThat(LockContext.current()).isEmpty();
	}

	/** As a failed assertion, or the end of the memory. */
	@Test
	void lossIsAddedToAnErrorThatTheCallbackThrows() {
		given(this.template.acquire(any())).willReturn(this.handle);
		given(this.handle.loss()).willReturn(Optional.of(this.loss));
		AssertionError failure = new AssertionError("on purpose");
		assertThatThrownBy(() -> this.template.<Boolean, RuntimeException>execute("order", () -> {
			throw failure;
		})).isSameAs(failure).hasSuppressedException(this.loss);
		then(this.handle).should().close();
	}

	private void run(RuntimeException failure) {
		given(this.template.acquire(any())).willReturn(this.handle);
		this.template.<Boolean, RuntimeException>execute("order", () -> {
			throw failure;
		});
	}

}
