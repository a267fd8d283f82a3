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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.time.LockClock;

/**
 * Logs once what changed about a node.
 *
 * @since 0.1.0
 */
public final class StatusLogger {

	private static final Log logger = LogFactory.getLog(RedisLockNode.class);

	private final String node;

	private final LockClock clock;

	private final Flapping flapping = new Flapping();

	private boolean logged = true;

	private @Nullable State state;

	private String reason = "";

	private String degradation = "";

	/**
	 * Create a logger.
	 * @param node the name of the node
	 * @param clock the clock of this process
	 */
	public StatusLogger(String node, LockClock clock) {
		this.node = node;
		this.clock = clock;
	}

	synchronized void onDegradation(String degradation) {
		if (!degradation.equals(this.degradation)) {
			this.degradation = degradation;
			if (degradation.isEmpty()) {
				logger.info("Lock node %s serves all commands again".formatted(this.node));
			}
			else {
				logger
					.warn(("Lock node %s grants locks, but %s: requests may wait longer, and a change of the node list "
							+ "may go unnoticed")
						.formatted(this.node, degradation));
			}
		}
	}

	/**
	 * Log the status if that is due. To be called again and again.
	 * @param status the present status
	 */
	public synchronized void onStatus(NodeStatus status) {
		// The reason of a quarantine, and of slowness, changes all the time.
		boolean stable = status.state() == State.DOWN || status.state() == State.REJECTED;
		long now = this.clock.nanoTime();
		if (status.state() != this.state || (stable && !timeless(status.reason()).equals(this.reason))) {
			this.state = status.state();
			this.reason = timeless(status.reason());
			this.flapping.changed(now);
			this.logged = false;
		}
		if (this.flapping.isReportDue(now)) {
			this.logged = true;
			logger.warn(
					"Lock node %s comes and goes: %d changes within a minute, at present it is %s. Further ones are counted; check the server and the network to it"
						.formatted(this.node, this.flapping.changes(now), describe(status)));
		}
		else if (!this.logged && !this.flapping.isFlapping(now)) {
			this.logged = true;
			log(status);
		}
	}

	private static String describe(NodeStatus status) {
		String state = status.state().name().toLowerCase(Locale.ROOT);
		return status.reason().isEmpty() ? state : state + " (" + status.reason() + ")";
	}

	private void log(NodeStatus status) {
		switch (status.state()) {
			case VOTING -> logger.info("Lock node %s votes".formatted(server(status)));
			case QUARANTINED -> logger.info("Lock node %s is connected but does not vote yet: %s%s"
				.formatted(server(status), status.reason(), hint(status.reason())));
			case FAILING -> logger.error((status.reason().startsWith("denies")
					? "Lock node %s is connected but fails: it %s; grant it to the user of the connections"
					: "Lock node %s is connected but fails: it %s; see its memory, its disk and its log")
				.formatted(this.node, status.reason()));
			case DOWN -> logger.warn("Lock node %s is down: %s; check the %s".formatted(this.node, status.reason(),
					status.reason().contains("credentials") ? "provider of the credentials"
							: "server and the network to it"));
			case REJECTED ->
				logger.error("Lock node %s cannot be used: %s; mend it, or remove it from the list of nodes"
					.formatted(this.node, clause(status.reason())));
		}
	}

	/** A server may keep its version to itself. */
	private String server(NodeStatus status) {
		return (status.version() != null) ? this.node + " (" + status.version() + ")" : this.node;
	}

	/** A reason says what the node does, unless it is about another instance. */
	private static String clause(String reason) {
		return reason.startsWith("another instance ") ? reason : "it " + reason;
	}

	/** A reason may say how long ago something was. */
	private static String timeless(String reason) {
		return reason.replaceAll("\\d+ s\\b", "");
	}

	/** A new server is as a rule one of a developer's machine. */
	private static String hint(String reason) {
		return reason.endsWith("at the earliest")
				? " (on a development machine, distributed-lock.restart-quarantine=0 skips that)" : "";
	}

	/**
	 * Whether something changes so often that its changes are only counted. Not
	 * thread-safe.
	 */
	static final class Flapping {

		static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

		/** Two restarts, each with an end, a quarantine and a vote. */
		static final int MAX_CHANGES = 6;

		private final Deque<Long> changes = new ArrayDeque<>();

		private boolean reported;

		private long reportedNanos;

		void changed(long nowNanos) {
			this.changes.add(nowNanos);
		}

		/** Return how many changes there were within the last minute. */
		int changes(long nowNanos) {
			while (!this.changes.isEmpty() && nowNanos - this.changes.getFirst() >= PERIOD_NANOS) {
				this.changes.removeFirst();
			}
			return this.changes.size();
		}

		boolean isFlapping(long nowNanos) {
			return changes(nowNanos) > MAX_CHANGES;
		}

		/**
		 * Return whether the number of changes is to be reported now: at first, and then
		 * once a minute.
		 */
		boolean isReportDue(long nowNanos) {
			if (!isFlapping(nowNanos)) {
				this.reported = false;
				return false;
			}
			if (this.reported && nowNanos - this.reportedNanos < PERIOD_NANOS) {
				return false;
			}
			this.reported = true;
			this.reportedNanos = nowNanos;
			return true;
		}

	}

}
