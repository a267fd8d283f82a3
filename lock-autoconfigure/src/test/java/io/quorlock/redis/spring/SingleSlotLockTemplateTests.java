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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.quorlock.LockKeyException;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.aop.FakeLockTemplate;
import io.quorlock.redis.RedisKeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SingleSlotLockTemplate}.
 */
class SingleSlotLockTemplateTests {

	private static final LockRequest OF_TWO_SLOTS = LockRequest.ofAll("order:1", "order:2");

	private final FakeLockTemplate locks = new FakeLockTemplate();

	private final SingleSlotLockTemplate template = new SingleSlotLockTemplate(this.locks, new RedisKeys("lock:"));

	@Test
	void locksOfDifferentSlotsAreRefusedHoweverTheyAreAskedFor() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.template.acquire(OF_TWO_SLOTS));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.template.tryAcquire(OF_TWO_SLOTS));
		assertThat(this.template.acquireAsync(OF_TWO_SLOTS).toCompletableFuture()).failsWithin(0, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class)
			.withMessageContaining("different slots");
		assertThat(this.locks.requests()).isEmpty();
	}

	@Test
	void locksOfOneSlotAreTakenTogether() {
		this.template.acquire(LockRequest.ofAll("cart}1", "cart}2")).close();
		assertThat(this.locks.events()).containsExactly("lock cart}1,cart}2", "unlock cart}1,cart}2");
	}

	@Test
	void eachOfManyLocksIsInTheSlotOfTheFirst() {
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> this.template.acquire(LockRequest.ofAll("cart}1", "cart}2", "order:1")))
			.withMessageContaining("'order:1'");
	}

	@Test
	void releaseIsRequestedOfTheTemplateBehind() {
		LockTemplate behind = mock(LockTemplate.class);
		given(behind.requestRelease("a", Duration.ofSeconds(3))).willReturn(true);
		SingleSlotLockTemplate template = new SingleSlotLockTemplate(behind, new RedisKeys("lock:"));
		assertThat(template.requestRelease("a", Duration.ofSeconds(3))).isTrue();
		assertThat(template.requestRelease("b", Duration.ofSeconds(3))).isFalse();
	}

}
