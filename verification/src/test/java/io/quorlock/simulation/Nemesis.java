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

import io.quorlock.simulation.redis.SimulatedRedis.Ailment;

/**
 * Plans the faults of a schedule.
 */
final class Nemesis {

	/** No step of a client's own clock matters (R9): hours, a day and more, decades. */
	private static final long[] FAR_MICROS = { 0, 60_000_000L, -60_000_000L, 3_600_000_000L, -100_000_000_000L,
			-World.WALL_MICROS, World.WALL_MICROS };

	private final World world;

	private final Chance chance;

	Nemesis(World world) {
		this.world = world;
		this.chance = world.chance;
	}

	void plot() {
		for (int i = 0; i < this.world.plan.faults; i++) {
			long when = this.chance.below(this.world.plan.troubleMillis * Plan.MILLI);
			this.world.later(when, this::strike);
		}
	}

	private void strike() {
		if (this.world.clients.isEmpty()) {
			return;
		}
		switch ((int) this.chance.below(11)) {
			case 0, 1 -> {
				if (this.world.plan.crashes) {
					crash();
				}
				else {
					cut();
				}
			}
			case 2 -> {
				SimServer server = anyServer();
				this.world.trace("%s freezes", server.name);
				server.freeze(until());
			}
			case 3 -> cut();
			case 4 -> partition();
			case 5 -> isolate();
			case 6 -> {
				SimClient client = anyClient();
				this.world.trace("%s stands still", client);
				client.pause(until());
			}
			case 7 -> {
				SimClient client = anyClient();
				this.world.trace("the wall clock of %s jumps", client);
				client.jumpWallClock(this.world.clientWallOffset() + this.chance.oneOf(FAR_MICROS));
			}
			case 8, 9 -> ail();
			default -> {
				SimServer server = anyServer();
				this.world.trace("%s forgets its scripts", server.name);
				server.forgetScripts();
			}
		}
	}

	/** One node, or several as where the memory of all is full, reply with errors. */
	private void ail() {
		Ailment ailment = Ailment.values()[(int) this.chance.below(Ailment.values().length)];
		long until = until();
		do {
			SimServer server = anyServer();
			this.world.trace("%s replies with %s", server.name, ailment);
			server.ail(ailment);
			this.world.later(until - this.world.now(), server::cure);
		}
		while (this.chance.even());
	}

	/** Mostly one node, sometimes more at once; up again soon, empty. */
	private void crash() {
		do {
			SimServer server = anyServer();
			this.world.trace("%s crashes", server.name);
			server.crash();
			this.world.later(this.chance.below(1 + this.chance.oneOf(0, 50, 500) * Plan.MILLI), server::start);
		}
		while (this.chance.onceIn(3));
	}

	private void cut() {
		SimClient client = anyClient();
		boolean swallow = this.chance.even();
		for (SimNode node : client.nodes) {
			if (this.chance.onceIn(2)) {
				this.world.trace("the connection of %s to %s breaks", client, node.name());
				node.cut(swallow);
			}
		}
	}

	/** Some connections, in one direction or in both. */
	private void partition() {
		long until = until();
		for (SimClient client : this.world.clients) {
			for (SimNode node : client.nodes) {
				if (this.chance.onceIn(3)) {
					this.world.trace("nothing gets through between %s and %s", client, node.name());
					node.hold(this.chance.even() ? until : 0, this.chance.even() ? until : 0);
				}
			}
		}
	}

	/** All connections of one client, or all but one. */
	private void isolate() {
		SimClient client = anyClient();
		long until = until();
		boolean requests = this.chance.even();
		SimNode spared = client.nodes.get((int) this.chance.below(client.nodes.size()));
		boolean sparesOne = this.chance.even();
		this.world.trace("nothing gets %s %s any more", requests ? "out of" : "into", client);
		for (SimNode node : client.nodes) {
			if (node != spared || !sparesOne) {
				node.hold(requests ? until : 0, requests ? 0 : until);
			}
		}
	}

	private SimServer anyServer() {
		return this.world.servers.get((int) this.chance.below(this.world.servers.size()));
	}

	private SimClient anyClient() {
		return this.world.clients.get((int) this.chance.below(this.world.clients.size()));
	}

	private long until() {
		return this.world.now() + this.world.pauseLength();
	}

}
