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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.quorlock.Settings;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link LockEngineLifecycle}: Spring destroys no bean whose creation failed.
 */
class LockEngineLifecycleTests {

	private final ExecutorService callbacks = Executors.newCachedThreadPool();

	private final LeaseStore store = mock(LeaseStore.class);

	@AfterEach
	void stop() {
		assertThat(this.callbacks.isShutdown()).isTrue();
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> timers() == 0);
	}

	private static long timers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("quorlock-timer"))
			.count();
	}

	private LockEngineLifecycle lifecycle(LeaseStoreFactory factory) {
		return new LockEngineLifecycle(Settings.engine("app@host:1").build(), factory, new SystemClock(),
				this.callbacks, List.of(), List.of(), List.of());
	}

	@Test
	void threadsEndIfTheStoreCannotBeCreated() {
		assertThatIllegalStateException().isThrownBy(() -> lifecycle((clock, timer, observers) -> {
			throw new IllegalStateException("no store");
		})).withMessage("no store");
	}

	/** What is released at the stop needs them. */
	@Test
	void threadsEndBehindTheEngine() {
		given(this.store.stop()).will((invocation) -> {
			assertThat(this.callbacks.isShutdown()).isFalse();
			return CompletableFuture.completedFuture(null);
		});
		LockEngineLifecycle lifecycle = lifecycle((clock, timer, observers) -> this.store);
		lifecycle.afterPropertiesSet();
		lifecycle.destroy();
		verify(this.store).stop();
	}

	@Test
	void whatWasStartedEndsIfTheStoreCannotBeStarted() {
		willThrow(new IllegalStateException("no start")).given(this.store).start();
		given(this.store.stop()).willReturn(CompletableFuture.completedFuture(null));
		LockEngineLifecycle lifecycle = lifecycle((clock, timer, observers) -> this.store);
		assertThatIllegalStateException().isThrownBy(lifecycle::afterPropertiesSet).withMessage("no start");
		verify(this.store).stop();
	}

}
