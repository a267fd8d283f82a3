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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BlockingWorker} over Jedis and a server.
 */
class BlockingWorkerTests {

	private static final Duration READ_TIMEOUT = Duration.ofMillis(500);

	private static EmbeddedRedis redis;

	private static JedisConnectionFactory jedis;

	private final EngineClock clock = Mockito.mock(EngineClock.class);

	/** The worker gets no connection before. */
	private final CountDownLatch open = new CountDownLatch(1);

	private final AtomicInteger connections = new AtomicInteger();

	private BlockingWorker worker;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(1);
		jedis = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.nodes().get(0).port()),
				JedisClientConfiguration.builder().readTimeout(READ_TIMEOUT).usePooling().build());
		jedis.afterPropertiesSet();
		jedis.start();
	}

	@AfterAll
	static void stop() {
		jedis.destroy();
		redis.close();
	}

	@BeforeEach
	void begin() {
		try (RedisConnection connection = jedis.getConnection()) {
			connection.serverCommands().flushAll();
		}
		this.worker = worker(jedis);
	}

	private BlockingWorker worker(RedisConnectionFactory target) {
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);
		BDDMockito.given(factory.getConnection()).will((invocation) -> {
			this.open.await();
			this.connections.incrementAndGet();
			return target.getConnection();
		});
		return new BlockingWorker(factory, this.clock, (task) -> {
			Thread thread = new Thread(task);
			thread.setDaemon(true);
			return thread;
		});
	}

	@AfterEach
	void end() {
		this.open.countDown();
		this.worker.close();
	}

	@Test
	void commandsThatAreQueuedShareOneConnection() {
		List<CompletableFuture<?>> replies = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			replies.add(run(acquire("n" + i, new Attempt("a" + i))));
		}
		this.open.countDown();
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo(1L));
		// The first may be on its way before the others are queued.
		assertThat(this.connections).hasValueBetween(1, 2);
	}

	@Test
	void noneIsLeftWhenMoreAreQueuedThanOnePipelineTakes() {
		List<CompletableFuture<?>> replies = new ArrayList<>();
		for (int i = 0; i < 300; i++) {
			replies.add(run(acquire("n" + i, new Attempt("a" + i))));
		}
		this.open.countDown();
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo(1L));
		assertThat(this.connections).hasValueBetween(5, 6);
	}

	@Test
	void commandsOfAnAttemptAreSentInOrder() throws Exception {
		run(acquire("other", new Attempt("a0")));
		Attempt attempt = new Attempt("a1");
		CompletableFuture<?> acquired = run(acquire("n", attempt));
		CompletableFuture<?> renewed = run(new NodeCommand.Renew(
				new CommandHeader(LockTarget.exclusive(List.of("n")), attempt), 20_000, false, null, 0, 0));
		this.open.countDown();
		assertThat(acquired.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(renewed.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		CompletableFuture<?> released = run(release("n", attempt));
		assertThat(released.get(10, TimeUnit.SECONDS)).isEqualTo(0L);
	}

	@Test
	void errorOfOneCommandIsNotThatOfTheOthers() throws Exception {
		try (RedisConnection connection = jedis.getConnection()) {
			connection.listCommands().lPush("lock:{odd}:line".getBytes(), new byte[1]);
		}
		run(acquire("other", new Attempt("a0")));
		CompletableFuture<?> before = run(acquire("n1", new Attempt("a1")));
		CompletableFuture<?> odd = run(acquire("odd", new Attempt("a2")));
		CompletableFuture<?> behind = run(acquire("n3", new Attempt("a3")));
		this.open.countDown();
		assertThat(before.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(behind.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(failure(odd)).hasStackTraceContaining("WRONGTYPE");
	}

	@Test
	void r3ReleaseIsNotConfirmedWhileACommandOfATimedOutPipelineMayFollowIt() throws Exception {
		Attempt attempt = new Attempt("a1");
		CompletableFuture<?> other = run(acquire("other", new Attempt("a0")));
		CompletableFuture<?> acquired = run(acquire("n", attempt));
		CompletableFuture<?> third = run(acquire("third", new Attempt("a2")));
		client("PAUSE", "30000", "WRITE");
		this.open.countDown();
		assertThat(List.of(other, acquired, third))
			.allSatisfy((reply) -> assertThat(failure(reply)).hasStackTraceContaining("Read timed out"));
		client("UNPAUSE");
		assertThat(failure(run(release("n", attempt)))).isInstanceOf(RedisConnectionFailureException.class)
			.hasMessage("an earlier command may still be under way");
		assertThat(run(release("unknown", new Attempt("a3"))).get(10, TimeUnit.SECONDS)).isEqualTo(0L);
	}

	/** Its client has no pipelines. */
	@Test
	void commandsToAClusterAreSentOneByOne() throws Exception {
		RedisClusterConnection cluster = Mockito.mock(RedisClusterConnection.class, Mockito.RETURNS_DEEP_STUBS);
		BDDMockito
			.given(cluster.scriptingCommands()
				.eval(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class)))
			.willReturn(1L)
			.willReturn(2L)
			.willThrow(new RedisConnectionFailureException("gone"))
			.willReturn(4L);
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);
		BDDMockito.given(factory.getConnection()).willReturn(cluster);
		this.worker = worker(factory);
		List<CompletableFuture<?>> replies = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			replies.add(run(acquire("n", new Attempt("a" + i))));
		}
		this.open.countDown();
		assertThat(replies.get(0).get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(replies.get(1).get(10, TimeUnit.SECONDS)).isEqualTo(2L);
		assertThat(failure(replies.get(2))).hasMessage("gone");
		assertThat(replies.get(3).get(10, TimeUnit.SECONDS)).isEqualTo(4L);
		Mockito.verify(cluster, Mockito.never()).openPipeline();
	}

	/** Nothing was sent, so that nothing can follow a release. */
	@Test
	void allFailIfThereIsNoConnection() throws Exception {
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);
		BDDMockito.given(factory.getConnection()).willThrow(new RedisConnectionFailureException("refused"));
		this.worker = worker(factory);
		Attempt attempt = new Attempt("a1");
		List<CompletableFuture<?>> replies = List.of(run(acquire("n", attempt)), run(acquire("m", new Attempt("a2"))),
				run(acquire("o", new Attempt("a3"))));
		this.open.countDown();
		assertThat(replies).allSatisfy((reply) -> assertThat(failure(reply)).hasMessage("refused"));
		BDDMockito.willAnswer((invocation) -> jedis.getConnection()).given(factory).getConnection();
		assertThat(run(release("n", attempt)).get(10, TimeUnit.SECONDS)).isEqualTo(0L);
	}

	@Test
	void closedWorkerSendsWhatIsQueuedAndTakesNoMore() throws Exception {
		CompletableFuture<?> first = run(acquire("n1", new Attempt("a1")));
		CompletableFuture<?> second = run(acquire("n2", new Attempt("a2")));
		this.worker.close();
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> run(acquire("n3", new Attempt("a3"))));
		this.open.countDown();
		assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		try (RedisConnection connection = jedis.getConnection()) {
			assertThat(connection.keyCommands().exists("lock:{n3}".getBytes())).isFalse();
		}
	}

	private static void client(String... args) {
		try (RedisConnection connection = jedis.getConnection()) {
			connection.execute("CLIENT", Arrays.stream(args).map(String::getBytes).toArray(byte[][]::new));
		}
	}

	private CompletableFuture<@Nullable Object> run(NodeCommand command) {
		return this.worker.run(ScriptCall.of(command, new RedisKeys("lock:")), command.attempt(), true)
			.toCompletableFuture();
	}

	private static Throwable failure(CompletableFuture<?> reply) {
		return reply.handle((result, failure) -> failure).orTimeout(10, TimeUnit.SECONDS).join();
	}

	private static NodeCommand acquire(String name, Attempt attempt) {
		return new NodeCommand.Acquire(List.of(name), attempt, 30_000, null, 1, 0);
	}

	private static NodeCommand release(String name, Attempt attempt) {
		attempt.releasing();
		return new NodeCommand.Release(List.of(name), attempt, 0);
	}

}
