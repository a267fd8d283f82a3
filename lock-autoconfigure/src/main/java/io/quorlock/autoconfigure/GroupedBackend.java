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

package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.quorlock.autoconfigure.LockShardingProperties.Group;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Move;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.client.RedisNodes;

/**
 * Creates a quorum of each group of nodes (R23). A separate class, since Jedis may be
 * absent.
 */
final class GroupedBackend {

	/** Seconds of a node's clock. */
	private static final Duration ROUNDING = Duration.ofSeconds(1);

	private final LockProperties properties;

	private final int version;

	private final Sharding sharding;

	private final @Nullable Sharding previous;

	private final Map<String, RedisNodes> nodes = new TreeMap<>();

	private GroupedBackend(LockProperties properties, LockConnectionDetails details, RedlockNodes redlock) {
		this.properties = properties;
		this.version = Objects.requireNonNullElse(properties.getSharding().getVersion(), 0);
		Sharding.By by = switch (properties.getSharding().getBy()) {
			case NAME -> Sharding.By.NAME;
			case PREFIX -> Sharding.By.PREFIX;
		};
		Map<String, Group> before = properties.getSharding().getPrevious();
		this.sharding = new Sharding(properties.getGroups().keySet(), by);
		this.previous = before.isEmpty() ? null : new Sharding(before.keySet(), by);
		Map<String, String> known = new HashMap<>();
		new TreeMap<>(properties.getGroups())
			.forEach((id, group) -> connect("distributed-lock.groups.", id, group, details, redlock, known));
		new TreeMap<>(before).forEach((id, group) -> {
			if (!this.nodes.containsKey(id)) {
				connect("distributed-lock.sharding.previous.", id, group, details, redlock, known);
			}
		});
		if (this.version % 2 != 0) {
			List<RedisNodes> old = before.keySet().stream().map(this::nodesOf).toList();
			this.nodes.values().forEach((group) -> group.follow(old));
		}
	}

	private RedisNodes nodesOf(String id) {
		return Objects.requireNonNull(this.nodes.get(id));
	}

	private void connect(String property, String id, Group group, LockConnectionDetails details, RedlockNodes redlock,
			Map<String, String> known) {
		NodeEndpoints endpoints = NodeEndpoints.of(property + id + ".nodes",
				List.of(new GroupConnectionDetails(details, group.getNodes())), known);
		this.nodes.put(id, redlock.create(endpoints, layout(id)));
	}

	/** R23: a layout, which has an odd version, seals what came before the move to it. */
	private Layout layout(String id) {
		if (this.version == 0) {
			return Layout.of(this.sharding.layoutOf(id));
		}
		return new Layout(this.sharding.layoutOf(id, this.version, this.previous), this.version,
				(this.version % 2 != 0) ? this.version - 1 : 0, sealAge());
	}

	/** As long as any lease, and its lock delay, can last from before the seal. */
	private Duration sealAge() {
		Duration lease = this.properties.getMaxLeaseTime().plus(this.properties.getLockDelay());
		Duration quarantine = this.properties.determineRestartQuarantine();
		Duration longest = (quarantine.compareTo(lease) > 0) ? quarantine : lease;
		return Duration.ofNanos((long) (longest.toNanos() * (1 + this.properties.getClockDriftFactor())))
			.plus(ROUNDING);
	}

	/**
	 * Create the backend.
	 * @param properties describe the groups
	 * @param details how to connect to all nodes
	 * @param settings the settings of each quorum
	 * @param redlock creates the nodes
	 * @param customizer changes each node
	 * @return the backend
	 */
	static LockBackend create(LockProperties properties, LockConnectionDetails details, QuorumSettings settings,
			RedlockNodes redlock, UnaryOperator<LockNode> customizer) {
		GroupedBackend backend = new GroupedBackend(properties, details, redlock);
		Move move = backend.move();
		return new LockBackend("redlock", List.of(), () -> backend.notes(move), false,
				(storeClock, timer, observers) -> {
					Map<String, QuorumStore> stores = new LinkedHashMap<>();
					backend.nodes.forEach((id, group) -> stores.put(id,
							new QuorumStore(settings, group.nodes().stream().map(customizer).toList(), storeClock,
									timer, observers, group::greatestTokenBefore)));
					return new GroupedLeaseStore(backend.sharding, move, stores, properties.getLockDelay(),
							storeClock::nanoTime);
				});
	}

	private @Nullable Move move() {
		if (this.previous == null) {
			return null;
		}
		if (this.version % 2 == 0) {
			return Move.begun(this.previous);
		}
		Map<String, LongSupplier> sealWaits = new TreeMap<>();
		this.properties.getSharding()
			.getPrevious()
			.keySet()
			.forEach((id) -> sealWaits.put(id, nodesOf(id)::sealWaitNanos));
		return Move.ending(this.previous, sealWaits);
	}

	private Map<String, String> notes(@Nullable Move move) {
		Map<String, String> notes = new TreeMap<>();
		this.nodes.values().forEach((group) -> notes.putAll(group.notes()));
		if (this.version > 0) {
			notes.put("sharding", "version " + this.version + ((move != null) ? ": " + move.description() : ""));
		}
		return notes;
	}

}
