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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the threads for user code.
 */
class CallbackThreadsTests {

	/** It may wait for another, or for a lock. */
	@Test
	void callbackThatBlocksHoldsUpNoOther() throws Exception {
		ExecutorService callbacks = LockEngineConfiguration.callbacks(new MockEnvironment());
		try {
			CompletableFuture<String> last = new CompletableFuture<>();
			List<Future<String>> blocked = IntStream.range(0, 20)
				.mapToObj((i) -> callbacks.submit(last::join))
				.toList();
			callbacks.execute(() -> last.complete("done"));
			assertThat(blocked).allSatisfy((each) -> assertThat(each.get(10, TimeUnit.SECONDS)).isEqualTo("done"));
		}
		finally {
			callbacks.shutdownNow();
		}
	}

	@Test
	void threadsAreKnownByTheirNameAndKeepNoProcessAlive() throws Exception {
		ExecutorService callbacks = LockEngineConfiguration.callbacks(new MockEnvironment());
		try {
			Thread thread = callbacks.submit(Thread::currentThread).get();
			assertThat(thread.getName()).startsWith("quorlock-callback-");
			assertThat(thread.isDaemon()).isTrue();
		}
		finally {
			callbacks.shutdown();
		}
	}

}
