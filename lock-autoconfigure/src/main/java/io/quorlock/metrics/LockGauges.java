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

package io.quorlock.metrics;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.store.NodeState;
import io.quorlock.store.StoreStatus;

/**
 * Gauges of the locks that are held and waited for, of the nodes, and of the roles that
 * this instance leads. Their values are read from the engine when they are scraped.
 *
 * @since 0.1.0
 */
public final class LockGauges implements MeterBinder {

	/** The value of the tag {@code group} of nodes that form none. */
	private static final String DEFAULT_GROUP = "default";

	private static final long MAX_AGE_NANOS = 100_000_000;

	private final LockInspector inspector;

	private final LockTags tags;

	private final Collection<LeaderElection> elections;

	/** All gauges of a scrape use the same snapshot of the engine. */
	private volatile Counts counts = new Counts(Map.of(), Map.of(), Map.of(), System.nanoTime() - MAX_AGE_NANOS);

	/**
	 * Create the gauges.
	 * @param inspector provides the state of the engine
	 * @param tags limits the values of the tag {@code lock}
	 * @param elections know the roles and their leaders
	 */
	public LockGauges(LockInspector inspector, LockTags tags, Collection<LeaderElection> elections) {
		this.inspector = inspector;
		this.tags = tags;
		this.elections = List.copyOf(elections);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (NodeState node : this.inspector.status().nodes()) {
			node("available", "1 if the node is connected and votes", node.name(), NodeState::voting, registry);
			node("mismatch", "1 if another instance uses the node with a node list that contradicts ours", node.name(),
					NodeState::mismatch, registry);
		}
		bindGroups(registry);
		this.tags.forEach((lock) -> {
			register("distributed.lock.active", "Locks that this instance holds", lock, Counts::held, registry);
			register("distributed.lock.waiting", "Requests of this instance that wait for a lock", lock,
					Counts::waiting, registry);
		});
		this.tags.forEachWithPermits((lock) -> register("distributed.lock.permits", "Permits that this instance holds",
				lock, Counts::permits, registry));
		bindRoles(registry);
	}

	/** A gauge for each role: 1 on the instance that leads it, 0 on all others. */
	private void bindRoles(MeterRegistry registry) {
		for (LeaderElection election : this.elections) {
			for (String role : election.roles()) {
				Gauge.builder("distributed.lock.leader", this.elections, (all) -> isLed(all, role) ? 1 : 0)
					.description("1 if this instance leads the role")
					.tag("role", role)
					.register(registry);
			}
		}
	}

	/**
	 * Several elections may have a role of the same name, of which there is one gauge.
	 */
	private static boolean isLed(Collection<LeaderElection> elections, String role) {
		return elections.stream().anyMatch((each) -> each.roles().contains(role) && each.isLeader(role));
	}

	/**
	 * The nodes form one group where none are configured, so that rules need no cases.
	 */
	private void bindGroups(MeterRegistry registry) {
		Set<String> ids = this.inspector.status().groups().keySet();
		for (String id : ids.isEmpty() ? Set.of(DEFAULT_GROUP) : ids) {
			group("available", "1 if a quorum of the group votes", id, (group) -> group.available() ? 1 : 0, registry);
			group("nodes", "Nodes of the group", id, (group) -> group.nodes().size(), registry);
			group("votes", "Nodes of the group that are connected and vote", id, StoreStatus::voting, registry);
			group("quorum", "Votes that a lock of the group needs", id, StoreStatus::required, registry);
		}
	}

	private void group(String name, String description, String id, ToIntFunction<StoreStatus> value,
			MeterRegistry registry) {
		Gauge
			.builder("distributed.lock.group." + name, this.inspector,
					(each) -> value.applyAsInt(statusOf(each.status(), id)))
			.description(description)
			.tag("group", id)
			.register(registry);
	}

	private static StoreStatus statusOf(StoreStatus all, String id) {
		return all.groups().getOrDefault(id, all);
	}

	private void node(String name, String description, String node, Predicate<NodeState> value,
			MeterRegistry registry) {
		Gauge
			.builder("distributed.lock.node." + name, this.inspector,
					(each) -> each.status()
						.nodes()
						.stream()
						.anyMatch((state) -> state.name().equals(node) && value.test(state)) ? 1 : 0)
			.description(description)
			.tag("node", node)
			.register(registry);
	}

	private void register(String name, String description, String lock, Function<Counts, Map<String, Integer>> byTag,
			MeterRegistry registry) {
		Gauge.builder(name, this, (each) -> byTag.apply(each.counts()).getOrDefault(lock, 0))
			.description(description)
			.tag("lock", lock)
			.register(registry);
	}

	private Counts counts() {
		long now = System.nanoTime();
		Counts counts = this.counts;
		if (now - counts.takenNanos() >= MAX_AGE_NANOS) {
			counts = new Counts(take(this.inspector.heldByBaseName()), take(this.inspector.waitingByBaseName()),
					take(this.inspector.permitsByBaseName()), now);
			this.counts = counts;
		}
		return counts;
	}

	private Map<String, Integer> take(Map<String, Integer> byBaseName) {
		Map<String, Integer> byTag = new HashMap<>();
		byBaseName.forEach((baseName, count) -> byTag.merge(this.tags.valueOf(baseName), count, Integer::sum));
		return byTag;
	}

	/** How many locks and requests there are, by the tag {@code lock}. */
	private record Counts(Map<String, Integer> held, Map<String, Integer> waiting, Map<String, Integer> permits,
			long takenNanos) {
	}

}
