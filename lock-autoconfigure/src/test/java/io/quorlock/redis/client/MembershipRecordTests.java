package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What nodes report about each other, and when they vote (R10).
 */
@ExtendWith(OutputCaptureExtension.class)
class MembershipRecordTests {

	private static final Duration QUARANTINE = Duration.ofSeconds(60);

	/** A minute and one percent, a second, and two for rounding. */
	private static final Duration OVER = Duration.ofSeconds(64);

	private final TestClock clock = new TestClock();

	private final JedisNodeOptions options = options(QUARANTINE).build();

	private final EmbeddedRedis redis = EmbeddedRedis.start(3);

	private final List<NodeProbe> started = new ArrayList<>();

	@AfterEach
	void stop() {
		this.started.forEach(NodeProbe::close);
		this.redis.close();
	}

	@Test
	void serversThatJustStartedAreAskedButDoNotCount(CapturedOutput output) {
		List<NodeProbe> probes = start(this.options, this.redis.uris());
		probes.forEach((probe) -> {
			NodeStatus status = probe.awaitReason("started ");
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
			assertThat(probe.node().status().state()).isEqualTo(State.VOTING);
			assertThat(probe.send(NodeProbe.release(new Attempt("a1"), "n")).voting()).isTrue();
		});
		String name = probes.get(0).node().name();
		Awaitility.await().atMost(NodeProbe.LONG).until(() -> output.getOut().contains(name + " ("));
		Awaitility.await().atMost(NodeProbe.LONG).until(() -> output.getOut().contains(") votes"));
	}

	@Test
	void developmentServersCountAtOnceButNotAfterARestart() {
		List<NodeProbe> probes = start(options(QUARANTINE).trustFirstSeen(true).build(), this.redis.uris());
		probes.forEach((probe) -> probe.await(State.VOTING));
		probes.forEach((probe) -> awaitRecord(probe, "0"));
		this.redis.node(1).restartEmpty();
		probes.get(1).await(State.QUARANTINED);
		probes.get(0).await(State.VOTING);
		// A restarted server lacks the record; it counts a quarantine after it got it.
		this.clock.advance(Duration.ofSeconds(10));
		probes.get(1).awaitReason("votes in");
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
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(() -> Long.valueOf(1)
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
			assertThat(node.execute("HGET", "lock:nodes", "since")).isEqualTo("0");
		}
	}

	@Test
	void serverThatIsNewToAnOldGroupIsQuarantinedHoweverLongItIsUp() {
		start(this.options, this.redis.uris()).forEach((probe) -> awaitRecord(probe, "0"));
		this.redis.node(2).execute("FLUSHALL");
		NodeProbe probe = start(this.options, this.redis.uris()).get(2);
		probe.awaitReason("has no record of this list of nodes yet");
		this.clock.advance(OVER);
		NodeStatus status = probe.awaitReason("new to this list of nodes since");
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
			Awaitility.await()
				.atMost(NodeProbe.LONG)
				.until(() -> probes.stream().filter((probe) -> probe.node().status().isVoting()).count() == 2
						&& probes.stream()
							.anyMatch((probe) -> probe.node().status().reason().contains("is the same server as")));
			probes.forEach(NodeProbe::close);
		}
	}

	@Test
	void addressThatIsListedTwiceIsRefused() {
		List<NodeAddress> twice = List.of(NodeAddress.parse("redis://h"), NodeAddress.parse("redis://h:6379/1"));
		assertThatIllegalArgumentException().isThrownBy(() -> JedisNodes.create(twice, this.options))
			.withMessage("The same lock node twice in [h:6379, h:6379]");
		assertThatIllegalArgumentException().isThrownBy(() -> JedisNodes.create(List.of(), this.options));
	}

	@Test
	void oneNodeOfAnotherListIsAReplacement(CapturedOutput output) {
		JedisNodeOptions options = options(Duration.ZERO).build();
		start(options, this.redis.uris()).forEach(this::awaitList);
		try (EmbeddedRedisNode fourth = EmbeddedRedisNode.start()) {
			JedisNodes nodes = nodes(options(Duration.ZERO).failOnMismatch(true).build(),
					List.of(this.redis.uris().get(0), this.redis.uris().get(1), fourth.uri()));
			start(nodes).subList(0, 2).forEach((probe) -> probe.await(State.VOTING));
			assertThat(nodes.notes()).hasSize(2)
				.allSatisfy((node, note) -> assertThat(note).startsWith("a node is being replaced"));
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("WARN").contains("a node is being replaced"));
			nodes.nodes().forEach(LockNode::stop);
		}
	}

	@Test
	void listThatDiffersMoreIsAnErrorAndRefusedIfAskedTo(CapturedOutput output) {
		JedisNodeOptions options = options(Duration.ZERO).build();
		start(options, this.redis.uris()).forEach(this::awaitList);
		List<String> fewer = this.redis.uris().subList(0, 1);
		JedisNodes refusing = nodes(options(Duration.ZERO).failOnMismatch(true).build(), fewer);
		NodeStatus status = start(refusing).get(0).await(State.REJECTED);
		assertThat(status.reason()).startsWith("another instance uses a different node list")
			.contains(identity(this.redis.uris()));
		assertThat(this.redis.node(0).execute("HEXISTS", "lock:nodes", identity(fewer))).isEqualTo(0L);
		JedisNodes complaining = nodes(options, fewer);
		start(complaining).get(0).await(State.VOTING);
		assertThat(complaining.notes()).hasSize(1);
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).contains("ERROR").contains("the two may not exclude each other"));
		this.clock.advance(Duration.ofSeconds(10));
		NodeProbe before = this.started.get(0);
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(() -> output.getOut()
				.contains("Lock node " + before.node().name()
						+ ": another instance uses a different node list; the two may not exclude each other: "
						+ identity(fewer)));
	}

	@Test
	void listThatIsNoLongerUsedIsForgotten() {
		JedisNodeOptions options = options(Duration.ZERO).build();
		this.redis.node(0).execute("HSET", "lock:nodes", "since", "0", "gone:1", "1");
		JedisNodes nodes = nodes(options, this.redis.uris());
		start(nodes).forEach((probe) -> probe.await(State.VOTING));
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(() -> Long.valueOf(0).equals(this.redis.node(0).execute("HEXISTS", "lock:nodes", "gone:1")));
		assertThat(nodes.notes()).isEmpty();
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
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(() -> since.equals(node.execute("HGET", "lock:nodes", "since")));
	}

	private void awaitList(NodeProbe probe) {
		EmbeddedRedisNode node = server(probe);
		Awaitility.await()
			.atMost(NodeProbe.LONG)
			.until(() -> Long.valueOf(1).equals(node.execute("HEXISTS", "lock:nodes", identity(this.redis.uris()))));
	}

	private EmbeddedRedisNode server(NodeProbe probe) {
		return this.redis.nodes()
			.stream()
			.filter((candidate) -> probe.node().name().endsWith(":" + candidate.port()))
			.findFirst()
			.orElseThrow();
	}

	private JedisNodeOptions.Builder options(Duration quarantine) {
		return JedisNodeOptions.builder(this.clock).quarantine(quarantine);
	}

	private List<NodeProbe> start(JedisNodeOptions options, List<String> uris) {
		return start(nodes(options, uris));
	}

	private List<NodeProbe> start(JedisNodes nodes) {
		List<NodeProbe> probes = nodes.nodes().stream().map(NodeProbe::new).toList();
		this.started.addAll(probes);
		return probes;
	}

	private static JedisNodes nodes(JedisNodeOptions options, List<String> uris) {
		return JedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options);
	}

	private static String identity(List<String> uris) {
		return String.join(",", uris.stream().map((uri) -> NodeAddress.parse(uri).name()).sorted().toList());
	}

}
