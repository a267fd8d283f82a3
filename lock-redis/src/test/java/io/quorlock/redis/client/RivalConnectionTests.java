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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.time.TestClock;

import static io.quorlock.redis.client.NodeProbe.acquire;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a second connection beside one that is silent.
 */
class RivalConnectionTests {

	private static final Duration SOON = Duration.ofMillis(2_500);

	private final TestClock clock = new TestClock();

	private final EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	private final LoopbackProxy proxy = LoopbackProxy.to(this.redis);

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
