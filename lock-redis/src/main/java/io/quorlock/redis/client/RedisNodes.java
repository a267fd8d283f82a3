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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.ClockSteps;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.LockClock;

/**
 * The nodes of one group, each an independent Redis master. Each uses one connection and
 * two threads, whatever the number of callers and locks.
 *
 * @since 0.1.0
 */
public final class RedisNodes {

	private static final Log logger = LogFactory.getLog(RedisNodes.class);

	private static final Duration COMPARED_WITHIN = Duration.ofSeconds(60);

	private final List<RedisLockNode> nodes;

	private RedisNodes(List<RedisLockNode> nodes) {
		this.nodes = nodes;
	}

	/**
	 * Create the nodes; the engine starts and stops them.
	 * @param addresses where they are
	 * @param options how to connect
	 * @return the nodes
	 * @throws IllegalArgumentException if there is none, or one is there twice
	 */
	public static RedisNodes create(List<NodeAddress> addresses, RedisNodeOptions options) {
		return create(addresses, options, "");
	}

	/**
	 * Create the nodes of a group that shares the names with others.
	 * @param addresses where they are
	 * @param options how to connect
	 * @param layout how the names are shared, alike on all instances
	 * @return the nodes
	 */
	public static RedisNodes create(List<NodeAddress> addresses, RedisNodeOptions options, String layout) {
		List<String> names = addresses.stream().map(NodeAddress::name).toList();
		if (names.isEmpty()) {
			throw new IllegalArgumentException("A group needs at least one lock node");
		}
		if (names.stream().distinct().count() != names.size()) {
			throw new IllegalArgumentException("The same lock node twice in " + names);
		}
		ClockSteps steps = new ClockSteps(names.size(), comparedWithin(options.quarantine()), options.driftFactor());
		Membership membership = new Membership(addresses.stream().map(NodeAddress::listedName).toList(), layout, steps);
		Housekeeper housekeeper = new Housekeeper(options.clock(),
				(options.credentials() != null) ? new Login.Source(options.credentials(), Login.Source.PERIOD) : null);
		List<RedisLockNode> nodes = new ArrayList<>();
		for (NodeAddress address : addresses) {
			nodes.add(new RedisLockNode(address, options, membership, nodes.size(), housekeeper));
		}
		return new RedisNodes(nodes);
	}

	/** Clocks are read about once a second, which short leases are shorter than. */
	static Duration comparedWithin(Duration quarantine) {
		return (quarantine.isZero() || quarantine.compareTo(COMPARED_WITHIN) > 0) ? quarantine : COMPARED_WITHIN;
	}

	/**
	 * The nodes in the order of their addresses.
	 * @return the nodes
	 */
	public List<LockNode> nodes() {
		return List.copyOf(this.nodes);
	}

	/**
	 * Return notes on nodes that may well vote, such as that a replacement is under way.
	 * @return notes for people, by the name of the node
	 */
	public Map<String, String> notes() {
		Map<String, String> notes = new TreeMap<>();
		this.nodes.forEach((node) -> notes.put(node.name(), node.note()));
		notes.values().removeIf(String::isEmpty);
		return notes;
	}

	/**
	 * The thread that does what is due for the nodes of a list, while any of them is
	 * started.
	 */
	static final class Housekeeper implements Runnable {

		private static final Duration PERIOD = Duration.ofMillis(250);

		/** A tick that is so late had to wait for the process, as the replies had. */
		private static final long LATE_NANOS = 4 * PERIOD.toNanos();

		private final Set<RedisLockNode> nodes = ConcurrentHashMap.newKeySet();

		private final Set<RedisLockNode> failed = ConcurrentHashMap.newKeySet();

		private final LockClock clock;

		private final Login.@Nullable Source logins;

		private @Nullable Thread thread;

		private volatile long tickedNanos;

		private volatile boolean late;

		private boolean withoutLogin;

		/**
		 * Create a housekeeper.
		 * @param logins asks for the credentials, which may change; {@code null} if there
		 * is no provider of them
		 */
		Housekeeper(LockClock clock, Login.@Nullable Source logins) {
			this.clock = clock;
			this.logins = logins;
			this.tickedNanos = clock.nanoTime();
		}

		synchronized void add(RedisLockNode node) {
			this.nodes.add(node);
			if (this.thread == null) {
				if (this.logins != null) {
					this.logins.forget(); // what it answered before the stop
				}
				this.thread = Connector.startThread(this, "quorlock-nodes");
			}
		}

		synchronized void remove(RedisLockNode node) {
			this.nodes.remove(node);
			if (this.nodes.isEmpty()) {
				this.thread = null;
			}
		}

		private synchronized boolean isCurrent() {
			return this.thread == Thread.currentThread();
		}

		@Override
		public void run() {
			while (isCurrent()) {
				try {
					tick(this.nodes);
				}
				catch (Throwable ex) {
					logger.error("Housekeeping of lock nodes failed; report it with what follows", ex);
				}
				LockSupport.parkNanos(this, PERIOD.toNanos());
			}
		}

		/**
		 * Do what is due for the nodes that are started.
		 */
		void tick(Set<RedisLockNode> nodes) {
			long now = this.clock.nanoTime();
			// Behind a pause the replies that are there are read first, but not for ever.
			this.late = !this.late && now - this.tickedNanos > LATE_NANOS;
			this.tickedNanos = now;
			if (!this.late) {
				nodes.forEach((node) -> keep(node, now));
			}
			if (this.logins != null) {
				login(nodes, this.logins);
			}
		}

		private void keep(RedisLockNode node, long now) {
			try {
				node.keep(now);
				this.failed.remove(node);
			}
			catch (Throwable ex) {
				// Nothing ends this thread, and nothing is logged four times a second.
				if (this.failed.add(node)) {
					logger.error("Housekeeping of lock node " + node.name() + " failed; report it with what follows",
							ex);
				}
			}
		}

		/** Connections are logged in again with credentials that changed. */
		private void login(Set<RedisLockNode> nodes, Login.Source logins) {
			try {
				Login login = logins.askAgain();
				if (login != null) {
					this.withoutLogin = false;
					nodes.forEach((node) -> node.login(login));
				}
			}
			catch (NodeUnavailableException ex) {
				if (!this.withoutLogin) {
					this.withoutLogin = true;
					logger.warn("Connections to the lock nodes keep their credentials: " + ex.getMessage()
							+ "; mend the provider of the credentials");
				}
			}
		}

	}

}
