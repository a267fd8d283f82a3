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

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

import io.quorlock.benchmarks.subject.QuorlockSubject.Variant;

/**
 * The subjects of the measurements.
 */
public enum Subject {

	/** This library, one node. */
	QUORLOCK_1("Quorlock, 1 node", 1, true, (ports) -> QuorlockSubject.over(ports, Variant.DEFAULTS)),

	/** This library, three nodes. */
	QUORLOCK_3("Quorlock, 3 nodes", 3, true, (ports) -> QuorlockSubject.over(ports, Variant.DEFAULTS)),

	/** This library, five nodes. */
	QUORLOCK_5("Quorlock, 5 nodes", 5, true, (ports) -> QuorlockSubject.over(ports, Variant.DEFAULTS)),

	/** One node, no fencing tokens. */
	QUORLOCK_1_UNFENCED("Quorlock, 1 node, no fencing", 1, true,
			(ports) -> QuorlockSubject.over(ports, Variant.UNFENCED)),

	/** Five nodes, no fencing tokens. */
	QUORLOCK_5_UNFENCED("Quorlock, 5 nodes, no fencing", 5, true,
			(ports) -> QuorlockSubject.over(ports, Variant.UNFENCED)),

	/** Five nodes, no watchdog. */
	QUORLOCK_5_LEASE("Quorlock, 5 nodes, lease", 5, true, (ports) -> QuorlockSubject.over(ports, Variant.LEASE)),

	/** Five nodes, no local hand-over. */
	QUORLOCK_5_NO_HANDOVER("Quorlock, 5 nodes, no hand-over", 5, true,
			(ports) -> QuorlockSubject.over(ports, Variant.NO_HANDOVER)),

	/** Five nodes, leases retained. */
	QUORLOCK_5_RETAINED("Quorlock, 5 nodes, retained", 5, true,
			(ports) -> QuorlockSubject.over(ports, Variant.RETAINED)),

	/** Five nodes, releases sent and not confirmed. */
	QUORLOCK_5_SENT("Quorlock, 5 nodes, release-mode sent", 5, true,
			(ports) -> QuorlockSubject.over(ports, Variant.SENT)),

	/** Three nodes, leases and waits of hours. */
	QUORLOCK_3_LONG("Quorlock, 3 nodes", 3, true, (ports) -> QuorlockSubject.over(ports, Variant.LONG)),

	/** One group of three nodes. */
	QUORLOCK_3_GROUPS_1("Quorlock, 1 group of 3 nodes", 3, true, (ports) -> QuorlockSubject.overGroups(ports, 1)),

	/** Two groups of three nodes. */
	QUORLOCK_3_GROUPS_2("Quorlock, 2 groups of 3 nodes", 6, true, (ports) -> QuorlockSubject.overGroups(ports, 2)),

	/** Four groups of three nodes. */
	QUORLOCK_3_GROUPS_4("Quorlock, 4 groups of 3 nodes", 12, true, (ports) -> QuorlockSubject.overGroups(ports, 4)),

	/** No lock but the monitor of an object. */
	SYNCHRONIZED("synchronized", Subject.NO_NODES, true, (ports) -> new SynchronizedSubject()),

	/** A {@code ReentrantLock} for each name, in a map. */
	REENTRANT("ReentrantLock per name", Subject.NO_NODES, true, (ports) -> new ReentrantSubject()),

	/** The application's own Redis, through Lettuce. */
	QUORLOCK_LETTUCE("Quorlock, redis backend, Lettuce", 1, true,
			(ports) -> QuorlockSubject.over(Drivers.springLettuce(ports.get(0)), "lettuce")),

	/** The application's own Redis, through Jedis. */
	QUORLOCK_JEDIS("Quorlock, redis backend, Jedis", 1, true,
			(ports) -> QuorlockSubject.over(Drivers.springJedis(ports.get(0)), "jedis")),

	/** Wired by Spring Boot, one node, nothing observed. */
	SPRING_BOOT_1("Spring Boot, 1 node, unobserved", 1, true, SpringSubject::unobserved),

	/** Wired by Spring Boot, one node, with meters. */
	SPRING_BOOT_1_METERED("Spring Boot, 1 node, meters", 1, true, SpringSubject::metered),

	/** Wired by Spring Boot, one node, with all observability. */
	SPRING_BOOT_1_OBSERVED("Spring Boot, 1 node, all observability", 1, true, SpringSubject::observed),

	/** Wired by Spring Boot, five nodes, nothing observed. */
	SPRING_BOOT_5("Spring Boot, 5 nodes, unobserved", 5, true, SpringSubject::unobserved),

	/** Wired by Spring Boot, five nodes, with meters. */
	SPRING_BOOT_5_METERED("Spring Boot, 5 nodes, meters", 5, true, SpringSubject::metered),

	/** Wired by Spring Boot, five nodes, with all observability. */
	SPRING_BOOT_5_OBSERVED("Spring Boot, 5 nodes, all observability", 5, true, SpringSubject::observed),

	/** Raw Jedis on one connection: the limit for one thread. */
	RAW_CONNECTION("raw Jedis, one connection", 1, false, (ports) -> new RawConnection(ports.get(0))),

	/** Raw Jedis on a pool. */
	RAW_POOL("raw Jedis, pool", 1, false, (ports) -> new RawPool(ports.get(0))),

	/** Raw sockets to five nodes: the limit for a quorum. */
	RAW_QUORUM_5("raw quorum, 5 nodes at once", 5, false, RawQuorum::new),

	/** Sequential Redlock over three nodes. */
	CANONICAL_3("canonical Redlock, 3 nodes", 3, true, CanonicalRedlock::new),

	/** Sequential Redlock over five nodes. */
	CANONICAL_5("canonical Redlock, 5 nodes", 5, true, CanonicalRedlock::new),

	/** Redisson's lock, renewed by its watchdog. */
	REDISSON("Redisson RLock, watchdog", 1, true, (ports) -> RedissonSubject.lock(ports.get(0), true)),

	/** Redisson's lock with a fixed lease. */
	REDISSON_LEASE("Redisson RLock, lease", 1, true, (ports) -> RedissonSubject.lock(ports.get(0), false)),

	/** Redisson's MultiLock over three nodes. */
	REDISSON_MULTI_3("Redisson MultiLock, 3 nodes", 3, true, RedissonSubject::multiLock),

	/** Redisson's MultiLock over five nodes. */
	REDISSON_MULTI_5("Redisson MultiLock, 5 nodes", 5, true, RedissonSubject::multiLock),

	/** Redisson's deprecated RedLock over three nodes. */
	REDISSON_RED_3("Redisson RedLock, 3 nodes", 3, true, RedissonSubject::redLock),

	/** Redisson's deprecated RedLock over five nodes. */
	REDISSON_RED_5("Redisson RedLock, 5 nodes", 5, true, RedissonSubject::redLock),

	/** Spring Integration, spinning, Lettuce. */
	SPRING_SPIN_LETTUCE("Spring Integration, spin, Lettuce", 1, true,
			(ports) -> new SpringIntegrationSubject(Drivers.springLettuce(ports.get(0)), RedisLockType.SPIN_LOCK)),

	/** Spring Integration, subscribed, Lettuce. */
	SPRING_PUBSUB_LETTUCE("Spring Integration, pub/sub, Lettuce", 1, true,
			(ports) -> new SpringIntegrationSubject(Drivers.springLettuce(ports.get(0)), RedisLockType.PUB_SUB_LOCK)),

	/** Spring Integration, spinning, Jedis. */
	SPRING_SPIN_JEDIS("Spring Integration, spin, Jedis", 1, true,
			(ports) -> new SpringIntegrationSubject(Drivers.springJedis(ports.get(0)), RedisLockType.SPIN_LOCK)),

	/** Spring Integration, subscribed, Jedis. */
	SPRING_PUBSUB_JEDIS("Spring Integration, pub/sub, Jedis", 1, true,
			(ports) -> new SpringIntegrationSubject(Drivers.springJedis(ports.get(0)), RedisLockType.PUB_SUB_LOCK)),

	/** ShedLock, Lettuce. */
	SHEDLOCK("ShedLock, Lettuce", 1, false, (ports) -> new ShedLockSubject(Drivers.springLettuce(ports.get(0)))),

	/** Lock4j over RedisTemplate, Lettuce. */
	LOCK4J("Lock4j RedisTemplate, Lettuce", 1, true, (ports) -> new Lock4jSubject(Drivers.springLettuce(ports.get(0)))),

	/** This library on ZooKeeper. */
	QUORLOCK_ZOOKEEPER("Quorlock, ZooKeeper", Subject.ZOOKEEPER, true, QuorlockSubject::overZooKeeper),

	/** Curator's mutex. */
	CURATOR("Curator InterProcessMutex", Subject.ZOOKEEPER, true, CuratorSubject::new),

	/** Spring Integration's registry on Curator. */
	SPRING_ZOOKEEPER("Spring Integration, ZooKeeper", Subject.ZOOKEEPER, true, SpringZooKeeperSubject::new),

	/** ShedLock's provider on Curator. */
	SHEDLOCK_ZOOKEEPER("ShedLock, ZooKeeper", Subject.ZOOKEEPER, false, ShedLockZooKeeperSubject::new);

	/** Instead of a number of Redis nodes: all servers that there are. */
	private static final int ZOOKEEPER = 0;

	/** Locks inside this JVM. */
	private static final int NO_NODES = -1;

	/** Measured in a study of their own only. */
	private static final Set<Subject> SPECIAL = EnumSet.of(QUORLOCK_5_RETAINED, QUORLOCK_5_SENT, QUORLOCK_3_LONG,
			QUORLOCK_3_GROUPS_1, QUORLOCK_3_GROUPS_2, QUORLOCK_3_GROUPS_4);

	private final String title;

	private final int nodes;

	private final boolean waits;

	private final Factory factory;

	Subject(String title, int nodes, boolean waits, Factory factory) {
		this.title = title;
		this.nodes = nodes;
		this.waits = waits;
		this.factory = factory;
	}

	/**
	 * Return a subject.
	 * @param id its id
	 * @return the subject
	 */
	public static Subject of(String id) {
		return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
	}

	/**
	 * Return the subject that one with observability is compared with. @param subject a
	 * subject that Spring Boot configures @return the same without observability
	 */
	public static Subject unobserved(Subject subject) {
		return (subject.nodes == 1) ? SPRING_BOOT_1 : SPRING_BOOT_5;
	}

	/**
	 * Return its name in options and results.
	 * @return the id
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Return its title.
	 * @return the title
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return whether it locks on Redis.
	 * @return whether it does; otherwise on ZooKeeper, or inside this JVM
	 */
	public boolean onRedis() {
		return this.nodes > 0;
	}

	/**
	 * Return whether the studies that compare all subjects on Redis include it.
	 * @return whether they do
	 */
	public boolean isGeneral() {
		return onRedis() && !SPECIAL.contains(this);
	}

	/**
	 * Return whether a cycle of lock and unlock asks no server.
	 * @return whether it takes place inside this JVM, at least most of the time
	 */
	public boolean isLocal() {
		return this.nodes == NO_NODES || this == QUORLOCK_5_RETAINED;
	}

	/**
	 * Return how many nodes it asks.
	 * @return the number of nodes
	 */
	public int nodes() {
		return this.nodes;
	}

	/**
	 * Return whether it can wait for a lock that another holds.
	 * @return whether it waits
	 */
	public boolean waits() {
		return this.waits;
	}

	/**
	 * Connect to the first of the given nodes, as many as it needs, or to all servers of
	 * an ensemble.
	 * @param ports the nodes' ports on the loopback
	 * @return the connected subject
	 * @throws Exception if it cannot connect
	 */
	public LockSubject connect(List<Integer> ports) throws Exception {
		return this.factory.connect(onRedis() ? ports.subList(0, this.nodes) : ports);
	}

	@FunctionalInterface
	private interface Factory {

		LockSubject connect(List<Integer> ports) throws Exception;

	}

}
