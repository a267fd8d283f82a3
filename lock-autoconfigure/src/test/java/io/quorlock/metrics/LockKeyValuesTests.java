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

package io.quorlock.metrics;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockKeyValues}.
 */
class LockKeyValuesTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static KeyValues valuesOf(LockRequest request) {
		return new LockAcquireObservationContext(request, "order").keyValues().held();
	}

	@Test
	void requestForTheOnlyPermitIsOneForAPermit() {
		assertThat(valuesOf(ORDER.permits(1))).contains(KeyValue.of("mode", "permit"));
		assertThat(valuesOf(ORDER.shared())).contains(KeyValue.of("mode", "shared"));
		assertThat(valuesOf(ORDER)).contains(KeyValue.of("mode", "exclusive"));
	}

	@Test
	void holderOfTheFirstPermitHoldsAPermit() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.mode()).willReturn(LockMode.EXCLUSIVE);
		given(handle.permit()).willReturn(1);
		assertThat(new LockHeldObservationContext(handle, "order").keyValues().held())
			.contains(KeyValue.of("mode", "permit"));
	}

}
