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

package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.redis.ServerInfo;
import io.quorlock.redis.client.EvictionPolicy;
import io.quorlock.redis.client.EvictionPolicy.NodeEviction;
import io.quorlock.redis.client.StatusLogger;
import io.quorlock.redis.spring.RedisTopology.Kind;
import io.quorlock.time.LockClock;

/**
 * Whether the Redis of the application grants locks: whether it is there, what it does
 * when its memory is full, and whether it carries out what it is asked to. After an error
 * a lock that nobody else uses is tried, again every second while that fails.
 */
final class LinkHealth {

	private static final String DISGUISED = "belongs to a Redis Cluster, though its RedisConnectionFactory is a wrapper or one of a "
			+ "single server";

	private static final long LOST_NANOS = Duration.ofSeconds(10).toNanos();

	private static final Log logger = LogFactory.getLog(LinkHealth.class);

	private final RedisTopology topology;

	private final LockClock clock;

	private final NodeAdmission admission;

	private final EvictionPolicy eviction;

	private final StatusLogger log;

	/** Why it is not connected; empty while it is. */
	private volatile String down = "not started";

	/** Why it grants no lock though it is connected; empty if it does. */
	private volatile String failure = "";

	/** The lock whose command failed last, and is to be tried. */
	private volatile @Nullable String suspect;

	private volatile @Nullable String version;

	/** Since when commands have been lost without one reply between them; 0 if not. */
	private volatile long lostSince;

	/** Whether it is a Cluster, though its factory does not look like that of one. */
	private volatile boolean disguised;

	LinkHealth(RedisTopology topology, NodeEviction eviction, LockClock clock, NodeAdmission admission) {
		this.topology = topology;
		this.clock = clock;
		this.admission = admission;
		this.eviction = new EvictionPolicy(topology.name(), eviction, clock, admission, (doubt) -> {
		});
		this.log = new StatusLogger(topology.name(), clock);
		admission.onConnected("", Long.MAX_VALUE, clock.nanoTime());
		admission.onRecord(Long.MAX_VALUE, clock.nanoTime());
	}

	/**
	 * Return whether the votes of commands that are sent now count.
	 */
	boolean isVoting() {
		return this.admission.isVoting(this.clock.minNanoTime());
	}

	/** Return why nothing can be sent; empty if it can. */
	String down() {
		return this.down;
	}

	/**
	 * Return the lock that is to be tried.
	 */
	@Nullable String suspect() {
		return this.suspect;
	}

	String note() {
		return LogText.remarks(this.disguised ? DISGUISED : "", this.eviction.note());
	}

	NodeStatus status(LinkMonitor monitor) {
		String down = this.down.isEmpty() ? monitor.silence() : this.down;
		if (!down.isEmpty()) {
			return NodeStatus.of(State.DOWN, down);
		}
		long now = this.clock.minNanoTime();
		String failing = this.failure.isEmpty() ? this.admission.exclusion() : this.failure;
		Duration votesIn = this.admission.votesIn(now);
		State state = !failing.isEmpty() ? State.FAILING : votesIn.isZero() ? State.VOTING : State.QUARANTINED;
		return new NodeStatus(state, failing.isEmpty() ? this.admission.reason(now) : failing, votesIn, null,
				this.version, monitor.clockOffsetMicros());
	}

	/**
	 * It was started or stopped.
	 */
	void onDown(String down) {
		this.down = down;
	}

	/**
	 * Note whether it is connected.
	 * @param down why it is not; empty if it is
	 * @return whether it was not before
	 */
	boolean onConnection(String down, LinkMonitor monitor) {
		boolean before = this.down.isEmpty();
		this.down = down;
		if (!before) {
			this.lostSince = 0;
		}
		this.log.onStatus(status(monitor));
		return !before;
	}

	/**
	 * Each master was asked.
	 * @param infos what they report
	 */
	void onInfo(List<ServerInfo> infos) {
		infos.stream()
			.filter((info) -> !info.evictionPolicy().isEmpty())
			.max((one, other) -> Integer.compare(evictions(one), evictions(other)))
			.ifPresent(this.eviction::onInfo);
		if (!this.disguised && this.topology.kind() != Kind.CLUSTER
				&& infos.stream().anyMatch(ServerInfo::isClusterMember)) {
			this.disguised = true;
			logger.warn(("Lock node %s %s. Two names in different slots cannot be locked together, and a failover may "
					+ "grant a lock twice; make the RedisConnectionFactory one of a Cluster (spring.data.redis.cluster.nodes)")
				.formatted(this.topology.name(), DISGUISED));
		}
		infos.stream().findFirst().ifPresent((info) -> this.version = info.version());
	}

	/** The one that evicts most decides. */
	private static int evictions(ServerInfo info) {
		String policy = info.evictionPolicy();
		return policy.equals("noeviction") ? 0
				: ((info.maxMemory() > 0) ? 2 : 1) * (policy.startsWith("allkeys-") ? 2 : 1);
	}

	/**
	 * A command of a lock was answered.
	 */
	void onReply(NodeCommand command, NodeReply reply) {
		if (reply instanceof Failed failed) {
			boolean lost = failed.cause() == Cause.CONNECTION_LOST && isLostForLong();
			if (lost) {
				this.failure = "does not reply: " + failed.message();
			}
			if ((lost || failed.cause() == Cause.ERROR) && this.suspect == null) {
				this.suspect = command.names().get(0);
			}
			return;
		}
		this.lostSince = 0;
		if (!this.failure.isEmpty() && reply instanceof NodeReply.Granted) {
			recovered(); // another master of a Cluster may be fine
		}
	}

	/** One master of a Cluster may reply to pings while those with the locks do not. */
	private boolean isLostForLong() {
		long now = this.clock.nanoTime();
		if (this.lostSince == 0) {
			this.lostSince = now;
		}
		return now - this.lostSince >= LOST_NANOS;
	}

	/**
	 * The server replied with an error to what is not about a lock: a lock is tried.
	 * Without a permission for it locks may work all the same, as may other masters of a
	 * Cluster.
	 * @param error the error
	 */
	void onRefused(String error) {
		if (this.suspect == null) {
			this.suspect = "refused";
		}
		if (this.topology.kind() != Kind.CLUSTER && !error.startsWith("NOPERM")) {
			this.failure = RedisErrors.explain(error);
		}
	}

	/**
	 * A lock that nobody else uses was tried.
	 */
	void onProbe(NodeReply reply) {
		if (!(reply instanceof Failed failed)) {
			recovered();
		}
		else if (failed.cause() == Cause.ERROR) {
			this.failure = RedisErrors.explain(failed.message());
		}
	}

	private void recovered() {
		this.suspect = null;
		this.failure = "";
		this.lostSince = 0;
	}

}
