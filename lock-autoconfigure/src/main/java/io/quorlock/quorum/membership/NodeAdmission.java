package io.quorlock.quorum.membership;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * From when on a node votes (R10). A node that restarted may have forgotten locks that
 * are still held, and a node that is new to the group never heard of them; both have to
 * wait until every lease from before must have ended.
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

	private final boolean needsRecord;

	private volatile @Nullable Seen seen;

	/** Why the node refuses this instance; empty if it does not. */
	private volatile String refusal = "";

	private @Nullable String firstRunId;

	/**
	 * Create the admission of one node.
	 * @param quarantine at least the longest lease of any client of the node; zero to
	 * count every node at once
	 * @param driftFactor by how much the rates of two clocks may differ, relatively
	 * @param trustFirstSeen whether the run id that is seen first counts at once, as for
	 * servers that were started for development
	 */
	public NodeAdmission(Duration quarantine, double driftFactor, boolean trustFirstSeen) {
		this(quarantine, driftFactor, trustFirstSeen, false);
	}

	/**
	 * Create the admission of one node of a group.
	 * @param quarantine at least the longest lease of any client of the node; zero to
	 * count every node at once
	 * @param driftFactor by how much the rates of two clocks may differ, relatively
	 * @param trustFirstSeen whether the run id that is seen first counts at once
	 * @param needsRecord whether no node counts without a record, however little it is
	 * mistrusted: names may move, and the seal is part of the record (R23)
	 */
	public NodeAdmission(Duration quarantine, double driftFactor, boolean trustFirstSeen, boolean needsRecord) {
		this.needsRecord = needsRecord;
		this.quarantineNanos = quarantine.isZero() ? 0
				: (long) (quarantine.toNanos() * (1 + driftFactor)) + ROUNDING.toNanos();
		this.trustFirstSeen = trustFirstSeen;
	}

	/**
	 * The node replied on a new connection. Its votes do not count before
	 * {@link #onRecord}.
	 * @param runId identifies the server process
	 * @param uptimeSeconds for how long it has been up
	 * @param nowNanos the monotonic time after the reply
	 */
	public synchronized void onConnected(String runId, long uptimeSeconds, long nowNanos) {
		if (this.firstRunId == null) {
			this.firstRunId = runId;
		}
		boolean trusted = this.quarantineNanos == 0 || (this.trustFirstSeen && runId.equals(this.firstRunId));
		Seen before = this.seen;
		Since record = (before != null && before.runId.equals(runId)) ? before.record : null;
		this.seen = new Seen(runId, trusted, Since.ago(uptimeSeconds, nowNanos), record);
	}

	/**
	 * The node's record of its group was read, or written.
	 * @param ageSeconds for how long the node has had it; {@link Long#MAX_VALUE} if since
	 * the group's beginning, negative if it has none
	 * @param nowNanos the monotonic time after the reply
	 */
	public synchronized void onRecord(long ageSeconds, long nowNanos) {
		Seen before = this.seen;
		if (before != null) {
			Since record = (ageSeconds < 0) ? null : Since.ago(ageSeconds, nowNanos);
			this.seen = new Seen(before.runId, before.trusted, before.up, record);
		}
	}

	/**
	 * The node serves only instances of newer layouts, or does so no longer (R23).
	 * @param refusal why it refuses this instance, for people; empty if it does not
	 */
	public void onRefusal(String refusal) {
		this.refusal = refusal;
	}

	/**
	 * Return whether the node refuses this instance.
	 * @return whether it serves only newer layouts
	 */
	public boolean isRefused() {
		return !this.refusal.isEmpty();
	}

	/**
	 * Return whether the node votes.
	 * @param nowNanos the monotonic time at which the command is sent
	 * @return whether its votes count
	 */
	public boolean isVoting(long nowNanos) {
		Seen seen = this.seen;
		return seen != null && !isRefused() && (seen.record != null || !this.needsRecord)
				&& (seen.trusted || waitNanos(seen, nowNanos) == 0);
	}

	/**
	 * How long until the votes count, as far as it is known.
	 * @param nowNanos the monotonic time
	 * @return the time left; zero if they count already
	 */
	public Duration votesIn(long nowNanos) {
		Seen seen = this.seen;
		if (seen == null) {
			return Duration.ofNanos(this.quarantineNanos);
		}
		return seen.trusted ? Duration.ZERO : Duration.ofNanos(waitNanos(seen, nowNanos));
	}

	/**
	 * Why the votes do not count, for people.
	 * @param nowNanos the monotonic time
	 * @return the reason; empty if they count
	 */
	public String reason(long nowNanos) {
		Seen seen = this.seen;
		if (isRefused()) {
			return this.refusal;
		}
		if (seen == null || isVoting(nowNanos)) {
			return "";
		}
		Since record = seen.record;
		if (record == null) {
			return "has no record of this list of nodes yet";
		}
		long left = secondsUp(waitNanos(seen, nowNanos));
		boolean restarted = seen.up.nanosAgo(nowNanos) <= record.nanosAgo(nowNanos);
		return restarted ? "started %d s ago and votes in %d s".formatted(seen.up.secondsAgo(nowNanos), left)
				: "new to this list of nodes since %d s and votes in %d s".formatted(record.secondsAgo(nowNanos), left);
	}

	private long waitNanos(Seen seen, long nowNanos) {
		Since record = seen.record;
		long age = (record != null) ? Math.min(seen.up.nanosAgo(nowNanos), record.nanosAgo(nowNanos)) : 0;
		return Math.max(0, this.quarantineNanos - age);
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
	 * @param record since when it has its record of the group, or {@code null}
	 */
	private record Seen(String runId, boolean trusted, Since up, @Nullable Since record) {

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

		long secondsAgo(long nowNanos) {
			return nanosAgo(nowNanos) / 1_000_000_000;
		}

	}

}
