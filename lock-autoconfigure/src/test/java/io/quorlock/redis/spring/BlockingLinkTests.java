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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClusterConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;
import io.quorlock.time.LockClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BlockingLink} and {@link BlockingWorker}.
 */
class BlockingLinkTests {

	private static final List<String> NAMES = List.of("n");

	private final RedisConnection connection = Mockito.mock(RedisConnection.class, Mockito.RETURNS_DEEP_STUBS);

	private final RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);

	private final LockClock clock = Mockito.mock(LockClock.class);

	private final BlockingLink link = new BlockingLink(this.factory, this.clock);

	private static final Duration READ_TIMEOUT = Duration.ofMillis(500);

	private static EmbeddedRedis redis;

	private static JedisConnectionFactory jedis;

	/** The worker gets no connection before. */
	private final CountDownLatch open = new CountDownLatch(1);

	/** How often it has asked for one. */
	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicInteger connections = new AtomicInteger();

	private BlockingLink.Worker worker;

	@BeforeEach
	void open() {
		BDDMockito.given(this.factory.getConnection()).willReturn(this.connection);
		this.link.open();
	}

	@AfterEach
	void close() {
		this.link.close();
	}

	@Test
	void r3ReleaseIsNotConfirmedWhileATimedOutAcquireMayFollowIt() {
		Attempt attempt = attemptThatTimedOut();
		reply(1L);
		assertThat(run(release(attempt))).isInstanceOf(LinkException.class);
		assertThat(run(release(attempt))).as("sent again").isInstanceOf(LinkException.class);
		assertThat(run(release(new Attempt("a2")))).isNull();
	}

	@Test
	void r3TimedOutAcquireIsRememberedWhenTheLinkIsOpenedAnew() {
		Attempt attempt = attemptThatTimedOut();
		this.link.close();
		this.link.open();
		reply(1L);
		assertThat(run(release(attempt))).isInstanceOf(LinkException.class);
	}

	/** The holder would wait for ever otherwise, and send it for ever. */
	@Test
	void releaseIsConfirmedWhenNothingCanFollowItAnyMore() {
		Attempt attempt = attemptThatTimedOut();
		reply(1L);
		BDDMockito.given(this.clock.nanoTime()).willReturn(Duration.ofSeconds(30).toNanos() - 1);
		assertThat(run(release(attempt))).isInstanceOf(LinkException.class);
		BDDMockito.given(this.clock.nanoTime()).willReturn(Duration.ofSeconds(30).toNanos());
		assertThat(run(release(attempt))).isNull();
	}

	@Test
	void releaseIsConfirmedAfterAnAcquireThatTheServerRefused() {
		Attempt attempt = new Attempt("a1");
		reply(new QueryTimeoutException("OOM command not allowed"));
		assertThat(run(acquire(attempt))).isInstanceOf(QueryTimeoutException.class);
		reply(1L);
		assertThat(run(release(attempt))).isNull();
	}

	@Test
	void clusterRepliesWhileOneOfItsMastersDoes() {
		RedisClusterConnection cluster = Mockito.mock(RedisClusterConnection.class, Mockito.RETURNS_DEEP_STUBS);
		RedisClusterNode gone = master(6379, 0);
		RedisClusterNode empty = RedisClusterNode.newRedisClusterNode()
			.listeningAt("127.0.0.1", 6380)
			.promotedAs(RedisNode.NodeType.MASTER)
			.build();
		RedisClusterNode there = master(6381, 1);
		BDDMockito.given(this.factory.getConnection()).willReturn(cluster);
		BDDMockito.given(cluster.clusterGetNodes()).willReturn(List.of(empty, gone, there));
		BDDMockito.given(cluster.ping(gone)).willThrow(new RedisConnectionFailureException("gone"));
		BDDMockito.given(cluster.serverCommands().time(there, TimeUnit.MICROSECONDS)).willReturn(7L);
		assertThat(this.link.ping(Duration.ofSeconds(2))).hasValue(7);
		BDDMockito.given(cluster.ping(there)).willThrow(new RedisConnectionFailureException("gone as well"));
		assertThatExceptionOfType(RedisConnectionFailureException.class)
			.isThrownBy(() -> this.link.ping(Duration.ofSeconds(2)))
			.withMessage("gone as well");
		Mockito.verify(cluster, Mockito.never()).ping(empty);
	}

	private static RedisClusterNode master(int port, int slot) {
		return RedisClusterNode.newRedisClusterNode()
			.listeningAt("127.0.0.1", port)
			.serving(new RedisClusterNode.SlotRange(slot, slot))
			.promotedAs(RedisNode.NodeType.MASTER)
			.build();
	}

	/** Its user may ping, and not ask for the time. */
	@Test
	void serverThatDoesNotTellItsTimeIsThere() {
		BDDMockito.given(this.connection.serverCommands().time(TimeUnit.MICROSECONDS))
			.willThrow(new InvalidDataAccessApiUsageException("NOPERM"));
		assertThat(this.link.ping(Duration.ofSeconds(2))).isEmpty();
	}

	/** No release would follow it (R3). */
	@Test
	void acquireWhoseReleaseIsUnderWayIsNotSentAnyMore() {
		Attempt attempt = new Attempt("a1");
		reply(1L);
		attempt.releasing();
		assertThat(run(acquire(attempt))).isInstanceOf(IllegalStateException.class)
			.hasMessage("given up before it was sent");
		Mockito.verify(this.connection.scriptingCommands(), Mockito.never())
			.evalSha(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class));
		assertThat(run(release(attempt))).isNull();
	}

	/** On several connections they might overtake each other. */
	@Test
	void commandsOfOneAttemptAreSentByOneThread() {
		Set<Thread> threads = threadsThatConnect();
		reply(1L);
		Attempt attempt = new Attempt("a1");
		for (int i = 0; i < 8; i++) {
			run(acquire(attempt));
		}
		run(release(attempt));
		assertThat(threads).singleElement().satisfies((thread) -> assertThat(thread.isDaemon()).isTrue());
	}

	@Test
	void closedLinkLeavesNoThreads() throws Exception {
		Set<Thread> threads = threadsThatConnect();
		reply(1L);
		run(release(new Attempt("a1")));
		this.link.publish("c".getBytes(StandardCharsets.UTF_8), new byte[0]);
		Awaitility.await().until(() -> threads.size() == 2);
		this.link.close();
		Awaitility.await().until(() -> threads.stream().noneMatch(Thread::isAlive));
		assertThatIllegalStateException().isThrownBy(() -> run(release(new Attempt("a2"))))
			.withMessage("not connected");
	}

	private Attempt attemptThatTimedOut() {
		Attempt attempt = new Attempt("a1");
		reply(new QueryTimeoutException("Read timed out"));
		assertThat(run(acquire(attempt))).isInstanceOf(QueryTimeoutException.class);
		return attempt;
	}

	private Set<Thread> threadsThatConnect() {
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		BDDMockito.given(this.factory.getConnection()).will((invocation) -> {
			threads.add(Thread.currentThread());
			return this.connection;
		});
		return threads;
	}

	private void reply(Object reply) {
		BDDMockito
			.given(this.connection.scriptingCommands()
				.evalSha(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class)))
			.will((invocation) -> {
				if (reply instanceof RuntimeException failure) {
					throw failure;
				}
				return reply;
			});
	}

	private @Nullable Throwable run(NodeCommand command) {
		return this.link.run(ScriptCall.of(command, new RedisKeys("lock:")), command.attempt(), false)
			.handle((reply, failure) -> failure)
			.toCompletableFuture()
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
	}

	private static NodeCommand acquire(Attempt attempt) {
		return new NodeCommand.Acquire(NAMES, attempt, 30_000, null, 1, 0);
	}

	private static NodeCommand release(Attempt attempt) {
		attempt.releasing();
		return new NodeCommand.Release(NAMES, attempt, 0);
	}

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

	private BlockingLink.Worker worker(RedisConnectionFactory target) {
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);
		BDDMockito.given(factory.getConnection()).will((invocation) -> {
			this.waiting.incrementAndGet();
			this.open.await();
			this.connections.incrementAndGet();
			return target.getConnection();
		});
		return new BlockingLink(factory, this.clock).new Worker(ReturnType.VALUE, (task) -> {
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
			replies.add(submit(acquire("n" + i, new Attempt("a" + i))));
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
			replies.add(submit(acquire("n" + i, new Attempt("a" + i))));
		}
		this.open.countDown();
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo(1L));
		assertThat(this.connections).hasValueBetween(5, 6);
	}

	@Test
	void commandsOfAnAttemptAreSentInOrder() throws Exception {
		submit(acquire("other", new Attempt("a0")));
		Attempt attempt = new Attempt("a1");
		CompletableFuture<?> acquired = submit(acquire("n", attempt));
		CompletableFuture<?> renewed = submit(new NodeCommand.Renew(
				new CommandHeader(LockTarget.exclusive(List.of("n")), attempt), 20_000, false, null, 0, true, 0));
		this.open.countDown();
		assertThat(acquired.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(renewed.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		CompletableFuture<?> released = submit(release("n", attempt));
		assertThat(released.get(10, TimeUnit.SECONDS)).isEqualTo(0L);
	}

	@Test
	void errorOfOneCommandIsNotThatOfTheOthers() throws Exception {
		try (RedisConnection connection = jedis.getConnection()) {
			connection.listCommands().lPush("lock:{odd}:line".getBytes(), new byte[1]);
		}
		submit(acquire("other", new Attempt("a0")));
		CompletableFuture<?> before = submit(acquire("n1", new Attempt("a1")));
		CompletableFuture<?> odd = submit(acquire("odd", new Attempt("a2")));
		CompletableFuture<?> behind = submit(acquire("n3", new Attempt("a3")));
		this.open.countDown();
		assertThat(before.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(behind.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(failure(odd)).hasStackTraceContaining("WRONGTYPE");
	}

	@Test
	void r3ReleaseIsNotConfirmedWhileACommandOfATimedOutPipelineMayFollowIt() throws Exception {
		Attempt attempt = new Attempt("a1");
		CompletableFuture<?> other = submit(acquire("other", new Attempt("a0")));
		CompletableFuture<?> acquired = submit(acquire("n", attempt));
		CompletableFuture<?> third = submit(acquire("third", new Attempt("a2")));
		client("PAUSE", "30000", "WRITE");
		this.open.countDown();
		assertThat(List.of(other, acquired, third))
			.allSatisfy((reply) -> assertThat(failure(reply)).hasStackTraceContaining("Read timed out"));
		client("UNPAUSE");
		assertThat(failure(submit(release("n", attempt)))).isInstanceOf(LinkException.class)
			.hasMessage("released, but an earlier command of the attempt may still be under way");
		assertThat(submit(release("unknown", new Attempt("a3"))).get(10, TimeUnit.SECONDS)).isEqualTo(0L);
	}

	/** Spring Data has no pipelines for it, and one master may be down. */
	@Test
	void commandsToAClusterAreAnsweredOneByOne() throws Exception {
		JedisClusterConnection cluster = Mockito.mock(JedisClusterConnection.class, Mockito.RETURNS_DEEP_STUBS);
		CountDownLatch third = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		replyOf(cluster, () -> {
			int call = calls.incrementAndGet();
			if (call == 3) {
				third.await();
				throw new RedisConnectionFailureException("gone");
			}
			return (long) call;
		});
		this.worker = worker(factory(cluster));
		List<CompletableFuture<?>> replies = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			replies.add(submit(acquire("n", new Attempt("a" + i))));
		}
		this.open.countDown();
		assertThat(replies.get(0).get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(replies.get(1).get(10, TimeUnit.SECONDS)).isEqualTo(2L);
		assertThat(replies.get(3)).isNotDone();
		third.countDown();
		assertThat(failure(replies.get(2))).hasMessage("gone");
		assertThat(replies.get(3).get(10, TimeUnit.SECONDS)).isEqualTo(4L);
		Mockito.verify(cluster, Mockito.never()).openPipeline();
	}

	/** What its pipelines report of a command that fails is not known. */
	@Test
	void commandsThroughAnUnknownDriverAreSentOneByOne() throws Exception {
		RedisConnection connection = Mockito.mock(RedisConnection.class, Mockito.RETURNS_DEEP_STUBS);
		replyOf(connection, () -> 7L);
		this.worker = worker(factory(connection));
		List<CompletableFuture<?>> replies = List.of(submit(acquire("n", new Attempt("a1"))),
				submit(acquire("m", new Attempt("a2"))), submit(acquire("o", new Attempt("a3"))));
		this.open.countDown();
		for (CompletableFuture<?> reply : replies) {
			assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo(7L);
		}
		Mockito.verify(connection, Mockito.never()).openPipeline();
	}

	/** It may wait for a connection for longer than its caller does. */
	@Test
	void commandThatIsGivenUpBeforeThereIsAConnectionIsNotSent() throws Exception {
		Attempt first = new Attempt("a1");
		Attempt second = new Attempt("a2");
		CompletableFuture<?> alone = submit(acquire("n1", first));
		Awaitility.await().until(() -> this.waiting.get() == 1);
		CompletableFuture<?> among = submit(acquire("n2", second));
		CompletableFuture<?> other = submit(acquire("n3", new Attempt("a3")));
		first.releasing();
		second.releasing();
		this.open.countDown();
		assertThat(other.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(List.of(alone, among))
			.allSatisfy((reply) -> assertThat(failure(reply)).isInstanceOf(IllegalStateException.class)
				.hasMessage("given up before it was sent"));
		try (RedisConnection connection = jedis.getConnection()) {
			assertThat(connection.keyCommands().exists("lock:{n1}".getBytes(), "lock:{n2}".getBytes())).isZero();
		}
	}

	/** The application would get the replies to our commands. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void connectionOfAPipelineThatFailsHalfwayIsNotUsedAgain(boolean unified) throws Exception {
		GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(1);
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", redis.nodes().get(0).port()),
				JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
		factory.setUseUnifiedJedis(unified);
		factory.afterPropertiesSet();
		factory.start();
		this.worker = worker(factory);
		submit(acquire("other", new Attempt("a0")));
		Awaitility.await().until(() -> this.waiting.get() == 1);
		CompletableFuture<?> before = submit(acquire("n1", new Attempt("a1")));
		ScriptCall broken = new ScriptCall(LockScript.RELEASE, new byte[][] { null }, new byte[0][]);
		CompletableFuture<?> odd = this.worker.run(broken, new Attempt("a2"), false).toCompletableFuture();
		this.open.countDown();
		assertThat(failure(before)).isSameAs(failure(odd)).isNotNull();
		for (int i = 0; i < 3; i++) {
			try (RedisConnection connection = factory.getConnection()) {
				assertThat(connection.commands().ping()).isEqualTo("PONG");
			}
		}
		factory.destroy();
	}

	/** Nothing was sent, so that nothing can follow a release. */
	@Test
	void allFailIfThereIsNoConnection() throws Exception {
		JedisConnectionFactory gone = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", 1));
		gone.afterPropertiesSet();
		gone.start();
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);
		BDDMockito.given(factory.getConnection())
			.willThrow(new RedisConnectionFailureException("refused"))
			.willAnswer((invocation) -> gone.getConnection())
			.willAnswer((invocation) -> jedis.getConnection());
		this.worker = worker(factory);
		CompletableFuture<?> alone = submit(acquire("o", new Attempt("a0")));
		Awaitility.await().until(() -> this.waiting.get() == 1);
		Attempt attempt = new Attempt("a1");
		List<CompletableFuture<?>> together = List.of(submit(acquire("n", attempt)),
				submit(acquire("m", new Attempt("a2"))));
		this.open.countDown();
		assertThat(failure(alone)).hasMessage("refused");
		assertThat(together)
			.allSatisfy((reply) -> assertThat(failure(reply)).hasStackTraceContaining("Connection refused"));
		assertThat(submit(release("n", attempt)).get(10, TimeUnit.SECONDS)).isEqualTo(0L);
		gone.destroy();
	}

	@Test
	void closedWorkerSendsWhatIsQueuedAndTakesNoMore() throws Exception {
		CompletableFuture<?> first = submit(acquire("n1", new Attempt("a1")));
		Awaitility.await().until(() -> this.waiting.get() == 1);
		CompletableFuture<?> second = submit(acquire("n2", new Attempt("a2")));
		this.worker.close();
		assertThatExceptionOfType(LinkException.class).isThrownBy(() -> submit(acquire("n3", new Attempt("a3"))));
		this.open.countDown();
		assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(1L);
		try (RedisConnection connection = jedis.getConnection()) {
			assertThat(connection.keyCommands().exists("lock:{n3}".getBytes())).isFalse();
		}
	}

	private static RedisConnectionFactory factory(RedisConnection connection) {
		RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);
		BDDMockito.given(factory.getConnection()).willReturn(connection);
		return factory;
	}

	private static void replyOf(RedisConnection connection, Callable<Object> reply) {
		BDDMockito
			.given(connection.scriptingCommands()
				.eval(Mockito.any(byte[].class), Mockito.any(), Mockito.anyInt(), Mockito.any(byte[][].class)))
			.will((invocation) -> reply.call());
	}

	private static void client(String... args) {
		try (RedisConnection connection = jedis.getConnection()) {
			connection.execute("CLIENT", Arrays.stream(args).map(String::getBytes).toArray(byte[][]::new));
		}
	}

	private CompletableFuture<@Nullable Object> submit(NodeCommand command) {
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
