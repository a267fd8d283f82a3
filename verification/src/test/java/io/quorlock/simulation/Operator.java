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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.quorlock.LockHandle;
import io.quorlock.engine.LockInspector;
import io.quorlock.simulation.Violation.Invariant;

/**
 * Takes locks away, and asks for them.
 */
final class Operator {

	private final World world;

	private final Chance chance;

	private final Rarities rare;

	/** By name, until when two may hold what was taken away from one of them. */
	private final Map<String, Long> forcedUntil = new HashMap<>();

	private int forced;

	private int requested;

	Operator(World world) {
		this.world = world;
		this.chance = world.chance;
		this.rare = world.plan.rare;
	}

	void plot() {
		repeat(this.rare.forcedReleases, this::force);
		repeat(this.rare.releaseRequests, this::request);
		repeat(this.rare.spoiltFences, this::spoil);
	}

	private void repeat(int times, Runnable action) {
		for (int i = 0; i < times; i++) {
			this.world.later(this.chance.below(this.world.plan.troubleMillis * Plan.MILLI), action);
		}
	}

	private String anyName() {
		if (this.rare.dueTogether > 0 && this.chance.even()) {
			return anyOfThoseDueTogether();
		}
		return World.NAMES.get((int) this.chance.below(this.world.plan.names));
	}

	private String anyOfThoseDueTogether() {
		return World.DUE_TOGETHER.get((int) this.chance.below(this.rare.dueTogether));
	}

	private void spoil() {
		SimServer server = this.world.servers.get((int) this.chance.below(this.world.servers.size()));
		String name = anyOfThoseDueTogether();
		if (server.isUp() && !server.isAiling()) {
			this.world.trace("the fence of %s on %s is overwritten", name, server.name);
			server.setFence(name, "garbage");
		}
	}

	private List<SimClient> running() {
		return this.world.clients.stream().filter((client) -> !client.isStopping() && !client.wasStopped()).toList();
	}

	private void force() {
		String name = anyName();
		List<SimClient> clients = running();
		if (clients.isEmpty()) {
			return;
		}
		// Where it is held, or anywhere if what it was left behind by is dead.
		SimClient client = clients.stream()
			.filter((each) -> each.users.stream().anyMatch((user) -> user.holds(name)))
			.min(Comparator.comparing(SimClient::toString))
			.orElse(clients.get((int) this.chance.below(clients.size())));
		client.later(0, () -> {
			if (client.isStopping()) {
				return;
			}
			this.world.trace("%s takes %s away", client, name);
			this.forced++;
			// A lease of another instance goes on until it is renewed.
			long known = this.world.plan.leaseMillis * 2 + this.world.plan.drainMillis() + this.rare.lingerMillis()
					+ 3 * this.world.plan.operationMillis;
			this.forcedUntil.put(name, this.world.now() + known * Plan.MILLI);
			this.world.clients.forEach((each) -> each.users.forEach((user) -> user.excuse(name)));
			new LockInspector(client.engine).forceRelease(name);
			for (SimUser user : client.users) {
				if (user.holds(name)) {
					throw new Violation(Invariant.LOST_STAYS_LOST, user + " holds what was taken away from it");
				}
			}
		});
	}

	private void request() {
		List<SimClient> clients = running();
		if (!clients.isEmpty()) {
			String name = anyName();
			SimClient client = clients.get((int) this.chance.below(clients.size()));
			client.later(0, () -> {
				if (!client.isStopping()) {
					this.world.trace("%s asks the holders of %s to release it", client, name);
					new LockInspector(client.engine).requestRelease(name, Duration.ofSeconds(1));
				}
			});
		}
	}

	/** The holder releases soon after it was asked. */
	void listen(SimUser user, SimClient client, LockHandle handle) {
		if (this.rare.releaseRequests > 0 && this.chance.even()) {
			handle.onReleaseRequested((request) -> {
				this.requested++;
				client.later(this.chance.below(5 * Plan.MILLI), () -> user.releaseIfIts(handle));
			});
		}
	}

	/** Whether two may hold one of the names, since it was taken away. */
	boolean mayBeHeldTwice(List<String> names) {
		return names.stream().anyMatch((name) -> this.forcedUntil.getOrDefault(name, 0L) > this.world.now());
	}

	int forced() {
		return this.forced;
	}

	int requested() {
		return this.requested;
	}

}
