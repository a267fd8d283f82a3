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

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Unusual keys on a real server: what is locked is the key that was meant, and no other.
 */
class UnusualKeysTests {

	private static final List<String> NAMES = List.of("with space", "line\nbreak", "tab\t", "{", "{}", "a}b", "{x}y",
			"ключ", "鍵", "😀", "a:b:c", "*", "?", "x".repeat(1024));

	@Test
	void keyOnTheServerIsTheOneThatWasMeant() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(1);
				RealEngine engine = RealEngine.start(RealEngine.settings("keys@test:1"), redis.uris())) {
			for (String name : NAMES) {
				try (LockHandle lock = engine.template.acquire(LockRequest.of(name))) {
					assertThat(redis.node(0).execute("GET", "lock:{" + name + "}")).asString()
						.startsWith("keys@test:1:");
					assertThat(redis.node(0).execute("EVAL", "return #redis.call('KEYS', 'lock:*}')", "0"))
						.isEqualTo(1L);
					assertThat(engine.template.tryAcquire(LockRequest.of(name))).isEmpty();
					assertThat(lock.isHeld()).isTrue();
				}
				assertThat(redis.node(0).execute("EXISTS", "lock:{" + name + "}")).isEqualTo(0L);
			}
		}
	}

}
