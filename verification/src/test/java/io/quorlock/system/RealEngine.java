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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.awaitility.Awaitility;

import io.quorlock.Settings;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.client.RedisNodeOptions;
import io.quorlock.redis.client.RedisNodes;
import io.quorlock.redis.client.TestOptions;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.LockTimer;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * An engine over real Redis servers, as an application has it. Nodes that are seen first
 * count at once.
 */
final class RealEngine implements AutoCloseable {

	private final TimerThread timer = new TimerThread("quorlock-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "quorlock-callback");
		thread.setDaemon(true);
		return thread;
	});

	final List<LockNode> nodes;

	final LockEngine engine;

	final DefaultLockTemplate template;

	private RealEngine(TestSettings settings, List<String> uris, UnaryOperator<LockTimer> timer,
			LockListener... listeners) {
		SystemClock clock = new SystemClock();
		RedisNodeOptions options = TestOptions.with(clock)
			.set(RedisNodeOptions::operationTimeout, settings.operationTimeout())
			.set(RedisNodeOptions::connectTimeout, settings.operationTimeout().multipliedBy(4))
			.set(RedisNodeOptions::quarantine, settings.maxLeaseTime())
			.set(RedisNodeOptions::driftFactor, settings.clockDriftFactor())
			.set(RedisNodeOptions::trustFirstSeen, true)
			.set(RedisNodeOptions::failOnMismatch, true)
			.build();
		this.nodes = RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options).nodes();
		this.engine = TestEngines.create(settings, this.nodes, clock, timer.apply(this.timer), this.callbacks,
				List.of(listeners), List.of());
		this.template = new DefaultLockTemplate(this.engine);
		this.engine.start();
	}

	private RealEngine(String instance, Map<String, List<String>> groups, Consumer<Settings<EngineSettings>> engine,
			Consumer<Settings<QuorumSettings>> quorum) {
		SystemClock clock = new SystemClock();
		Settings<EngineSettings> engineSettings = Settings.engine(instance);
		engine.accept(engineSettings);
		Settings<QuorumSettings> quorumSettings = Settings.quorum(instance)
			.set(QuorumSettings::operationTimeout, Duration.ofSeconds(1));
		quorum.accept(quorumSettings);
		RedisNodeOptions options = TestOptions.with(clock)
			.set(RedisNodeOptions::operationTimeout, Duration.ofSeconds(1))
			.set(RedisNodeOptions::connectTimeout, Duration.ofSeconds(5))
			.set(RedisNodeOptions::quarantine, Duration.ofSeconds(60))
			.set(RedisNodeOptions::trustFirstSeen, true)
			.build();
		this.nodes = new ArrayList<>();
		Sharding sharding = new Sharding(groups.keySet(), Sharding.By.NAME);
		Map<String, QuorumStore> stores = new HashMap<>();
		groups.forEach((id, uris) -> {
			String layout = (groups.size() > 1) ? sharding.layoutOf(id) : "";
			List<LockNode> group = RedisNodes.create(uris.stream().map(NodeAddress::parse).toList(), options, layout)
				.nodes();
			this.nodes.addAll(group);
			stores.put(id, new QuorumStore(quorumSettings.build(), group, clock, this.timer, List.of()));
		});
		LeaseStore store = (groups.size() > 1) ? new GroupedLeaseStore(sharding, stores, clock::nanoTime)
				: stores.values().iterator().next();
		this.engine = new LockEngine(engineSettings.build(), store, clock, this.timer, this.callbacks);
		this.template = new DefaultLockTemplate(this.engine);
		this.engine.start();
	}

	/** Starts an engine over several groups of nodes. */
	static RealEngine start(String instance, Map<String, List<String>> groups) {
		RealEngine engine = new RealEngine(instance, groups, (settings) -> {
		}, (settings) -> {
		});
		return counted(engine, groups.values().stream().mapToInt(List::size).sum());
	}

	/** Starts an engine whose settings go beyond {@link TestSettings}. */
	static RealEngine start(String instance, List<String> uris, Consumer<Settings<EngineSettings>> engine,
			Consumer<Settings<QuorumSettings>> quorum) {
		return counted(new RealEngine(instance, Map.of("all", uris), engine, quorum), uris.size());
	}

	/** Starts an engine and waits until all nodes that run count. */
	static RealEngine start(TestSettings settings, List<String> uris, LockListener... listeners) {
		return counted(new RealEngine(settings, uris, UnaryOperator.identity(), listeners), uris.size());
	}

	/** Starts an engine whose timer is a variant of the usual one. */
	static RealEngine start(TestSettings settings, List<String> uris, UnaryOperator<LockTimer> timer) {
		return counted(new RealEngine(settings, uris, timer), uris.size());
	}

	private static RealEngine counted(RealEngine engine, int nodes) {
		engine.awaitCounted(nodes);
		return engine;
	}

	/** Starts an engine and does not wait. */
	static RealEngine startNow(TestSettings settings, List<String> uris) {
		return new RealEngine(settings, uris, UnaryOperator.identity());
	}

	void awaitCounted(int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.nodes.stream().filter((node) -> node.status().isVoting()).count() >= count);
	}

	void awaitConnected(int count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.nodes.stream()
				.filter((node) -> node.status().state() == State.VOTING || node.status().state() == State.QUARANTINED)
				.count() >= count);
	}

	/** The defaults, but for a machine that is busy with other tests. */
	static TestSettings settings(String instance) {
		return settings(instance, Duration.ofSeconds(30), Duration.ofSeconds(1));
	}

	static TestSettings settings(String instance, Duration lease, Duration operationTimeout) {
		TestSettings defaults = TestSettings.defaults(instance);
		return new TestSettings(instance, defaults.waitTime(), lease, defaults.maxLeaseTime(), defaults.maxHoldTime(),
				operationTimeout, defaults.retryMinDelay(), defaults.retryMaxDelay(), defaults.maxAttempts(),
				defaults.clockDriftFactor(), defaults.fencing(), defaults.fencingRetention(), defaults.handoverMax(),
				defaults.handoverMaxDuration());
	}

	@Override
	public void close() {
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdownNow();
	}

}
