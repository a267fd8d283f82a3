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

package io.quorlock.redis.client;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Backoff}.
 */
class BackoffTests {

	private final Connector connector = new Connector(Mockito.mock(RedisLockNode.class));

	/** A server that stays away is not asked twenty times a second. */
	@Test
	void pausesGrow() {
		for (int i = 0; i < 6; i++) {
			this.connector.nextPauseMillis();
		}
		assertThat(this.connector.nextPauseMillis()).isGreaterThanOrEqualTo(1_000);
	}

	/** Otherwise the instances of a fleet come back together. */
	@Test
	void pausesDifferFromEachOther() {
		assertThat(IntStream.range(0, 100).mapToObj((i) -> this.connector.nextPauseMillis()).distinct())
			.hasSizeGreaterThan(10);
	}

	/** A server that was away for an hour is connected again within seconds. */
	@Test
	void pausesHaveALimit() {
		assertThat(this.connector.nextPauseMillis()).isLessThanOrEqualTo(50);
		for (int i = 0; i < 100; i++) {
			assertThat(this.connector.nextPauseMillis()).isBetween(25L, 2_000L);
		}
		this.connector.resetPauses();
		assertThat(this.connector.nextPauseMillis()).isLessThanOrEqualTo(50);
	}

}
