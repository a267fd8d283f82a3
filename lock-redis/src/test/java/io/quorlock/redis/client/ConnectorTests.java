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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.net.ssl.SSLParameters;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.embedded.ThrowawayCertificates;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.TestClock;

import static io.quorlock.redis.client.NodeProbe.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Connector}, for connections, and for the one that is tried beside
 * another that is silent.
 */
class ConnectorTests {

	/** After so many attempts the pauses are between one second and two. */
	private static final int FAILURES = 7;

	private static final Duration LASTING = Duration.ofMillis(1_100);

	private static final long LONG_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	private final RedisLockNode node = Mockito.mock(RedisLockNode.class);

	private final Pipeline pipeline = Mockito.mock(Pipeline.class);

	private final Connector connector = new Connector(this.node);

	private final AtomicInteger attempts = new AtomicInteger();

	/** How long each attempt came after the end of a connection. */
	private final BlockingQueue<Long> pauses = new LinkedBlockingQueue<>();

	private long endedNanos;

	private volatile boolean daemon;

	/** How long the last attempt that failed came after the one before. */
	private volatile long pauseNanos;

	private static final Duration SOON = Duration.ofMillis(2_500);

	private final TestClock clock = new TestClock();

	private final EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	private final LoopbackProxy proxy = LoopbackProxy.to(this.redis);

	/** A server that was away for long may restart now and then all the same. */
	@Test
	@Tag("long")
	void pausesBeginSmallAgainBehindAConnectionThatLasted() throws Exception {
		BDDMockito.given(this.node.name()).willReturn("node:6379");
		BDDMockito.given(this.node.connect(this.connector)).willAnswer((invocation) -> {
			this.daemon = Thread.currentThread().isDaemon();
			if (this.attempts.incrementAndGet() <= FAILURES) {
				this.pauseNanos = System.nanoTime() - this.endedNanos;
				this.endedNanos = System.nanoTime();
				throw NodeUnavailableException.down("connection refused");
			}
			if (this.attempts.get() > FAILURES + 1) {
				this.pauses.add(System.nanoTime() - this.endedNanos);
			}
			return session(this.pipeline);
		});
		BDDMockito.given(this.pipeline.run()).willAnswer((invocation) -> {
			long begun = System.nanoTime();
			while (System.nanoTime() - begun < LASTING.toNanos()) {
				TimeUnit.MILLISECONDS.sleep(10);
			}
			this.endedNanos = System.nanoTime();
			return "connection closed";
		});
		this.connector.start();
		try {
			assertThat(leastOfThree()).isLessThan(LONG_PAUSE_NANOS);
			assertThat(this.pauseNanos).isGreaterThanOrEqualTo(Duration.ofMillis(800).toNanos());
			assertThat(this.daemon).isTrue();
		}
		finally {
			this.connector.stop();
		}
	}

	/**
	 * A cut ends without a word, and whoever waits for a lock waits for the next attempt.
	 */
	@Test
	void pausesStaySmallWhileAServerCannotBeReached() throws Exception {
		failSlowly(NodeUnavailableException.down("did not reply within 300 ms (TCP connect)"));
		assertThat(this.connector.nextPauseMillis()).as("the second at most").isLessThanOrEqualTo(100);
	}

	/** However far it is. */
	@Test
	@Tag("long")
	void pausesGrowWhileAServerRefusesUs() throws Exception {
		failSlowly(NodeUnavailableException.rejected("refused the password"));
		assertThat(this.connector.nextPauseMillis()).isGreaterThanOrEqualTo(1_000);
	}

	private void failSlowly(NodeUnavailableException failure) throws Exception {
		Duration attempt = NodeProbe.options().tcpTimeout();
		BDDMockito.given(this.node.connect(this.connector)).willAnswer((invocation) -> {
			TimeUnit.NANOSECONDS.sleep(attempt.toNanos());
			if (this.attempts.incrementAndGet() == FAILURES) {
				this.connector.stop();
			}
			throw failure;
		});
		this.connector.run();
	}

	/** A server that stays away is not asked twenty times a second. */
	@Test
	void pausesGrow() {
		for (int i = 0; i < 6; i++) {
			this.connector.nextPauseMillis();
		}
		assertThat(this.connector.nextPauseMillis()).isGreaterThanOrEqualTo(1_000);
	}

	/** Otherwise the instances of a fleet come back together. */
	@Test
	void pausesDifferFromEachOther() {
		assertThat(IntStream.range(0, 100).mapToObj((i) -> this.connector.nextPauseMillis()).distinct())
			.hasSizeGreaterThan(10);
	}

	/** A server that was away for an hour is connected again within seconds. */
	@Test
	void pausesHaveALimit() {
		assertThat(this.connector.nextPauseMillis()).isLessThanOrEqualTo(50);
		for (int i = 0; i < 100; i++) {
			assertThat(this.connector.nextPauseMillis()).isBetween(25L, 2_000L);
		}
		this.connector.resetPauses();
		assertThat(this.connector.nextPauseMillis()).isLessThanOrEqualTo(50);
	}

	@Test
	void connectionThatCannotBePutToUseIsClosed() throws Exception {
		BDDMockito.given(this.node.name()).willReturn("node:6379");
		Session session = session(this.pipeline);
		BDDMockito.given(this.node.connect(this.connector)).willReturn(session);
		BDDMockito.willThrow(new IllegalStateException()).given(this.node).connected(this.connector, session);
		BDDMockito.given(this.pipeline.run()).willAnswer((invocation) -> {
			this.connector.stop();
			return "unexpected failure, see the log";
		});
		this.connector.run();
		BDDMockito.then(this.pipeline).should().close("unexpected failure, see the log");
		BDDMockito.then(this.node)
			.should()
			.disconnected(ArgumentMatchers.eq(this.connector), ArgumentMatchers.any(NodeUnavailableException.class));
	}

	/** Even a defect. */
	@Test
	void failureThatNobodyExpectedIsTriedAgain() throws Exception {
		BDDMockito.given(this.node.name()).willReturn("node:6379");
		BDDMockito.given(this.node.connect(this.connector)).willAnswer((invocation) -> {
			if (this.attempts.incrementAndGet() == 2) {
				this.connector.stop();
			}
			throw new AssertionError("a defect");
		});
		this.connector.run();
		BDDMockito.then(this.node)
			.should(Mockito.times(2))
			.disconnected(ArgumentMatchers.eq(this.connector), ArgumentMatchers
				.argThat((reason) -> reason.status().reason().equals("unexpected failure, see the log")));
	}

	/** It was stopped meanwhile, and may have been started again. */
	@Test
	void connectorThatANodeNoLongerHasChangesNothing() {
		RedisLockNode idle = node("redis://127.0.0.1:1");
		idle.listen("instance");
		Session session = session(this.pipeline);
		assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> idle.connect(this.connector))
			.withMessage("stopped");
		idle.connected(this.connector, session);
		idle.disconnected(this.connector, NodeUnavailableException.down("connection closed"));
		BDDMockito.then(this.pipeline).should().close("stopped");
		BDDMockito.then(this.pipeline).shouldHaveNoMoreInteractions();
		assertThat(idle.status().reason()).isEqualTo("not started");
	}

	@Test
	void nodeThatIsStartedTwiceConnectsOnce() throws IOException {
		try (FakeServer server = FakeServer.saying("+OK")) {
			RedisLockNode twice = node(server.uri());
			try {
				twice.start(Mockito.mock(NodeListener.class));
				twice.start(Mockito.mock(NodeListener.class));
				assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
					.containsOnlyOnce("quorlock-reader-" + twice.name());
			}
			finally {
				twice.stop();
			}
		}
	}

	private static RedisLockNode node(String uri) {
		return (RedisLockNode) RedisNodes.create(List.of(NodeAddress.parse(uri)), NodeProbe.options()).nodes().get(0);
	}

	/** A machine that is busy prolongs some. */
	private long leastOfThree() throws InterruptedException {
		long min = Long.MAX_VALUE;
		for (int i = 0; i < 3 && min >= LONG_PAUSE_NANOS; i++) {
			min = Math.min(min, this.pauses.poll(1, TimeUnit.MINUTES));
		}
		return min;
	}

	private static Session session(Pipeline pipeline) {
		return new Session(pipeline, new Handshake.Greeting(Mockito.mock(), new Login(null, null), new ServerInfo(""),
				null, OptionalLong.empty()), List.of());
	}

	/** R3: what is on its way would arrive behind what the next connection brings. */
	@Test
	void nothingIsSentOnceItIsClosed() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(Duration.ofSeconds(10))) {
			connection.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()), NodeProbe.options());
			try (Socket accepted = listener.accept()) {
				accepted.setSoTimeout(10_000);
				connection.close();
				assertThatExceptionOfType(SocketException.class).isThrownBy(() -> accepted.getInputStream().read())
					.withMessageContaining("reset");
			}
		}
	}

	@Test
	void connectionThatIsClosedBeforeItIsEstablishedIsNotUsed() throws IOException {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Connection connection = new Connection(Duration.ofSeconds(10));
			connection.close();
			assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> connection
				.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()), NodeProbe.options()));
		}
	}

	/** However the deadline and the replies meet. */
	@Test
	void connectionThatWasClosedForItsDeadlineIsNotSaidToBeClosed() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(Duration.ofMillis(200))) {
			connection.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()), NodeProbe.options());
			Awaitility.await().until(() -> connection.closeIfOverdue() != null);
			assertThat(connection.describe(new SocketException("Socket closed")))
				.hasMessage("did not reply within 200 ms (TCP connect)");
		}
	}

	@Test
	void serverThatRepliesWithoutTlsIsSaidPerhapsNotToExpectIt() throws IOException {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(Duration.ofSeconds(10))) {
			new Thread(new FutureTask<>(() -> {
				listener.accept().getOutputStream().write("-ERR unknown command\r\n".getBytes(StandardCharsets.UTF_8));
				return "sent";
			})).start();
			NodeAddress address = NodeAddress.parse("rediss://127.0.0.1:" + listener.getLocalPort());
			assertThatExceptionOfType(NodeUnavailableException.class)
				.isThrownBy(() -> connection.connect(address, NodeProbe.options()))
				.withMessage("TLS handshake failed: Unsupported or unrecognized SSL message; "
						+ "if it does not expect TLS, use redis://");
		}
	}

	@Test
	void certificateForAnotherNameIsRefusedWhateverTheParametersSay() {
		ThrowawayCertificates certificates = ThrowawayCertificates.create();
		SSLParameters careless = new SSLParameters();
		careless.setEndpointIdentificationAlgorithm("");
		RedisNodeOptions options = TestOptions.with(new TestClock())
			.set(RedisNodeOptions::sslContext, certificates::clientContext)
			.set(RedisNodeOptions::sslParameters, () -> careless)
			.build();
		try (EmbeddedRedisNode redis = certificates.server()
			.config("tls-cert-file " + certificates.clientPem())
			.config("tls-key-file " + certificates.clientKeyPem())
			.start(); Connection connection = new Connection(Duration.ofSeconds(10))) {
			NodeAddress address = NodeAddress.parse("rediss://localhost:" + redis.port());
			assertThatExceptionOfType(NodeUnavailableException.class)
				.isThrownBy(() -> connection.connect(address, options))
				.withMessage("TLS handshake failed: No name matching localhost found");
		}
	}

	@AfterEach
	void stop() {
		this.proxy.close();
		this.redis.close();
	}

	/** TCP repeats what was lost so rarely that the old connection stays silent. */
	@ParameterizedTest
	@Tag("long")
	@ValueSource(ints = { 1_200, 3_300, 6_000 })
	void nodeIsUsedAgainSoonAfterACutHoweverLongItWas(int cutMillis) {
		try (NodeProbe probe = probe()) {
			CompletableFuture<NodeReply> lost = cut(probe);
			Awaitility.await()
				.pollDelay(Duration.ofMillis(cutMillis))
				.until(() -> probe.node().status().state() != State.VOTING);
			long kills = kills();
			this.proxy.restoreForNewConnections();
			assertUsedAgain(probe);
			assertThat(NodeProbe.causeOf(lost.join())).isEqualTo(Cause.CONNECTION_LOST);
			// Tried in the handshake, and carried out.
			assertThat(kills()).isEqualTo(kills + 2);
			// The proxy passes on later that the rivals were closed.
			Awaitility.await()
				.atMost(NodeProbe.LONG)
				.untilAsserted(() -> assertThat(String.valueOf(this.redis.execute("CLIENT", "LIST", "TYPE", "normal"))
					.lines()
					.filter((client) -> client.contains("name=quorlock"))).hasSize(1));
		}
	}

	@Test
	void nodeIsUsedAgainSoonAfterAPauseOfTheProcessDuringACut() {
		try (NodeProbe probe = probe()) {
			cut(probe);
			// A reply from before the cut may be read after the first pause.
			Awaitility.await().atMost(NodeProbe.LONG).pollInterval(Duration.ofMillis(500)).until(() -> {
				boolean noticed = !probe.node().status().isVoting();
				if (!noticed) {
					this.clock.advance(Duration.ofSeconds(4));
				}
				return noticed;
			});
			this.proxy.restoreForNewConnections();
			assertUsedAgain(probe);
		}
	}

	/** It still has what was sent to it, and the locks. */
	@Test
	@Tag("long")
	void serverThatRepliesLateKeepsItsConnection() throws Exception {
		try (NodeProbe probe = probe()) {
			this.proxy.delay(Duration.ofMillis(1_500));
			assertThat(probe.submit(acquire(new Attempt("a1"), "n")).get(30, TimeUnit.SECONDS))
				.isInstanceOf(NodeReply.Granted.class);
			assertThat(this.proxy.connectionsAccepted()).as("with the rival").isGreaterThan(1);
			assertThat(probe.connected).hasSize(1);
		}
	}

	@Test
	void stopEndsBothConnections() {
		try (NodeProbe probe = probe()) {
			cut(probe);
			NodeProbe.until(() -> this.proxy.connectionsAccepted() > 1);
		}
		NodeProbe.until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().endsWith("-127.0.0.1:" + this.proxy.port())));
		NodeProbe.until(() -> this.proxy.connectionsOpen() == 0);
	}

	private NodeProbe probe() {
		return NodeProbe.connect(this.proxy.uri(), NodeProbe.options(this.clock));
	}

	private CompletableFuture<NodeReply> cut(NodeProbe probe) {
		this.proxy.blackhole();
		return probe.submit(acquire(new Attempt("lost"), "n"));
	}

	private static void assertUsedAgain(NodeProbe probe) {
		Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(10)).until(() -> probe.connected.size() == 2);
		assertThat(probe.send(acquire(new Attempt("next"), "n"))).isInstanceOf(NodeReply.Granted.class);
	}

	private long kills() {
		return String.valueOf(this.redis.execute("INFO", "commandstats"))
			.lines()
			.filter((line) -> line.startsWith("cmdstat_client|kill:calls="))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
			.sum();
	}

}
