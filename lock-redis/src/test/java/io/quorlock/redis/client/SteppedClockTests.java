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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers whose wall clocks are stepped (R27, R10).
 */
@Tag("long")
@ExtendWith(LogCaptureExtension.class)
class SteppedClockTests {

	private static final Duration STEP = Duration.ofSeconds(90);

	/** Servers count six seconds after their start. */
	private static final Duration QUARANTINE = Duration.ofSeconds(5);

	/** Started once: only the first test waits until they count. */
	@AutoClose
	private static EmbeddedRedis redis = EmbeddedRedis.start(3);

	private List<SteppedClockProxy> servers;

	private final List<NodeProbe> started = new ArrayList<>();

	@BeforeEach
	void startProxies() {
		this.servers = redis.nodes().stream().map(SteppedClockProxy::new).toList();
	}

	@AfterEach
	void stop() throws IOException {
		this.started.forEach(NodeProbe::close);
		for (SteppedClockProxy server : this.servers) {
			server.close();
		}
		redis.nodes().forEach((node) -> node.execute("FLUSHALL"));
	}

	@Test
	void nodeWhoseClockIsSteppedForwardsIsExcludedAsAfterARestart(CapturedLog output) {
		List<NodeProbe> nodes = startVoting();
		long before = System.nanoTime();
		this.servers.get(1).step(STEP);
		NodeStatus status = nodes.get(1).awaitReason("its clock was stepped forwards by ");
		Duration noticed = Duration.ofNanos(System.nanoTime() - before);
		assertThat(status.state()).isEqualTo(State.QUARANTINED);
		assertThat(status.reason())
			.matches("its clock was stepped forwards by (89|90)\\.\\d s \\d s ago; votes in \\d s");
		assertThat(noticed).isLessThan(Duration.ofSeconds(5));
		NodeReply reply = nodes.get(1).send(NodeProbe.acquire(new Attempt("a1"), "n"));
		assertThat(reply).isInstanceOf(NodeReply.Granted.class);
		assertThat(reply.voting()).isFalse();
		assertThat(nodes.get(0).node().status().isVoting()).isTrue();
		assertThat(nodes.get(2).node().status().isVoting()).isTrue();
		// It is logged once the status has changed.
		Awaitility.await()
			.untilAsserted(() -> assertThat(output)
				.contains("The clock of lock node " + nodes.get(1).node().name() + " was stepped forwards by ")
				.contains("leases on it may have ended early"));
		// Clients that connect later are told by the record.
		NodeProbe
			.until(() -> String.valueOf(redis.node(1).execute("HGET", "lock:nodes", "doubted")).endsWith(" clock"));
		connect().get(1).awaitReason("another instance saw that its clock was stepped forwards");
		nodes.get(1).await(State.VOTING);
	}

	/** Each at a moment of its own; docs/safety.md has the figures that are printed. */
	@Test
	@Tag("long")
	@Timeout(value = 5, unit = TimeUnit.MINUTES)
	void stepsAreNoticedSoonerThanFiveSeconds() {
		List<Long> millis = new ArrayList<>();
		Random random = new Random(27);
		for (int round = 0; round < 4; round++) {
			List<NodeProbe> nodes = startVoting();
			for (int i = 0; i < 3; i++) {
				long moment = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_000 + random.nextInt(1_000));
				Awaitility.await().until(() -> System.nanoTime() - moment >= 0);
				long before = System.nanoTime();
				this.servers.get(i).step(STEP.multipliedBy(round + 1));
				nodes.get(i).awaitReason("its clock was stepped forwards by ");
				millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before));
				nodes.get(i).await(State.VOTING);
			}
			nodes.forEach(NodeProbe::close);
		}
		List<Long> sorted = millis.stream().sorted().toList();
		System.out.printf("Notice times, from a step to the exclusion: median %d ms, at most %d ms, of %d%n",
				sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1), sorted.size());
		assertThat(millis).allMatch((each) -> each < 5_000);
	}

	@Test
	void majorityThatStepsAlikeIsNotExcluded(CapturedLog output) {
		List<NodeProbe> nodes = startVoting();
		this.servers.forEach((server) -> server.step(STEP));
		NodeProbe.until(() -> output.toString().contains("The clocks of a majority of the lock nodes advanced by "));
		awaitAhead(nodes, STEP);
		nodes.forEach((node) -> assertThat(node.node().status().isVoting()).isTrue());
		assertThat(output).doesNotContain("was stepped forwards by")
			.containsOnlyOnce("The clocks of a majority of the lock nodes");
	}

	@Test
	void stepBackwardsExcludesNothingAndMakesNoNodeYounger() {
		List<NodeProbe> nodes = startVoting();
		this.servers.get(2).step(STEP.negated());
		awaitAhead(nodes.subList(2, 3), STEP.negated());
		assertThat(nodes.get(2).node().status().isVoting()).isTrue();
		redis.node(2).execute("CLIENT", "KILL", "TYPE", "NORMAL");
		NodeProbe.until(() -> nodes.get(2).connected.size() == 2);
		assertThat(nodes.get(2).node().status().isVoting()).isTrue();
		NodeProbe later = connect().get(2);
		later.awaitReason("started ");
		later.await(State.VOTING);
	}

	/** Its clock went on meanwhile. */
	@Test
	void processThatWasStoppedIsNotExcluded(CapturedLog output) {
		List<NodeProbe> nodes = startVoting();
		redis.node(0).pause();
		CompletableFuture<NodeReply> pending = nodes.get(0).submit(NodeProbe.acquire(new Attempt("a"), "n"));
		Awaitility.await().during(Duration.ofMillis(1_500)).atMost(NodeProbe.LONG).until(() -> !pending.isDone());
		redis.node(0).resume();
		assertThat(pending).succeedsWithin(NodeProbe.LONG);
		Awaitility.await()
			.during(Duration.ofMillis(2_500))
			.atMost(NodeProbe.LONG)
			.until(() -> nodes.get(0).node().status().state() != State.QUARANTINED);
		assertThat(output).doesNotContain("was stepped forwards by").doesNotContain("clocks of a majority");
	}

	/** Of each connection, the last time that was read. */
	private static void awaitAhead(List<NodeProbe> nodes, Duration ahead) {
		SystemClock clock = new SystemClock();
		NodeProbe.until(() -> nodes.stream().allMatch((node) -> {
			long offset = node.node().status().clockOffsetMicros().orElse(0);
			long difference = clock.nanoTime() / 1_000 + offset - clock.wallMicros();
			return Math.abs(difference - ahead.toMillis() * 1_000) < 2_000_000;
		}));
	}

	private List<NodeProbe> startVoting() {
		List<NodeProbe> nodes = connect();
		nodes.forEach((node) -> node.await(State.VOTING));
		return nodes;
	}

	private List<NodeProbe> connect() {
		RedisNodeOptions options = TestOptions.with(new SystemClock())
			.set(RedisNodeOptions::quarantine, QUARANTINE)
			.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1))
			.build();
		List<NodeProbe> nodes = RedisNodes
			.create(this.servers.stream().map((server) -> NodeAddress.parse(server.uri())).toList(), options)
			.nodes()
			.stream()
			.map(NodeProbe::new)
			.toList();
		this.started.addAll(nodes);
		return nodes;
	}

}
