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

import io.quorlock.quorum.node.NodeCommand;

/**
 * Faults that wait for their moment. Some defects show only if a message is late, a node
 * restarts or a connection breaks within a few milliseconds of each other: this watches
 * what arrives at the servers, and strikes when it matters.
 */
final class Ambush {

	private static final long STEP = 2 * Plan.MILLI;

	private final World world;

	private final Chance chance;

	/** What is sent to it arrives late. */
	private final SimServer slow;

	/** Renewals of what it has arrive late. */
	private final SimServer stale;

	Ambush(World world) {
		this.world = world;
		this.chance = world.chance;
		int first = (int) this.chance.below(world.servers.size());
		this.slow = world.servers.get(first);
		this.stale = world.servers.get((first + 1) % world.servers.size());
		if (world.plan.ambush && !world.plan.skewedClocks) {
			// As if an attempt of somebody whose clock is ahead had failed.
			this.stale.raiseFences(World.WALL_MICROS + this.chance.below(world.plan.leaseMillis * 600));
		}
	}

	private boolean isOn() {
		return this.world.plan.ambush && this.world.isTroubled();
	}

	/** Lies in wait for a command that is on its way. */
	Trap trap(SimClient client, SimServer server, NodeCommand command) {
		return new Trap(client.index == 0, server, command);
	}

	/** What happens to one command when it arrives. */
	final class Trap {

		private final boolean prey;

		private final SimServer server;

		private final NodeCommand command;

		private final boolean patient;

		private long delayed = -1;

		private Trap(boolean prey, SimServer server, NodeCommand command) {
			this.prey = prey;
			this.server = server;
			this.command = command;
			this.patient = isOn() && (Ambush.this.chance.even() || (prey && Ambush.this.world.plan.longHolds));
		}

		/**
		 * How much longer the network keeps it, and what follows it on its connection.
		 */
		long delay() {
			if (!isOn()) {
				return 0;
			}
			long delay = (this.delayed < 0) ? firstDelay() : 0;
			this.delayed = Math.max(this.delayed, 0);
			// Where it would be refused in time it arrives just before it is too late.
			if (delay == 0 && this.patient && this.command instanceof NodeCommand.Acquire
					&& this.delayed < operationNanos() && this.server.isHeldByOther(this.command)) {
				delay = STEP;
			}
			this.delayed += delay;
			return delay;
		}

		private long firstDelay() {
			long lease = Ambush.this.world.plan.leaseMillis * Plan.MILLI;
			if (this.command instanceof NodeCommand.Renew) {
				return (this.prey && this.server == Ambush.this.stale && this.patient) ? lease : 0;
			}
			if (this.command instanceof NodeCommand.Acquire) {
				if (this.prey && this.server == Ambush.this.slow) {
					return this.patient ? lease : 0;
				}
				return Ambush.this.chance.onceIn(4) ? Ambush.this.chance.below(operationNanos() / 2) : 0;
			}
			return 0;
		}

		/** Whether it is lost together with its connection. */
		boolean swallows() {
			return isOn() && this.patient && this.command instanceof NodeCommand.Raise;
		}

		/** The node voted while another's lock is about to expire elsewhere. */
		void executed() {
			if (isOn() && this.command instanceof NodeCommand.Acquire && this.server.isHeldBy(this.command)
					&& Ambush.this.world.servers.stream()
						.anyMatch((other) -> other.isHeldByOther(this.command, operationNanos()))
					&& Ambush.this.chance.even()) {
				Ambush.this.world.trace("%s forgets its vote", this.server.name);
				Ambush.this.world.later(0, this.server::restart);
			}
		}

		private long operationNanos() {
			return Ambush.this.world.plan.operationMillis * Plan.MILLI;
		}

	}

}
