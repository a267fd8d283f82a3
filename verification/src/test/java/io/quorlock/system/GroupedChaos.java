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
import java.util.stream.Collectors;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.system.ChaosClient.Pace;
import io.quorlock.system.Nemesis.Fault;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that take locks in two groups of three Redis nodes behind proxies (R23),
 * and are deployed anew.
 */
final class GroupedChaos extends ChaosCluster {

	private static final int NODES = 3;

	/** Much longer than a quarantine, on a machine that is busy, too. */
	private static final Duration RECOVERY = Duration.ofSeconds(90);

	private final Map<String, Group> groups = new TreeMap<>();

	private final Fleet fleet;

	private final List<String> deployment = new ArrayList<>();

	GroupedChaos(Path logs) throws IOException {
		for (String id : List.of("a", "b")) {
			Group group = Group.start(this::processes);
			this.groups.put(id, group);
			this.deployment.add("distributed-lock.groups.%s.nodes=%s".formatted(id,
					group.proxies.stream().map(LoopbackProxy::uri).collect(Collectors.joining(","))));
		}
		this.fleet = new Fleet(new Fleet.Settings(THREADS, Pace.HASTY, server().port(), logs,
				List.of("distributed-lock.lease-time=2s", "distributed-lock.max-lease-time=2s",
						"distributed-lock.wait-time=1s", "distributed-lock.connection.operation-timeout=250ms",
						"distributed-lock.retry.min-delay=10ms", "distributed-lock.retry.max-delay=200ms",
						"distributed-lock.node-mismatch=fail")));
		this.fleet.deploy(PROCESSES, this.deployment);
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

	/** No node loses its memory. */
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

	/** As deployments and power cuts do, while things fail. */
	void roll() throws Exception {
		torment("minority of each group, instances replaced", () -> {
			for (FleetInstance instance : this.fleet.instances()) {
				this.fleet.replace(instance, this.deployment,
						ThreadLocalRandom.current().nextBoolean() ? FleetInstance::stop : FleetInstance::close);
			}
		});
		recover();
	}

	private Group group(String id) {
		Group group = this.groups.get(id);
		assertThat(group).isNotNull();
		return group;
	}

	/** A majority of one group forgets what was held. */
	void cutPower() throws Exception {
		phase("majority of one group restarted at once", () -> group("b").nemesis.cutPower(NODES / 2 + 1));
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
