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

package io.quorlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.annotation.DistributedLock;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that this module works with what it brings: without Spring and without a client
 * of any server.
 */
class CoreClassPathTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.core.annotation.AliasFor",
			"org.springframework.context.ApplicationContext", "redis.clients.jedis.Jedis",
			"org.apache.zookeeper.ZooKeeper" })
	void classPathHasNoLibraryThatTheModuleDoesNotNeed(String type) {
		assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(type));
	}

	@Test
	void locksOverFiveNodesInMemory() throws Exception {
		LockClock clock = new SystemClock();
		List<InMemoryLockNode> nodes = IntStream.range(0, 5)
			.mapToObj((index) -> new InMemoryLockNode("memory-" + index, clock))
			.toList();
		try (TimerThread timer = new TimerThread("timer")) {
			QuorumStore store = new QuorumStore(
					Settings.quorum("core").set(QuorumSettings::operationTimeout, Duration.ofSeconds(1)).build(), nodes,
					clock, timer, List.of());
			LockEngine engine = new LockEngine(Settings.engine("core").build(), store, clock, timer,
					ForkJoinPool.commonPool());
			engine.start();
			LockTemplate template = new DefaultLockTemplate(engine);
			try (LockHandle handle = template.acquire(LockRequest.of("order").key(42))) {
				assertThat(handle.fencingToken()).isPositive();
				assertThat(template.tryAcquire(LockRequest.of("order:42"))).isEmpty();
			}
			assertThat(template.tryAcquire(LockRequest.of("order:42"))).isPresent().get().satisfies(LockHandle::close);
			engine.stop();
		}
	}

	@Test
	void annotationCanBeReadWithoutTheAliasesOfSpring() throws Exception {
		DistributedLock annotation = Shipping.class.getDeclaredMethod("ship").getAnnotation(DistributedLock.class);
		assertThat(annotation.value()).isEqualTo("order");
		assertThat(DistributedLock.class.getDeclaredMethod("name").getAnnotations()).isEmpty();
	}

	static class Shipping {

		@DistributedLock("order")
		void ship() {
		}

	}

}
