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

import java.time.Duration;
import java.util.List;

import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;

/**
 * A proxy in front of each node, which adds 1 ms in each direction.
 */
final class Proxies implements AutoCloseable {

	private static final int DISTANCE_MILLIS = 1;

	private final List<LoopbackProxy> proxies;

	private Proxies(List<LoopbackProxy> proxies) {
		this.proxies = proxies;
		heal();
	}

	static Proxies before(EmbeddedRedis redis) {
		return new Proxies(redis.nodes().stream().map(LoopbackProxy::to).toList());
	}

	List<Integer> ports() {
		return this.proxies.stream().map(LoopbackProxy::port).toList();
	}

	void kill(int node) {
		this.proxies.get(node).cut();
	}

	void blackHole(int node) {
		this.proxies.get(node).blackhole();
	}

	void slowDown(int node, int millisEachWay) {
		this.proxies.get(node).delay(Duration.ofMillis(DISTANCE_MILLIS + millisEachWay));
	}

	void heal() {
		for (LoopbackProxy proxy : this.proxies) {
			proxy.restore();
			proxy.delay(Duration.ofMillis(DISTANCE_MILLIS));
		}
	}

	@Override
	public void close() {
		this.proxies.forEach(LoopbackProxy::close);
	}

}
