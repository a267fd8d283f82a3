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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Sealed;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The seal of real servers (R23): how it is written, kept and given back.
 */
@Timeout(120)
@ExtendWith(LogCaptureExtension.class)
class SealRecordTests {

	private static final Duration AGE = Duration.ofSeconds(40);

	private static EmbeddedRedis redis;

	private static final AtomicInteger tests = new AtomicInteger();

	private final String prefix = "test" + tests.incrementAndGet() + ":";

	private final TestClock clock = new TestClock();

	private final List<NodeProbe> started = new ArrayList<>();

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start(3);
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@AfterEach
	void stopNodes() {
		this.started.forEach(NodeProbe::close);
	}

	@Test
	void groupIsFoundedOnceAllOfItsNodesAreRead() {
		redis.node(2).pause();
		try {
			List<NodeProbe> probes = start(nodes(redis.uris(), 1, 0));
			probes.get(0).awaitReason("no record");
			this.clock.advance(Duration.ofSeconds(60));
			assertThat(redis.node(0).execute("HGET", this.prefix + "nodes", "seal")).isNull();
			assertThat(probes.get(0).node().status().isVoting()).isFalse();
			redis.node(2).resume();
			probes.forEach((probe) -> probe.await(State.VOTING));
		}
		finally {
			redis.node(2).resume();
		}
	}

	@Test
	void recordWithoutASealIsOfInstancesWithoutAVersion() {
		start(nodes(redis.uris(), 0, 0)).forEach((probe) -> probe.await(State.VOTING));
		Awaitility.await().until(() -> redis.node(2).execute("HGET", this.prefix + "nodes", "since") != null);
		start(nodes(redis.uris(), 1, 0)).forEach((probe) -> probe.await(State.VOTING));
		assertThat(sealOf(0)).isZero();
		assertThat(redis.node(0).execute("HGET", this.prefix + "nodes", "since")).isEqualTo("0");
	}

	@Test
	void nodeThatRestartedEmptyVotesOnceItHasItsSealAgain(CapturedLog output) {
		List<NodeProbe> forgotten = start(nodes(redis.uris(), 1, 0));
		forgotten.forEach((probe) -> probe.await(State.VOTING));
		RedisNodes sealing = nodes(redis.uris(), 3, 2);
		List<NodeProbe> sealers = start(sealing);
		forgotten.forEach((probe) -> probe.await(State.SEALED));
		Awaitility.await()
			.untilAsserted(() -> assertThat(output)
				.contains("refuses this instance: this instance still runs layout version 1"));
		assertThat(forgotten.get(0).node().status().reason())
			.isEqualTo("this instance still runs layout version 1; the node is sealed at 2: deploy the new layout");
		sealers.forEach(NodeProbe::close);
		redis.node(1).restartEmpty();
		Attempt attempt = new Attempt("a1");
		Awaitility.await().untilAsserted(() -> {
			NodeReply reply = forgotten.get(1).send(NodeProbe.acquire(attempt, "n"));
			assertThat(reply).isEqualTo(new Sealed(1, -1));
		});
		this.clock.advance(Duration.ofSeconds(10));
		Awaitility.await().pollInterval(Duration.ofMillis(100)).atMost(NodeProbe.LONG).until(() -> {
			this.clock.advance(Duration.ofSeconds(2));
			return sealOf(1) == 2;
		});
		forgotten.get(1).await(State.SEALED);
	}

	@Test
	void nodesThatLostTheirSealTogetherDoNotVote() {
		List<NodeProbe> probes = start(nodes(redis.uris(), 3, 2));
		probes.forEach((probe) -> probe.await(State.VOTING));
		Awaitility.await().until(() -> sealOf(0) == 2 && sealOf(1) == 2 && sealOf(2) == 2);
		lose(0, 1);
		this.clock.advance(Duration.ofSeconds(10));
		probes.subList(0, 2).forEach((probe) -> probe.awaitReason("no record"));
		for (int i = 0; i < 20; i++) {
			this.clock.advance(Duration.ofSeconds(3));
			probes.get(0).send(NodeProbe.acquire(new Attempt("a" + i), "n"));
		}
		assertThat(redis.node(0).execute("HGET", this.prefix + "nodes", "seal")).isNull();
		assertThat(redis.node(1).execute("HGET", this.prefix + "nodes", "seal")).isNull();
	}

	@Test
	void sealHasToBeOldOnAMajorityBeforeAMoveIsOver() {
		List<NodeProbe> before = start(nodes(redis.uris(), 1, 0));
		before.forEach((probe) -> probe.await(State.VOTING));
		RedisNodes nodes = nodes(redis.uris(), 3, 2);
		assertThat(nodes.sealWaitNanos()).isEqualTo(Long.MAX_VALUE);
		start(nodes).forEach((probe) -> probe.await(State.VOTING));
		Awaitility.await().until(() -> nodes.sealWaitNanos() < Long.MAX_VALUE);
		assertThat(Duration.ofNanos(nodes.sealWaitNanos())).isBetween(AGE.minusSeconds(3), AGE.plusSeconds(1));
		// It is not known whether the time has passed: the leases may still be held.
		this.clock.jump(AGE);
		assertThat(nodes.sealWaitNanos()).isPositive();
		// The clocks of the servers go on, only less.
		redis.node(0).execute("HINCRBY", this.prefix + "nodes", "sealed", "-100");
		refresh();
		assertThat(nodes.sealWaitNanos()).isPositive();
		redis.node(1).execute("HINCRBY", this.prefix + "nodes", "sealed", "-100");
		Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			refresh();
			return nodes.sealWaitNanos() <= 0;
		});
		// What was read long ago does not count, nor what a lost connection may hide.
		redis.node(0).restartEmpty();
		Awaitility.await().until(() -> nodes.sealWaitNanos() > 0);
	}

	/** An instance that knows the new groups only has to know when the names came. */
	@Test
	void recordReportsSinceWhenTheGroupsBeforeAreSealed() {
		RedisNodes group = nodes(redis.uris(), 3, 2);
		start(group).forEach((probe) -> probe.await(State.VOTING));
		Awaitility.await().until(() -> group.greatestTokenBefore() > 0);
		String record = this.prefix + "nodes";
		IntStream.range(0, 3).forEach((node) -> redis.node(node).execute("HINCRBY", record, "sealed", "-100"));
		RedisNodes before = nodes(redis.uris(), 3, 2, "old" + this.prefix);
		start(before).forEach((probe) -> probe.await(State.VOTING));
		Awaitility.await().until(() -> before.greatestTokenBefore() > 0);
		group.follow(List.of(before));
		assertThat(group.greatestTokenBefore()).isEqualTo(before.greatestTokenBefore());
		Awaitility.await().pollInterval(Duration.ofMillis(100)).untilAsserted(() -> {
			refresh();
			RedisNodes later = nodes(redis.uris(), 3, 2);
			start(later).forEach((probe) -> probe.await(State.VOTING));
			assertThat(later.greatestTokenBefore()).isEqualTo(before.greatestTokenBefore());
		});
	}

	private void refresh() {
		this.clock.advance(Duration.ofSeconds(2));
	}

	private void lose(int... indices) {
		for (int index : indices) {
			redis.node(index).execute("DEL", this.prefix + "nodes");
		}
	}

	private int sealOf(int index) {
		Object seal = redis.node(index).execute("HGET", this.prefix + "nodes", "seal");
		return (seal != null) ? Integer.parseInt(seal.toString()) : -1;
	}

	private List<NodeProbe> start(RedisNodes nodes) {
		List<NodeProbe> probes = nodes.nodes().stream().map(NodeProbe::new).toList();
		this.started.addAll(probes);
		return probes;
	}

	private RedisNodes nodes(List<String> uris, int version, int seal) {
		return nodes(uris, version, seal, this.prefix);
	}

	private RedisNodes nodes(List<String> uris, int version, int seal, String prefix) {
		RedisNodeOptions options = RedisNodeOptions.builder(this.clock)
			.operationTimeout(Duration.ofSeconds(2))
			.quarantine(Duration.ZERO)
			.keyPrefix(prefix)
			.build();
		return RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options,
				new Layout("group a of a by name" + ((version > 0) ? " version " + version : ""), version, seal, AGE));
	}

}
