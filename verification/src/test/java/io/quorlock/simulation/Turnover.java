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

import java.util.Optional;

import io.quorlock.simulation.Plan.Replacement;

/**
 * Processes that are killed or shut down, and others that begin in their place; among
 * them those that begin with the new list when a node is replaced.
 */
final class Turnover {

	private final World world;

	private final Chance chance;

	/** Which instances have been told of the new list of nodes. */
	private final boolean[] told;

	Turnover(World world) {
		this.world = world;
		this.chance = world.chance;
		this.told = new boolean[world.plan.clients];
	}

	void plot() {
		long trouble = this.world.plan.troubleMillis * Plan.MILLI;
		for (int i = 0; i < this.world.plan.endings; i++) {
			this.world.later(this.chance.below(trouble), this::end);
		}
		if (this.world.plan.replacement == Replacement.NONE) {
			return;
		}
		long removal = this.chance.below(trouble / 8);
		// The unsafe order: new lists start while the old node still votes.
		boolean first = this.world.plan.replacement == Replacement.OLD_NODE_STOPPED_FIRST;
		this.world.later(first ? removal : trouble - 1, this.world.servers.get(0)::remove);
		for (int i = 0; i < this.told.length; i++) {
			int instance = i;
			this.world.later(removal + 1 + i * this.chance.below(trouble * 3 / 8), () -> tell(instance));
		}
	}

	private void end() {
		int instance = (int) this.chance.below(this.told.length);
		client(instance).ifPresent((client) -> {
			boolean succeeded = this.chance.even();
			if (this.chance.even()) {
				client.kill();
				if (succeeded) {
					this.world.later(this.chance.below(500 * Plan.MILLI), () -> begin(instance));
				}
			}
			else {
				client.stop(succeeded);
			}
		});
	}

	private void tell(int instance) {
		this.told[instance] = true;
		client(instance).ifPresent(SimClient::kill);
		begin(instance);
	}

	private void begin(int instance) {
		if (client(instance).isEmpty()) {
			this.world.begin(instance, this.told[instance]);
		}
	}

	private Optional<SimClient> client(int instance) {
		return this.world.clients.stream().filter((client) -> client.index == instance).findFirst();
	}

}
