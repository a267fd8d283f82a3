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
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to a lock whose holder is killed.
 */
class HolderCrashTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	@Test
	void nextWaiterIsServedWithinLeasePlusOneSecond() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5);
				RealEngine engine = RealEngine.start(RealEngine.settings("waiter@test:1"), redis.uris())) {
			List<String> arguments = new ArrayList<>(List.of(String.valueOf(LEASE.toMillis())));
			arguments.addAll(redis.uris());
			try (ChildJvm holder = ChildJvm.start(HolderProcess.class, arguments)) {
				long token = Long.parseLong(holder.awaitLine("HELD"));
				assertThat(engine.template.tryAcquire(LockRequest.of("order:42"))).isEmpty();
				holder.kill();
				long killed = System.nanoTime();
				try (LockHandle lock = engine.template
					.acquire(LockRequest.of("order:42").waitTime(Duration.ofSeconds(60)))) {
					assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(LEASE.plusSeconds(1));
					assertThat(lock.fencingToken()).isGreaterThan(token);
				}
			}
		}
	}

}
