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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.InOrder;
import org.mockito.Mockito;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.RespConnection;
import io.quorlock.embedded.ThrowawayCertificates;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Handshake}: a server that cannot be used is reported with the reason,
 * and without secrets.
 */
@ExtendWith(LogCaptureExtension.class)
class HandshakeTests {

	private static final String SECRET = "s3cret-s3cret";

	private final TestClock clock = new TestClock();

	private final RedisNodeOptions options = NodeProbe.options(this.clock);

	@Test
	void passwordIsUsed(CapturedLog output) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().password(SECRET).start();
				NodeProbe probe = NodeProbe.connect("redis://:" + SECRET + "@127.0.0.1:" + redis.port(),
						this.options)) {
			assertThat(probe.node().toString() + probe.node().status()).doesNotContain(SECRET);
		}
		assertThat(output).doesNotContain(SECRET);
	}

	@Test
	void wrongPasswordIsSaid(CapturedLog output) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().password("right").start()) {
			assertRejected("redis://:" + SECRET + "@127.0.0.1:" + redis.port(), "refused the user name or password");
			Awaitility.await()
				.untilAsserted(() -> assertThat(output)
					.contains("Lock node 127.0.0.1:" + redis.port() + " cannot be used: it refused the user"));
		}
		assertThat(output).doesNotContain(SECRET);
	}

	@Test
	void missingPasswordIsSaid() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().password(SECRET).start()) {
			assertRejected("redis://127.0.0.1:" + redis.port(), "requires a password");
		}
	}

	@Test
	void locksAreInTheDatabaseOfTheAddress() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				NodeProbe probe = NodeProbe.connect(redis.uri() + "/3");
				RespConnection third = RespConnection.to(redis)) {
			third.execute("SELECT", "3");
			probe.send(NodeProbe.acquire(new Attempt("a1"), "n"));
			assertThat(third.execute("GET", "lock:{n}")).isEqualTo("a1");
			assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
		}
	}

	/** Whatever others write there. */
	@Test
	void recordWithManyHugeListsIsReadAllTheSame() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			redis.execute("HSET", "lock:nodes", "since", "0");
			String confirmed = System.currentTimeMillis() / 1_000 + " another#1";
			for (int i = 0; i < 50; i++) {
				redis.execute("HSET", "lock:nodes", i + "x".repeat(10_000), confirmed);
			}
			try (NodeProbe probe = NodeProbe.connect(redis.uri())) {
				assertThat(probe.node().status().toString()).hasSizeLessThan(5_000);
			}
		}
	}

	@Test
	void replicaIsSaid() {
		try (EmbeddedRedisNode master = EmbeddedRedisNode.start();
				EmbeddedRedisNode replica = EmbeddedRedisNode.builder().replicaOf(master).start()) {
			assertRejected(replica.uri(), "is a replica and cannot vote; locks need independent masters");
		}
	}

	@Test
	void memberOfAClusterIsSaidAndWhatToUseInstead() {
		try (EmbeddedRedisNode member = EmbeddedRedisNode.builder().config("cluster-enabled yes").start()) {
			NodeStatus status = assertRejected(member.uri(), "is a member of a Redis Cluster");
			assertThat(status.reason()).contains("list independent masters")
				.contains("spring.data.redis.cluster")
				.contains("distributed-lock.backend=redis");
		}
	}

	@Test
	void sentinelIsSaidAndWhatToUseInstead() {
		try (EmbeddedRedisNode sentinel = EmbeddedRedisNode.builder().sentinel().start()) {
			NodeStatus status = assertRejected(sentinel.uri(), "is a Sentinel, which keeps no locks");
			assertThat(status.reason()).contains("spring.data.redis.sentinel");
		}
	}

	/**
	 * A server that exceeds a limit of its own has replied before: TLS is not the cause.
	 */
	@Test
	void connectionThatEndsAfterAReplyIsNotBlamedOnTls() throws IOException {
		try (FakeServer fake = new FakeServer((command) -> command.get(0).equals("HELLO") ? "+OK" : null);
				NodeProbe probe = NodeProbe.start(fake.uri(), this.options)) {
			assertThat(probe.awaitReason("connection closed during the handshake").reason())
				.contains("its log may say why, such as client-output-buffer-limit")
				.doesNotContain("TLS");
		}
	}

	/** What it has not read yet may be a lock. */
	@Test
	void serverThatStillReadsItsDataIsSaid() throws IOException {
		try (FakeServer fake = new FakeServer((command) -> command.get(0).equals("INFO")
				? bulk("run_id:0123456789\r\nrole:master\r\nloading:1\r\n") : ":1")) {
			assertRejected(fake.uri(), "is loading its data");
		}
	}

	@Test
	void masterThatBecomesAReplicaIsNoticedByItsReplies() {
		try (EmbeddedRedisNode master = EmbeddedRedisNode.start();
				EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				NodeProbe probe = NodeProbe.connect(redis.uri())) {
			redis.execute("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
			assertThat(probe.send(NodeProbe.acquire(new Attempt("a1"), "n"))).isNotInstanceOf(NodeReply.Granted.class);
			assertThat(probe.await(State.REJECTED).reason()).contains("replica");
			redis.execute("REPLICAOF", "NO", "ONE");
			probe.await(State.VOTING);
		}
	}

	@Test
	void serverThatRepliesWithErrorsIsReported() throws IOException {
		assertFakeRejected("-LOADING Redis is loading the dataset in memory", "is loading its data");
		assertFakeRejected("-READONLY You can't write against a read only replica.", "is a read-only replica");
		assertFakeRejected("-NOAUTH Authentication required.", "requires a password");
		assertFakeRejected("-MASTERDOWN Link with MASTER is down", "is a replica that lost its master");
		assertFakeRejected("-ERR max number of clients reached", "replied: ERR max number of clients reached");
		assertFakeRejected("-ERR something else", "replied: ERR something else");
	}

	@Test
	void errorInFrontOfTheEndOfTheConnectionIsTheReason() throws IOException {
		try (FakeServer fake = new FakeServer(
				(command) -> command.get(0).equals("HELLO") ? "-ERR max number of clients reached" : null)) {
			assertRejected(fake.uri(), "replied: ERR max number of clients reached");
		}
	}

	@Test
	void connectionToAServerThatIsRejectedIsClosed() throws IOException {
		try (FakeServer fake = FakeServer.saying("-ERR something else");
				NodeProbe probe = NodeProbe.start(fake.uri(), this.options)) {
			probe.awaitReason("replied: ERR something else");
			NodeProbe.until(() -> fake.accepted() >= 4);
			Awaitility.await().until(() -> fake.open() <= 1);
		}
	}

	@Test
	void serverThatIsReadOnlyIsSaid() throws IOException {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				RespConnection real = RespConnection.to(redis.port());
				FakeServer fake = new FakeServer((command) -> switch (command.get(0)) {
					case "INFO" -> bulk(String.valueOf(real.execute("INFO")));
					case "EVALSHA" -> "-READONLY You can't write against a read only replica.";
					default -> ":1";
				})) {
			assertRejected(fake.uri(), "is a read-only replica");
			Awaitility.await("all connections are closed").until(() -> fake.open() == 0);
		}
	}

	@Test
	void keyOfTheRecordThatHoldsSomethingElseIsNamed() throws IOException {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				RespConnection real = RespConnection.to(redis.port());
				FakeServer fake = new FakeServer((command) -> command.get(0).equals("INFO")
						? bulk(String.valueOf(real.execute("INFO"))) : ":1")) {
			assertRejected(fake.uri(), "has something else under the key lock:nodes");
		}
	}

	@Test
	void serverThatQuotesTheCommandGivesNoSecretAway(CapturedLog output) throws IOException {
		try (FakeServer fake = new FakeServer((command) -> "-ERR unknown command `" + command.get(0)
				+ "`, with args beginning with: `" + String.join("`, `", command) + "`, ")) {
			String uri = fake.uri().replace("//", "//user:" + SECRET + "@");
			assertThat(assertRejected(uri, "replied: ERR unknown command `HELLO`").reason()).doesNotContain("args");
		}
		assertThat(output).doesNotContain(SECRET);
	}

	@Test
	void serverThatIsNoRedisIsSaid() throws IOException {
		assertFakeRejected("HTTP/1.1 400 Bad Request", "does not speak the Redis protocol");
		assertFakeRejected("+OK", "does not report its run id");
	}

	@Test
	void serverThatClosesTheConnectionIsSaidAndNotAskedAllTheTime() throws IOException {
		try (FakeServer fake = new FakeServer((command) -> null);
				NodeProbe probe = NodeProbe.start(fake.uri(), this.options)) {
			assertThat(probe.awaitReason("connection closed during the handshake").state()).isEqualTo(State.DOWN);
			long start = System.nanoTime();
			NodeProbe.until(() -> fake.accepted() >= 6);
			// At least 25 + 50 + 100 + 200 + 400 ms lie between six attempts.
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(500));
		}
	}

	@Test
	void serverThatSaysNothingIsSaid() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			redis.pause();
			try (NodeProbe probe = NodeProbe.start(redis.uri(), this.options)) {
				probe.awaitReason("did not reply within 1000 ms");
			}
			redis.resume();
		}
	}

	/** A machine that is too busy to reply is no reason to look for TLS. */
	@ParameterizedTest
	@CsvSource({ "HELLO, HELLO and INFO", "SCRIPT, SCRIPT LOAD and EVALSHA" })
	void stepThatTheServerDoesNotReplyToIsNamed(String silentFrom, String step) throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start();
				RespConnection real = RespConnection.to(redis.port());
				FakeServer fake = new FakeServer((command) -> {
					if (command.get(0).equals(silentFrom)) {
						awaitQuietly(end);
					}
					return command.get(0).equals("INFO") ? bulk(String.valueOf(real.execute("INFO"))) : ":1";
				});
				NodeProbe probe = NodeProbe.start(fake.uri(), this.options)) {
			NodeStatus status = probe.awaitReason("did not reply");
			assertThat(status.reason()).isEqualTo("did not reply within 1000 ms (%s)", step);
			NodeReply reply = probe.send(NodeProbe.acquire(new Attempt("a1"), "n"));
			assertThat(NodeProbe.messageOf(reply)).isEqualTo(status.reason());
			end.countDown();
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "rediss" })
	void nodeThatIsStoppedDuringTheHandShakeLeavesNoThread(String scheme) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			redis.pause();
			RedisNodeOptions patient = TestOptions.with(this.clock)
				.set(RedisNodeOptions::connectTimeout, Duration.ofMinutes(10))
				.set(RedisNodeOptions::quarantine, Duration.ZERO)
				.build();
			NodeProbe probe = NodeProbe.start(scheme + "://127.0.0.1:" + redis.port(), patient);
			NodeProbe.until(() -> isReading(redis));
			probe.close();
			NodeProbe.until(() -> readers(redis).isEmpty());
			redis.resume();
		}
	}

	private static boolean isReading(EmbeddedRedisNode redis) {
		return readers(redis).stream()
			.anyMatch((thread) -> Arrays.stream(thread.getStackTrace())
				.anyMatch((frame) -> frame.getClassName().equals(Handshake.class.getName())
						|| frame.getMethodName().equals("secure")));
	}

	private static List<Thread> readers(EmbeddedRedisNode redis) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("quorlock-reader-127.0.0.1:" + redis.port()))
			.toList();
	}

	@Test
	void portWithoutAServerIsSaid() {
		int port;
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			port = redis.port();
		}
		try (NodeProbe probe = NodeProbe.start("redis://127.0.0.1:" + port, this.options)) {
			assertThat(probe.awaitReason("connection refused").state()).isEqualTo(State.DOWN);
		}
	}

	@Test
	void hostThatDoesNotExistIsSaid() {
		try (NodeProbe probe = NodeProbe.start("redis://no-such-host.invalid:6379", this.options)) {
			assertThat(probe.awaitReason("unknown host").state()).isEqualTo(State.DOWN);
		}
	}

	@Test
	void tlsIsUsedAndItsFailuresAreSaid() {
		ThrowawayCertificates certificates = ThrowawayCertificates.create();
		try (EmbeddedRedisNode redis = certificates.server().start();
				EmbeddedRedisNode plain = EmbeddedRedisNode.start()) {
			try (NodeProbe probe = NodeProbe.connect(redis.uri(),
					TestOptions.with(this.clock)
						.set(RedisNodeOptions::quarantine, Duration.ZERO)
						.set(RedisNodeOptions::sslContext, certificates::clientContext)
						.build())) {
				assertThat(probe.send(NodeProbe.acquire(new Attempt("a1"), "n"))).isInstanceOf(NodeReply.Granted.class);
			}
			try (NodeProbe probe = NodeProbe.start(redis.uri(), this.options)) {
				assertThat(probe.awaitReason("TLS handshake failed: ").reason()).contains("certification path");
			}
			try (NodeProbe probe = NodeProbe.start("redis://127.0.0.1:" + redis.port(), this.options)) {
				probe.awaitReason("rediss://");
			}
			try (NodeProbe probe = NodeProbe.start("rediss://127.0.0.1:" + plain.port(), this.options)) {
				probe.awaitReason("if it does not expect TLS, use redis://");
			}
		}
	}

	@Test
	void evictionIsWarnedOfOnce(CapturedLog output) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().config("maxmemory-policy allkeys-lru").start();
				NodeProbe probe = NodeProbe.connect(redis.uri(), this.options)) {
			redis.execute("CLIENT", "KILL", "TYPE", "NORMAL");
			NodeProbe.until(() -> probe.connected.size() == 2);
			assertThat(output).containsOnlyOnce("127.0.0.1:" + redis.port() + " evicts keys")
				.contains("maxmemory-policy allkeys-lru");
		}
	}

	@Test
	void clockOfTheServerIsCompared() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start(); NodeProbe probe = NodeProbe.connect(redis.uri())) {
			SystemClock clock = new SystemClock();
			long offset = probe.node().status().clockOffsetMicros().orElseThrow();
			long nodeMicros = clock.nanoTime() / 1_000 + offset;
			assertThat(nodeMicros - clock.wallMicros()).isBetween(-1_000_000L, 1_000_000L);
		}
	}

	@Test
	void formerConnectionIsDeadAfterwards() throws NodeUnavailableException {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start(); RespConnection former = RespConnection.to(redis)) {
			String id = String.valueOf(former.execute("CLIENT", "ID"));
			NodeAddress address = NodeAddress.parse(redis.uri());
			Handshake handshake = handshake(address);
			try (Connection connection = new Connection(Duration.ofSeconds(1))) {
				Handshake.Greeting greeting = handshake.greet(connection);
				handshake.open(greeting, session(greeting.info(), Long.parseLong(id)));
				assertThat(String.valueOf(redis.execute("CLIENT", "LIST")).lines())
					.noneMatch((client) -> client.startsWith("id=" + id + " "));
			}
		}
	}

	@Test
	void serverHasTheWholeTimeoutForEachStep() throws Exception {
		Connection connection = Mockito.mock(Connection.class);
		NodeAddress address = NodeAddress.parse("redis://127.0.0.1:1");
		ServerInfo info = new ServerInfo("");
		Handshake.Greeting greeting = new Handshake.Greeting(connection, new Login(null, null), info, 2L,
				OptionalLong.empty());
		InOrder order = Mockito.inOrder(connection);
		assertThatExceptionOfType(NodeUnavailableException.class)
			.isThrownBy(() -> handshake(address).greet(connection));
		order.verify(connection).beginStep(ArgumentMatchers.any());
		order.verify(connection).flush();
		assertThatExceptionOfType(NodeUnavailableException.class)
			.isThrownBy(() -> handshake(address).open(greeting, session(info, 1L)));
		order.verify(connection).beginStep(ArgumentMatchers.any());
		order.verify(connection).flush();
		order.verify(connection).beginStep(ArgumentMatchers.any());
		order.verify(connection).flush();
	}

	private static Session session(ServerInfo info, long clientId) {
		return new Session(Mockito.mock(),
				new Handshake.Greeting(Mockito.mock(), new Login(null, null), info, clientId, OptionalLong.empty()),
				List.of());
	}

	private Handshake handshake(NodeAddress address) {
		NodeAdmission admission = new NodeAdmission(Duration.ZERO, 0, false);
		RecordUpdater record = new RecordUpdater("n", 0, this.options, new Membership(List.of("n")), admission,
				new NodeHealth(this.options, admission), (lists) -> {
				});
		return Handshake.of(address, this.options, record, Mockito.mock());
	}

	private void assertFakeRejected(String reply, String reason) throws IOException {
		try (FakeServer fake = FakeServer.saying(reply)) {
			assertRejected(fake.uri(), reason);
		}
	}

	private NodeStatus assertRejected(String uri, String reason) {
		try (NodeProbe probe = NodeProbe.start(uri, this.options)) {
			NodeStatus status = probe.await(State.REJECTED);
			assertThat(status.reason()).startsWith(reason).doesNotContain(SECRET);
			assertThat(probe.send(NodeProbe.acquire(new Attempt("a1"), "n")))
				.satisfies((reply) -> assertThat(NodeProbe.causeOf(reply)).isEqualTo(Cause.NOT_SENT))
				.satisfies((reply) -> assertThat(NodeProbe.messageOf(reply)).startsWith(reason));
			return status;
		}
	}

	private static String bulk(String text) {
		return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text;
	}

}
