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

package io.quorlock.system;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.system.ChaosClient.Pace;
import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.Fleet.Layout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows the runbook of {@code docs/changes.md} for moving names (R23), step by step,
 * with real servers and processes that are restarted one after the other while they take
 * locks of all kinds. Of the eight names, {@code resource:0}, {@code 3} and {@code 7} are
 * in {@code a} and the others in {@code b} where there are these two groups.
 */
@Tag("long")
@Timeout(value = 400, threadMode = ThreadMode.SEPARATE_THREAD)
class MoveRunbookProcessTests {

	private static final int INSTANCES = 2;

	private static final int THREADS = 4;

	private static final String BOTH = ": names that change their group are locked in the old and in the new one";

	private static final String ALONE = ": names are locked in their new groups alone";

	private final Map<String, EmbeddedRedis> groups = new TreeMap<>();

	@TempDir
	private Path logs;

	private ChaosServer server;

	private Fleet fleet;

	@BeforeEach
	void start() throws Exception {
		Map<String, List<String>> nodes = new TreeMap<>();
		for (String id : List.of("a", "b", "c")) {
			this.groups.put(id, EmbeddedRedis.start(3));
			nodes.put(id, group(id).uris());
		}
		this.server = new ChaosServer();
		this.fleet = new Fleet(new Fleet.Settings(nodes, THREADS, Pace.STEADY, this.server.port(), this.logs,
				List.of("distributed-lock.lease-time=2s", "distributed-lock.max-lease-time=2s",
						"distributed-lock.restart-quarantine=2s", "distributed-lock.wait-time=20s",
						"distributed-lock.connection.operation-timeout=500ms", "distributed-lock.node-mismatch=fail")));
	}

	@AfterEach
	void stop() throws Exception {
		this.fleet.close();
		this.server.close();
		this.groups.values().forEach(EmbeddedRedis::close);
	}

	@Test
	void groupIsAddedAtTheSecondAttemptAndAForgottenInstanceIsRefused() throws Exception {
		this.fleet.deploy(INSTANCES, new Layout(1, "a"));
		this.fleet.awaitSharding("1");
		FleetInstance forgotten = this.fleet.startBeside(0, Pace.STEADY, new Layout(1, "a"));
		Layout joint = new Layout(2, "ab", "a");
		this.fleet.replace(this.fleet.instances().get(0), joint, FleetInstance::stop);
		awaitGrants();
		// abort during step 1
		this.fleet.roll(new Layout(1, "a"));
		this.fleet.awaitSharding("1");
		// step 1
		this.fleet.roll(joint);
		this.fleet.awaitSharding("2" + BOTH);
		assertThat(this.fleet.instances().get(0).health()).contains("another instance runs another layout version");
		assertThat(forgotten.lock("resource:1")).startsWith("held by");
		awaitGrowth("a", 2);
		awaitGrowth("b", 2);
		// step 2
		this.fleet.roll(new Layout(3, "ab", "a"));
		this.fleet.awaitSharding("3" + ALONE);
		awaitRefusal(forgotten,
				"this instance still runs layout version 1; the node is sealed at 2: deploy the new layout");
		// step 3
		this.fleet.roll(new Layout(3, "ab"));
		this.fleet.awaitSharding("3");
		assertMoved("a", "b", 2);
		awaitGrowth("a", 3);
		assertThat(fence("b", 3)).as("a name that did not move").isNull();
		forgotten.stop();
		check();
	}

	@Test
	@Tag("proof")
	void groupIsSplitAndTheWayBackRemovesTheNewOnes() throws Exception {
		this.fleet.deploy(INSTANCES, new Layout(1, "a"));
		this.fleet.awaitSharding("1");
		this.fleet.roll(new Layout(2, "bc", "a"));
		this.fleet.awaitSharding("2" + BOTH);
		awaitGrowth("b", 0);
		awaitGrowth("c", 1);
		// step 2 begins
		FleetInstance first = this.fleet.instances().get(0);
		this.fleet.replace(first, new Layout(3, "bc", "a"), FleetInstance::stop);
		awaitSharding(this.fleet.instances().get(INSTANCES - 1), "3" + ALONE);
		awaitGrants();
		// back
		this.fleet.roll(new Layout(4, "a", "bc"));
		this.fleet.awaitSharding("4" + BOTH);
		FleetInstance late = this.fleet.startBeside(0, Pace.STEADY, new Layout(3, "bc", "a"));
		this.fleet.roll(new Layout(5, "a", "bc"));
		this.fleet.awaitSharding("5" + ALONE);
		awaitRefusal(late, "this instance still runs layout version 3; the node is sealed at 4: deploy the new layout");
		late.stop();
		this.fleet.roll(new Layout(5, "a"));
		this.fleet.awaitSharding("5");
		assertMoved("b", "a", 0);
		assertMoved("c", "a", 1);
		this.groups.remove("b").close();
		this.groups.remove("c").close();
		awaitGrants();
		check();
	}

	private EmbeddedRedis group(String id) {
		EmbeddedRedis group = this.groups.get(id);
		assertThat(group).isNotNull();
		return group;
	}

	private void awaitGrants() {
		long before = this.server.history().grants();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.server.history().grants() > before + 50);
	}

	private static void awaitSharding(FleetInstance instance, String text) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(instance.health()).contains("sharding=version " + text));
	}

	private static void awaitRefusal(FleetInstance instance, String reason) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			assertThat(instance.lock("resource:1")).contains("LockUnavailableException").contains(reason);
			assertThat(instance.health()).startsWith("DOWN").contains("state=sealed").contains(reason);
			assertThat(instance.log()).contains("refuses this instance: " + reason);
		});
	}

	/** A name is locked in one group only. */
	private void assertMoved(String from, String to, int name) {
		Long before = fence(from, name);
		awaitGrowth(to, name);
		awaitGrowth(to, name);
		assertThat(fence(from, name)).as("fence of resource:" + name + " in its old group").isEqualTo(before);
	}

	/** Waits until a name is locked in a group. */
	private void awaitGrowth(String group, int name) {
		Long before = fence(group, name);
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			Long now = fence(group, name);
			return now != null && (before == null || now > before);
		});
	}

	/** The greatest fence of a name in a group. */
	private @Nullable Long fence(String group, int name) {
		return group(group).nodes()
			.stream()
			.map((node) -> (String) node.execute("GET", "lock:{resource:" + name + "}:fence"))
			.filter((fence) -> fence != null)
			.map(Long::valueOf)
			.max(Long::compare)
			.orElse(null);
	}

	private void check() throws Exception {
		ChaosHistory history = this.fleet.stopAndCheck(this.server, "Moves");
		List.of(Outcome.WRITER, Outcome.READER, Outcome.PERMIT, Outcome.DOWNGRADED)
			.forEach((kind) -> assertThat(history.count(kind)).as(kind.name()).isPositive());
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.groups.values().stream().map(RedisChaos::left).toList())
				.allSatisfy((left) -> assertThat(left).isEmpty()));
		this.fleet.instances().forEach((instance) -> assertThat(health(instance)).startsWith("UP"));
	}

	private static String health(FleetInstance instance) {
		try {
			return instance.health();
		}
		catch (java.io.IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
	}

}
