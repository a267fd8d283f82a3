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

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.quorlock.LockCancelledException;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockOutcome}.
 */
class LockOutcomeTests {

	@Test
	void waitThatEndsByItselfOrIsEndedIsContended() {
		assertThat(LockOutcome.of(new LockNotAcquiredException("held", "order", null, Duration.ZERO, 1)))
			.isSameAs(LockOutcome.CONTENDED);
		assertThat(LockOutcome
			.of(new LockInterruptedException("interrupted", "order", Duration.ZERO, new InterruptedException())))
			.isSameAs(LockOutcome.CONTENDED);
		assertThat(LockOutcome.of(new LockCancelledException("cancelled", "order", Duration.ZERO)))
			.isSameAs(LockOutcome.CONTENDED);
	}

	@Test
	void missingQuorumIsUnavailable() {
		assertThat(LockOutcome.of(new LockUnavailableException("no quorum"))).isSameAs(LockOutcome.UNAVAILABLE);
	}

}
