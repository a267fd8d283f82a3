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

package io.quorlock.autoconfigure;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link UnlockedLockTemplate} and its handles.
 */
class UnlockedLockTemplateTests {

	@Test
	void handleIsHeldUntilItIsClosed() {
		LockHandle handle = new UnlockedLockTemplate().acquire(LockRequest.of("order"));
		assertThat(handle.isHeld()).isTrue();
		handle.ensureHeld();
		handle.close();
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.remaining()).isEqualTo(Duration.ZERO);
		assertThatIllegalStateException().isThrownBy(handle::ensureHeld);
	}

}
