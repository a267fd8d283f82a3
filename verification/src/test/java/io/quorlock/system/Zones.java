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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.engine.TestSettings;

/**
 * One instance in each of several zones. The node of its own zone is near, those of the
 * others are a millisecond away, each way.
 */
final class Zones implements AutoCloseable {

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final List<LockTemplate> instances = new ArrayList<>();

	private Zones() {
	}

	/**
	 * Start an instance for each node, and wait until all can lock. All use the same
	 * servers, though each under names of its own.
	 */
	static Zones start(EmbeddedRedis redis) {
		Zones zones = new Zones();
		for (int zone = 0; zone < redis.nodes().size(); zone++) {
			RealEngine engine = RealEngine.start(settings("app@zone:" + zone), zones.uris(redis, zone));
			zones.opened.add(engine);
			zones.instances.add(engine.template);
		}
		// Until each has read the lists of all others.
		Awaitility.await()
			.during(Duration.ofSeconds(1))
			.atMost(Duration.ofSeconds(30))
			.until(() -> zones.instances.stream().allMatch(Zones::isAvailable));
		return zones;
	}

	private static boolean isAvailable(LockTemplate instance) {
		try (LockHandle handle = instance.acquire(LockRequest.of("available").waitTime(Duration.ofSeconds(5)))) {
			return handle.isHeld();
		}
		catch (LockUnavailableException ex) {
			return false;
		}
	}

	/** A machine that is busy is not taken for nodes that do not reply. */
	static TestSettings settings(String instance) {
		return RealEngine.settings(instance, Duration.ofSeconds(30), Duration.ofSeconds(5));
	}

	private List<String> uris(EmbeddedRedis redis, int zone) {
		List<String> uris = new ArrayList<>();
		for (int node = 0; node < redis.nodes().size(); node++) {
			if (node == zone) {
				uris.add(redis.uris().get(node));
				continue;
			}
			LoopbackProxy proxy = LoopbackProxy.to(redis.nodes().get(node));
			proxy.delay(Duration.ofMillis(1));
			this.opened.add(proxy);
			uris.add(proxy.uri());
		}
		return uris;
	}

	List<LockTemplate> instances() {
		return this.instances;
	}

	@Override
	public void close() throws Exception {
		for (int i = this.opened.size() - 1; i >= 0; i--) {
			this.opened.get(i).close();
		}
	}

}
