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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.quorlock.simulation.Violation.Invariant;

/**
 * Steps the wall clocks of servers, and says what must hold nevertheless (R27). A node
 * whose clock is stepped ahead ends its leases early and may grant them again, until each
 * client has noticed: only grants with such a vote may overlap others, and only as long
 * as a lease from before the step lasts.
 */
final class ClockFaults {

	/** Once a second, and a tick later the other nodes, in which the step is judged. */
	private static final long NOTICED_WITHIN = 1_750 * Plan.MILLI;

	/** A step is noticed this much later, if nothing else is amiss any more. */
	static final long REJOINING = 5_000;

	private final World world;

	private final Chance chance;

	private final Rarities rare;

	/** By client and name, when a stepped node voted last for it. */
	private final Map<SimClient, Map<String, Long>> doubtfulVotes = new HashMap<>();

	private long steppedAt = -1;

	private long firstStepAt;

	private int steps;

	private int notices;

	private int checks;

	private int overlaps;

	ClockFaults(World world) {
		this.world = world;
		this.chance = world.chance;
		this.rare = world.plan.rare;
	}

	void plot() {
		for (int i = 0; i < this.rare.clockSteps; i++) {
			this.world.later(this.chance.below(this.world.plan.troubleMillis * Plan.MILLI), this::strike);
		}
	}

	/** Always the same servers: no majority is stepped but where all are. */
	private void strike() {
		long ahead = this.rare.forwardMillis;
		switch (this.rare.clocks) {
			case ONE_AHEAD -> step(this.world.servers.subList(0, 1), ahead);
			case TWO_AHEAD -> step(this.world.servers.subList(0, 2), ahead);
			case ALL_AHEAD -> step(this.world.servers, ahead);
			case ONE_BACK -> step(this.world.servers.subList(0, 1), -this.rare.backwardMillis);
			case ALL_BACK -> step(this.world.servers, -this.rare.backwardMillis);
			case SUSPENDED -> suspend(this.world.servers.get(0), ahead);
			default -> {
			}
		}
	}

	private void suspend(SimServer server, long millis) {
		long suspended = Math.min(millis, this.world.plan.leaseMillis);
		this.world.trace("%s is suspended for %d ms", server.name, suspended);
		server.freeze(this.world.now() + suspended * Plan.MILLI);
		server.stepClock(-suspended * 1_000);
		long right = suspended + this.chance.oneOf(0, 50, 600);
		this.world.later(right * Plan.MILLI, () -> step(List.of(server), suspended));
	}

	private void step(List<SimServer> servers, long millis) {
		for (SimServer server : servers) {
			this.world.trace("the clock of %s steps by %d ms", server.name, millis);
			server.stepClock(millis * 1_000);
		}
		this.firstStepAt = (this.steps++ == 0) ? this.world.now() : this.firstStepAt;
		long before = this.steppedAt;
		long when = this.world.now();
		this.steppedAt = when;
		if (!this.world.isTroubled() || !this.world.plan.isPunctual() || this.rare.clocks == ClockScenario.SUSPENDED
				|| millis < 0) {
			return;
		}
		List<SimClock> comparing = new ArrayList<>();
		for (SimClient client : this.world.clients) {
			client.nodes.stream()
				.filter((node) -> servers.contains(node.server) && node.isComparingSinceBefore(when))
				.map(SimNode::clock)
				// A step that is not judged yet may keep the next one waiting.
				.filter((clock) -> clock != null && hasNoticed(clock, before))
				.forEach(comparing::add);
		}
		this.world.later(NOTICED_WITHIN, () -> comparing.forEach((clock) -> checkNoticed(clock, when)));
	}

	private void checkNoticed(SimClock clock, long when) {
		SimClient client = clock.client();
		// Of two steps of all in a row, the first may not show any more.
		boolean hidden = this.rare.clocks.all && this.steppedAt != when;
		if (hidden || !this.world.clients.contains(client) || client.wasStopped() || !clock.comparesSinceBefore(when)) {
			return;
		}
		this.checks++;
		if (!hasNoticed(clock, when)) {
			throw new Violation(Invariant.STEP_NOTICED,
					clock + " was stepped at %.3f ms, which is not noticed".formatted(when / 1e6));
		}
	}

	private boolean hasNoticed(SimClock clock, long when) {
		// What all do together is reported once in five seconds.
		return when < 0 || (this.rare.clocks.all ? clock.ownNoticedAt() > Math.max(0, when - 5_000 * Plan.MILLI)
				: clock.noticedAt() > when);
	}

	void noticed(SimClock clock, SimServer server, boolean proven) {
		this.notices++;
		boolean stepped = this.rare.clocks.ahead && clock.notices() <= server.stepsAhead();
		// A node that cannot be compared with others is believed (R27).
		// Of two steps in a row, the first cannot be told from the second everywhere.
		boolean comparable = this.world.plan.isPunctual() && this.steps == 1
				&& clock.client().nodes.stream().allMatch((node) -> node.isComparingSinceBefore(this.firstStepAt));
		boolean alone = !proven && !comparable;
		if (!stepped || (this.rare.clocks.all && !alone)) {
			this.world.fail(new Violation(Invariant.NO_FALSE_ALARM, clock + " was not stepped on its own"));
		}
		if (proven) {
			server.doubt();
		}
	}

	void noticedOwn(SimClock clock) {
		if (this.rare.clocks != ClockScenario.ALL_AHEAD) {
			this.world.fail(new Violation(Invariant.NO_FALSE_ALARM, clock + " did not step with the others"));
		}
	}

	/** From the notice on until every lease from before has ended. */
	void checkVoting(SimClock clock, boolean voting) {
		long lease = this.world.plan.leaseMillis * Plan.MILLI;
		if (voting && clock.noticedAt() > clock.client().instant() - lease) {
			this.world.fail(new Violation(Invariant.STEPPED_EXCLUDED, clock + " was stepped, and the node votes"));
		}
	}

	/** A vote of a node that may have forgotten a lease, and of whom nobody knows it. */
	void voted(SimClient client, SimServer server, List<String> names) {
		if (this.rare.clocks.ahead && server.steppedAheadAt() > this.world.now() - longestLease()) {
			Map<String, Long> votes = this.doubtfulVotes.computeIfAbsent(client, (each) -> new HashMap<>());
			names.forEach((name) -> votes.put(name, this.world.now()));
		}
	}

	/** Whether two may hold one of the names, since one of them has a doubtful vote. */
	boolean mayOverlap(List<String> names, SimClient... clients) {
		for (SimClient client : clients) {
			if (hasDoubtfulVote(client, names)) {
				this.overlaps++;
				return true;
			}
		}
		return false;
	}

	/** Whether somebody may have got one of the names beside its holder. */
	boolean mayOverlap(List<String> names) {
		return this.doubtfulVotes.keySet().stream().anyMatch((client) -> hasDoubtfulVote(client, names));
	}

	private boolean hasDoubtfulVote(SimClient client, List<String> names) {
		Map<String, Long> votes = this.doubtfulVotes.getOrDefault(client, Map.of());
		long since = this.world.now() - longestLease();
		return names.stream().anyMatch((name) -> votes.getOrDefault(name, Long.MIN_VALUE) > since);
	}

	private long longestLease() {
		Plan plan = this.world.plan;
		return (long) (plan.leaseMillis * (1 + 2 * Plan.DRIFT) + plan.operationMillis) * Plan.MILLI;
	}

	int steps() {
		return this.steps;
	}

	int notices() {
		return this.notices;
	}

	int checks() {
		return this.checks;
	}

	int overlaps() {
		return this.overlaps;
	}

}
