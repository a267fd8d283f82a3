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
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.quorlock.LockRequest;
import io.quorlock.redis.client.StrictServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Claims that wait for a lock on a server whose scripts may not publish.
 */
class StrictServerTests {

	private static final int INSTANCES = 5;

	private static final int TURNS = 20;

	@Test
	void claimsThatWaitAreNotifiedByTheClients() throws Exception {
		List<RealEngine> engines = new ArrayList<>();
		try (StrictServer server = StrictServer.start()) {
			for (int instance = 0; instance < INSTANCES; instance++) {
				engines.add(RealEngine.start("i" + instance, List.of(server.uri()), (settings) -> {
				}, (settings) -> {
				}));
			}
			int before = server.published().size();
			AtomicInteger grants = new AtomicInteger();
			List<Thread> threads = engines.stream().map((engine) -> new Thread(() -> take(engine, grants))).toList();
			long start = System.nanoTime();
			threads.forEach(Thread::start);
			for (Thread thread : threads) {
				thread.join();
			}
			assertThat(grants).hasValue(INSTANCES * TURNS);
			assertThat(server.published().size() - before).isGreaterThan(INSTANCES * TURNS / 2);
			// A claim that is not notified asks again after seconds.
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
		}
		finally {
			engines.forEach(RealEngine::close);
		}
	}

	private static void take(RealEngine engine, AtomicInteger grants) {
		for (int turn = 0; turn < TURNS; turn++) {
			engine.template.execute(LockRequest.of("order").waitTime(Duration.ofSeconds(30)), grants::incrementAndGet);
		}
	}

}
