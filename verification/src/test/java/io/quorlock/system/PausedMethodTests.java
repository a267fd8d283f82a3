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

package io.quorlock.system;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that is stopped for longer than the lease of its locked method hears of each
 * loss in every way: exception, event, reason and meter (R7).
 */
@Tag("long")
@Timeout(180)
class PausedMethodTests {

	private static final int PAUSES = 10;

	@ParameterizedTest
	@CsvSource({ "caller, 10", "job, 0" })
	void eachLossIsToldOnce(String who, int exceptions) throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				ChildJvm holder = ChildJvm.start(PausedMethodProcess.class,
						List.of(who, String.valueOf(PAUSES), "distributed-lock.nodes=" + String.join(",", redis.uris()),
								"distributed-lock.lease-time=1s", "distributed-lock.connection.operation-timeout=300ms",
								"distributed-lock.restart-quarantine=0s"))) {
			for (int i = 0; i < PAUSES; i++) {
				holder.awaitLine("IN");
				holder.pause(Duration.ofMillis(1_500));
				holder.send("go");
			}
			assertThat(holder.awaitLine("TOLD"))
				.isEqualTo("exceptions=%d events=%d reasons=%d lost=%d".formatted(exceptions, PAUSES, PAUSES, PAUSES));
		}
	}

}
