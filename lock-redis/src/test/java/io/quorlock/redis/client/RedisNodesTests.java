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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisNodes}.
 */
class RedisNodesTests {

	/** A step between two replies is noticed if a lease may be as long as that. */
	@ParameterizedTest
	@CsvSource({ "0, 0", "5, 60", "60, 60", "300, 300" })
	void clocksAreComparedForAsLongAsLeasesLastAndAMinuteAtLeast(long quarantineSeconds, long seconds) {
		assertThat(RedisNodes.comparedWithin(Duration.ofSeconds(quarantineSeconds)))
			.isEqualTo(Duration.ofSeconds(seconds));
	}

}
