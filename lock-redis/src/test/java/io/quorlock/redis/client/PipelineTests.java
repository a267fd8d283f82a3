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

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.RespReader;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for commands of several callers on one connection.
 */
@ExtendWith(LogCaptureExtension.class)
class PipelineTests {

	private final Connection connection = mock(Connection.class);

	private final Pipeline pipeline = new Pipeline("node:6379", this.connection, new TestClock(), (push) -> {
	});

	private final List<String> ends = new ArrayList<>();

	@Test
	void commandThatIsEnqueuedBehindTheEndFails() {
		this.pipeline.close("stopped");
		this.pipeline.enqueue(new TestCommand("late"));
		assertThat(this.ends).containsExactly("late NOT_SENT stopped");
	}

	@Test
	void errorWhileReadingEndsTheConnection(CapturedLog output) throws IOException {
		given(this.connection.nextIsPush()).willThrow(new StackOverflowError("a defect"));
		this.pipeline.enqueue(new TestCommand("queued"));
		assertThat(this.pipeline.run()).isEqualTo("unexpected failure, see the log");
		assertThat(this.ends).containsExactly("queued NOT_SENT unexpected failure, see the log");
		then(this.connection).should().close();
		assertThat(output).contains("Reading from lock node node:6379 failed");
	}

	@Test
	void handlerThatFailsCostsOthersNeitherTheirReplyNorTheConnection(CapturedLog output) throws IOException {
		given(this.connection.nextIsPush()).willReturn(false, false).willThrow(new EOFException());
		given(this.connection.read(ArgumentMatchers.<Supplier<RespReader.Limits>>any())).willReturn(1L, 2L);
		this.pipeline.enqueue(new TestCommand("failing") {

			@Override
			void onReply(@Nullable Object reply) {
				throw new IllegalStateException("a defect");
			}

		});
		this.pipeline.enqueue(new TestCommand("sound"));
		this.pipeline.flush();
		assertThat(this.pipeline.run()).isEqualTo("connection closed");
		assertThat(this.ends).containsExactly("sound 2");
		assertThat(output).containsOnlyOnce("A handler of a reply failed");
	}

	@ParameterizedTest
	@Tag("long")
	@ValueSource(ints = { 1, 2, 16 })
	void everyCallerGetsItsRepliesInOrder(int callers) throws Exception {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start(); NodeProbe probe = NodeProbe.connect(redis.uri())) {
			run(callers, (caller) -> lockAndUnlock(probe, "n" + caller, 2_000));
			assertThat(redis.execute("KEYS", "lock:{*")).isEqualTo(List.of());
		}
	}

	@Test
	@Tag("long")
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

	private class TestCommand extends PendingCommand {

		private final String name;

		TestCommand(String name) {
			super(new byte[] { 1 });
			this.name = name;
		}

		@Override
		void onReply(@Nullable Object reply) {
			PipelineTests.this.ends.add(this.name + " " + reply);
		}

		@Override
		void onFailure(Cause cause, String reason) {
			PipelineTests.this.ends.add(this.name + " " + cause + " " + reason);
		}

	}

}
