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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.Settings;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What nodes report about each other, and when they vote (R10).
 */
@ExtendWith(LogCaptureExtension.class)
class GroupMembershipTests {

	private static final Duration QUARANTINE = Duration.ofSeconds(60);

	/** A minute and one percent, a second, and two for rounding. */
	private static final Duration OVER = Duration.ofSeconds(64);

	private final TestClock clock = new TestClock();

	private final RedisNodeOptions options = options(QUARANTINE).build();

	private final EmbeddedRedis redis = EmbeddedRedis.start(3);

	private final List<NodeProbe> started = new ArrayList<>();

	@AfterEach
	void stop() {
		this.started.forEach(NodeProbe::close);
		this.redis.close();
	}

	@Test
	void serversThatJustStartedAreAskedButDoNotCount(CapturedLog output) {
		List<NodeProbe> probes = start(this.options, this.redis.uris());
		probes.forEach((probe) -> {
			probe.awaitReason(" ago and votes in ");
			NodeProbe.until(() -> !probe.node().status().reason().contains("has no record"));
			NodeStatus status = probe.node().status();
			assertThat(status.state()).isEqualTo(State.QUARANTINED);
			assertThat(status.reason()).matches("started \\d+ s ago and votes in \\d+ s");
			assertThat(status.votesIn()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(62));
			NodeReply reply = probe.send(NodeProbe.acquire(new Attempt("a1"), "n"));
			assertThat(reply).isInstanceOf(NodeReply.Granted.class);
			assertThat(reply.voting()).isFalse();
		});
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("is connected but does not vote yet"));
		this.clock.advance(OVER);
		probes.forEach((probe) -> {
			// The clock ran past the last reading of the list, too: the next one lets the
			// node vote.
			probe.await(State.VOTING);
			assertThat(probe.send(NodeProbe.release(new Attempt("a1"), "n")).voting()).isTrue();
		});
		String name = probes.get(0).node().name();
		NodeProbe.until(() -> output.toString().contains(name + " ("));
		NodeProbe.until(() -> output.toString().contains(") votes"));
	}

	@Test
	void developmentServersCountAtOnceButNotAfterARestart() {
		List<NodeProbe> probes = start(options(QUARANTINE).set(RedisNodeOptions::trustFirstSeen, true).build(),
				this.redis.uris());
		probes.forEach((probe) -> probe.await(State.VOTING));
		probes.forEach((probe) -> awaitRecord(probe, "0"));
		this.redis.node(1).restartEmpty();
		probes.get(1).await(State.QUARANTINED);
		probes.get(0).await(State.VOTING);
		// A restarted server lacks the record; it counts a quarantine after it got it.
		this.clock.advance(Duration.ofSeconds(10));
		NodeProbe.until(() -> probes.get(1).node().status().reason().matches("(started|new to).* votes in .*"));
		this.clock.advance(OVER);
		probes.get(1).await(State.VOTING);
	}

	/** As where the boot-time clock cannot be read and the wall clock is set. */
	@Test
	void gapThatCannotBeJudgedEndsNoQuarantine() {
		List<NodeProbe> probes = start(this.options, this.redis.uris());
		probes.forEach((probe) -> probe.awaitReason("started "));
		this.clock.jump(OVER);
		probes.forEach((probe) -> {
			probe.await(State.QUARANTINED);
			assertThat(probe.send(NodeProbe.acquire(new Attempt("a1"), "n")).voting()).isFalse();
		});
		this.clock.advance(OVER);
		probes.get(1).await(State.VOTING);
	}

	@Test
	void offsetOfTheClocksIsRefreshedWhileTheConnectionLasts() {
		NodeProbe probe = start(this.options, this.redis.uris()).get(0);
		awaitRecord(probe, "0");
		long before = probe.node().status().clockOffsetMicros().orElseThrow();
		this.clock.advance(Duration.ofSeconds(30));
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.untilAsserted(() -> assertThat(probe.node().status().clockOffsetMicros().orElseThrow() - before)
				.isCloseTo(-30_000_000L, Offset.offset(2_000_000L)));
	}

	@Test
	void groupThatIsNewCountsAsSoonAsItsServersDo() {
		List<NodeProbe> probes = start(this.options, this.redis.uris());
		probes.forEach((probe) -> awaitRecord(probe, "0"));
		NodeProbe.until(() -> Long.valueOf(1)
			.equals(this.redis.node(0).execute("HEXISTS", "lock:nodes", identity(this.redis.uris()))));
		assertThat(this.redis.node(0).execute("TTL", "lock:nodes")).isEqualTo(-1L);
	}

	@Test
	void instancesThatStartTogetherAgreeThatTheGroupIsNew() {
		List<NodeProbe> all = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			all.addAll(start(this.options, this.redis.uris()));
		}
		all.forEach((probe) -> probe.awaitReason("started "));
		for (EmbeddedRedisNode node : this.redis.nodes()) {
			Awaitility.await()
				.atMost(NodeProbe.LONG)
				.untilAsserted(() -> assertThat(node.execute("HGET", "lock:nodes", "since")).isEqualTo("0"));
		}
	}

	@Test
	void serverThatIsNewToAnOldGroupIsQuarantinedHoweverLongItIsUp() {
		start(this.options, this.redis.uris()).forEach((probe) -> awaitRecord(probe, "0"));
		this.redis.node(2).execute("FLUSHALL");
		NodeProbe probe = start(this.options, this.redis.uris()).get(2);
		probe.awaitReason("has no record of this list of nodes yet");
		this.clock.advance(OVER);
		NodeStatus status = probe.awaitReason("new to this list of nodes for");
		assertThat(status.state()).isEqualTo(State.QUARANTINED);
		this.clock.advance(OVER);
		probe.await(State.VOTING);
	}

	@Test
	void serverThatIsFlushedUnderWayStopsCounting() {
		List<NodeProbe> probes = start(options(Duration.ofSeconds(1)).build(), this.redis.uris());
		probes.forEach((probe) -> awaitRecord(probe, "0"));
		this.clock.advance(OVER);
		probes.get(0).await(State.VOTING);
		this.redis.node(0).execute("FLUSHALL");
		this.clock.advance(Duration.ofSeconds(10));
		probes.get(0).await(State.QUARANTINED);
	}

	@Test
	void serverThatIsListedTwiceHasOneVote() {
		try (LoopbackProxy proxy = LoopbackProxy.to(this.redis.node(0))) {
			List<NodeProbe> probes = start(options(Duration.ZERO).build(),
					List.of(this.redis.uris().get(0), this.redis.uris().get(1), proxy.uri()));
			NodeProbe.until(() -> probes.stream().filter((probe) -> probe.node().status().isVoting()).count() == 2
					&& probes.stream()
						.anyMatch((probe) -> probe.node().status().reason().contains("is the same server as")));
			probes.forEach(NodeProbe::close);
		}
	}

	@Test
	void addressThatIsListedTwiceIsRefused() {
		List<NodeAddress> twice = List.of(NodeAddress.parse("redis://h"), NodeAddress.parse("redis://h:6379/1"));
		assertThatIllegalArgumentException().isThrownBy(() -> RedisNodes.create(twice, this.options))
			.withMessage("The same lock node twice in [h:6379, h:6379]");
		assertThatIllegalArgumentException().isThrownBy(() -> RedisNodes.create(List.of(), this.options));
	}

	@Test
	void otherListIsAnErrorOnBothSides(CapturedLog output) {
		RedisNodeOptions options = options(Duration.ZERO).set(RedisNodeOptions::failOnMismatch, true).build();
		List<NodeProbe> first = start(options, this.redis.uris());
		first.forEach(this::awaitList);
		List<String> fewer = this.redis.uris().subList(0, 1);
		RedisNodes nodes = nodes(options, fewer);
		NodeProbe second = start(nodes).get(0);
		second.await(State.VOTING);
		assertThat(second.node().status().mismatch()).isTrue();
		assertThat(nodes.notes().values()).singleElement().asString().contains(identity(this.redis.uris()));
		this.clock.advance(Duration.ofSeconds(10));
		NodeProbe.until(() -> first.get(0).node().status().mismatch());
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).contains("ERROR")
				.contains("a majority of both is needed: " + identity(this.redis.uris()))
				.contains("a majority of both is needed: " + identity(fewer)));
	}

	@Test
	void listOfTheOnlyInstanceIsForgottenWhenItStops() {
		List<NodeProbe> probes = start(options(Duration.ZERO).build(), this.redis.uris());
		probes.forEach((probe) -> awaitRecord(probe, "0"));
		probes.forEach(NodeProbe::close);
		for (EmbeddedRedisNode node : this.redis.nodes()) {
			assertThat(node.execute("HEXISTS", "lock:nodes", identity(this.redis.uris()))).isEqualTo(0L);
			assertThat(node.execute("HGET", "lock:nodes", "since")).isEqualTo("0");
		}
	}

	/** It may be paused: its list stays as long as if nobody had stopped. */
	@Test
	void listThatAnotherInstanceUsedLatelyStaysWhenOneStops() {
		List<NodeProbe> first = start(options(Duration.ZERO).set(RedisNodeOptions::instanceId, "first").build(),
				this.redis.uris());
		first.forEach(this::awaitList);
		awaitAuthor("first");
		List<NodeProbe> second = start(options(Duration.ZERO).set(RedisNodeOptions::instanceId, "second one").build(),
				this.redis.uris());
		awaitAuthor("second_one");
		second.forEach(NodeProbe::close);
		assertThat(this.redis.node(0).execute("HEXISTS", "lock:nodes", identity(this.redis.uris()))).isEqualTo(1L);
		first.forEach(NodeProbe::close);
		assertThat(this.redis.node(0).execute("HEXISTS", "lock:nodes", identity(this.redis.uris()))).isEqualTo(1L);
	}

	@Test
	void formerRunWithAnotherListIsNamedWithItsAge(CapturedLog output) {
		String other = "a:1,b:1";
		long now = Instant.now().getEpochSecond();
		this.redis.nodes()
			.forEach((node) -> node.execute("HSET", "lock:nodes", "since", "0", other, (now - 40) + " shop@h1:77#1f"));
		RedisNodes nodes = nodes(options(Duration.ZERO).set(RedisNodeOptions::instanceId, "shop@h1:78")
			.set(RedisNodeOptions::failOnMismatch, true)
			.build(), this.redis.uris());
		NodeStatus status = start(nodes).get(0).await(State.VOTING);
		assertThat(status.mismatch()).isTrue();
		assertThat(nodes.notes().values().iterator().next())
			.matches("another instance uses a different node list, and a majority of both is needed: a:1,b:1 "
					+ "\\(perhaps a former run of this one, shop@h1:77, seen 4\\d s ago; "
					+ "ignored in [23]\\d s unless it is seen again\\)");
		Awaitility.await().untilAsserted(() -> assertThat(output).contains("WARN").contains("shop@h1:77"));
		assertThat(output.toString().lines().filter((line) -> line.contains("RecordUpdater")))
			.noneMatch((line) -> line.contains("ERROR"));
	}

	/** It may have reached one server sooner than another. */
	@Test
	void instanceThatIsStillConnectingMayUseTheSameServersUnderOtherNames(CapturedLog output) {
		RedisNodes nodes = nodes(options(Duration.ZERO).set(RedisNodeOptions::failOnMismatch, true).build(),
				this.redis.uris());
		start(nodes).forEach((probe) -> probe.await(State.VOTING));
		String other = identity(this.redis.uris()).replace("127.0.0.1", "localhost");
		String use = Instant.now().getEpochSecond() + " shop@h2:1#1";
		this.redis.node(0).execute("HSET", "lock:nodes", other, use);
		this.clock.advance(Duration.ofSeconds(10));
		NodeProbe.until(() -> nodes.notes().toString().contains(other));
		this.redis.node(1).execute("HSET", "lock:nodes", other, use);
		this.redis.node(2).execute("HSET", "lock:nodes", other, use);
		this.clock.advance(Duration.ofSeconds(2));
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.untilAsserted(() -> assertThat(output).contains("uses the same servers under other names"));
		assertThat(output).doesNotContain("another instance uses a different node list");
	}

	@Test
	void evictingPolicyThatIsSetWhileRunningExcludesTheNode(CapturedLog output) {
		RedisNodes nodes = nodes(options(Duration.ofSeconds(1)).build(), this.redis.uris());
		List<NodeProbe> probes = start(nodes);
		probes.forEach((probe) -> awaitRecord(probe, "0"));
		this.clock.advance(OVER);
		probes.forEach((probe) -> probe.await(State.VOTING));
		NodeProbe evicting = probes.get(0);
		server(evicting).execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
		this.clock.advance(Duration.ofSeconds(10));
		NodeProbe.until(() -> nodes.notes().getOrDefault(evicting.node().name(), "").startsWith("evicts keys"));
		// Without a limit nothing is evicted.
		assertThat(evicting.node().status().isVoting()).isTrue();
		server(evicting).execute("CONFIG", "SET", "maxmemory", "100mb");
		this.clock.advance(Duration.ofSeconds(10));
		NodeStatus status = evicting.await(State.FAILING);
		assertThat(status.reason()).isEqualTo("evicts keys when its memory is full (maxmemory-policy allkeys-lru), "
				+ "locks among them; use noeviction");
		assertThat(evicting.send(NodeProbe.acquire(new Attempt("a1"), "n")).voting()).isFalse();
		assertThat(output).contains("WARN").contains("maxmemory-policy allkeys-lru");
		server(evicting).execute("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.clock.advance(Duration.ofSeconds(10));
		evicting.awaitReason("it evicted keys until ");
		NodeProbe.until(
				() -> String.valueOf(server(evicting).execute("HGET", "lock:nodes", "doubted")).endsWith(" eviction"));
		this.clock.advance(OVER);
		evicting.await(State.VOTING);
		assertThat(nodes.notes()).isEmpty();
	}

	@Test
	void policyThatEvictsKeysWithAnExpiryExcludesIfAskedTo() {
		for (NodeEviction eviction : NodeEviction.values()) {
			try (EmbeddedRedisNode node = EmbeddedRedisNode.builder()
				.config("maxmemory 100mb")
				.config("maxmemory-policy volatile-lru")
				.start()) {
				RedisNodes nodes = nodes(options(Duration.ZERO).set(RedisNodeOptions::nodeEviction, eviction).build(),
						List.of(node.uri()));
				start(nodes).get(0).await((eviction == NodeEviction.EXCLUDE) ? State.FAILING : State.VOTING);
				assertThat(nodes.notes().values()).singleElement().asString().contains("volatile-lru");
				nodes.nodes().forEach(LockNode::stop);
			}
		}
	}

	private void awaitAuthor(String instance) {
		NodeProbe.until(() -> this.redis.nodes()
			.stream()
			.allMatch((node) -> String.valueOf(node.execute("HGET", "lock:nodes", identity(this.redis.uris())))
				.contains(" " + instance + "#")));
	}

	@Test
	void listThatIsNoLongerUsedIsForgotten() {
		RedisNodeOptions options = options(Duration.ZERO).build();
		this.redis.node(0).execute("HSET", "lock:nodes", "since", "0", "gone:1", "1");
		RedisNodes nodes = nodes(options, this.redis.uris());
		start(nodes).forEach((probe) -> probe.await(State.VOTING));
		NodeProbe.until(() -> Long.valueOf(0).equals(this.redis.node(0).execute("HEXISTS", "lock:nodes", "gone:1")));
		assertThat(nodes.notes()).isEmpty();
	}

	@Test
	void recordThatOnlyTriesTheScriptExpires() {
		EmbeddedRedisNode server = this.redis.node(0);
		server.execute("ACL", "SETUSER", "default", "-del");
		NodeProbe probe = NodeProbe.start(server.uri(), options(Duration.ZERO).build());
		try (probe) {
			probe.await(State.VOTING);
		}
		NodeProbe.until(() -> String.valueOf(server.execute("KEYS", "lock:nodes:probe:*:record")).equals("[]"));
	}

	@Test
	void scriptsThatWereForgottenDoNotCostTheConnection() {
		List<NodeProbe> probes = start(options(Duration.ZERO).build(), this.redis.uris());
		probes.forEach(this::awaitList);
		this.redis.node(0).execute("HDEL", "lock:nodes", identity(this.redis.uris()));
		this.redis.node(0).execute("SCRIPT", "FLUSH");
		this.clock.advance(Duration.ofSeconds(10));
		awaitList(probes.get(0));
		assertThat(probes.get(0).connected).hasSize(1);
	}

	@Test
	void otherThingUnderTheKeyOfTheRecordIsSaid() {
		this.redis.node(0).execute("SET", "lock:nodes", "mine");
		NodeStatus status = start(this.options, this.redis.uris()).get(0).await(State.REJECTED);
		assertThat(status.reason()).contains("WRONGTYPE");
	}

	private void awaitRecord(NodeProbe probe, String since) {
		EmbeddedRedisNode node = server(probe);
		NodeProbe.until(() -> since.equals(node.execute("HGET", "lock:nodes", "since")));
	}

	private void awaitList(NodeProbe probe) {
		EmbeddedRedisNode node = server(probe);
		NodeProbe
			.until(() -> Long.valueOf(1).equals(node.execute("HEXISTS", "lock:nodes", identity(this.redis.uris()))));
	}

	private EmbeddedRedisNode server(NodeProbe probe) {
		return this.redis.nodes()
			.stream()
			.filter((candidate) -> probe.node().name().endsWith(":" + candidate.port()))
			.findFirst()
			.orElseThrow();
	}

	private Settings<RedisNodeOptions> options(Duration quarantine) {
		return TestOptions.with(this.clock).set(RedisNodeOptions::quarantine, quarantine);
	}

	private List<NodeProbe> start(RedisNodeOptions options, List<String> uris) {
		return start(nodes(options, uris));
	}

	private List<NodeProbe> start(RedisNodes nodes) {
		List<NodeProbe> probes = nodes.nodes().stream().map(NodeProbe::new).toList();
		this.started.addAll(probes);
		return probes;
	}

	private static RedisNodes nodes(RedisNodeOptions options, List<String> uris) {
		return RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options);
	}

	private static String identity(List<String> uris) {
		return String.join(",", uris.stream().map((uri) -> NodeAddress.parse(uri).name()).sorted().toList());
	}

}
