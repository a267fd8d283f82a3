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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.simulation.Violation.Invariant;
import io.quorlock.simulation.redis.SimulatedRedis.Key;

/**
 * One schedule: everything that its seed makes happen, one thing after another.
 */
final class World {

	static final List<String> NAMES = List.of("a", "b", "c");

	/** Of the leases of one process that are due together (R28). */
	static final List<String> DUE_TOGETHER = IntStream.range(0, 80).mapToObj((i) -> "m" + i).toList();

	/** Asked for by all at one instant, when all is well again. */
	static final String TICK = "d";

	/** An unanswered release is repeated after a second. */
	private static final long SETTLING = 1_400 * Plan.MILLI;

	/** By then all of those who asked at one instant have their reply. */
	private static final long TICK_NANOS = 1_000 * Plan.MILLI;

	static final long WALL_MICROS = 1_700_000_000_000_000L;

	final Chance chance;

	final Plan plan;

	private final @Nullable PairOfLists pair;

	final List<SimServer> servers = new ArrayList<>();

	final List<SimClient> clients = new ArrayList<>();

	final Ambush ambush;

	final Occupancy occupancy = new Occupancy();

	final FairOrder fairOrder;

	final Operator operator;

	final ClockFaults clockFaults;

	private final Agenda agenda = new Agenda();

	private final boolean tracing;

	/** Until when a key may cool down. */
	private final Map<String, Long> cooldownEnds = new HashMap<>();

	/** By name and permit, the greatest token that anybody got. */
	private final Map<String, Long> lastTokens = new HashMap<>();

	/** By name, the greatest token of a writer. */
	private final Map<String, Long> writersTokens = new HashMap<>();

	private long now;

	private long steps;

	private int grants;

	private int processes;

	private int losses;

	private long commands;

	private int jointRenewals;

	private int maxJoined;

	private boolean joinedDivided;

	private long messages;

	private boolean troubled = true;

	private int tickAskers;

	private int tickWinners;

	private long drainedAt;

	private boolean done;

	/** To write a handle down asks its clock, which must not change the schedule. */
	private boolean observed;

	private @Nullable Violation failure;

	World(long seed, boolean tracing) {
		this(seed, tracing, false, 0);
	}

	World(long seed, boolean tracing, boolean unsafeReplacement) {
		this(seed, tracing, unsafeReplacement, 0);
	}

	World(long seed, boolean tracing, boolean unsafeReplacement, int crowd) {
		this(seed, tracing, unsafeReplacement, crowd, null, null);
	}

	/** A schedule in which clocks are stepped for certain. */
	World(long seed, boolean tracing, ClockScenario clocks) {
		this(seed, tracing, false, 0, clocks, null);
	}

	/** Two instances with lists that differ. */
	World(long seed, boolean tracing, PairOfLists pair) {
		this(seed, tracing, false, 0, null, pair);
	}

	/** A crowd while clocks are stepped. */
	World(long seed, boolean tracing, int crowd, ClockScenario clocks) {
		this(seed, tracing, false, crowd, clocks, null);
	}

	private World(long seed, boolean tracing, boolean unsafeReplacement, int crowd, @Nullable ClockScenario clocks,
			@Nullable PairOfLists pair) {
		this.pair = pair;
		this.chance = new Chance(seed);
		this.plan = new Plan(this.chance, seed, unsafeReplacement, crowd, clocks, pair != null);
		this.tracing = tracing;
		this.fairOrder = new FairOrder(this.plan.fairToleranceMillis() * Plan.MILLI);
		int spare = (this.plan.replacement != Plan.Replacement.NONE) ? 1 : 0;
		for (int i = 0; i < this.plan.nodes + spare; i++) {
			this.servers
				.add(new SimServer(this, "node" + i, clockRate(), WALL_MICROS + wallOffset(0.05), i < this.plan.nodes));
		}
		this.ambush = new Ambush(this);
		this.operator = new Operator(this);
		this.clockFaults = new ClockFaults(this);
		for (int i = 0; i < this.plan.clients; i++) {
			this.clients.add(client(i, false));
		}
	}

	private SimClient client(int index, boolean newList) {
		int first = newList ? 1 : 0;
		List<SimServer> list = (this.pair != null) ? this.pair.list(index, this.servers)
				: this.servers.subList(first, first + this.plan.nodes);
		return new SimClient(this, index, this.processes++, list, clockRate(), clientWallOffset());
	}

	String nameOf(SimServer server, int client) {
		return (this.pair != null) ? this.pair.name(client, server, this.servers) : server.name;
	}

	/** A process begins. */
	void begin(int index, boolean newList) {
		SimClient client = client(index, newList);
		trace("%s begins%s", client, newList ? " with the new list of nodes" : "");
		this.clients.add(client);
		client.start();
	}

	/** Two clocks differ in rate by up to the drift factor. */
	private double clockRate() {
		// A little less where it would be a step: (1 + d / 2) / (1 - d / 2) > 1 + d.
		double max = this.plan.rare.clocksRead ? Plan.DRIFT / (2 + Plan.DRIFT) : Plan.DRIFT / 2;
		return this.plan.skewedClocks ? 1 + max * this.chance.oneOf(-1, 0, 1) : 1;
	}

	long clientWallOffset() {
		return WALL_MICROS + wallOffset(0.15);
	}

	/**
	 * What clients propose then differs by at most 4 * 0.15 + 2 * 0.1 quarantines, since
	 * a node's clock goes astray by another 0.05, which leaves an operation timeout to
	 * R9's bound.
	 */
	private long wallOffset(double quarantines) {
		long max = (long) (this.plan.leaseMillis * quarantines * 1_000);
		return this.plan.skewedClocks ? this.chance.between(-max, max + 1) : 0;
	}

	/** Runs the schedule; throws a {@link Violation} if it finds one. */
	void run() {
		trace("%s", this.plan);
		if (this.pair != null) {
			this.pair.plot(this);
			later(this.plan.troubleMillis * Plan.MILLI, () -> this.done = true);
		}
		else {
			plot();
		}
		while (!this.done) {
			Agenda.Event event = this.agenda.poll();
			if (!event.cancelled) {
				this.now = event.time();
				this.steps++;
				happen(event);
			}
		}
	}

	private void plot() {
		this.clients.forEach(SimClient::start);
		new Nemesis(this).plot();
		new Turnover(this).plot();
		this.operator.plot();
		this.clockFaults.plot();
		long trouble = this.plan.troubleMillis * Plan.MILLI;
		later(trouble, this::heal);
		long rejoined = this.plan.rare.clocks.ahead ? ClockFaults.REJOINING : 0;
		later(trouble + (this.plan.drainMillis() + this.plan.quarantineEndMillis() + rejoined) * Plan.MILLI,
				this::requestAtLast);
	}

	/** Ends the schedule, also from within the engine, which might keep an exception. */
	void fail(Violation violation) {
		if (this.failure == null) {
			this.failure = violation;
		}
	}

	private void happen(Agenda.Event event) {
		try {
			event.happen();
		}
		catch (Violation ex) {
			throw ex;
		}
		catch (RuntimeException | AssertionError ex) {
			throw new Violation(Invariant.NO_ERROR, ex);
		}
		if (this.failure != null) {
			throw this.failure;
		}
	}

	private void heal() {
		trace("all faults end");
		this.troubled = false;
		this.servers.forEach(SimServer::start);
		this.servers.forEach(SimServer::cure);
		this.clients.forEach((client) -> client.nodes.forEach(SimNode::heal));
		// Until what is under way has arrived, and a release was repeated.
		this.drainedAt = this.now + this.plan.drainMillis() * Plan.MILLI;
		long settled = this.plan.drainMillis() * Plan.MILLI + SETTLING;
		later(settled, () -> this.servers.forEach(SimServer::suspectLeftovers));
		later(settled + SETTLING + lingering(), () -> this.servers.forEach(SimServer::checkSuspects));
	}

	private void requestAtLast() {
		trace("all nodes count");
		this.clients.forEach(SimClient::requestAtLast);
		this.tickAskers = (int) this.clients.stream().filter((client) -> !client.isStopping()).count();
		if (this.plan.crowd == 0) {
			this.clients.forEach(SimClient::tick);
		}
		else {
			this.tickAskers = 0;
		}
		later(TICK_NANOS, this::checkTick);
		long held = this.plan.rare.longestHoldMillis(this.plan.leaseMillis);
		later(lingering() + (held + 3 * this.plan.leaseMillis + 5_000 + this.plan.drainMillis()) * Plan.MILLI,
				this::checkServed);
		later(SETTLING, this::checkEnd);
	}

	/** By so much longer may a key stay that nobody released in time. */
	private long lingering() {
		return this.plan.rare.lingerMillis() * Plan.MILLI;
	}

	void wonTick() {
		this.tickWinners++;
	}

	private void checkTick() {
		if (this.tickAskers > 0 && this.tickWinners == 0) {
			throw new Violation(Invariant.SOMEBODY_WINS,
					this.tickAskers + " asked at one instant without a wait, and nobody got the lock");
		}
	}

	private void checkServed() {
		for (SimClient client : this.clients) {
			for (SimUser user : client.users) {
				if (!user.isIdle()) {
					throw new Violation(Invariant.WAITERS_SERVED, user + " still waits or holds");
				}
			}
		}
	}

	private void checkEnd() {
		boolean drained = this.now > this.drainedAt;
		if (drained && this.clients.stream().allMatch((client) -> client.users.stream().allMatch(SimUser::isIdle))) {
			later(SETTLING + lingering(), () -> {
				this.servers.forEach(SimServer::checkNothingLeft);
				this.done = true;
			});
		}
		else {
			later(SETTLING, this::checkEnd);
		}
	}

	void checkTokens(SimUser user, LockHandle handle) {
		this.grants++;
		for (String name : handle.names()) {
			long token = handle.fencingToken(name);
			trace("%s: token of %s is %d", user, name, token);
			boolean reader = handle.mode() == LockMode.SHARED;
			String place = name + "#" + handle.permit();
			// R19: not less than that of any earlier writer, less than that of any later.
			long before = reader ? this.writersTokens.getOrDefault(name, 0L) - 1
					: this.lastTokens.getOrDefault(place, 0L);
			if (token < this.plan.rare.fencingFloor) {
				throw new Violation(Invariant.INCREASING_TOKENS, user + " got token " + token + " below the floor");
			}
			boolean twice = this.operator.mayBeHeldTwice(handle.names()) || this.clockFaults.mayOverlap(handle.names());
			if (token <= before && !twice) {
				throw new Violation(Invariant.INCREASING_TOKENS,
						"%s got token %d after %d".formatted(user, token, before));
			}
			this.lastTokens.merge(place, token, Math::max);
			if (!reader) {
				this.writersTokens.merge(name, token, Math::max);
			}
		}
	}

	void checkExclusion(SimUser user) {
		for (SimClient client : this.clients) {
			for (SimUser other : client.users) {
				if (other != user && user.excludes(other)
						&& !this.clockFaults.mayOverlap(user.names(), user.client(), client)) {
					throw new Violation(Invariant.MUTUAL_EXCLUSION, user + " and " + other);
				}
			}
		}
	}

	/** A lock that was handed out with a cool-down cools down until then (R18). */
	void coolsDown(LockRequest request, long fromNanos) {
		Duration atLeast = request.holdAtLeast();
		if (atLeast != null) {
			long slack = (this.plan.drainMillis() + this.plan.leaseMillis) * Plan.MILLI + 2 * SETTLING + lingering();
			long end = fromNanos + (long) (atLeast.toNanos() * (1 + Plan.DRIFT)) + slack;
			request.names().forEach((name) -> this.cooldownEnds.merge(SimServer.KEYS.lockKey(name), end, Math::max));
		}
	}

	boolean mayCoolDown(Key key) {
		return cooldownEnd(key) > this.now && key.isCoolingDown();
	}

	/** A writer that became a reader leaves its cool-down among the readers. */
	boolean mayCoolDownAmongReaders(Key key, long leftMillis) {
		return cooldownEnd(key) >= this.now + leftMillis * Plan.MILLI;
	}

	private long cooldownEnd(Key key) {
		return this.cooldownEnds.getOrDefault(key.name().replaceFirst(":permit:\\d+$|:readers$", ""), 0L);
	}

	long now() {
		return this.now;
	}

	long steps() {
		return this.steps;
	}

	int grants() {
		return this.grants;
	}

	void countCommand() {
		this.commands += this.troubled ? 1 : 0;
	}

	void countJointRenewal(List<NodeReply> replies) {
		this.jointRenewals += (replies.size() > 1) ? 1 : 0;
		this.maxJoined = Math.max(this.maxJoined, replies.size());
		this.joinedDivided |= replies.stream().map(Object::getClass).distinct().count() > 1;
	}

	/** How many leases one command renewed at most. */
	int maxJoined() {
		return this.maxJoined;
	}

	/** Whether a command renewed some leases and not others. */
	boolean isJoinedDivided() {
		return this.joinedDivided;
	}

	int jointRenewals() {
		return this.jointRenewals;
	}

	void countMessages(int messages) {
		this.messages += this.troubled ? messages : 0;
	}

	/** Until the end of the faults, per grant and node. */
	double commandsPerGrant() {
		return (double) this.commands / Math.max(1, this.grants) / this.plan.nodes;
	}

	double messagesPerGrant() {
		return (double) this.messages / Math.max(1, this.grants) / this.plan.nodes;
	}

	int losses() {
		return this.losses;
	}

	void countLoss() {
		this.losses++;
	}

	boolean isTroubled() {
		return this.troubled && !this.observed;
	}

	void at(long time, Agenda.Event event) {
		this.agenda.add(Math.max(time, this.now), event);
	}

	void putOff(long time, Agenda.Event event) {
		this.agenda.putOff(time, event);
	}

	void later(long delay, Runnable task) {
		at(this.now + delay, new Agenda.Event() {

			@Override
			void happen() {
				task.run();
			}

		});
	}

	/** Three zones: within one, messages take a fifth of the time. */
	long networkDelay(SimClient client, SimServer server) {
		boolean near = this.plan.crowd > 0 && client.index % 3 == this.servers.indexOf(server) % 3;
		long delay = near ? 50_000 + this.chance.below(50_000) : 50_000 + this.chance.below(500_000);
		boolean late = this.troubled && this.chance.onceIn(this.plan.lateOnceIn);
		return late ? delay + this.chance.below(this.plan.lateMillis * Plan.MILLI) : delay;
	}

	/** Mostly hiccups, sometimes about as long as it gets. */
	long pauseLength() {
		long max = this.plan.pauseMillis * Plan.MILLI;
		return 1 + this.chance.below(this.chance.oneOf(max / 20, max / 5, max));
	}

	void trace(String format, Object... args) {
		if (this.tracing) {
			this.observed = true;
			System.out.printf("%10.3f ms  %s%n", this.now / 1e6, format.formatted(args));
			this.observed = false;
		}
	}

}
