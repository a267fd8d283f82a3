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

import java.time.Duration;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import io.quorlock.engine.SystemClock;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisNodeOptions}.
 */
class RedisNodeOptionsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.operationTimeout(Duration.ZERO), "operation timeout: PT0S");
		refuses((builder) -> builder.connectTimeout(Duration.ZERO), "connect timeout: PT0S");
		refuses((builder) -> builder.quarantine(Duration.ofMillis(-1)), "quarantine: PT-0.001S");
		refuses((builder) -> builder.driftFactor(0.2), "drift factor: 0.2");
	}

	private static void refuses(UnaryOperator<RedisNodeOptions.Builder> change, String message) {
		RedisNodeOptions.Builder builder = change.apply(RedisNodeOptions.builder(new SystemClock()));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
