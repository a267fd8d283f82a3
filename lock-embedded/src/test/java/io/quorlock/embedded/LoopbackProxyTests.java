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

package io.quorlock.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LoopbackProxy}.
 */
class LoopbackProxyTests {

	@SuppressWarnings("NullAway.Init")
	private static EmbeddedRedisNode node;

	private final LoopbackProxy proxy = LoopbackProxy.to(node);

	@BeforeAll
	static void start() {
		node = EmbeddedRedisNode.start();
	}

	@BeforeEach
	void flush() {
		node.execute("FLUSHALL");
	}

	@AfterEach
	void close() {
		this.proxy.close();
	}

	@AfterAll
	static void stop() {
		node.close();
	}

	@Test
	void passesEverythingOnAndCounts() {
		assertThat(this.proxy.uri()).isEqualTo("redis://127.0.0.1:" + this.proxy.port());
		try (RespConnection first = connect(); RespConnection second = connect()) {
			String large = "x".repeat(1_000_000);
			assertThat(first.execute("SET", "k", large)).isEqualTo("OK");
			assertThat(second.execute("GET", "k")).isEqualTo(large);
			assertThat(this.proxy.connectionsOpen()).isEqualTo(2);
		}
		await().until(() -> this.proxy.connectionsOpen() == 0);
		assertThat(this.proxy.connectionsAccepted()).isEqualTo(2);
	}

	@Test
	void largeValueKeepsItsOrderUnderDelay() {
		this.proxy.delay(Duration.ofMillis(1));
		StringBuilder value = new StringBuilder();
		LongStream.range(0, 200_000).forEach((i) -> value.append(i).append(' '));
		try (RespConnection connection = connect()) {
			assertThat(connection.execute("SET", "k", value.toString())).isEqualTo("OK");
			this.proxy.delay(Duration.ZERO);
			assertThat(connection.execute("GET", "k")).isEqualTo(value.toString());
		}
	}

	@Test
	void whatIsDelayedIsNotOvertakenByWhatCameLater() {
		try (RespConnection connection = connect()) {
			connection.execute("SET", "k", "");
			this.proxy.delay(Duration.ofSeconds(1));
			connection.send("APPEND", "k", "a");
			await().until(() -> proxyThreads().stream().anyMatch((thread) -> thread.getName().contains("delayed")));
			this.proxy.delay(Duration.ZERO);
			connection.send("APPEND", "k", "b");
			assertThat(connection.receive()).isEqualTo(1L);
			assertThat(connection.receive()).isEqualTo(2L);
			assertThat(node.execute("GET", "k")).isEqualTo("ab");
		}
	}

	@Test
	void delayIsKeptEachWay() {
		this.proxy.delay(Duration.ofMillis(2));
		try (RespConnection connection = connect()) {
			assertThat(fastestRoundTripMillis(connection, 200)).isGreaterThan(4).isLessThan(8);
			this.proxy.delay(Duration.ZERO);
			assertThat(fastestRoundTripMillis(connection, 200)).isLessThan(2);
		}
	}

	@Test
	void cutClosesConnectionsAndRefusesNewOnesUntilRestored() {
		try (RespConnection connection = connect()) {
			assertThat(connection.execute("PING")).isEqualTo("PONG");
			this.proxy.cut();
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> connection.execute("PING"));
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(this::connect)
				.withMessageContaining("Failed to connect");
			assertThat(this.proxy.connectionsOpen()).isZero();
		}
		this.proxy.restore();
		try (RespConnection connection = connect()) {
			assertThat(connection.execute("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void interruptOutlivesACut() {
		for (int i = 0; i < 20; i++) {
			Thread.currentThread().interrupt();
			this.proxy.cut();
			assertThat(Thread.interrupted()).isTrue();
			this.proxy.restore();
		}
	}

	@Test
	void blackholeSwallowsOnOldAndNewConnections() {
		try (RespConnection old = connect()) {
			old.execute("PING");
			this.proxy.blackhole();
			try (RespConnection fresh = connect()) {
				CompletableFuture<Object> oldReply = inBackground(old, "SET", "old", "v");
				CompletableFuture<Object> freshReply = inBackground(fresh, "SET", "fresh", "v");
				assertThatExceptionOfType(TimeoutException.class)
					.isThrownBy(() -> oldReply.get(300, TimeUnit.MILLISECONDS));
				assertThat(freshReply).isNotDone();
				assertThat(this.proxy.connectionsOpen()).isEqualTo(2);
				this.proxy.restore();
				// Sooner than the connections themselves give up.
				assertThat(oldReply).failsWithin(Duration.ofSeconds(3)).withThrowableOfType(ExecutionException.class);
				assertThat(freshReply).failsWithin(Duration.ofSeconds(3)).withThrowableOfType(ExecutionException.class);
			}
		}
		assertThat(node.execute("DBSIZE")).isEqualTo(0L);
		try (RespConnection connection = connect()) {
			assertThat(connection.execute("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void endOfTheServerDoesNotShowThroughABlackhole() {
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start();
				LoopbackProxy hole = LoopbackProxy.to(other);
				RespConnection connection = RespConnection.to(hole.port())) {
			connection.execute("PING");
			hole.blackhole();
			other.kill();
			CompletableFuture<Object> reply = inBackground(connection, "PING");
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> reply.get(300, TimeUnit.MILLISECONDS));
		}
	}

	@Test
	void heldRepliesComeInOrderWhenReleasedWhileRequestsGoThrough() throws Exception {
		try (RespConnection connection = connect()) {
			connection.execute("PING");
			this.proxy.holdReplies();
			for (int i = 0; i < 1_000; i++) {
				connection.send("INCR", "n");
			}
			await().until(() -> "1000".equals(node.execute("GET", "n")));
			CompletableFuture<Object> first = CompletableFuture.supplyAsync(connection::receive);
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> first.get(300, TimeUnit.MILLISECONDS));
			this.proxy.releaseReplies();
			assertThat(first.get(5, TimeUnit.SECONDS)).isEqualTo(1L);
			for (long i = 2; i <= 1_000; i++) {
				assertThat(connection.receive()).isEqualTo(i);
			}
			assertThat(connection.execute("PING")).isEqualTo("PONG");
		}
	}

	@Test
	@Tag("long")
	void replyThatIsUnderWayWithADelayIsHeldToo() throws Exception {
		try (RespConnection connection = connect()) {
			connection.execute("PING");
			node.pause();
			connection.send("INCR", "n");
			this.proxy.delay(Duration.ofSeconds(2));
			node.resume();
			await().until(() -> "1".equals(node.execute("GET", "n")));
			this.proxy.holdReplies();
			CompletableFuture<Object> reply = CompletableFuture.supplyAsync(connection::receive);
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> reply.get(2500, TimeUnit.MILLISECONDS));
			this.proxy.releaseReplies();
			assertThat(reply.get(5, TimeUnit.SECONDS)).isEqualTo(1L);
		}
	}

	@Test
	void requestsSentBeforeTheClientLeftStillArrive() {
		this.proxy.delay(Duration.ofMillis(200));
		RespConnection connection = connect();
		CompletableFuture<Object> reply = inBackground(connection, "SET", "k", "v");
		await().until(() -> this.proxy.connectionsAccepted() == 1);
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> reply.get(50, TimeUnit.MILLISECONDS));
		connection.close();
		await().until(() -> "v".equals(node.execute("GET", "k")));
		await().until(() -> this.proxy.connectionsOpen() == 0);
	}

	@Test
	void serverThatIsGoneEndsTheConnection() {
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start();
				LoopbackProxy front = LoopbackProxy.to(other);
				RespConnection connection = RespConnection.to(front.port())) {
			connection.execute("PING");
			other.kill();
			await().until(() -> front.connectionsOpen() == 0);
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> connection.execute("PING"));
		}
	}

	@Test
	void restoreEndsEveryDisturbance() {
		this.proxy.delay(Duration.ofSeconds(30));
		this.proxy.holdReplies();
		this.proxy.blackhole();
		this.proxy.restore();
		try (RespConnection connection = connect()) {
			assertThat(connection.execute("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void connectionThatLostNothingOutlivesABlackhole() {
		try (RespConnection connection = connect()) {
			assertThat(connection.execute("PING")).isEqualTo("PONG");
			this.proxy.blackhole();
			this.proxy.restore();
			assertThat(connection.execute("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void closedProxyLeavesNoThread() {
		List<Thread> before = proxyThreads();
		try (LoopbackProxy closed = LoopbackProxy.to(node);
				RespConnection connection = RespConnection.to(closed.port())) {
			closed.holdReplies();
			connection.send("PING");
			await().until(() -> proxyThreads().stream().anyMatch((thread) -> thread.getName().contains("delayed")));
		}
		await().untilAsserted(() -> assertThat(proxyThreads()).isSubsetOf(before));
	}

	private static List<Thread> proxyThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("loopback-proxy"))
			.toList();
	}

	@Test
	void closedProxyStaysClosed() {
		LoopbackProxy closed = LoopbackProxy.to(node);
		closed.close();
		assertThat(LoopbackPorts.reserve(closed.port())).isTrue();
		closed.close();
		assertThat(LoopbackPorts.reserved.contains(closed.port())).as("port of a server that came later").isTrue();
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(closed::restore)
			.withMessage("The proxy is closed");
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> RespConnection.to(closed.port()));
		LoopbackPorts.release(closed.port());
	}

	/** As a server that is frozen, once the system accepts no more for it. */
	@Test
	@Timeout(20)
	void closesAtOnceWhileTheServerAcceptsNoConnection() throws IOException {
		List<Socket> clients = new ArrayList<>();
		try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				LoopbackProxy front = LoopbackProxy.to(full.getLocalPort())) {
			for (int i = 0; i < 8; i++) {
				clients.add(new Socket(InetAddress.getLoopbackAddress(), front.port()));
			}
			await().until(() -> front.connectionsAccepted() == 8);
			front.close();
			assertThat(front.connectionsOpen()).isZero();
		}
		finally {
			for (Socket client : clients) {
				client.close();
			}
		}
	}

	private RespConnection connect() {
		return RespConnection.to(this.proxy.port());
	}

	private static CompletableFuture<Object> inBackground(RespConnection connection, String... command) {
		return CompletableFuture.supplyAsync(() -> String.valueOf(connection.execute(command)));
	}

	private static double fastestRoundTripMillis(RespConnection connection, int times) {
		return LongStream.range(0, times).map((i) -> {
			long start = System.nanoTime();
			connection.execute("PING");
			return System.nanoTime() - start;
		}).min().orElseThrow() / 1_000_000.0;
	}

}
