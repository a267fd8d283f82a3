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

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.awaitility.Awaitility;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.system.ChaosClient.Pace;
import io.quorlock.system.Fleet.Layout;
import io.quorlock.system.Nemesis.Fault;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that take locks in two groups of three Redis nodes behind proxies, while
 * their names are moved (R23): the groups are a and b, or b and c. Of the eight names,
 * some move from a to b, some from a to c, some from b to c, and some stay.
 */
final class GroupedChaos extends ChaosCluster {

	private static final int NODES = 3;

	/** Much longer than a quarantine, on a machine that is busy, too. */
	private static final Duration RECOVERY = Duration.ofSeconds(90);

	private final Map<String, Group> groups = new TreeMap<>();

	private final Fleet fleet;

	private String ids = "ab";

	private int version = 1;

	GroupedChaos(Path logs) throws IOException {
		Map<String, List<String>> uris = new TreeMap<>();
		for (String id : List.of("a", "b", "c")) {
			Group group = Group.start(this::processes);
			this.groups.put(id, group);
			uris.put(id, group.proxies.stream().map(LoopbackProxy::uri).toList());
		}
		this.fleet = new Fleet(new Fleet.Settings(uris, THREADS, Pace.HASTY, server().port(), logs,
				List.of("distributed-lock.lease-time=2s", "distributed-lock.max-lease-time=2s",
						"distributed-lock.wait-time=1s", "distributed-lock.connection.operation-timeout=250ms",
						"distributed-lock.retry.min-delay=10ms", "distributed-lock.retry.max-delay=200ms",
						"distributed-lock.node-mismatch=fail")));
		this.fleet.deploy(PROCESSES, new Layout(this.version, this.ids));
	}

	@Override
	List<ChildJvm> processes() {
		return this.fleet.instances().stream().map(FleetInstance::process).toList();
	}

	/**
	 * One node of each group fails, and processes are paused, while something is done.
	 */
	void torment(String phase, Work meanwhile) throws Exception {
		torment(phase, 1, Fault.ALL, meanwhile);
	}

	/** No node loses its memory: the groups would lose their seals. */
	void tormentAllNodes(Duration time) throws Exception {
		torment("all nodes and processes", NODES, Fault.PASSING, () -> Thread.sleep(time.toMillis()));
	}

	private void torment(String phase, int nodes, Set<Fault> faults, Work meanwhile) throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		BooleanSupplier goOn = () -> !over.get();
		List<Callable<Void>> tasks = new ArrayList<>();
		this.groups.values().forEach((group) -> tasks.addAll(group.nemesis.torments(nodes, faults, goOn)));
		tasks.add(() -> group("a").nemesis.tormentProcesses(goOn));
		tasks.add(() -> {
			try {
				meanwhile.run();
			}
			finally {
				over.set(true);
			}
			return null;
		});
		phase(phase, () -> Nemesis.runAll(tasks));
	}

	/**
	 * Moves the names as the runbook says, while things fail. An instance of the layout
	 * before goes on to work until it is refused, and holds what it gets for long.
	 */
	void move() throws Exception {
		String before = this.ids;
		FleetInstance forgotten = this.fleet.startBeside(THREADS / 2, Pace.STUBBORN, new Layout(this.version, before));
		this.ids = before.equals("ab") ? "bc" : "ab";
		this.version += 2;
		if (this.version > 3) {
			this.ids.chars()
				.filter((id) -> before.indexOf(id) < 0)
				.forEach((id) -> bringBack(group(Character.toString(id))));
		}
		torment("minority of each group, move begins", () -> roll(new Layout(this.version - 1, this.ids, before)));
		recover();
		torment("minority of each group, move ends", () -> roll(new Layout(this.version, this.ids, before)));
		recover();
		phase("recovery", () -> {
			this.fleet.awaitSharding(this.version + ": names are locked in their new groups alone");
			awaitHealth(forgotten, "this instance still runs layout version %d; the node is sealed at %d"
				.formatted(this.version - 2, this.version - 1));
			forgotten.stop();
		});
		phase("restarts behind a move", () -> this.fleet.roll(new Layout(this.version, this.ids)));
	}

	private Group group(String id) {
		Group group = this.groups.get(id);
		assertThat(group).isNotNull();
		return group;
	}

	/** As deployments and power cuts do. */
	private void roll(Layout layout) throws Exception {
		for (FleetInstance instance : this.fleet.instances()) {
			this.fleet.replace(instance, layout,
					ThreadLocalRandom.current().nextBoolean() ? FleetInstance::stop : FleetInstance::close);
		}
	}

	/**
	 * A majority of one group forgets what was held, and its seals. It cannot be known
	 * these, so that an operator has to help.
	 */
	void cutPower() throws Exception {
		Group group = group("b");
		phase("majority of one group restarted at once", () -> {
			group.nemesis.cutPower(NODES / 2 + 1);
			this.fleet.instances()
				.forEach((instance) -> awaitHealth(instance, "its seal is unknown until enough of the other nodes"));
			forgetSeals(group);
		});
	}

	private static void awaitHealth(FleetInstance instance, String text) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(instance.health()).contains(text));
	}

	/**
	 * As the runbook says, the records that are still there are deleted, and no other: a
	 * node may have been sealed anew by the time at which its record would be deleted.
	 */
	private static void forgetSeals(Group group) {
		sealed(group).forEach((node) -> node.execute("DEL", "lock:nodes"));
	}

	private static List<EmbeddedRedisNode> sealed(Group group) {
		return group.redis.nodes()
			.stream()
			.filter((node) -> Long.valueOf(1).equals(node.execute("HEXISTS", "lock:nodes", "seal")))
			.toList();
	}

	/**
	 * No instance uses a group that is in no layout. Its nodes go on to fail, one in each
	 * phase, and nobody gives them back the seals that they lose: in the end a majority
	 * may have lost them, and cannot be known them any more than after a power cut.
	 */
	private void bringBack(Group group) {
		if (sealed(group).size() < NODES) {
			forgetSeals(group);
		}
	}

	/** Until as many nodes may fail again as before. */
	void recover() throws Exception {
		phase("recovery", () -> {
			Thread.sleep(RedisChaos.RECONNECT.toMillis());
			for (FleetInstance instance : this.fleet.instances()) {
				awaitVotes(instance);
			}
		});
	}

	/**
	 * Fails with each state of each node that does not vote, and for how long it was in
	 * it.
	 */
	private void awaitVotes(FleetInstance instance) throws Exception {
		VotingWatch watch = new VotingWatch();
		long begin = System.nanoTime();
		while (!watch.seen(instance.health(), elapsed(begin))) {
			assertThat(elapsed(begin)).as(() -> "%s: not all nodes vote again%n%s%nInstances: %s%nIts log ends:%n%s"
				.formatted(instance.name(), watch, this.fleet.instances().stream().map(FleetInstance::name).toList(),
						instance.logEnd()))
				.isLessThan(RECOVERY);
			Thread.sleep(250);
		}
	}

	private static Duration elapsed(long beginNanos) {
		return Duration.ofNanos(System.nanoTime() - beginNanos);
	}

	@Override
	List<String> left() {
		return this.groups.entrySet()
			.stream()
			.flatMap((group) -> RedisChaos.left(group.getValue().redis)
				.stream()
				.map((key) -> "group " + group.getKey() + ", " + key))
			.toList();
	}

	/** One lease later. */
	@Override
	List<String> leftInTheEnd() throws InterruptedException {
		Thread.sleep(ChaosClient.LEASE.toMillis());
		return left();
	}

	@Override
	public void close() throws Exception {
		this.fleet.close();
		super.close();
		this.groups.values().forEach(Group::close);
	}

	private record Group(EmbeddedRedis redis, List<LoopbackProxy> proxies, Nemesis nemesis) {

		private static Group start(Supplier<List<ChildJvm>> processes) {
			EmbeddedRedis redis = EmbeddedRedis.start(NODES);
			List<LoopbackProxy> proxies = redis.nodes().stream().map(LoopbackProxy::to).toList();
			return new Group(redis, proxies, new Nemesis(redis, proxies, processes));
		}

		private void close() {
			this.proxies.forEach(LoopbackProxy::close);
			this.redis.close();
		}

	}

}
