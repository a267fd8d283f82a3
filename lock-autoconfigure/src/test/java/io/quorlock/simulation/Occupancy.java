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
