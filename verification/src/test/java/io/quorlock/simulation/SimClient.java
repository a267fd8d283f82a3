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

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.OtherLists;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * A process: an engine, its users, and clocks that go at their own rate. It may stand
 * still between any two events, and in the midst of one wherever it looks at the clock or
 * sends something: then what it does next is late, while the world goes on.
 */
final class SimClient implements LockClock, LockTimer {

	private static final Duration CLOCKS_COMPARED_WITHIN = Duration.ofSeconds(60);

	private final World world;

	final int index;

	private final String name;

	private final double rate;

	private final long origin;

	private long wallOffsetMicros;

	private long pausedUntil;

	private long pausedInAll;

	private boolean running;

	private long lastInstant = -10;

	private boolean lookFirst;

	private boolean gone;

	private boolean stopping;

	private boolean stopped;

	/** For how long the process has stood still in the midst of the running event. */
	private long lag;

	final List<SimNode> nodes = new ArrayList<>();

	private final List<Long> attempts = new ArrayList<>();

	private @Nullable Attempt lastAttempt;

	private long requests;

	final List<SimUser> users = new ArrayList<>();

	final LockEngine engine;

	private final String list;

	SimClient(World world, int index, int process, List<SimServer> servers, double rate, long wallOffsetMicros) {
		this.world = world;
		this.index = index;
		this.name = "client" + index + ((process != index) ? "." + process : "");
		this.rate = rate;
		this.wallOffsetMicros = wallOffsetMicros;
		this.origin = world.chance.below(1L << 50);
		Membership membership = new Membership(servers.stream().map((server) -> world.nameOf(server, index)).toList(),
				"", new ClockSteps(servers.size(), CLOCKS_COMPARED_WITHIN, Plan.DRIFT));
		this.list = membership.identity();
		servers.forEach((server) -> this.nodes.add(world.plan.rare.clocksRead
				? new SimNode(world, this, server, membership) : new SimNode(world, this, server)));
		if (world.plan.isListsDiffering()) {
			for (int i = 0; i < this.nodes.size(); i++) {
				this.nodes.get(i).keepLists(new OtherLists(membership, i, world.plan.listsRemembered()));
			}
		}
		this.engine = TestEngines.create(world.plan.settings(this.name), world.plan::customize, this.nodes, this, this,
				(task) -> later(world.chance.below(100_000), task), world.chance::nextLong);
		addUsers();
	}

	private void addUsers() {
		for (int i = 0; i < this.world.plan.users; i++) {
			this.users.add(new SimUser(this.world, this, this.world.plan.requests));
		}
		List<String> dueTogether = World.DUE_TOGETHER.subList(0, this.world.plan.rare.dueTogether);
		if (this.index == 0) {
			dueTogether.forEach((name) -> this.users.add(new SimUser(this.world, this, List.of(name))));
		}
		else if (!dueTogether.isEmpty()) {
			this.users.add(new SimUser(this.world, this, dueTogether));
		}
	}

	void start() {
		later(0, this.engine::start);
		this.users.forEach(SimUser::start);
	}

	/** Return the list of its nodes, as records tell it. */
	String list() {
		return this.list;
	}

	/** R10: no vote counts before each node was asked for the lists of others. */
	boolean isTried() {
		return this.nodes.stream().allMatch(SimNode::isTried);
	}

	/** When all is well again, everybody must get the lock. */
	void requestAtLast() {
		SimUser last = new SimUser(this.world, this, 0);
		this.users.add(last);
		later(0, last::requestAtLast);
	}

	/** As a scheduled job does: it asks at the same instant as the others. */
	void tick() {
		SimUser job = new SimUser(this.world, this, 0);
		this.users.add(job);
		later(this.world.chance.below(2 * Plan.MILLI), job::tick);
	}

	/** Ends it as SIGKILL does: what it has sent may still arrive. */
	void kill() {
		this.world.trace("%s is killed", this);
		this.gone = true;
		this.nodes.forEach(SimNode::processEnded);
		this.world.clients.remove(this);
	}

	/** Stops its engine, and starts it again or ends the process (R14). */
	void stop(boolean again) {
		later(0, () -> {
			if (this.stopping) {
				return;
			}
			this.world.trace("%s stops", this);
			this.stopped = true;
			// One thread cannot wait within stop(): its nodes go on for as long.
			Thread.currentThread().interrupt();
			try {
				this.engine.stop();
			}
			finally {
				Thread.interrupted();
			}
			this.stopping = true;
			this.users.forEach(SimUser::engineStopped);
			later(4 * this.world.plan.operationMillis * Plan.MILLI, () -> behindAnswers(3, () -> stopped(again)));
		});
	}

	/**
	 * An answer takes some steps, and after a pause all that was put off runs at once.
	 */
	private void behindAnswers(int steps, Runnable task) {
		later(Plan.MILLI, (steps > 1) ? () -> behindAnswers(steps - 1, task) : task);
	}

	private void stopped(boolean again) {
		this.users.forEach(SimUser::checkStopped);
		if (this.world.plan.isCalm()) {
			this.world.servers.forEach((server) -> server.checkNothingLeft(this));
		}
		this.nodes.forEach(SimNode::disconnect);
		if (again) {
			this.world.trace("%s starts again", this);
			this.stopping = false;
			this.engine.start();
			this.users.clear();
			addUsers();
			this.users.forEach(SimUser::start);
		}
		else {
			this.world.later(0, this::kill);
		}
	}

	/** Who was stopped repeats no release. */
	boolean wasStopped() {
		return this.stopped;
	}

	/** Whether its engine must not renew anything any more. */
	boolean isStopping() {
		return this.stopping;
	}

	/** A user asks for a lock. */
	void requested() {
		this.requests++;
	}

	/** Return how many requests its users have begun. */
	long requests() {
		return this.requests;
	}

	/** A first command of an attempt is sent. */
	void asks(Attempt attempt) {
		if (this.world.plan.rare.maxAttempts < Integer.MAX_VALUE && this.lastAttempt != attempt) {
			this.lastAttempt = attempt;
			this.attempts.add(this.world.now());
		}
	}

	/** How many attempts it made between two instants. */
	long attempts(long from, long until) {
		return this.attempts.stream().filter((when) -> from <= when && when < until).count();
	}

	/** No two threads ask at the very same time: the engine tells them apart by it. */
	boolean isNewInstant() {
		boolean isNew = instant() >= this.lastInstant + 10;
		this.lastInstant = isNew ? instant() : this.lastInstant;
		return isNew;
	}

	/** Now, as the client lives it. */
	long instant() {
		return this.world.now() + this.lag;
	}

	@Override
	public long nanoTime() {
		maybePauseInside();
		return this.origin + (long) (instant() * this.rate);
	}

	/** As {@link #nanoTime()}, to look from outside. */
	long look() {
		return this.origin + (long) (this.world.now() * this.rate);
	}

	@Override
	public long wallMicros() {
		return instant() / 1_000 + this.wallOffsetMicros;
	}

	void jumpWallClock(long offsetMicros) {
		this.wallOffsetMicros = offsetMicros;
	}

	@Override
	public Timeout schedule(long delayNanos, Runnable task) {
		long due = nanoTime() + Math.max(0, delayNanos) - this.origin;
		long late = this.world.chance.below(200_000);
		// After a pause the answers that wait may come first.
		Step step = new Step(task, this.world.chance.below(Plan.MILLI));
		this.world.at((long) Math.ceil(due / this.rate) + 1 + late, step);
		return () -> step.cancelled = true;
	}

	void later(long delay, Runnable task) {
		at(instant() + delay, task);
	}

	void at(long time, Runnable task) {
		this.world.at(time, new Step(task, 0));
	}

	/** Stops the process, as SIGSTOP does. */
	void pause(long until) {
		if (until > this.pausedUntil) {
			this.pausedInAll += until - Math.max(this.pausedUntil, this.world.now());
			this.pausedUntil = until;
			this.lookFirst = this.world.chance.even();
		}
	}

	long pausedInAll() {
		return this.pausedInAll;
	}

	/** Whether it has stood still in the midst of the running event. */
	boolean isLate() {
		return this.lag > 0;
	}

	void maybePauseInside() {
		if (this.running && this.lag == 0 && this.world.isTroubled()
				&& this.world.chance.onceIn(this.world.plan.pauseInsideOnceIn)) {
			this.lag += this.world.pauseLength();
		}
	}

	private final class Step extends Agenda.Event {

		private final Runnable task;

		private final long delayAfterPause;

		private Step(Runnable task, long delayAfterPause) {
			this.task = task;
			this.delayAfterPause = delayAfterPause;
		}

		@Override
		void happen() {
			SimClient client = SimClient.this;
			if (client.gone) {
				return;
			}
			if (client.pausedUntil <= time() && client.world.isTroubled()
					&& client.world.chance.onceIn(client.world.plan.pauseOnceIn)) {
				pause(time() + client.world.pauseLength());
			}
			if (client.pausedUntil > time()) {
				client.world.putOff(client.pausedUntil + this.delayAfterPause, this);
				return;
			}
			if (client.lookFirst) {
				client.lookFirst = false;
				client.users.forEach(SimUser::lookAfterPause);
			}
			client.running = true;
			try {
				this.task.run();
			}
			finally {
				client.running = false;
				if (client.lag > 0) {
					long lag = client.lag;
					client.lag = 0;
					pause(client.world.now() + lag);
				}
			}
			client.users.forEach(SimUser::look);
		}

	}

	@Override
	public String toString() {
		return this.name;
	}

}
