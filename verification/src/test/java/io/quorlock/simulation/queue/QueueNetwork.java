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

import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Time, chance and the connections between instances and nodes: in order within one
 * connection, in any order across two, and nodes that work on one script after another.
 */
final class QueueNetwork {

	private record Event(long time, long number, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int result = Long.compare(this.time, other.time);
			return (result != 0) ? result : Long.compare(this.number, other.number);
		}

	}

	private final QueueRules rules;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private final Random random;

	private final long[][] requests;

	private final long[][] replies;

	private final long[][] messages;

	private final int[][] connections;

	private final long[] busy;

	private final long[] cores;

	private long number;

	private long now;

	long sentCommands;

	long sentMessages;

	QueueNetwork(QueueRules rules) {
		this.rules = rules;
		this.random = new Random(rules.seed);
		this.requests = new long[rules.instances][rules.nodes];
		this.replies = new long[rules.instances][rules.nodes];
		this.messages = new long[rules.instances][rules.nodes];
		this.connections = new int[rules.instances][rules.nodes];
		this.busy = new long[rules.nodes];
		this.cores = new long[rules.cores];
	}

	long now() {
		return this.now;
	}

	Random random() {
		return this.random;
	}

	boolean step(long until) {
		Event event = this.events.peek();
		if (event == null || event.time() > until) {
			this.now = until;
			return false;
		}
		this.events.remove();
		this.now = event.time();
		event.action().run();
		return true;
	}

	void at(long delay, Runnable action) {
		this.events.add(new Event(this.now + Math.max(0, delay), this.number++, action));
	}

	/**
	 * Run a script on a node, and hand its reply over unless the connection breaks.
	 */
	<T> void send(int instance, int node, Supplier<T> script, @Nullable Consumer<T> reply) {
		this.sentCommands++;
		int connection = this.connections[instance][node];
		long arrival = inOrder(this.requests, instance, node, latency(instance, node));
		at(arrival - this.now, () -> {
			long start = Math.max(this.now, this.busy[node]);
			long end = work(start, this.rules.script);
			this.busy[node] = end;
			at(end - this.now, () -> {
				if (this.connections[instance][node] != connection) {
					return;
				}
				T result = script.get();
				if (reply != null) {
					long back = inOrder(this.replies, instance, node, latency(instance, node));
					at(back - this.now, () -> received(instance, node, connection, () -> reply.accept(result)));
				}
			});
		});
	}

	private void received(int instance, int node, int connection, Runnable action) {
		if (this.rules.cores == 0) {
			if (this.connections[instance][node] == connection) {
				action.run();
			}
			return;
		}
		long end = work(this.now, this.rules.receive);
		at(end - this.now, () -> {
			if (this.connections[instance][node] == connection) {
				action.run();
			}
		});
	}

	/**
	 * Publish a message on an instance's channel, a connection of its own.
	 */
	void publish(int node, int instance, Runnable action) {
		this.sentMessages++;
		this.busy[node] = work(Math.max(this.now, this.busy[node]), this.rules.publish);
		if (this.random.nextDouble() < this.rules.lostMessages) {
			return;
		}
		long delay = latency(instance, node);
		if (this.random.nextDouble() < this.rules.lateMessages) {
			delay += this.random.nextInt(1_000_000);
		}
		int connection = this.connections[instance][node];
		long arrival = inOrder(this.messages, instance, node, delay);
		at(arrival - this.now, () -> received(instance, node, connection, action));
	}

	void breakConnection(int instance, int node) {
		this.connections[instance][node]++;
	}

	private long work(long start, long cost) {
		if (this.rules.cores == 0) {
			return start + cost;
		}
		int free = 0;
		for (int core = 1; core < this.cores.length; core++) {
			if (this.cores[core] < this.cores[free]) {
				free = core;
			}
		}
		this.cores[free] = Math.max(start, this.cores[free]) + cost;
		return this.cores[free];
	}

	private long latency(int instance, int node) {
		boolean same = instance % 3 == node / 2;
		double spread = Math.exp(0.3 * this.random.nextGaussian());
		return (long) ((same ? this.rules.near : this.rules.far) * spread);
	}

	private long inOrder(long[][] last, int instance, int node, long delay) {
		last[instance][node] = Math.max(last[instance][node] + 1, this.now + delay);
		return last[instance][node];
	}

}
