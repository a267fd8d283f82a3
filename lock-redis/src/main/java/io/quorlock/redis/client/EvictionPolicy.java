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
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.LogText;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.ServerInfo;
import io.quorlock.time.LockClock;

/**
 * What one node does when its memory is full, which may be changed while it runs: a node
 * that evicts keys loses locks that are held.
 *
 * @since 0.1.0
 */
public final class EvictionPolicy {

	private static final Log logger = LogFactory.getLog(RedisLockNode.class);

	private static final long PERIOD_NANOS = Duration.ofSeconds(10).toNanos();

	private final String node;

	private final NodeEviction reaction;

	private final LockClock clock;

	private final NodeAdmission admission;

	private final Consumer<String> onDoubt;

	private String runId = "";

	private volatile String note = "";

	private volatile long readNanos;

	/**
	 * Create the policy of a node.
	 * @param node the name of the node
	 * @param reaction what is to happen to it
	 * @param clock the clock of this process
	 * @param admission decides whether it votes
	 * @param onDoubt tells other instances why the node may have lost leases
	 */
	public EvictionPolicy(String node, NodeEviction reaction, LockClock clock, NodeAdmission admission,
			Consumer<String> onDoubt) {
		this.node = node;
		this.reaction = reaction;
		this.clock = clock;
		this.admission = admission;
		this.onDoubt = onDoubt;
	}

	/**
	 * Return what is to be said of the policy.
	 * @return a text for people; empty if there is nothing to say
	 */
	public String note() {
		return this.note;
	}

	/**
	 * The server was asked in a handshake.
	 */
	synchronized void onServer(ServerInfo info) {
		if (!info.runId().equals(this.runId)) {
			this.runId = info.runId();
			this.note = "";
			this.admission.onExclusion("");
		}
		onInfo(info);
	}

	/**
	 * The server was asked again.
	 * @param info what it reports
	 */
	public synchronized void onInfo(ServerInfo info) {
		this.readNanos = this.clock.nanoTime();
		String policy = info.evictionPolicy();
		boolean evicts = !policy.isEmpty() && !policy.equals("noeviction");
		String note = !evicts ? "" : "evicts keys when its memory is full (maxmemory-policy %s), locks among them"
			.formatted(LogText.bounded(policy));
		boolean changed = !note.equals(this.note);
		this.note = note;
		boolean excluded = this.reaction.excludes(info);
		boolean wasExcluded = !this.admission.exclusion().isEmpty();
		this.admission.onExclusion(excluded ? note + "; use noeviction" : "");
		if (wasExcluded && !excluded) {
			this.admission.onDoubt("it evicted keys until", 0, this.clock.minNanoTime());
			this.onDoubt.accept(MembershipRecord.EVICTION);
		}
		if (changed && evicts) {
			logger.warn("Lock node %s %s; use noeviction".formatted(this.node, note));
		}
		else if (changed) {
			logger.info("Lock node %s no longer evicts keys".formatted(this.node));
		}
	}

	/**
	 * Ask for the policy if that is due.
	 */
	void update(Pipeline pipeline, long nowNanos) {
		if (nowNanos - this.readNanos >= PERIOD_NANOS) {
			this.readNanos = nowNanos;
			pipeline.submit(PendingCommand.of(RespEncoder.command("INFO", "memory"), (reply, queuedNanos) -> {
				ServerInfo info = ServerInfo.of(reply);
				if (info != null && !info.evictionPolicy().isEmpty()) {
					onInfo(info);
				}
			}));
		}
	}

	/**
	 * What happens to a node that may evict locks when its memory is full. A node without
	 * a memory limit evicts nothing.
	 */
	public enum NodeEviction {

		/**
		 * It is reported.
		 */
		WARN,

		/**
		 * It does not vote if it evicts keys of any kind ({@code allkeys-*}); one that
		 * evicts only keys with an expiry, which locks are too, is reported.
		 */
		EXCLUDE_ALLKEYS,

		/**
		 * It does not vote.
		 */
		EXCLUDE;

		/**
		 * Return whether a node does not vote.
		 * @param info what the node reports
		 * @return whether it may evict keys that it must not
		 */
		public boolean excludes(ServerInfo info) {
			String policy = info.evictionPolicy();
			return info.maxMemory() > 0 && switch (this) {
				case WARN -> false;
				case EXCLUDE_ALLKEYS -> policy.startsWith("allkeys-");
				case EXCLUDE -> !policy.isEmpty() && !policy.equals("noeviction");
			};
		}

	}

}
