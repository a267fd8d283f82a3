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

package io.quorlock.simulation.queue;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Instances, nodes, and what must hold between them.
 */
final class QueueModel {

	private final QueueRules rules;

	private final QueueNetwork network;

	private final QueueNode[] nodes;

	private final QueueInstance[] instances;

	private final int[] states = new int[QueueInstance.State.values().length];

	private final int[] perInstance;

	private final Map<Ticket, Long> ended = new HashMap<>();

	private long numbers = 1;

	private int holder = -1;

	private long lastToken;

	private long freeSince = -1;

	long grants;

	long asks;

	int mostAttempts;

	long divided;

	long gaveUp;

	long untruthful;

	long longestWait;

	long longestIdle;

	long idle;

	long dropped;

	long lastGrant;

	long longestGap;

	@Nullable String violation;

	QueueModel(QueueRules rules) {
		this.rules = rules;
		this.network = new QueueNetwork(rules);
		this.nodes = new QueueNode[rules.nodes];
		for (int id = 0; id < rules.nodes; id++) {
			this.nodes[id] = new QueueNode(this, rules, id);
		}
		this.instances = new QueueInstance[rules.instances];
		this.perInstance = new int[rules.instances];
		for (int id = 0; id < rules.instances; id++) {
			QueueInstance instance = new QueueInstance(this, rules, id);
			this.instances[id] = instance;
			this.states[QueueInstance.State.IDLE.ordinal()]++;
			at((long) (random().nextDouble() * rules.arrival), instance::want);
			if (id < rules.dead) {
				at(rules.arrival + 20_000, instance::crash);
			}
		}
		faults();
	}

	private void faults() {
		every(this.rules.breaks, () -> this.network.breakConnection(random().nextInt(this.rules.instances),
				random().nextInt(this.rules.nodes)));
		every(this.rules.crashes, () -> {
			QueueInstance victim = this.instances[random().nextInt(this.rules.instances)];
			if (victim.state() != QueueInstance.State.DEAD) {
				if (this.holder >= 0 && this.instances[this.holder] == victim) {
					this.holder = -1;
				}
				victim.crash();
				at(1_000_000, victim::begin);
			}
		});
		every(this.rules.restarts, () -> {
			int voting = 0;
			for (QueueNode node : this.nodes) {
				voting += node.votes() ? 1 : 0;
			}
			if (voting > quorum()) {
				this.nodes[random().nextInt(this.rules.nodes)].restart();
			}
		});
		every(this.rules.clockSteps, () -> this.nodes[random().nextInt(this.rules.nodes)]
			.stepClock(random().nextInt(7_200_000) * 1_000L - 3_600_000_000L));
	}

	private void every(long mean, Runnable fault) {
		if (mean > 0) {
			at((long) (-mean * Math.log(1 - random().nextDouble())), () -> {
				fault.run();
				every(mean, fault);
			});
		}
	}

	QueueModel run(long duration) {
		while (this.violation == null && this.network.step(duration)) {
			watch();
			if (this.rules.once
					&& this.states[QueueInstance.State.IDLE.ordinal()]
							+ this.states[QueueInstance.State.DEAD.ordinal()] == this.rules.instances
					&& now() > this.rules.arrival) {
				break;
			}
		}
		return this;
	}

	/** Measure how long the name is free, wanted, and asked for by nobody. */
	private void watch() {
		boolean idleNow = false;
		if (this.holder < 0 && count(QueueInstance.State.WAITING) > 0 && count(QueueInstance.State.ASKING) == 0
				&& count(QueueInstance.State.RAISING) == 0) {
			int free = 0;
			for (QueueNode node : this.nodes) {
				free += (node.isFree() && node.votes()) ? 1 : 0;
			}
			idleNow = free >= quorum();
		}
		if (!idleNow) {
			if (this.freeSince >= 0) {
				this.idle += now() - this.freeSince;
			}
			this.freeSince = -1;
		}
		else if (this.freeSince < 0) {
			this.freeSince = now();
		}
		else {
			this.longestIdle = Math.max(this.longestIdle, now() - this.freeSince);
		}
	}

	private int count(QueueInstance.State state) {
		return this.states[state.ordinal()];
	}

	// What instances do

	void acquire(int instance, int node, Ticket ticket, long attempt, long wait, Consumer<QueueReply> reply) {
		this.network.send(instance, node, () -> this.nodes[node].acquire(ticket, attempt, wait), reply);
	}

	void raise(int instance, int node, long attempt, long fence, Consumer<Boolean> reply) {
		this.network.send(instance, node, () -> this.nodes[node].raise(attempt, fence), reply);
	}

	void release(int instance, int node, long attempt, @Nullable Ticket ticket, long wait) {
		boolean[] answered = new boolean[1];
		this.network.send(instance, node, () -> this.nodes[node].release(attempt, ticket, wait),
				(done) -> answered[0] = true);
		at(this.rules.operationTimeout, () -> {
			if (!answered[0]) {
				release(instance, node, attempt, null, 0);
			}
		});
	}

	void withdraw(int instance, int node, Ticket ticket) {
		this.network.send(instance, node, () -> this.nodes[node].withdraw(ticket), null);
	}

	// What nodes do

	boolean offer(int node, Ticket ticket, long number) {
		QueueInstance instance = this.instances[ticket.instance()];
		if (!instance.isLife(ticket.life()) && this.rules.closed) {
			this.network.sentMessages++;
			return false;
		}
		this.network.publish(node, ticket.instance(), () -> {
			if (instance.isLife(ticket.life())) {
				instance.offer(node, ticket, number);
			}
		});
		return true;
	}

	void tellNext(int node, Ticket ticket, int place) {
		QueueInstance instance = this.instances[ticket.instance()];
		this.network.publish(node, ticket.instance(), () -> {
			if (instance.isLife(ticket.life())) {
				instance.next(ticket, place);
			}
		});
	}

	boolean votes(int node) {
		return this.nodes[node].votes();
	}

	int quorum() {
		return this.rules.nodes / 2 + 1;
	}

	// What happens

	void granted(int instance, Ticket ticket, long token, long since) {
		if (this.holder >= 0) {
			this.violation = "two holders, " + this.holder + " and " + instance;
		}
		if (token <= this.lastToken) {
			this.violation = "token " + token + " after " + this.lastToken;
		}
		this.lastToken = token;
		this.holder = instance;
		this.grants++;
		this.longestGap = Math.max(this.longestGap, now() - this.lastGrant);
		this.lastGrant = now();
		this.perInstance[instance]++;
		this.longestWait = Math.max(this.longestWait, now() - since);
	}

	void released(int instance) {
		if (this.holder == instance) {
			this.holder = -1;
		}
	}

	void ended(Ticket ticket) {
		this.ended.put(ticket, now());
	}

	void asked(int attempts) {
		this.asks++;
		this.mostAttempts = Math.max(this.mostAttempts, attempts);
	}

	void divided() {
		this.divided++;
	}

	void dropped(Ticket ticket) {
		this.dropped++;
	}

	void gaveUp(boolean truthfully) {
		this.gaveUp++;
		this.untruthful += truthfully ? 0 : 1;
	}

	void moved(QueueInstance.State from, QueueInstance.State to) {
		this.states[from.ordinal()]--;
		this.states[to.ordinal()]++;
	}

	// What can be read

	int strayTickets(long patience) {
		int stray = 0;
		for (QueueNode node : this.nodes) {
			for (Ticket ticket : node.queue().tickets()) {
				Long end = this.ended.get(ticket);
				stray += (end != null && now() - end > patience) ? 1 : 0;
			}
		}
		return stray;
	}

	int mostPasses() {
		int most = 0;
		for (QueueNode node : this.nodes) {
			most = Math.max(most, node.mostPasses);
		}
		return most;
	}

	int least() {
		int least = Integer.MAX_VALUE;
		for (int id = this.rules.dead; id < this.perInstance.length; id++) {
			least = Math.min(least, this.perInstance[id]);
		}
		return least;
	}

	int most() {
		int most = 0;
		for (int each : this.perInstance) {
			most = Math.max(most, each);
		}
		return most;
	}

	double grantsPerSecond() {
		return this.grants * 1e6 / now();
	}

	double commandsPerGrant() {
		return (double) this.network.sentCommands / Math.max(1, this.grants) / this.rules.nodes;
	}

	double messagesPerGrant() {
		return (double) this.network.sentMessages / Math.max(1, this.grants) / this.rules.nodes;
	}

	long now() {
		return this.network.now();
	}

	void at(long delay, Runnable action) {
		this.network.at(delay, action);
	}

	Random random() {
		return this.network.random();
	}

	long nextNumber() {
		return this.numbers++;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT,
				"%6.0f/s cmds %6.1f msgs %5.2f asks %5.1f divided %5.2f attempts<=%d wait<=%.0f ms gap<=%.0f idle<=%.0f ms (%.1f%%) "
						+ "per %d..%d passes<=%d dropped %d gaveUp %d untrue %d stray %d grants %d t %.1f s %s",
				this.grants * 1e6 / now(), commandsPerGrant(), messagesPerGrant(),
				(double) this.asks / Math.max(1, this.grants), (double) this.divided / Math.max(1, this.grants),
				this.mostAttempts, this.longestWait / 1e3, this.longestGap / 1e3, this.longestIdle / 1e3,
				100.0 * this.idle / now(), least(), most(), mostPasses(), this.dropped, this.gaveUp, this.untruthful,
				strayTickets(10_000), this.grants, now() / 1e6,
				(this.violation == null) ? "" : "VIOLATION " + this.violation);
	}

}
