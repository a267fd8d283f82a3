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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;
import io.quorlock.time.LockClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link BlockingLink}.
 */
class BlockingLinkTests {

	private static final List<String> NAMES = List.of("n");

	private final RedisConnection connection = Mockito.mock(RedisConnection.class, Mockito.RETURNS_DEEP_STUBS);

	private final RedisConnectionFactory factory = Mockito.mock(RedisConnectionFactory.class);

	private final LockClock clock = Mockito.mock(LockClock.class);

	private final BlockingLink link = new BlockingLink(this.factory, this.clock);

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

}
