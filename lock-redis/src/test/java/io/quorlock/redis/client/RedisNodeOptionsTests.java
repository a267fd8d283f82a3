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

import io.quorlock.Settings;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisNodeOptions}.
 */
class RedisNodeOptionsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.set(RedisNodeOptions::operationTimeout, Duration.ZERO), "operation timeout: PT0S");
		refuses((builder) -> builder.set(RedisNodeOptions::connectTimeout, Duration.ZERO), "connect timeout: PT0S");
		refuses((builder) -> builder.set(RedisNodeOptions::quarantine, Duration.ofMillis(-1)), "quarantine: PT-0.001S");
		refuses((builder) -> builder.set(RedisNodeOptions::driftFactor, 0.2), "drift factor: 0.2");
	}

	@Test
	void connectionIsDeadAfterTwentyTimeoutsAndFiveSecondsAtLeast() {
		Settings<RedisNodeOptions> builder = TestOptions.with(new SystemClock());
		assertThat(builder.build().deadAfterNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
		assertThat(builder.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1)).build().deadAfterNanos())
			.isEqualTo(Duration.ofSeconds(20).toNanos());
	}

	/** No reply to a command may take longer either. */
	@Test
	void tcpConnectsWithinTheTimeForAReply() {
		Settings<RedisNodeOptions> builder = TestOptions.with(new SystemClock());
		assertThat(builder.build().tcpTimeout()).isEqualTo(Duration.ofMillis(300));
		builder = builder.set(RedisNodeOptions::operationTimeout, Duration.ofMillis(400));
		assertThat(builder.build().tcpTimeout()).isEqualTo(Duration.ofMillis(400));
		assertThat(builder.build().attemptTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(builder.set(RedisNodeOptions::connectTimeout, Duration.ofMillis(100)).build().tcpTimeout())
			.isEqualTo(Duration.ofMillis(100));
	}

	private static void refuses(UnaryOperator<Settings<RedisNodeOptions>> change, String message) {
		Settings<RedisNodeOptions> builder = change.apply(TestOptions.with(new SystemClock()));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
