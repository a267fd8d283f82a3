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

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.quorlock.simulation.redis.SimulatedRedis.Key;

/**
 * Who had which name when: what the servers had when a command looked at it, and what
 * handles said.
 */
final class Occupancy {

	/**
	 * Per name and owner: until when each server had its key. A cool-down is an owner.
	 */
	private final Map<String, Map<Object, Map<SimServer, Long>>> seen = new HashMap<>();

	/** Per name: when a handle said last that it holds. */
	private final Map<String, Long> held = new HashMap<>();

	/**
	 * A server has a key, until then if nothing happens to it. A crash takes the key but
	 * not the lease: its owner relies on it, and the quarantine keeps others out (R10).
	 */
	void seen(String name, SimServer server, Key key, long until) {
		Object owner = key.isCoolingDown() ? "cool-down" : key.author();
		this.seen.computeIfAbsent(name, (each) -> new HashMap<>())
			.computeIfAbsent(owner, (each) -> new HashMap<>())
			.put(server, until);
	}

	void held(List<String> names, long now) {
		names.forEach((name) -> this.held.put(name, now));
	}

	/** Whether somebody had one of the names at some time since then. */
	boolean wasTaken(List<String> names, long since, int majority) {
		return names.stream().anyMatch((name) -> wasTaken(name, since, majority));
	}

	private boolean wasTaken(String name, long since, int majority) {
		if (this.held.getOrDefault(name, -1L) >= since) {
			return true;
		}
		for (Map<SimServer, Long> servers : this.seen.getOrDefault(name, Map.of()).values()) {
			Set<SimServer> had = new HashSet<>();
			servers.forEach((server, last) -> {
				if (last >= since) {
					had.add(server);
				}
			});
			if (had.size() >= majority) {
				return true;
			}
		}
		return false;
	}

}
