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

import java.util.List;
import java.util.Locale;

import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

import io.quorlock.benchmarks.subject.LockSubject.Hold;

/**
 * The locks that crowds want. Each instance is a client of its own, with connections and
 * threads of its own.
 */
public enum CrowdVariant {

	/** This library, one node. */
	QUORLOCK_1("Quorlock, 1 node", 1, QuorlockSubject::instance, LockSubject::lock),

	/** This library, one node, in the order of asking. */
	QUORLOCK_1_FAIR("Quorlock, 1 node, fair", 1, QuorlockSubject::instance, LockSubject::fair),

	/** This library, five nodes. */
	QUORLOCK_5("Quorlock, 5 nodes", 5, QuorlockSubject::instance, LockSubject::lock),

	/** This library, five nodes, in the order of asking. */
	QUORLOCK_5_FAIR("Quorlock, 5 nodes, fair", 5, QuorlockSubject::instance, LockSubject::fair),

	/** Redisson's lock. */
	REDISSON("Redisson RLock, 1 node", 1, RedissonClientSubject::new, LockSubject::lock),

	/** Redisson's fair lock. */
	REDISSON_FAIR("Redisson fair lock, 1 node", 1, RedissonClientSubject::new, LockSubject::fair),

	/** Spring Integration, subscribed. */
	SPRING_PUBSUB("Spring Integration, pub/sub, 1 node", 1,
			(ports) -> new SpringIntegrationSubject(Drivers.springLettuce(ports.get(0)), RedisLockType.PUB_SUB_LOCK),
			LockSubject::lock),

	/** Curator's mutex. */
	CURATOR("Curator InterProcessMutex, 1 server", 0, CuratorSubject::new, LockSubject::lock);

	private final String title;

	private final int nodes;

	private final Factory factory;

	private final Request request;

	CrowdVariant(String title, int nodes, Factory factory, Request request) {
		this.title = title;
		this.nodes = nodes;
		this.factory = factory;
		this.request = request;
	}

	/**
	 * Return a variant.
	 * @param id its id
	 * @return the variant
	 */
	public static CrowdVariant of(String id) {
		return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
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
	 * Return how many Redis nodes it asks.
	 * @return the number of nodes, 0 if it asks a ZooKeeper server
	 */
	public int nodes() {
		return this.nodes;
	}

	/**
	 * Return whether it is this library.
	 * @return whether it is
	 */
	public boolean isOurs() {
		return name().startsWith("QUORLOCK");
	}

	/**
	 * Connect a new instance.
	 * @param ports the ports of the Redis nodes
	 * @param zooKeeperPort the port of the ZooKeeper server
	 * @return the instance
	 * @throws Exception if it cannot connect
	 */
	public LockSubject connect(List<Integer> ports, int zooKeeperPort) throws Exception {
		return this.factory.connect((this.nodes > 0) ? ports.subList(0, this.nodes) : List.of(zooKeeperPort));
	}

	/**
	 * Acquire the lock.
	 * @param instance who wants it
	 * @param name its name
	 * @return the lock
	 * @throws Exception if it was not acquired
	 */
	public Hold lock(LockSubject instance, String name) throws Exception {
		return this.request.lock(instance, name);
	}

	@FunctionalInterface
	private interface Factory {

		LockSubject connect(List<Integer> ports) throws Exception;

	}

	@FunctionalInterface
	private interface Request {

		Hold lock(LockSubject instance, String name) throws Exception;

	}

}
