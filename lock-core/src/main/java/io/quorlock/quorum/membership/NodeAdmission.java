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

package io.quorlock.quorum.membership;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * From when on a node votes. A node that restarted may have forgotten locks that are
 * still held, and a node that is new to the list never heard of them; both have to wait
 * until every lease from before must have ended.
 * <p>
 * It is notified of what is seen of the node, and asked when a command is about to be
 * sent. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class NodeAdmission {

	/** Uptimes and ages come in whole seconds. */
	private static final Duration ROUNDING = Duration.ofSeconds(1);

	private final long quarantineNanos;

	private final boolean trustFirstSeen;

	private volatile @Nullable Seen seen;

	/** Why the node is not to be relied on at present; empty if it is. */
	private volatile String exclusion = "";

	/** When others may have forgotten our list, or null if nobody remembers lists. */
	private volatile @Nullable Long listedUntilNanos;

	private @Nullable String firstRunId;

	/** By the node's wall clock. */
	private long recordedSince;

	/**
	 * Create the admission of one node.
	 * @param quarantine at least the longest lease of any client of the node; zero to
	 * count every node at once
	 * @param driftFactor by how much the rates of two clocks may differ, relatively
	 * @param trustFirstSeen whether the run id that is seen first counts at once, as for
	 * servers that were started for development
	 */
	public NodeAdmission(Duration quarantine, double driftFactor, boolean trustFirstSeen) {
		this.quarantineNanos = quarantine.isZero() ? 0
				: (long) (quarantine.toNanos() * (1 + driftFactor)) + ROUNDING.toNanos();
		this.trustFirstSeen = trustFirstSeen;
	}

	/**
	 * The node replied on a new connection. Its votes do not count before
	 * {@link #onRecord}.
	 * @param runId identifies the server process
	 * @param uptimeSeconds for how long it has been up by its wall clock; negative if
	 * that was set back meanwhile
	 * @param nowNanos the monotonic time after the reply
	 */
	public synchronized void onConnected(String runId, long uptimeSeconds, long nowNanos) {
		if (this.firstRunId == null) {
			this.firstRunId = runId;
		}
		boolean trusted = this.quarantineNanos == 0 || (this.trustFirstSeen && runId.equals(this.firstRunId));
		Seen before = this.seen;
		Since up = Since.ago(Math.max(0, uptimeSeconds), nowNanos);
		if (before != null && before.runId.equals(runId)) {
			// Its clock may have been set back: one run does not get younger.
			this.seen = new Seen(runId, trusted, before.up.orOlder(up, nowNanos), before.record, before.doubt, false);
		}
		else {
			this.seen = new Seen(runId, trusted, up, null, null, false);
		}
	}

	/**
	 * The node's record of its list was read, or written.
	 * @param ageSeconds for how long the node has had it; {@link Long#MAX_VALUE} if since
	 * the list's beginning, negative if it has none
	 * @param nowNanos the monotonic time after the reply
	 */
	public void onRecord(long ageSeconds, long nowNanos) {
		onRecord(0, ageSeconds, nowNanos);
	}

	/**
	 * The node's record of its list was read, or written.
	 * @param since when it was written by the node's wall clock, 0 if that is not known:
	 * one record does not get younger when the clock is set back
	 * @param ageSeconds for how long the node has had it; {@link Long#MAX_VALUE} if since
	 * the list's beginning, negative if it has none
	 * @param nowNanos the monotonic time after the reply
	 */
	public synchronized void onRecord(long since, long ageSeconds, long nowNanos) {
		Seen before = this.seen;
		if (before != null) {
			Since record = (ageSeconds < 0) ? null : Since.ago(ageSeconds, nowNanos);
			if (record != null && before.record != null && since > 0 && since == this.recordedSince) {
				record = before.record.orOlder(record, nowNanos);
			}
			this.recordedSince = since;
			this.seen = new Seen(before.runId, before.trusted, before.up, record, before.doubt, true);
		}
	}

	/**
	 * The node may have lost leases without a restart: until they must have ended, it
	 * does not vote, as after a restart.
	 * @param reason what happened, for people, a clause that takes a time
	 * @param ageSeconds how long ago that was
	 * @param nowNanos the monotonic time
	 */
	public synchronized void onDoubt(String reason, long ageSeconds, long nowNanos) {
		Seen before = this.seen;
		if (before != null && this.quarantineNanos > 0) {
			Since since = Since.ago(Math.max(0, ageSeconds), nowNanos);
			Doubt known = before.doubt;
			if (known == null || since.nanosAgo(nowNanos) + ROUNDING.toNanos() < known.since.nanosAgo(nowNanos)) {
				this.seen = new Seen(before.runId, before.trusted, before.up, before.record, new Doubt(reason, since),
						before.read);
			}
		}
	}

	/**
	 * The node may be losing leases at this time, or does so no longer.
	 * @param exclusion why it does not vote, for people; empty if it may
	 */
	public void onExclusion(String exclusion) {
		this.exclusion = exclusion;
	}

	/**
	 * Return why the node is not to be relied on at present.
	 * @return the reason, for people; empty if it is
	 */
	public String exclusion() {
		return this.exclusion;
	}

	/**
	 * The node noted that our list of nodes is in use (R10).
	 * @param untilNanos until when those with other lists know of it at least for as long
	 * as a lease that is given then, by the upper bound of the time
	 */
	public void onListed(long untilNanos) {
		this.listedUntilNanos = untilNanos;
	}

	/**
	 * Return whether those with other lists know of ours. After a pause of this process
	 * they may have forgotten it, and would not ask for a majority of it.
	 * @param nowNanos the upper bound of the monotonic time at which the command is sent
	 * @return whether votes count as far as lists are concerned
	 */
	public boolean isListed(long nowNanos) {
		Long until = this.listedUntilNanos;
		return until == null || nowNanos - until < 0;
	}

	/**
	 * Return whether the node votes (R10).
	 * @param nowNanos the monotonic time at which the command is sent
	 * @return whether its votes count
	 */
	public boolean isVoting(long nowNanos) {
		Seen seen = this.seen;
		return seen != null && seen.read && this.exclusion.isEmpty() && waitNanos(seen, nowNanos) == 0;
	}

	/**
	 * How long until the votes count, as far as it is known.
	 * @param nowNanos the monotonic time
	 * @return the time left; zero if they count already
	 */
	public Duration votesIn(long nowNanos) {
		Seen seen = this.seen;
		return Duration.ofNanos((seen != null) ? waitNanos(seen, nowNanos) : this.quarantineNanos);
	}

	/**
	 * Why the votes do not count, for people.
	 * @param nowNanos the monotonic time
	 * @return the reason; empty if they count
	 */
	public String reason(long nowNanos) {
		Seen seen = this.seen;
		if (seen == null || isVoting(nowNanos)) {
			return "";
		}
		if (!this.exclusion.isEmpty()) {
			return this.exclusion;
		}
		Since record = seen.record;
		long left = secondsUp(waitNanos(seen, nowNanos));
		if (record == null) {
			long up = seen.trusted ? 0 : secondsUp(Math.max(0, this.quarantineNanos - seen.up.nanosAgo(nowNanos)));
			return "has no record of this list of nodes yet" + ((up > 0)
					? "; started %d s ago and votes in %d s at the earliest".formatted(seen.up.secondsAgo(nowNanos), up)
					: "");
		}
		Doubt doubt = seen.doubt;
		if (doubt != null && doubtNanos(seen, nowNanos) == waitNanos(seen, nowNanos)) {
			return "%s %d s ago; votes in %d s".formatted(doubt.reason, doubt.since.secondsAgo(nowNanos), left);
		}
		boolean restarted = seen.up.nanosAgo(nowNanos) <= record.nanosAgo(nowNanos);
		return restarted ? "started %d s ago and votes in %d s".formatted(seen.up.secondsAgo(nowNanos), left)
				: "new to this list of nodes for %d s and votes in %d s".formatted(record.secondsAgo(nowNanos), left);
	}

	/**
	 * R10: the rest of the quarantine since the restart, the first record, or a doubt.
	 */
	private long waitNanos(Seen seen, long nowNanos) {
		if (seen.trusted) {
			return doubtNanos(seen, nowNanos);
		}
		Since record = seen.record;
		long age = (record != null) ? Math.min(seen.up.nanosAgo(nowNanos), record.nanosAgo(nowNanos)) : 0;
		return Math.max(Math.max(0, this.quarantineNanos - age), doubtNanos(seen, nowNanos));
	}

	private long doubtNanos(Seen seen, long nowNanos) {
		Doubt doubt = seen.doubt;
		return (doubt != null) ? Math.max(0, this.quarantineNanos - doubt.since.nanosAgo(nowNanos)) : 0;
	}

	private static long secondsUp(long nanos) {
		return (nanos + 999_999_999) / 1_000_000_000;
	}

	/**
	 * What was seen on the current connection.
	 *
	 * @param runId identifies the server process
	 * @param trusted whether it needs no quarantine
	 * @param up since when it is up
	 * @param record since when it has its record of the list, or {@code null}
	 * @param doubt why and when it may have lost leases, or {@code null}
	 * @param read whether its record was read, behind ours, on this connection
	 */
	private record Seen(String runId, boolean trusted, Since up, @Nullable Since record, @Nullable Doubt doubt,
			boolean read) {

	}

	private record Doubt(String reason, Since since) {

	}

	/**
	 * A moment, kept as an age at a later moment of this process's monotonic clock.
	 *
	 * @param ageNanos the age then; beyond a century it stands for ever
	 * @param atNanos then
	 */
	private record Since(long ageNanos, long atNanos) {

		private static final long CENTURY_SECONDS = Duration.ofDays(36_500).toSeconds();

		static Since ago(long seconds, long nowNanos) {
			return new Since(Math.min(seconds, CENTURY_SECONDS) * 1_000_000_000, nowNanos);
		}

		long nanosAgo(long nowNanos) {
			return this.ageNanos + (nowNanos - this.atNanos);
		}

		Since orOlder(Since other, long nowNanos) {
			return (other.nanosAgo(nowNanos) > nanosAgo(nowNanos)) ? other : this;
		}

		long secondsAgo(long nowNanos) {
			return nanosAgo(nowNanos) / 1_000_000_000;
		}

	}

}
