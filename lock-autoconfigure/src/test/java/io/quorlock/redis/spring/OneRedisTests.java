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

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;
import redis.clients.jedis.JedisPoolConfig;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedisCluster;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of {@code docs/backends.md}: what nodes have and the one Redis of an
 * application has as well, row by row, through each driver.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class OneRedisTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private static final String NAME = "stock";

	private static final Attempt HOLDER = new Attempt("app@host:1:holder");

	private static final Attempt OTHER = new Attempt("app@host:2:other");

	private static final String CHANNEL_REFUSAL = "Lock claims of this instance are not notified of offers, and wait longer: NOPERM ";

	private final TestClock clock = new TestClock();

	private final NodeListener listener = Mockito.mock();

	private EmbeddedRedisNode redis;

	@SuppressWarnings("NullAway.Init")
	private SlotMove move;

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
			this.connections.close();
		}
		if (this.move != null) {
			this.move.cluster().close();
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

	private void connectToCluster(Driver driver) {
		this.move = new SlotMove(EmbeddedRedisCluster.start(), KEYS.lockKey(NAME));
		List<String> nodes = this.move.cluster().nodes().stream().map((each) -> "127.0.0.1:" + each.port()).toList();
		connect(driver, new RedisClusterConfiguration(nodes), NodeEviction.WARN);
		await(State.VOTING);
	}

	private NodeReply acquire(String name) {
		return acquire(name, new Attempt("app:" + name));
	}

	private NodeReply acquire(String name, Attempt attempt) {
		return submit(new NodeCommand.Acquire(List.of(name), attempt, 30_000, new long[] { 100 }, 1, 60_000));
	}

	private NodeReply release(String name, Attempt attempt) {
		return submit(new NodeCommand.Release(List.of(name), attempt, 0));
	}

	private NodeReply renew() {
		return submit(new NodeCommand.Renew(new CommandHeader(LockTarget.exclusive(List.of(NAME)), HOLDER), 30_000,
				false, new long[] { 100 }, 600_000, true, 0));
	}

	private NodeReply submit(NodeCommand command) {
		return Nodes.reply(this.node, command);
	}

	private NodeStatus await(State state) {
		Awaitility.await().until(() -> this.node.status().state() == state);
		return this.node.status();
	}

	private void awaitListening(int times) {
		Mockito.verify(this.listener, Mockito.timeout(40_000).times(times)).onListening(this.node);
	}

	private void awaitMessage() {
		this.redis.execute("PUBLISH", KEYS.instanceChannel("app@host:1"), "wanted\na1");
		Mockito.verify(this.listener, Mockito.timeout(20_000)).onMessage(Mockito.eq(this.node), Mockito.anyString());
	}

	@Test
	void eachRowOfThePageIsTestedWithLettuceAndWithJedis() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "backends.md"));
		Stream<String> rows = page.substring(page.indexOf("| what happens | nodes | the one Redis |"))
			.lines()
			.takeWhile((line) -> line.startsWith("|"))
			.skip(2);
		assertThat(rows.map((line) -> line.split(" *\\| *")[1]))
			.hasSameElementsAs(Arrays.stream(getClass().getDeclaredMethods())
				.filter((method) -> method.isAnnotationPresent(Row.class))
				.peek((method) -> assertThat(method.getAnnotation(EnumSource.class).names()).as(method.getName())
					.doesNotContain("LETTUCE", "JEDIS"))
				.map((method) -> method.getAnnotation(Row.class).value())
				.distinct()
				.toList());
	}

	@Row("keys are evicted when the memory is full")
	@ParameterizedTest
	@EnumSource
	void cacheThatEvictsLocksDoesNotVote(Driver driver, CapturedOutput output) {
		evictKeys("allkeys-lru");
		SpringRedisLockNode node = connect(driver);
		String note = "evicts keys when its memory is full (maxmemory-policy allkeys-lru), locks among them";
		assertThat(await(State.FAILING).reason()).isEqualTo(note + "; use noeviction");
		assertThat(node.note()).isEqualTo(note);
		assertThat(acquire("a").voting()).as("granted, but no vote").isFalse();
		assertThat(output.toString().lines())
			.filteredOn((line) -> line.contains("WARN") && line.contains("io.quorlock"))
			.singleElement()
			.asString()
			.contains("Lock node " + node.name() + " " + note + "; use noeviction");
	}

	/** Who held a lock that was evicted holds it still. */
	@Row("keys are evicted when the memory is full")
	@ParameterizedTest
	@Tag("long")
	@EnumSource
	void evictionPolicyIsReadAgainEveryTenSeconds(Driver driver) {
		SpringRedisLockNode node = connect(driver);
		assertThat(acquire("a").voting()).isTrue();
		evictKeys("allkeys-random");
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

	@Row("keys are evicted when the memory is full")
	@ParameterizedTest
	@EnumSource
	void cacheThatEvictsKeysWithAnExpiryIsTreatedAsNodesAre(Driver driver, CapturedOutput output) {
		evictKeys("volatile-lru");
		SpringRedisLockNode node = connect(driver);
		assertThat(await(State.VOTING).reason()).isEmpty();
		assertThat(node.note()).contains("maxmemory-policy volatile-lru");
		assertThat(output).contains("evicts keys when its memory is full (maxmemory-policy volatile-lru)");
		node.stop();
		this.connections.close();
		connect(driver, server(), NodeEviction.EXCLUDE);
		await(State.FAILING);
	}

	private void evictKeys(String policy) {
		this.redis.execute("CONFIG", "SET", "maxmemory", "100mb");
		this.redis.execute("CONFIG", "SET", "maxmemory-policy", policy);
	}

	@Row("commands are refused: `OOM`, `NOREPLICAS`, `MISCONF`, `NOPERM`, `READONLY`")
	@ParameterizedTest
	@Tag("long")
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
		// With these it replies to each PING, too, but is no server that is away.
		this.redis.execute("CONFIG", "SET", "save", "3600 1");
		String folder = String.valueOf(this.redis.execute("CONFIG", "GET", "dir")).replaceAll("^\\[dir, |]$", "");
		assertThat(new File(folder, "dump.rdb").mkdir()).as("so that it cannot be written").isTrue();
		refused(List.of("BGSAVE"), List.of("CONFIG", "SET", "stop-writes-on-bgsave-error", "no"),
				"cannot write: it cannot save its data to disk (MISCONF)");
		this.redis.execute("CONFIG", "SET", "busy-reply-threshold", "100");
		refused(List.of("EVAL", "while true do end", "0"), List.of("SCRIPT", "KILL"),
				"replied: BUSY Redis is busy running a script");
		this.redis.execute("ACL", "SETUSER", "default", "-ping");
		Awaitility.await().during(Duration.ofMillis(1_500)).until(() -> this.node.status().isVoting());
		assertThat(output).contains("is connected but fails: it cannot write: its memory is full; see its memory, ")
			.contains("is connected but fails: it denies a permission that a lock script needs: SET; grant it to ");
	}

	private void refused(List<String> cause, List<String> cure, String reason) {
		await(State.VOTING);
		CompletableFuture<?> caused = CompletableFuture
			.runAsync(() -> this.redis.execute(cause.toArray(String[]::new)));
		Awaitility.await().untilAsserted(() -> {
			assertThat(acquire("refused")).isInstanceOf(NodeReply.Failed.class);
			assertThat(this.node.status().state()).isEqualTo(State.FAILING);
			assertThat(this.node.status().reason()).startsWith(reason);
		});
		this.redis.execute(cure.toArray(String[]::new));
		Awaitility.await().until(caused::isDone);
		await(State.VOTING);
		assertThat(acquire("granted")).isInstanceOf(NodeReply.Granted.class);
		release("granted", new Attempt("app:granted"));
	}

	@Row("the connection is behind a wrapper, as of a library for tracing")
	@ParameterizedTest
	@EnumSource
	void commandsAreCarriedOutAndMessagesArrive(Driver driver) {
		connect(driver);
		await(State.VOTING);
		this.node.listen("app@host:1");
		awaitListening(1);
		awaitMessage();
		assertThat(acquire("a", HOLDER)).isInstanceOf(NodeReply.Granted.class);
		assertThat(acquire("a", OTHER)).isInstanceOf(NodeReply.Refused.class);
		assertThat(release("a", HOLDER)).isInstanceOf(NodeReply.Released.class);
		assertThat(
				submit(new NodeCommand.Acquire(List.of("b", "c"), HOLDER, 30_000, new long[] { 100, 100 }, 1, 60_000)))
			.isInstanceOf(NodeReply.Granted.class);
	}

	@Row("the connection is behind a wrapper, as of a library for tracing")
	@ParameterizedTest
	@EnumSource
	void clusterIsTakenForNothingElse(Driver driver, CapturedOutput output) {
		connectToCluster(driver);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.node.note().contains("belongs to a Redis Cluster"))
				.isEqualTo(driver.isWrapped()));
		assertThat(output.toString().split("WARN", -1)).hasSize(driver.isWrapped() ? 2 : 1);
		assertThat(acquire("a", HOLDER)).isInstanceOf(NodeReply.Granted.class);
		assertThat(acquire("b", HOLDER)).isInstanceOf(NodeReply.Granted.class);
	}

	@Row("the connections cannot serve locks (a pool of one, a static master with replicas, several factories without a primary one)")
	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "LEGACY_JEDIS", "WRAPPED_LETTUCE", "WRAPPED_JEDIS" })
	void connectionsThatCannotServeLocksStopTheStart(Driver driver) {
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class));
		JedisPoolConfig pool = new JedisPoolConfig();
		pool.setMaxTotal(1);
		if (driver == Driver.LETTUCE) {
			assertRefused(
					runner.withBean(RedisConnectionFactory.class,
							() -> new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("a"))),
					"it is given a master and its replicas by their addresses, and locks need connections that "
							+ "receive messages, which the driver opens for a single server, Sentinel and Cluster only",
					"Use one of these (without spring.data.redis.masterreplica.nodes), or list independent nodes in "
							+ "distributed-lock.nodes.");
		}
		else {
			// The first lock that is waited for would keep it for messages.
			assertRefused(
					runner.withBean(RedisConnectionFactory.class,
							() -> new JedisConnectionFactory(server(),
									JedisClientConfiguration.builder().usePooling().poolConfig(pool).build())),
					"its pool has a single connection (max-total is 1), which the first lock that is waited for keeps "
							+ "for messages, so that everything else hangs",
					"Raise spring.data.redis.jedis.pool.max-active by eight.");
		}
		try (Driver.Connections cache = driver.connect(server());
				Driver.Connections sessions = driver.connect(server())) {
			assertRefused(
					runner.withBean("cache", RedisConnectionFactory.class, cache::factory)
						.withBean("sessions", RedisConnectionFactory.class, sessions::factory)
						.withPropertyValues("distributed-lock.backend=redis"),
					"there are several beans of this type, and none of them is primary: cache, sessions",
					"Mark the one that is to keep the locks with @Primary, or list independent nodes in "
							+ "distributed-lock.nodes.");
		}
	}

	private static void assertRefused(ApplicationContextRunner runner, String reason, String action) {
		runner.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOfSatisfying(InvalidLockConfigurationException.class, (failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock.backend");
				assertThat(failure.getReason())
					.isEqualTo("locks cannot be kept through the application's RedisConnectionFactory: " + reason);
				assertThat(failure.getAction()).isEqualTo(action);
			}));
	}

	/** Behind a wrapper, the commands of Lettuce wait for its own time-out first. */
	@Row("NAT or a balancer drops the connection for messages without a word")
	@ParameterizedTest
	@Tag("long")
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WRAPPED_LETTUCE")
	void messagesArriveAgainAfterTheConnectionsWereDroppedInSilence(Driver driver, CapturedOutput output) {
		try (LoopbackProxy proxy = LoopbackProxy.to(this.redis)) {
			connect(driver, new RedisStandaloneConfiguration("127.0.0.1", proxy.port()), NodeEviction.WARN);
			this.node.listen("app@host:1");
			awaitListening(1);
			proxy.forgetConnections();
			awaitListening(2);
			awaitMessage();
			assertThat(output).doesNotContain("ERROR");
			this.node.stop();
		}
	}

	@Row("the user may not listen to channels, or may no longer")
	@Tag("long")
	@ParameterizedTest
	@EnumSource
	void eachRefusalOfAChannelIsSaidOnceAndAskedAgain(Driver driver, CapturedOutput output) {
		this.redis.execute("ACL", "SETUSER", "locks", "on", ">secret", "~*", "+@all", "resetchannels");
		RedisStandaloneConfiguration configuration = server();
		configuration.setUsername("locks");
		configuration.setPassword("secret");
		connect(driver, configuration, NodeEviction.WARN);
		this.node.listen("app@host:1");
		Awaitility.await().until(() -> output.toString().contains(CHANNEL_REFUSAL));
		assertThat(output).contains(" for channel lock:instance:app@host:1");
		assertThat(this.node.status().isVoting()).isTrue();
		assertThat(this.node.note()).contains("not notified of offers", "NOPERM");
		this.redis.execute("ACL", "SETUSER", "locks", "allchannels");
		awaitListening(1);
		assertThat(output.toString().split(CHANNEL_REFUSAL, -1)).as("said once").hasSize(2);
		assertThat(this.node.note()).isEmpty();
		this.redis.execute("ACL", "SETUSER", "locks", "resetchannels");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(output.toString().split(CHANNEL_REFUSAL, -1)).as("said again").hasSize(3));
		assertThat(this.node.status().isVoting()).isTrue();
		assertThat(String.valueOf(this.redis.execute("CLIENT", "LIST")).lines())
			.as("connections of the user are not used without its log-in")
			.filteredOn((client) -> client.contains("user=default"))
			.singleElement()
			.asString()
			.contains("cmd=client|list");
	}

	@Row("a Cluster moves a slot")
	@ParameterizedTest
	@EnumSource
	void heldLockIsRenewedWhileItsSlotIsMovedAndAfterwards(Driver driver) {
		connectToCluster(driver);
		assertThat(acquire(NAME, HOLDER)).isInstanceOf(NodeReply.Granted.class);
		this.move.begin();
		assertThat(renew()).as("nothing moved").isInstanceOf(NodeReply.Done.class);
		this.move.key(KEYS.lockKey(NAME));
		assertRenewed("fence not moved yet");
		this.move.key(KEYS.fenceKey(NAME));
		assertRenewed("all moved");
		assertThat(acquire(NAME, OTHER)).isNotInstanceOf(NodeReply.Granted.class);
		this.move.end();
		assertRenewed("after the end");
		assertThat(this.move.target().execute("GET", KEYS.lockKey(NAME))).isEqualTo(HOLDER.owner());
		Awaitility.await()
			.untilAsserted(() -> assertThat(release(NAME, HOLDER)).isInstanceOf(NodeReply.Released.class));
		assertThat(acquire(NAME, new Attempt("app@host:2:next"))).isInstanceOf(NodeReply.Granted.class);
	}

	@Row("a Cluster moves a slot")
	@ParameterizedTest
	@EnumSource
	void freeLockOfASlotThatIsMovedIsGrantedWhenTheMoveEnds(Driver driver) {
		connectToCluster(driver);
		this.move.begin();
		Awaitility.await().untilAsserted(() -> {
			assertThat(acquire(NAME, HOLDER)).isInstanceOfSatisfying(NodeReply.Failed.class,
					(failed) -> assertThat(failed.message()).contains("(resharding)"));
			assertThat(this.node.status().reason()).contains("(resharding)");
		});
		this.move.end();
		Awaitility.await().untilAsserted(() -> assertThat(acquire(NAME, OTHER)).isInstanceOf(NodeReply.Granted.class));
		await(State.VOTING);
	}

	/** As the watchdog does, which asks again and again. */
	private void assertRenewed(String when) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(renew()).as(when).isInstanceOf(NodeReply.Done.class));
	}

	@Row("a server restarts empty, or a replica is promoted")
	@ParameterizedTest
	@EnumSource
	void serverThatRestartsEmptyGrantsTheLockToAnotherOwnerAtOnce(Driver driver) {
		connect(driver);
		assertThat(acquire("a", HOLDER)).isInstanceOf(NodeReply.Granted.class);
		this.redis.restartEmpty();
		Awaitility.await()
			.untilAsserted(() -> assertThat(acquire("a", OTHER)).isInstanceOfSatisfying(NodeReply.Granted.class,
					(granted) -> assertThat(granted.voting()).isTrue()));
	}

	/** Which row of the page a test shows. */
	@Retention(RetentionPolicy.RUNTIME)
	private @interface Row {

		String value();

	}

}
