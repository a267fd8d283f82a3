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

package io.quorlock.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Move;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.Seals;

/**
 * A move of all names from group {@code a} to group {@code b} (R23): instances restart
 * with the next version, one after the other, and one is forgotten. The nodes of the old
 * group lose their memory at a bad moment.
 */
final class Migration {

	/** Of so many schedules one moves names. */
	static final int ONCE_IN = 64;

	/** How long such a schedule takes. */
	static final long MILLIS = 16_000;

	/** A node that lost its memory may get its record back only when all is well. */
	static final long REJOINING = 4_000;

	private static final int OLD = 1;

	private static final int JOINT = 2;

	private static final int NEW = 3;

	private static final Sharding BEFORE = new Sharding(List.of("a"), Sharding.By.NAME);

	private static final Sharding AFTER = new Sharding(List.of("b"), Sharding.By.NAME);

	private final World world;

	private final Chance chance;

	Migration(World world) {
		this.world = world;
		this.chance = world.chance;
	}

	/** The groups that an instance of a version knows. */
	static Map<String, List<SimServer>> groups(World world, int version) {
		int nodes = world.plan.nodes;
		Map<String, List<SimServer>> groups = new TreeMap<>();
		groups.put("a", world.servers.subList(0, nodes));
		if (version > OLD) {
			groups.put("b", world.servers.subList(nodes, 2 * nodes));
		}
		return groups;
	}

	static LockEngine engine(World world, SimClient client, Map<String, List<SimServer>> groups, int version,
			Executor callbacks) {
		TestSettings settings = world.plan.settings(client.toString());
		Map<String, QuorumStore> stores = new TreeMap<>();
		Map<String, LongSupplier> waits = new TreeMap<>();
		Map<String, Seals> seals = new TreeMap<>();
		Sharding sharding = (version == OLD) ? BEFORE : AFTER;
		groups.forEach((id, servers) -> {
			Layout layout = new Layout(sharding.layoutOf(id, version, (version > OLD) ? BEFORE : null), version,
					(version == NEW) ? JOINT : 0, sealAge(world.plan));
			Membership membership = new Membership(servers.stream().map((server) -> server.name).toList(), layout);
			List<SimNode> nodes = new ArrayList<>();
			servers.forEach((server) -> nodes.add(new SimNode(world, client, server, membership, nodes.size())));
			client.nodes.addAll(nodes);
			seals.put(id, membership.seals());
			stores.put(id, new QuorumStore(TestEngines.quorum(settings, world.chance::nextLong), nodes, client, client,
					List.of(), membership.seals()::greatestTokenBefore));
			if (id.equals("a")) {
				waits.put(id, () -> membership.seals().waitNanos(client.nanoTime(), client.nanoTime()));
			}
		});
		if (version == NEW) {
			seals.values().forEach((group) -> group.follow(List.of(seals.get("a"))));
		}
		return TestEngines.over(
				new GroupedLeaseStore(sharding, move(version, waits), stores, Duration.ZERO, client::nanoTime),
				settings, client, client, callbacks);
	}

	private static @Nullable Move move(int version, Map<String, LongSupplier> waits) {
		return switch (version) {
			case JOINT -> Move.begun(BEFORE);
			case NEW -> Move.ending(BEFORE, waits);
			default -> null;
		};
	}

	private static Duration sealAge(Plan plan) {
		return Duration.ofNanos((long) (plan.quarantine().toNanos() * (1 + Plan.DRIFT))).plusSeconds(1);
	}

	void plot() {
		for (int i = 0; i < this.world.plan.clients; i++) {
			int instance = i;
			long joint = this.chance.between(300, 2_000);
			this.world.later(joint * Plan.MILLI, () -> replace(instance, JOINT));
			if (this.chance.onceIn(4)) { // changed one's mind, and back
				this.world.later(this.chance.between(2_000, 2_300) * Plan.MILLI, () -> replace(instance, OLD));
				this.world.later(this.chance.between(2_300, 2_600) * Plan.MILLI, () -> replace(instance, JOINT));
			}
			this.world.later(this.chance.between(2_700, 4_000) * Plan.MILLI, () -> replace(instance, NEW));
		}
		this.world.later((MILLIS - 1) * Plan.MILLI, () -> client(this.world.plan.clients).kill());
		if (this.chance.even()) {
			forget();
		}
		else if (this.chance.even()) {
			SimServer server = this.world.servers.get((int) this.chance.below(2L * this.world.plan.nodes));
			this.world.later(this.chance.between(500, 9_000) * Plan.MILLI, server::restart);
		}
	}

	/** The seal reaches two nodes only, of which one loses its memory. */
	private void forget() {
		int unreached = (int) this.chance.below(this.world.plan.nodes);
		int forgetful = (unreached + 1 + (int) this.chance.below(this.world.plan.nodes - 1L)) % this.world.plan.nodes;
		for (long at = 2_600; at < 4_500; at += 50) {
			this.world.later(at * Plan.MILLI,
					() -> this.world.clients.stream()
						.filter((client) -> client.index < this.world.plan.clients)
						.forEach((client) -> hold(client, unreached)));
		}
		this.world.later(this.chance.between(4_000, 8_000) * Plan.MILLI, this.world.servers.get(forgetful)::restart);
	}

	private void hold(SimClient client, int node) {
		long until = MILLIS * Plan.MILLI;
		client.nodes.get(node).hold(until, until);
	}

	/** Kills an instance, or shuts it down, and starts it with another version. */
	private void replace(int instance, int version) {
		client(instance).kill();
		this.world.begin(instance, version);
	}

	private SimClient client(int instance) {
		return this.world.clients.stream().filter((client) -> client.index == instance).findFirst().orElseThrow();
	}

}
