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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.EngineSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mode of releases, on real nodes.
 */
@Timeout(120)
class SentReleaseTests {

	@Test
	void lockWhoseReleaseWasOnlySentIsGrantedAgainBehindIt() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3)) {
			RealEngine sending = start("app@host:1", redis.uris(), false);
			RealEngine other = start("app@host:2", redis.uris(), true);
			for (int i = 0; i < 200; i++) {
				sending.template.acquire(LockRequest.of("sent").waitTime(Duration.ZERO)).close();
			}
			assertThat(other.template.tryAcquire(LockRequest.of("sent").waitTime(Duration.ofSeconds(5)))).isPresent();
			sending.close();
			other.close();
		}
	}

	private static RealEngine start(String instance, List<String> uris, boolean confirming) {
		return RealEngine.start(instance, uris, (engine) -> engine.set(EngineSettings::confirmingReleases, confirming),
				(quorum) -> {
				});
	}

}
