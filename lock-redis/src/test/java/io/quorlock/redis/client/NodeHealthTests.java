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
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.time.TestClock;

import static io.quorlock.redis.client.NodeProbe.acquire;
import static io.quorlock.redis.client.NodeProbe.release;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that are connected and do not carry out commands, or not in time.
 */
@ExtendWith(LogCaptureExtension.class)
class NodeHealthTests {

	private static final String FULL = "cannot write: its memory is full";

	private static final String DENIED = "denies a permission that a lock script needs: ";

	private final TestClock clock = new TestClock();

	@AutoClose
	private final EmbeddedRedisNode redis = EmbeddedRedisNode.start();

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

}
