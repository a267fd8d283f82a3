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
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A node with replicas votes, and is noted; one that was a replica itself does not (R10).
 */
@ExtendWith(LogCaptureExtension.class)
class ReplicationTests {

	private static final Duration QUARANTINE = Duration.ofSeconds(3);

	private static final String WARNING = "is copied by other servers: it has 1 replica";

	@Test
	void replicasAreWarnedOfOnceAndNotedWhileTheyAreThere(CapturedLog output) {
		try (EmbeddedRedisNode master = EmbeddedRedisNode.start()) {
			RedisNodes nodes = nodes(master, false);
			try (EmbeddedRedisNode replica = EmbeddedRedisNode.builder().replicaOf(master).start();
					NodeProbe probe = connect(nodes, master, 1)) {
				assertThat(probe.node().status().state()).isEqualTo(State.VOTING);
				assertThat(nodes.notes())
					.containsValue("has 1 replica, which lack the last locks if they are promoted");
				master.execute("CLIENT", "KILL", "TYPE", "NORMAL");
				NodeProbe.until(() -> probe.connected.size() == 2);
				replica.close();
				NodeProbe.until(() -> replicas(master) == 0);
				Awaitility.await().atMost(NodeProbe.LONG).untilAsserted(() -> assertThat(nodes.notes()).isEmpty());
			}
		}
		assertThat(output).containsOnlyOnce(WARNING);
	}

	@Test
	void replicasThatAreAllowedAreNotMentioned(CapturedLog output) {
		try (EmbeddedRedisNode master = EmbeddedRedisNode.start();
				EmbeddedRedisNode replica = EmbeddedRedisNode.builder().replicaOf(master).start()) {
			RedisNodes nodes = nodes(master, true);
			try (NodeProbe probe = connect(nodes, master, 1)) {
				probe.await(State.VOTING);
				assertThat(nodes.notes()).isEmpty();
			}
		}
		assertThat(output).doesNotContain("is copied by other servers");
	}

	/** Nobody uses the node meanwhile: it is asked once a second. */
	@ParameterizedTest
	@Tag("long")
	@ValueSource(longs = { 0, 3_000 })
	void nodeThatWasAReplicaIsExcludedAsAfterARestart(long millis) throws InterruptedException {
		try (EmbeddedRedisNode other = EmbeddedRedisNode.start(); EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			RedisNodes nodes = quarantining(node);
			try (NodeProbe probe = new NodeProbe(nodes.nodes().get(0))) {
				probe.await(State.VOTING);
				copy(node, other, millis);
				long since = System.nanoTime();
				assertThat(millis == 0 || probe.node().status().state() != State.VOTING).isTrue();
				NodeProbe.until(() -> probe.node().status().state() == State.QUARANTINED);
				// It has no connection to this instance, and no former one.
				try (NodeProbe later = new NodeProbe(quarantining(node).nodes().get(0))) {
					later.await(State.QUARANTINED);
				}
				probe.await(State.VOTING);
				assertThat(System.nanoTime() - since).isGreaterThan(QUARANTINE.toNanos());
			}
		}
	}

	@Test
	void serverThatIsAReplicaIsDoubtedHoweverLongItRuns() {
		TestClock clock = new TestClock();
		NodeAdmission admission = new NodeAdmission(QUARANTINE, 0, false);
		AtomicInteger copies = new AtomicInteger();
		new Replication("node", TestOptions.with(clock).build(), admission, copies::incrementAndGet)
			.onReplica(new ServerInfo("role:slave\nrun_id:a\nuptime_in_seconds:10000"));
		admission.onRecord(10_000, clock.nanoTime());
		assertThat(copies).hasValue(1);
		assertThat(admission.isVoting(clock.nanoTime())).isFalse();
		assertThat(admission.reason(clock.nanoTime())).contains(Replication.DOUBT);
	}

	/** Nobody was connected meanwhile, and run id and uptime are unchanged. */
	@Test
	@Tag("long")
	void recordOfAnotherServerIsNoticedByAnInstanceThatComesLater() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			beOfAList(node);
			try (EmbeddedRedisNode other = EmbeddedRedisNode.start()) {
				beOfAList(other);
				copyAll(node, other);
			}
			try (NodeProbe later = new NodeProbe(quarantining(node).nodes().get(0))) {
				assertThat(later.awaitReason("it was a copy of another server").isVoting()).isFalse();
			}
		}
	}

	private static void beOfAList(EmbeddedRedisNode node) {
		try (NodeProbe probe = new NodeProbe(quarantining(node).nodes().get(0))) {
			probe.await(State.VOTING);
		}
	}

	private static void copyAll(EmbeddedRedisNode node, EmbeddedRedisNode other) {
		node.execute("REPLICAOF", "127.0.0.1", Integer.toString(other.port()));
		NodeProbe.until(() -> String.valueOf(node.execute("INFO", "replication")).contains("master_link_status:up"));
		node.execute("REPLICAOF", "NO", "ONE");
	}

	private static void copy(EmbeddedRedisNode node, EmbeddedRedisNode other, long millis) throws InterruptedException {
		node.execute("REPLICAOF", "127.0.0.1", Integer.toString(other.port()));
		Thread.sleep(millis);
		node.execute("REPLICAOF", "NO", "ONE");
	}

	private static RedisNodes quarantining(EmbeddedRedisNode node) {
		return RedisNodes.create(List.of(NodeAddress.parse(node.uri())),
				TestOptions.with(new SystemClock()).set(RedisNodeOptions::quarantine, QUARANTINE).build());
	}

	private static RedisNodes nodes(EmbeddedRedisNode master, boolean allowed) {
		return RedisNodes.create(List.of(NodeAddress.parse(master.uri())),
				TestOptions.with(new TestClock())
					.set(RedisNodeOptions::quarantine, Duration.ZERO)
					.set(RedisNodeOptions::replicasAllowed, allowed)
					.build());
	}

	private static NodeProbe connect(RedisNodes nodes, EmbeddedRedisNode master, int replicas) {
		NodeProbe.until(() -> replicas(master) == replicas);
		NodeProbe probe = new NodeProbe(nodes.nodes().get(0));
		probe.await(State.VOTING);
		return probe;
	}

	private static long replicas(EmbeddedRedisNode master) {
		return String.valueOf(master.execute("INFO", "replication"))
			.lines()
			.filter((line) -> line.startsWith("slave") && line.contains("state=online"))
			.count();
	}

}
