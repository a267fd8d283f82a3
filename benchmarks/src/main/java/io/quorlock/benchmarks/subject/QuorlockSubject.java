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

package io.quorlock.benchmarks.subject;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.net.ssl.SSLParameters;

import org.apache.zookeeper.ZooDefs;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.client.RedisNodeOptions;
import io.quorlock.redis.client.RedisNodes;
import io.quorlock.redis.spring.SpringRedisLockNode;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.LockTimer;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;
import io.quorlock.zookeeper.ZooKeeperSettings;

/**
 * This library, with its default settings unless a variant says otherwise.
 */
final class QuorlockSubject implements LockSubject {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final Duration RETAIN = Duration.ofSeconds(10);

	/** Longer than a study. */
	private static final Duration LONG = Duration.ofHours(2);

	/** The defaults of the properties. */
	private static final Duration LEASE_LIMIT = Duration.ofSeconds(60);

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration HANDOVER = Duration.ofMillis(50);

	private static final double DRIFT = 0.01;

	/** The nodes of a group. */
	private static final int GROUP = 3;

	private static final AtomicInteger INSTANCES = new AtomicInteger();

	private static final Duration START = Duration.ofSeconds(15);

	private final TimerThread timer = new TimerThread("lock-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool();

	private final LockEngine engine;

	private final LockTemplate template;

	private final boolean watchdog;

	private final Runnable afterClose;

	private QuorlockSubject(Variant variant, StoreFactory store, SystemClock clock, Runnable afterClose)
			throws InterruptedException {
		boolean watchdog = variant != Variant.LEASE;
		String instanceId = "benchmark-%d@%d".formatted(INSTANCES.incrementAndGet(), ProcessHandle.current().pid());
		EngineSettings settings = new EngineSettings(instanceId, "", Duration.ofSeconds(5), Duration.ofSeconds(30),
				(variant == Variant.LONG) ? LONG : LEASE_LIMIT, Duration.ZERO, Duration.ofMillis(200),
				Integer.MAX_VALUE, false, (variant == Variant.NO_HANDOVER) ? 0 : 16, HANDOVER,
				(variant == Variant.RETAINED) ? RETAIN : Duration.ZERO, false, variant != Variant.SENT);
		this.engine = new LockEngine(settings, store.create(instanceId, clock, this.timer), clock, this.timer,
				this.callbacks);
		this.template = new DefaultLockTemplate(this.engine);
		this.watchdog = watchdog;
		this.afterClose = afterClose;
		this.engine.start();
		awaitQuorum("start:" + instanceId);
	}

	/**
	 * The backend that uses the application's own Redis.
	 */
	static QuorlockSubject over(RedisConnectionFactory connections, String driver) throws InterruptedException {
		SystemClock clock = new SystemClock();
		LockNode node = new SpringRedisLockNode(connections, new RedisKeys("quorlock-" + driver + ":"), 0,
				Duration.ofSeconds(1), clock);
		return new QuorlockSubject(Variant.DEFAULTS, quorum(Variant.DEFAULTS, List.of(node)), clock,
				() -> Drivers.close(connections));
	}

	/**
	 * Every variant has keys of its own, since each is a group of nodes of its own.
	 */
	static QuorlockSubject over(List<Integer> ports, Variant variant) throws InterruptedException {
		SystemClock clock = new SystemClock();
		String keyPrefix = "quorlock-%s-%d-%d:".formatted(variant, ports.size(), ports.get(0));
		return new QuorlockSubject(variant, quorum(variant, nodes(ports, keyPrefix, clock, "")), clock, () -> {
		});
	}

	/**
	 * One of many instances that share their keys.
	 */
	static QuorlockSubject instance(List<Integer> ports) throws InterruptedException {
		return over(ports, Variant.DEFAULTS);
	}

	/**
	 * Several groups of three nodes that share the names. One group is configured as
	 * nodes usually are.
	 */
	static QuorlockSubject overGroups(List<Integer> ports, int count) throws InterruptedException {
		SystemClock clock = new SystemClock();
		String keyPrefix = "quorlock-groups-%d:".formatted(count);
		if (count == 1) {
			return new QuorlockSubject(Variant.DEFAULTS, quorum(Variant.DEFAULTS, nodes(ports, keyPrefix, clock, "")),
					clock, () -> {
					});
		}
		List<String> ids = IntStream.range(0, count).mapToObj((group) -> "group-" + group).toList();
		Sharding sharding = new Sharding(ids, Sharding.By.NAME);
		return new QuorlockSubject(Variant.DEFAULTS, (instanceId, storeClock, timer) -> {
			Map<String, LeaseStore> groups = new HashMap<>();
			for (int group = 0; group < count; group++) {
				String id = ids.get(group);
				groups.put(id, quorum(Variant.DEFAULTS, nodes(ports.subList(GROUP * group, GROUP * (group + 1)),
						keyPrefix, clock, sharding.layoutOf(id)))
					.create(instanceId, storeClock, timer));
			}
			return new GroupedLeaseStore(sharding, groups, storeClock::nanoTime);
		}, clock, () -> {
		});
	}

	/** New servers vote at once, as embedded ones do. */
	private static List<LockNode> nodes(List<Integer> ports, String keyPrefix, SystemClock clock, String layout) {
		RedisNodeOptions options = new RedisNodeOptions(clock, keyPrefix, TIMEOUT, Duration.ofSeconds(1), "quorlock",
				null, SSLParameters::new, null, LEASE_LIMIT, LEASE_LIMIT, DRIFT, true, false, false,
				NodeEviction.EXCLUDE_ALLKEYS, "quorlock");
		List<NodeAddress> addresses = ports.stream()
			.map((port) -> NodeAddress.parse("redis://127.0.0.1:" + port))
			.toList();
		return RedisNodes.create(addresses, options, layout).nodes();
	}

	private static StoreFactory quorum(Variant variant, List<LockNode> nodes) {
		return (instanceId, clock, timer) -> {
			QuorumSettings settings = new QuorumSettings(instanceId, TIMEOUT, Duration.ofMillis(50),
					Duration.ofMillis(500), (variant == Variant.LONG) ? LONG : LEASE_LIMIT, DRIFT,
					variant != Variant.UNFENCED, Duration.ofMinutes(10), 0, HANDOVER,
					() -> ThreadLocalRandom.current().nextLong(), () -> new SecureRandom().nextLong());
			return new QuorumStore(settings, nodes, clock, timer, List.of());
		};
	}

	/**
	 * The backend on a ZooKeeper ensemble.
	 */
	static QuorlockSubject overZooKeeper(List<Integer> ports) throws InterruptedException {
		return new QuorlockSubject(Variant.DEFAULTS, (instanceId, clock,
				timer) -> new ZooKeeperLeaseStore(new ZooKeeperSettings(CuratorClients.connectString(ports), instanceId,
						Duration.ofSeconds(15), Duration.ofSeconds(15), Duration.ofSeconds(1), "/quorlock", DRIFT, true,
						0, ZooDefs.Ids.OPEN_ACL_UNSAFE, List.of(), Map.of(), Map::of), clock, timer, List.of()),
				new SystemClock(), () -> {
				});
	}

	/** By a name of its own: other instances may start at the same time. */
	private void awaitQuorum(String name) throws InterruptedException {
		long deadline = System.nanoTime() + START.toNanos();
		while (true) {
			try {
				this.template.acquire(LockRequest.of(name)).close();
				return;
			}
			catch (LockUnavailableException ex) {
				if (System.nanoTime() > deadline) {
					throw ex;
				}
				Thread.sleep(1);
			}
		}
	}

	@Override
	public Hold lock(String name) {
		return lock(LockRequest.of(name));
	}

	@Override
	public Hold read(String name) {
		return lock(LockRequest.of(name).shared());
	}

	@Override
	public Hold permit(String name, int permits) {
		return lock(LockRequest.of(name).permits(permits));
	}

	@Override
	public Hold fair(String name) {
		return lock(LockRequest.of(name).fair());
	}

	@Override
	public CompletionStage<Hold> lockAsync(String name, Duration lease) {
		LockRequest request = LockRequest.of(name).waitTime(LONG);
		return this.template.acquireAsync(lease.isZero() ? request : request.leaseTime(lease))
			.thenApply((handle) -> handle::close);
	}

	private Hold lock(LockRequest named) {
		LockRequest request = named.waitTime(WAIT);
		LockHandle handle = this.template
			.acquire(this.watchdog ? request : request.leaseTime(Duration.ofMillis(LEASE_MILLIS)));
		return handle::close;
	}

	@Override
	public void close() {
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdown();
		this.afterClose.run();
	}

	@FunctionalInterface
	private interface StoreFactory {

		LeaseStore create(String instanceId, SystemClock clock, LockTimer timer);

	}

	/**
	 * Differences from the defaults.
	 */
	enum Variant {

		/** No difference: fencing, watchdog, local hand-over. */
		DEFAULTS,

		/** No fencing tokens. */
		UNFENCED,

		/** A fixed lease instead of the watchdog. */
		LEASE,

		/** Every holder asks the nodes. */
		NO_HANDOVER,

		/** An unused lease is kept. */
		RETAINED,

		/** A release returns when it is sent. */
		SENT,

		/** Leases of hours are allowed. */
		LONG;

	}

}
