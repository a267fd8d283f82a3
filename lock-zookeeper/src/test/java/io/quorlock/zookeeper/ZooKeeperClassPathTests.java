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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that locks on ZooKeeper need nothing but this module and what it brings.
 */
class ZooKeeperClassPathTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.core.annotation.AliasFor",
			"org.springframework.context.ApplicationContext", "redis.clients.jedis.Jedis" })
	void classPathHasNoLibraryThatTheModuleDoesNotNeed(String type) {
		assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(type));
	}

	@Test
	void twoInstancesExcludeEachOther() {
		LockRequest request = LockRequest.of("order").key(42);
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start();
				Instance one = new Instance("one", server.connectString());
				Instance other = new Instance("other", server.connectString())) {
			try (LockHandle handle = one.template.acquire(request.waitTime(Duration.ofSeconds(30)))) {
				assertThat(handle.isHeld()).isTrue();
				assertThat(other.template.tryAcquire(request.waitTime(Duration.ofSeconds(1)))).isEmpty();
			}
			try (LockHandle handle = other.template.acquire(request.waitTime(Duration.ofSeconds(30)))) {
				assertThat(handle.isHeld()).isTrue();
			}
		}
	}

	private static final class Instance implements AutoCloseable {

		private final TimerThread timer;

		private final LockEngine engine;

		private final LockTemplate template;

		private Instance(String id, String connectString) {
			LockClock clock = new SystemClock();
			this.timer = new TimerThread(id);
			ZooKeeperSettings settings = TestZooKeeperSettings.with(connectString, id)
				.set(ZooKeeperSettings::operationTimeout, Duration.ofSeconds(5))
				.build();
			ZooKeeperLeaseStore store = new ZooKeeperLeaseStore(settings, clock, this.timer, List.of());
			this.engine = new LockEngine(Settings.engine(id).build(), store, clock, this.timer,
					ForkJoinPool.commonPool());
			this.template = new DefaultLockTemplate(this.engine);
			this.engine.start();
		}

		@Override
		public void close() {
			this.engine.stop();
			this.timer.close();
		}

	}

}
