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

package io.quorlock.aop.invocation;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.quorlock.LockCancelledException;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockKeyException;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockedCall}.
 */
class LockedCallTests {

	@Test
	void fallbackAndHandlerAreForRequestsThatEndedWithoutTheLock() {
		assertThat(new Throwable[] { new LockNotAcquiredException("held", "x", null, Duration.ZERO, 1),
				new LockUnavailableException("no quorum"),
				new LockInterruptedException("interrupted", "x", Duration.ZERO, new InterruptedException()),
				new LockCancelledException("stopped", "x", Duration.ZERO) })
			.allMatch(LockedCall::isRefusal);
	}

	@Test
	void mistakesOfTheCallGoToItsCaller() {
		assertThat(new Throwable[] { new LockKeyException("null"), new LockReentryException("held already"),
				new LockLostException("lost"), new IllegalStateException() })
			.noneMatch(LockedCall::isRefusal);
		assertThat(LockedCall.isRefusal(null)).isFalse();
	}

}
