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

package io.quorlock.benchmarks;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import redis.clients.jedis.Jedis;

/**
 * Watches by how much the fence of a lock is ahead of the clocks of the nodes that store
 * it. It reads both at once, on connections of its own without a delay.
 */
final class FenceWatch implements AutoCloseable {

	private static final int PERIOD_MILLIS = 20;

	private static final String AHEAD_MICROS = """
			local fence, time = redis.call('GET', KEYS[1]), redis.call('TIME')
			return fence and fence - (time[1] * 1000000 + time[2])
			""";

	private final List<Jedis> nodes;

	private final String key;

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

	private double maxMillis = Double.NEGATIVE_INFINITY;

	/**
	 * Begin to watch.
	 * @param ports the ports of the nodes
	 * @param name the lock, which was acquired before
	 */
	FenceWatch(List<Integer> ports, String name) {
		this.nodes = Nodes.connect(ports);
		this.key = Nodes.keyPrefix(this.nodes, name) + "{" + name + "}:fence";
		this.thread.scheduleAtFixedRate(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
	}

	private synchronized void look() {
		for (Jedis node : this.nodes) {
			if (node.eval(AHEAD_MICROS, List.of(this.key), List.of()) instanceof Long micros) {
				this.maxMillis = Math.max(this.maxMillis, micros / 1e3);
			}
		}
	}

	/**
	 * Return by how much the fence was ahead of the clock of its node at most since the
	 * last call.
	 */
	synchronized double takeMostMillis() {
		look();
		double max = this.maxMillis;
		this.maxMillis = Double.NEGATIVE_INFINITY;
		return max;
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		synchronized (this) {
			this.nodes.forEach(Jedis::close);
		}
	}

}
