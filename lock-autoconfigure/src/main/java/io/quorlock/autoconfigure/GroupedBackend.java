package io.quorlock.autoconfigure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import io.quorlock.engine.EngineClock;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.client.JedisNodes;

/**
 * Creates a quorum of each group of nodes (R23). A separate class, since Jedis may be
 * absent.
 */
final class GroupedBackend {

	private GroupedBackend() {
	}

	/**
	 * Create the backend.
	 * @param properties describe the groups
	 * @param details how to connect to all nodes
	 * @param settings the settings of each quorum
	 * @param clock the clock
	 * @param customizer changes each node
	 * @return the backend
	 */
	static LockBackend create(LockProperties properties, LockConnectionDetails details, QuorumSettings settings,
			EngineClock clock, UnaryOperator<LockNode> customizer) {
		Map<String, JedisNodes> nodes = nodes(properties, details, clock);
		Sharding sharding = sharding(properties);
		return new LockBackend("redlock", List.of(), () -> notes(nodes), false, (storeClock, timer, observers) -> {
			Map<String, QuorumStore> stores = new LinkedHashMap<>();
			nodes.forEach((id, group) -> stores.put(id, new QuorumStore(settings,
					group.nodes().stream().map(customizer).toList(), storeClock, timer, observers)));
			return new GroupedLeaseStore(sharding, stores, properties.getLockDelay());
		});
	}

	private static Sharding sharding(LockProperties properties) {
		Sharding.By by = switch (properties.getSharding().getBy()) {
			case NAME -> Sharding.By.NAME;
			case PREFIX -> Sharding.By.PREFIX;
		};
		return new Sharding(properties.getGroups().keySet(), by);
	}

	private static Map<String, JedisNodes> nodes(LockProperties properties, LockConnectionDetails details,
			EngineClock clock) {
		Sharding sharding = sharding(properties);
		Map<String, String> known = new HashMap<>();
		Map<String, JedisNodes> nodes = new TreeMap<>();
		new TreeMap<>(properties.getGroups()).forEach((id, group) -> {
			NodeEndpoints endpoints = NodeEndpoints.of("distributed-lock.groups." + id + ".nodes",
					List.of(new GroupConnectionDetails(details, group.getNodes())), known);
			nodes.put(id, JedisBackend.nodes(properties, endpoints, clock, sharding.layoutOf(id)));
		});
		return nodes;
	}

	private static Map<String, String> notes(Map<String, JedisNodes> groups) {
		Map<String, String> notes = new TreeMap<>();
		groups.values().forEach((group) -> notes.putAll(group.notes()));
		return notes;
	}

}
