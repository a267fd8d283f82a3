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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.client.NodeEviction;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What nodes have and the one Redis of an application has as well, through each driver.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class OneRedisTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private final SteppedClock clock = new SteppedClock();

	private final NodeListener listener = Mockito.mock();

	private EmbeddedRedisNode redis;

	@SuppressWarnings("NullAway.Init")
	private Driver.Connections connections;

	@SuppressWarnings("NullAway.Init")
	private SpringRedisLockNode node;

	@BeforeEach
	void start() {
		this.redis = EmbeddedRedisNode.start();
	}

	@AfterEach
	void stop() {
		if (this.node != null) {
			this.node.stop();
		}
		if (this.connections != null) {
			this.connections.close();
		}
		this.redis.close();
	}

	private RedisStandaloneConfiguration server() {
		return new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
	}

	private SpringRedisLockNode connect(Driver driver, RedisConfiguration configuration, NodeEviction eviction) {
		this.connections = driver.connect(configuration);
		SpringRedisLockNode node = new SpringRedisLockNode(this.connections.factory(), KEYS, 0, Duration.ofSeconds(1),
				this.clock, eviction, Duration.ofMinutes(1));
		this.node = node;
		node.start(this.listener);
		Awaitility.await().until(() -> node.status().isConnected());
		return node;
	}

	private SpringRedisLockNode connect(Driver driver) {
		return connect(driver, server(), NodeEviction.EXCLUDE_ALLKEYS);
	}

	private NodeReply acquire(String name) {
		return submit(new NodeCommand.Acquire(List.of(name), new Attempt("app:" + name), 30_000, new long[] { 100 }, 1,
				60_000));
	}

	private NodeReply submit(NodeCommand command) {
		CompletableFuture<NodeReply> outcome = new CompletableFuture<>();
		this.node.submit(command, 0, (slot, reply) -> outcome.complete(reply));
		return outcome.orTimeout(20, TimeUnit.SECONDS).join();
	}

	private NodeStatus await(State state) {
		Awaitility.await().until(() -> this.node.status().state() == state);
		return this.node.status();
	}

	@ParameterizedTest
	@EnumSource
	void cacheThatEvictsLocksDoesNotVote(Driver driver, CapturedOutput output) {
		this.redis.execute("CONFIG", "SET", "maxmemory", "100mb");
		this.redis.execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
		SpringRedisLockNode node = connect(driver);
		String note = "evicts keys when its memory is full (maxmemory-policy allkeys-lru), locks among them";
		assertThat(await(State.FAILING).reason()).isEqualTo(note + "; use noeviction");
		assertThat(node.note()).isEqualTo(note);
		assertThat(acquire("a").voting()).as("granted, but no vote").isFalse();
		assertThat(output).containsOnlyOnce("WARN")
			.contains("Lock node " + node.name() + " " + note + "; use noeviction");
	}

	/**
	 * It may be changed while it runs, and who held a lock that was evicted holds it
	 * still.
	 */
	@ParameterizedTest
	@EnumSource
	void evictionPolicyIsReadAgainEveryTenSeconds(Driver driver) {
		SpringRedisLockNode node = connect(driver);
		assertThat(acquire("a").voting()).isTrue();
		this.redis.execute("CONFIG", "SET", "maxmemory", "100mb");
		this.redis.execute("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
		this.clock.advance(Duration.ofSeconds(10));
		await(State.FAILING);
		this.redis.execute("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(await(State.QUARANTINED).reason()).startsWith("it evicted keys until");
		assertThat(acquire("b").voting()).isFalse();
		this.clock.advance(Duration.ofSeconds(70));
		await(State.VOTING);
		assertThat(acquire("c").voting()).isTrue();
		assertThat(node.note()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void cacheThatEvictsKeysWithAnExpiryIsTreatedAsNodesAre(Driver driver, CapturedOutput output) {
		this.redis.execute("CONFIG", "SET", "maxmemory", "100mb");
		this.redis.execute("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
		SpringRedisLockNode node = connect(driver);
		assertThat(await(State.VOTING).reason()).isEmpty();
		assertThat(node.note()).contains("maxmemory-policy volatile-lru");
		assertThat(output).contains("evicts keys when its memory is full (maxmemory-policy volatile-lru)");
		stopNode();
		connect(driver, server(), NodeEviction.EXCLUDE);
		await(State.FAILING);
	}

	/** Health is UP otherwise, and no line says why nobody gets a lock. */
	@ParameterizedTest
	@EnumSource
	void serverThatRefusesWhatLocksNeedDoesNotVoteUntilItDoesIt(Driver driver, CapturedOutput output) {
		connect(driver);
		refused(List.of("CONFIG", "SET", "min-replicas-to-write", "1"),
				List.of("CONFIG", "SET", "min-replicas-to-write", "0"),
				"cannot write: it has fewer replicas than it must have (NOREPLICAS)");
		refused(List.of("CONFIG", "SET", "maxmemory", "1"), List.of("CONFIG", "SET", "maxmemory", "0"),
				"cannot write: its memory is full");
		refused(List.of("ACL", "SETUSER", "default", "-set"), List.of("ACL", "SETUSER", "default", "+@all"),
				"denies a permission that a lock script needs: ");
		refused(List.of("REPLICAOF", "127.0.0.1", "1"), List.of("REPLICAOF", "NO", "ONE"), "is a read-only replica");
		assertThat(output).contains("is connected but fails: it cannot write: its memory is full");
	}

	private void refused(List<String> cause, List<String> cure, String reason) {
		await(State.VOTING);
		this.redis.execute(cause.toArray(String[]::new));
		Awaitility.await().untilAsserted(() -> {
			assertThat(acquire("refused")).isInstanceOf(NodeReply.Failed.class);
			assertThat(this.node.status().state()).isEqualTo(State.FAILING);
			assertThat(this.node.status().reason()).startsWith(reason);
		});
		this.redis.execute(cure.toArray(String[]::new));
		await(State.VOTING);
		assertThat(acquire("granted")).isInstanceOf(NodeReply.Granted.class);
		submit(new NodeCommand.Release(List.of("granted"), new Attempt("app:granted"), 0));
	}

	/**
	 * NAT or a balancer drops connections without a word. Behind a wrapper, the commands
	 * of Lettuce wait for its own time-out first, and nothing else is looked at
	 * meanwhile.
	 */
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WRAPPED_LETTUCE")
	void messagesArriveAgainAfterTheConnectionsWereDroppedInSilence(Driver driver, CapturedOutput output) {
		try (LoopbackProxy proxy = LoopbackProxy.to(this.redis)) {
			SpringRedisLockNode node = connect(driver, new RedisStandaloneConfiguration("127.0.0.1", proxy.port()),
					NodeEviction.WARN);
			node.listen("app@host:1");
			Mockito.verify(this.listener, Mockito.timeout(20_000)).onListening(node);
			proxy.forgetConnections();
			Mockito.verify(this.listener, Mockito.timeout(40_000).times(2)).onListening(node);
			this.redis.execute("PUBLISH", KEYS.instanceChannel("app@host:1"),
					new InstanceMessage.LeaseWanted("a1").text());
			Mockito.verify(this.listener, Mockito.timeout(20_000)).onMessage(Mockito.eq(node), Mockito.anyString());
			assertThat(output).doesNotContain("ERROR");
			node.stop();
		}
	}

	@ParameterizedTest
	@EnumSource
	void commandsAreCarriedOutAndMessagesArrive(Driver driver) {
		SpringRedisLockNode node = connect(driver);
		await(State.VOTING);
		node.listen("app@host:1");
		Mockito.verify(this.listener, Mockito.timeout(20_000)).onListening(node);
		this.redis.execute("PUBLISH", KEYS.instanceChannel("app@host:1"), new InstanceMessage.LeaseWanted("a1").text());
		Mockito.verify(this.listener, Mockito.timeout(20_000)).onMessage(Mockito.eq(node), Mockito.anyString());
		assertThat(acquire("a")).isInstanceOf(NodeReply.Granted.class);
		assertThat(submit(
				new NodeCommand.Acquire(List.of("a"), new Attempt("other:1"), 30_000, new long[] { 100 }, 1, 60_000)))
			.isInstanceOf(NodeReply.Refused.class);
		assertThat(submit(new NodeCommand.Release(List.of("a"), new Attempt("app:a"), 0)))
			.isInstanceOf(NodeReply.Released.class);
		assertThat(submit(new NodeCommand.Acquire(List.of("b", "c"), new Attempt("app:2"), 30_000,
				new long[] { 100, 100 }, 1, 60_000)))
			.isInstanceOf(NodeReply.Granted.class);
	}

	private void stopNode() {
		this.node.stop();
		this.connections.close();
	}

	private static final class SteppedClock implements LockClock {

		private final LockClock system = new SystemClock();

		private volatile long aheadNanos;

		void advance(Duration duration) {
			this.aheadNanos += duration.toNanos();
		}

		@Override
		public long nanoTime() {
			return this.system.nanoTime() + this.aheadNanos;
		}

		@Override
		public long wallMicros() {
			return this.system.wallMicros();
		}

	}

}
