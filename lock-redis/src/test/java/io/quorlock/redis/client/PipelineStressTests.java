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

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many callers on one connection: with one node alone, a single wake-up that gets lost
 * leaves a caller without a reply, and a single command out of order leaves its name
 * locked.
 */
@Tag("long")
class PipelineStressTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 16 })
	void everyCallerGetsItsRepliesInOrder(int callers) throws Exception {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start(); NodeProbe probe = NodeProbe.connect(redis.uri())) {
			run(callers, (caller) -> lockAndUnlock(probe, "n" + caller, 2_000));
			assertThat(redis.execute("KEYS", "lock:{*")).isEqualTo(List.of());
		}
	}

	@Test
	void releaseThatIsNotWaitedForIsInOrder() throws Exception {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start(); NodeProbe probe = NodeProbe.connect(redis.uri())) {
			run(4, (caller) -> {
				for (int i = 0; i < 1_000; i++) {
					Attempt attempt = new Attempt("a" + i);
					assertThat(probe.send(NodeProbe.acquire(attempt, "n" + caller)))
						.isInstanceOf(NodeReply.Granted.class);
					probe.submit(NodeProbe.release(attempt, "n" + caller));
				}
			});
		}
	}

	private static void lockAndUnlock(NodeProbe probe, String name, int times) {
		for (int i = 0; i < times; i++) {
			Attempt attempt = new Attempt(name + ":" + i);
			assertThat(probe.send(NodeProbe.acquire(attempt, name))).isInstanceOf(NodeReply.Granted.class);
			assertThat(probe.send(NodeProbe.release(attempt, name))).isInstanceOf(NodeReply.Released.class);
		}
	}

	private static void run(int callers, IntConsumer work) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(callers);
		try {
			List<? extends Future<?>> futures = IntStream.range(0, callers)
				.mapToObj((caller) -> executor.submit(() -> work.accept(caller)))
				.toList();
			for (Future<?> future : futures) {
				future.get(2, TimeUnit.MINUTES);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

}
