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
import java.util.OptionalLong;
import java.util.Set;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RespError;
import io.quorlock.redis.client.ScratchCommands.Refusals;
import io.quorlock.redis.client.StatusLogger.Flapping;
import io.quorlock.time.TestClock;

import static io.quorlock.redis.client.NodeProbe.acquire;
import static io.quorlock.redis.client.NodeProbe.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;

/**
 * Tests for what is thought of a node: its health, suspicions, and whether it comes and
 * goes.
 */
@ExtendWith(LogCaptureExtension.class)
class NodeHealthTests {

	private static final String FULL = "cannot write: its memory is full";

	private static final String DENIED = "denies a permission that a lock script needs: ";

	private final TestClock clock = new TestClock();

	@AutoClose
	private final EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	private static final Duration PROBE_PERIOD = Duration.ofSeconds(1);

	private static final String ODD = "sends replies that no lock script gives";

	private final NodeHealth health = new NodeHealth(TestOptions.with(this.clock).build(),
			new NodeAdmission(Duration.ofSeconds(60), 0.01, false));

	private final Pipeline pipeline = Mockito.mock(Pipeline.class);

	private final List<PendingCommand> probes = new ArrayList<>();

	private final StatusLogger log = new StatusLogger("n:1", this.clock);

	@Test
	void serverWhoseMemoryIsFullFailsAndKeepsWhatIsHeld(CapturedLog output) {
		try (NodeProbe probe = connect(this.redis.uri())) {
			Attempt attempt = new Attempt("a1");
			assertThat(probe.send(acquire(attempt, "held"))).isInstanceOf(NodeReply.Granted.class);
			this.redis.execute("CONFIG", "SET", "maxmemory", "1");
			assertThat(NodeProbe.messageOf(probe.send(acquire(new Attempt("a2"), "n")))).isEqualTo(FULL);
			assertThat(probe.await(State.FAILING).reason()).isEqualTo(FULL);
			NodeProbe.until(() -> output.toString().contains(FULL));
			this.clock.advance(Duration.ofSeconds(11)); // the record of the list is due
			assertThat(probe.send(renew(attempt, "held"))).isInstanceOf(NodeReply.Done.class);
			assertThat(probe.send(acquire(new Attempt("a3"), "n"))).isInstanceOf(NodeReply.Failed.class);
			assertThat(probe.send(release(attempt, "held"))).isInstanceOf(NodeReply.Released.class);
			assertThat(probe.node().status().state()).isEqualTo(State.FAILING);
			assertThat(probe.connected).hasSize(1);
			this.redis.execute("CONFIG", "SET", "maxmemory", "0");
			probe.await(State.VOTING);
			assertThat(probe.connected).hasSize(1);
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).containsOnlyOnce("is connected but fails: it " + FULL));
	}

	@Test
	void serverWhoseMemoryIsFullIsConnectedAndFails(CapturedLog output) {
		this.redis.execute("CONFIG", "SET", "maxmemory", "1");
		try (NodeProbe probe = NodeProbe.start(this.redis.uri(), NodeProbe.options(this.clock))) {
			assertThat(probe.await(State.FAILING).reason()).isEqualTo(FULL);
			// It failed from the beginning.
			assertThat(output).doesNotContain(" votes");
			this.redis.execute("CONFIG", "SET", "maxmemory", "0");
			probe.await(State.VOTING);
		}
	}

	@Test
	void serverThatDeniesWhatAScriptNeedsFailsUntilItAllowsIt(CapturedLog output) {
		try (NodeProbe probe = connect(this.redis.uri())) {
			this.redis.execute("ACL", "SETUSER", "default", "-set");
			NodeReply reply = probe.send(acquire(new Attempt("a1"), "n"));
			assertThat(NodeProbe.causeOf(reply)).isEqualTo(Cause.ERROR);
			assertThat(NodeProbe.messageOf(reply)).isEqualTo(DENIED + "SET");
			NodeStatus status = probe.await(State.FAILING);
			assertThat(status.reason()).isEqualTo(DENIED + "SET");
			assertThat(probe.connected).hasSize(1);
			this.redis.execute("ACL", "SETUSER", "default", "+@all");
			probe.await(State.VOTING);
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(output).containsOnlyOnce("is connected but fails: it " + DENIED + "SET"));
	}

	/** Without the record, other node lists in use go unnoticed. */
	@Test
	void nodeThatDeniesItsRecordIsRejectedUntilItAllowsIt() {
		try (NodeProbe probe = connect(this.redis.uri())) {
			this.redis.execute("ACL", "SETUSER", "default", "-hgetall");
			this.clock.advance(Duration.ofSeconds(11));
			assertThat(probe.await(State.REJECTED).reason()).isEqualTo(DENIED + "HGETALL");
			this.redis.execute("ACL", "SETUSER", "default", "+@all");
			probe.await(State.VOTING);
		}
	}

	@Test
	void missingRightToWaitLeavesTheNodeVoting(CapturedLog output) {
		try (NodeProbe probe = connect(this.redis.uri())) {
			this.redis.execute("ACL", "SETUSER", "default", "-zadd");
			assertThat(probe.send(acquire(new Attempt("a1"), "n"))).isInstanceOf(NodeReply.Granted.class);
			assertThat(NodeProbe.messageOf(probe.send(queue("n")))).isEqualTo(DENIED + "ZADD");
			awaitNote(probe, "grants locks, but " + DENIED + "ZADD");
			assertThat(probe.send(acquire(new Attempt("a2"), "other"))).isInstanceOf(NodeReply.Granted.class);
			probe.await(State.VOTING);
			this.redis.execute("ACL", "SETUSER", "default", "+@all");
			awaitNote(probe, "");
		}
		assertThat(output).doesNotContain("is connected but fails: it " + DENIED);
	}

	@Test
	void missingRightForTheChannelsLeavesTheNodeVoting(CapturedLog output) {
		try (NodeProbe probe = connect(this.redis.uri())) {
			this.redis.execute("ACL", "SETUSER", "default", "resetchannels");
			Attempt attempt = new Attempt("a1");
			assertThat(probe.send(acquire(attempt, "n"))).isInstanceOf(NodeReply.Granted.class);
			assertThat(probe.send(queue("n"))).isInstanceOf(NodeReply.Refused.class);
			assertThat(probe.send(release(attempt, "n"))).isInstanceOf(NodeReply.Released.class);
			NodeProbe.until(() -> ((RedisLockNode) probe.node()).note().startsWith("grants locks, but "));
			assertThat(probe.send(acquire(new Attempt("a2"), "other"))).isInstanceOf(NodeReply.Granted.class);
			probe.await(State.VOTING);
			this.redis.execute("ACL", "SETUSER", "default", "allchannels");
			awaitNote(probe, "");
		}
		assertThat(output).doesNotContain("is connected but fails: it " + DENIED);
	}

	private static void awaitNote(NodeProbe probe, String note) {
		NodeProbe.until(() -> ((RedisLockNode) probe.node()).note().equals(note));
	}

	@Test
	void errorOfTheKeysOfOneLockIsNoFailureOfTheServer() {
		try (NodeProbe probe = connect(this.redis.uri())) {
			this.redis.execute("HSET", "lock:{n}", "field", "value");
			assertThat(NodeProbe.causeOf(probe.send(acquire(new Attempt("a1"), "n")))).isEqualTo(Cause.ERROR);
			this.clock.advance(Duration.ofSeconds(2));
			assertThat(probe.send(acquire(new Attempt("a2"), "other"))).isInstanceOf(NodeReply.Granted.class);
			probe.await(State.VOTING);
		}
	}

	@Test
	@Tag("long")
	void serverThatIsSlowerThanTheOperationTimeoutFailsUntilItIsQuicker(CapturedLog output) {
		RedisNodeOptions options = TestOptions.with(this.clock)
			.set(RedisNodeOptions::quarantine, Duration.ZERO)
			.set(RedisNodeOptions::operationTimeout, Duration.ofMillis(500))
			.set(RedisNodeOptions::connectTimeout, Duration.ofSeconds(10))
			.build();
		try (LoopbackProxy proxy = LoopbackProxy.to(this.redis);
				NodeProbe probe = NodeProbe.connect(proxy.uri(), options)) {
			proxy.delay(Duration.ofMillis(600));
			for (int i = 0; i < 3; i++) {
				assertThat(probe.send(acquire(new Attempt("a" + i), "n" + i))).isInstanceOf(NodeReply.Granted.class);
			}
			assertThat(probe.await(State.FAILING).reason())
				.matches("takes \\d+ ms to reply, longer than the operation timeout of 500 ms");
			NodeProbe.until(() -> output.toString().contains("is connected but fails"));
			assertThat(output).containsOnlyOnce("is connected but fails: it takes ");
			proxy.delay(Duration.ZERO);
			probe.await(State.VOTING); // it is tried every second
		}
	}

	private NodeProbe connect(String uri) {
		return NodeProbe.connect(uri, NodeProbe.options(this.clock));
	}

	/** A claim that waits for the name. */
	static NodeCommand queue(String name) {
		LockTarget target = LockTarget.exclusive(List.of(name));
		Ticket ticket = Ticket.of(1, target, 200, "app@host:1:7f:c").living(60_000);
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt("q1")), 60_000, null, 1, 0, ticket, 1);
	}

	private static NodeCommand renew(Attempt attempt, String name) {
		return new NodeCommand.Renew(new CommandHeader(LockTarget.exclusive(List.of(name)), attempt), 60_000, false,
				null, 0, true, 0);
	}

	NodeHealthTests() {
		BDDMockito.willAnswer((invocation) -> {
			this.probes.add(invocation.getArgument(2));
			return null;
		}).given(this.pipeline).submitIf(any(), any(), any(PendingCommand[].class));
	}

	@Test
	void oddRepliesOnOneConnectionAreForgottenOnTheNext() {
		odd(3);
		assertThat(this.health.failure()).isEqualTo(ODD);
		this.health.connected(Refusals.NONE);
		assertThat(this.health.failure()).isEmpty();
		odd(2);
		assertThat(this.health.failure()).isEmpty();
		odd(1);
		assertThat(this.health.failure()).isEqualTo(ODD);
	}

	@Test
	void whatWasNoticedOnOneConnectionIsForgottenOnTheNext() {
		late(3);
		assertThat(this.health.failure()).startsWith("takes 30000 ms to reply");
		this.health.onSilence(Duration.ofMinutes(1).toNanos());
		assertThat(this.health.failure()).startsWith("has not replied");
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		assertThat(this.health.failure()).isEqualTo("cannot write: its memory is full");
		this.health.connected(Refusals.NONE);
		assertThat(this.health.failure()).isEmpty();
		late(2);
		this.health.connected(Refusals.NONE);
		late(2);
		assertThat(this.health.failure()).isEmpty();
	}

	/** A pause of this process delays what all nodes replied to all callers. */
	@Test
	void repliesThatAreLateTogetherAreOneHiccup() {
		for (int i = 0; i < 2; i++) {
			long queuedNanos = this.clock.nanoTime();
			this.clock.advance(Duration.ofSeconds(30));
			for (int j = 0; j < 10; j++) {
				this.health.onReply(queuedNanos);
			}
		}
		assertThat(this.health.failure()).isEmpty();
		late(1);
		assertThat(this.health.failure()).startsWith("takes ");
	}

	private void late(int replies) {
		for (int i = 0; i < replies; i++) {
			long queuedNanos = this.clock.nanoTime();
			this.clock.advance(Duration.ofSeconds(30));
			this.health.onReply(queuedNanos);
		}
	}

	@Test
	void suspicionIsForgottenOnTheNextConnection() {
		this.health.onError();
		probe();
		reply(this.probes.get(0), new RespError("NOPERM no rights"));
		assertThat(this.health.degradation()).startsWith("denies a permission");
		this.health.onError();
		this.health.connected(Refusals.NONE);
		assertThat(this.health.degradation()).isEmpty();
		this.clock.advance(PROBE_PERIOD.multipliedBy(2));
		probe();
		assertThat(this.probes).hasSize(1);
		// The handshake has just tried the scripts.
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		probe();
		assertThat(this.probes).hasSize(1);
		this.clock.advance(PROBE_PERIOD);
		probe();
		assertThat(this.probes).hasSize(2);
	}

	@Test
	void scriptsAreNotTriedMoreOftenBecauseOfMoreErrors() {
		this.health.onError();
		probe();
		for (int i = 0; i < 3; i++) {
			this.health.onError();
			probe();
		}
		assertThat(this.probes).hasSize(1);
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		this.health.onError();
		probe();
		assertThat(this.probes).hasSize(1);
	}

	/** It is loaded with the next command that needs it. */
	@Test
	void scriptThatIsMissingIsNoFailure() {
		this.health.onError();
		probe();
		reply(this.probes.get(0), new RespError("NOSCRIPT No matching script."));
		assertThat(this.health.failure()).isEmpty();
		assertThat(this.health.degradation()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(LockScript.class)
	void nodeFailsThatRefusesWhatAnExclusiveLockNeeds(LockScript script) {
		boolean needed = Set
			.of(LockScript.ACQUIRE_PLAIN, LockScript.ACQUIRE, LockScript.RAISE, LockScript.RENEW, LockScript.RENEW_ALL)
			.contains(script);
		this.health.onError();
		this.health.probe(this.pipeline, List.of(scratch(script)), this.clock.nanoTime());
		reply(this.probes.get(0), new RespError("OOM command not allowed"));
		assertThat(this.health.failure()).isEqualTo(needed ? "cannot write: its memory is full" : "");
		assertThat(this.health.degradation()).isEqualTo(needed ? "" : "cannot write: its memory is full");
	}

	/** It would vote for a moment, and say so, each second. */
	@Test
	void nodeFailsUntilTheLastOfTheScriptsIsTried() {
		List<PendingCommand> sent = new ArrayList<>();
		BDDMockito.willAnswer((invocation) -> {
			sent.addAll(List.of(invocation.getArgument(2), invocation.getArgument(3)));
			return null;
		}).given(this.pipeline).submitIf(any(), any(), any(PendingCommand[].class));
		this.health.connected(new Refusals("cannot write: its memory is full", false, ""));
		this.clock.advance(PROBE_PERIOD);
		this.health.probe(this.pipeline, List.of(scratch(LockScript.INSPECT), scratch(LockScript.RAISE)),
				this.clock.nanoTime());
		reply(sent.get(0), 1L);
		assertThat(this.health.failure()).isEqualTo("cannot write: its memory is full");
		reply(sent.get(1), 1L);
		assertThat(this.health.failure()).isEmpty();
	}

	private static byte[] scratch(LockScript script) {
		return RespEncoder.evalsha(script, "lock:nodes:probe:1", 1, List.of());
	}

	private void reply(PendingCommand probe, Object reply) {
		probe.onQueued(this.clock.nanoTime());
		probe.onReply(reply);
	}

	private void odd(int replies) {
		for (int i = 0; i < replies; i++) {
			this.health.onOddReply(ODD);
		}
	}

	@Test
	void serverThatRepliesAgainIsNotSilentAnyMore() {
		this.health.onSilence(Duration.ofMinutes(1).toNanos());
		assertThat(this.health.failure()).isEqualTo("has not replied for 60000 ms");
		this.health.onSilence(0);
		assertThat(this.health.failure()).isEmpty();
	}

	@Test
	void serverIsSilentAfterThreeTimeoutsAndASecondAtLeast() {
		long second = Duration.ofSeconds(1).toNanos();
		this.health.onSilence(second);
		assertThat(this.health.failure()).isEmpty();
		this.health.onSilence(second + 1);
		assertThat(this.health.failure()).isEqualTo("has not replied for 1000 ms");
		NodeHealth patient = new NodeHealth(
				TestOptions.with(this.clock).set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1)).build(),
				new NodeAdmission(Duration.ofSeconds(60), 0.01, false));
		patient.onSilence(3 * second);
		assertThat(patient.failure()).isEmpty();
		patient.onSilence(3 * second + 1);
		assertThat(patient.failure()).isEqualTo("has not replied for 3000 ms");
	}

	/** Nobody asks a node that fails. */
	@Test
	void oddRepliesAreForgottenAfterAWhile() {
		odd(3);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.health.failure()).isEqualTo(ODD);
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(this.health.failure()).isEmpty();
	}

	@Test
	void scriptsAreTriedAgainAfterAWhileWhereNoReplyComes() {
		this.health.onError();
		long now = this.clock.nanoTime();
		probe(now);
		probe(now + PROBE_PERIOD.toNanos() - 1);
		assertThat(this.probes).hasSize(1);
		probe(now + PROBE_PERIOD.toNanos());
		assertThat(this.probes).hasSize(2);
	}

	@Test
	void scriptsAreTriedOnceWhereTheySucceedBehindAnError() {
		for (int errors = 1; errors <= 2; errors++) {
			this.health.onError();
			probe();
			assertThat(this.probes).hasSize(errors);
			PendingCommand sent = this.probes.get(errors - 1);
			sent.onQueued(this.clock.nanoTime());
			sent.onReply(1L);
			this.clock.advance(Duration.ofSeconds(10));
			probe();
			assertThat(this.probes).hasSize(errors);
		}
	}

	private void probe() {
		probe(this.clock.nanoTime());
	}

	private void probe(long nowNanos) {
		this.health.probe(this.pipeline, List.of(new byte[0]), nowNanos);
	}

	@Test
	void nodeThatComesAndGoesIsReportedOnceAMinute(CapturedLog output) {
		for (int second = 0; second < 300; second++) {
			this.log.onStatus((second % 2 == 0) ? voting() : NodeStatus.of(State.DOWN, "connection closed"));
			this.clock.advance(Duration.ofSeconds(1));
		}
		assertThat(lines(output)).hasSizeBetween(10, Flapping.MAX_CHANGES + 6);
		assertThat(output).contains("Lock node n:1 comes and goes: 7 changes within a minute, at present it is ")
			.contains("Lock node n:1 comes and goes: 60 changes within a minute, at present it is ");
	}

	@Test
	void lastStateIsLoggedWhenItStays(CapturedLog output) {
		for (int i = 0; i < 20; i++) {
			this.log.onStatus((i % 2 == 0) ? voting() : NodeStatus.of(State.DOWN, "connection closed"));
		}
		this.log.onStatus(NodeStatus.of(State.REJECTED, "is a replica"));
		assertThat(output).doesNotContain("is a replica");
		this.clock.advance(Duration.ofSeconds(61));
		this.log.onStatus(NodeStatus.of(State.REJECTED, "is a replica"));
		this.log.onStatus(NodeStatus.of(State.REJECTED, "is a replica"));
		assertThat(output).containsOnlyOnce("Lock node n:1 cannot be used: it is a replica");
		this.log.onStatus(voting());
		assertThat(lines(output)[lines(output).length - 1]).contains("Lock node n:1 (Redis 7) votes");
	}

	@Test
	void contradictingNodeListIsLoggedAsThatOfAnotherInstance(CapturedLog output) {
		this.log.onStatus(NodeStatus.of(State.REJECTED, "another instance uses a different node list"));
		assertThat(output).contains("Lock node n:1 cannot be used: another instance uses a different node list");
	}

	/** It is rejected at each attempt to connect, every two seconds. */
	@Test
	void reasonThatOnlyGetsOlderIsLoggedOnce(CapturedLog output) {
		for (int seconds = 0; seconds < 60; seconds += 2) {
			this.log.onStatus(NodeStatus.of(State.REJECTED,
					"another instance uses a different node list (seen " + seconds + " s ago)"));
			this.clock.advance(Duration.ofSeconds(2));
		}
		assertThat(lines(output)).hasSize(1);
	}

	/** They are shorter each time, or longer. */
	@ParameterizedTest
	@EnumSource(value = State.class, names = { "QUARANTINED", "FAILING" })
	void durationInAReasonIsNoChange(State state, CapturedLog output) {
		for (int i = 0; i < 60; i++) {
			this.log.onStatus(new NodeStatus(state, "takes " + (600 + i) + " ms to reply", Duration.ofSeconds(60 - i),
					"id", "Redis 7", OptionalLong.empty()));
			this.clock.advance(Duration.ofSeconds(20));
		}
		assertThat(lines(output)).hasSize(1);
	}

	@Test
	void restartIsLoggedStepByStep(CapturedLog output) {
		this.log.onStatus(voting());
		this.log.onStatus(NodeStatus.of(State.DOWN, "connection closed"));
		this.log.onStatus(NodeStatus.of(State.DOWN, "connection refused"));
		this.log.onStatus(new NodeStatus(State.QUARANTINED, "started 1 s ago", Duration.ofSeconds(60), "id", "Redis 7",
				OptionalLong.empty()));
		this.log.onStatus(voting());
		assertThat(lines(output)).hasSize(5);
		assertThat(output).doesNotContain("comes and goes");
	}

	@Test
	void firstReportIsDueWhateverTheClockShows() {
		for (long nanos : new long[] { 0, -Flapping.PERIOD_NANOS, Long.MAX_VALUE }) {
			assertThat(flapping(new Flapping(), nanos).isReportDue(nanos)).isTrue();
		}
	}

	@Test
	void nodeThatComesAndGoesOnceMoreIsReportedAgainWithinTheMinute() {
		Flapping flapping = flapping(new Flapping(), 0);
		long second = Duration.ofSeconds(1).toNanos();
		assertThat(flapping.isReportDue(59 * second)).isTrue();
		assertThat(flapping.isReportDue(61 * second)).isFalse();
		assertThat(flapping(flapping, 62 * second).isReportDue(62 * second)).isTrue();
		assertThat(flapping.isReportDue(62 * second)).isFalse();
	}

	private static Flapping flapping(Flapping flapping, long nanos) {
		for (int i = 0; i <= Flapping.MAX_CHANGES; i++) {
			flapping.changed(nanos);
		}
		return flapping;
	}

	private static NodeStatus voting() {
		return new NodeStatus(State.VOTING, "", Duration.ZERO, "id", "Redis 7", OptionalLong.empty());
	}

	private static String[] lines(CapturedLog output) {
		return output.toString().lines().filter((line) -> line.contains("Lock node n:1")).toArray(String[]::new);
	}

}
