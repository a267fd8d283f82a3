package io.quorlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RespError;
import io.quorlock.redis.SafeText;

/**
 * Keeps the record of the node list on one node up to date (R10): writes it where it is
 * missing, notes there that our list is in use, and reports other lists in use.
 */
final class RecordUpdater {

	private static final Log logger = LogFactory.getLog(RecordUpdater.class);

	private static final long UNSETTLED_NANOS = Duration.ofMillis(250).toNanos();

	/** A server that is flushed while we are connected is noticed no later than this. */
	private static final long SETTLED_NANOS = Duration.ofSeconds(10).toNanos();

	private static final Duration REMEMBERED = Duration.ofSeconds(60);

	private final String node;

	private final int index;

	private final JedisNodeOptions options;

	private final Membership membership;

	private final NodeAdmission admission;

	private final NodeHealth health;

	private volatile Action action = Action.READ;

	private volatile long dueNanos;

	private volatile String mismatch = "";

	private volatile OptionalLong clockOffsetMicros = OptionalLong.empty();

	RecordUpdater(String node, int index, JedisNodeOptions options, Membership membership, NodeAdmission admission,
			NodeHealth health) {
		this.node = node;
		this.index = index;
		this.options = options;
		this.membership = membership;
		this.admission = admission;
		this.health = health;
	}

	/**
	 * Return how the list of nodes of another instance differs from ours.
	 * @return the difference, for people; empty if there is none
	 */
	String mismatch() {
		return this.mismatch;
	}

	/**
	 * Return the node's wall clock less our monotonic clock, as the record told it last
	 * (R9).
	 * @return microseconds; empty if the connection has not told it yet
	 */
	OptionalLong clockOffsetMicros() {
		return this.clockOffsetMicros;
	}

	/**
	 * A reply that took long tells the time no better than an earlier one.
	 */
	private void onTime(long timeMicros, long sentNanos) {
		long now = this.options.clock().nanoTime();
		if (now - sentNanos <= this.options.operationTimeout().toNanos()) {
			this.clockOffsetMicros = OptionalLong.of(timeMicros - (sentNanos / 2 + now / 2) / 1_000);
		}
	}

	/**
	 * Return the command that a handshake reads the record with.
	 */
	byte[] readCommand() {
		return command(Action.READ, this.options.keys().recordKey());
	}

	/**
	 * Return a command that writes a record under another key.
	 */
	byte[] writeCommand(String key) {
		return command(Action.JOIN, key);
	}

	private byte[] command(Action action, String key) {
		// The locks of an instance outlive it, and so does its list.
		long seconds = Math.max(REMEMBERED.toSeconds(), this.options.quarantine().toSeconds() + 1);
		return RespEncoder.evalsha(LockScript.RECORD, List.of(key),
				List.of(action.name().toLowerCase(Locale.ROOT), this.membership.identity(), Long.toString(seconds)));
	}

	/**
	 * The record was read or written.
	 * @throws NodeUnavailableException if others use the node with another list
	 */
	void onRecord(MembershipRecord record) throws NodeUnavailableException {
		long now = this.options.clock().leastNanoTime();
		boolean settled = this.action == Action.STAY;
		compare(record.otherLists());
		this.admission.onRecord(record.ageSeconds(), now);
		this.action = switch (this.membership.examine(this.index, record.exists(), now)) {
			case FOUND -> Action.FOUND;
			case JOIN -> Action.JOIN;
			case WAIT -> Action.READ;
			case NONE -> Action.STAY;
		};
		boolean wait = this.action == Action.READ;
		this.dueNanos = this.options.clock().nanoTime()
				+ (wait ? UNSETTLED_NANOS : (settled && record.exists()) ? SETTLED_NANOS : 0);
	}

	/**
	 * A new connection begins with reading.
	 */
	void disconnected() {
		this.action = Action.READ;
		this.clockOffsetMicros = OptionalLong.empty();
	}

	private void compare(List<String> otherLists) throws NodeUnavailableException {
		String mismatch = "";
		boolean different = false;
		for (String list : otherLists) {
			if (this.membership.compare(list) == Membership.Agreement.DIFFERENT) {
				different = true;
				mismatch = "another instance uses a different node list; the two may not exclude each other: "
						+ SafeText.of(list);
			}
			else if (!different) {
				mismatch = "a node is being replaced: another instance uses " + SafeText.of(list);
			}
		}
		logMismatch(mismatch, different);
		if (different && this.options.failOnMismatch()) {
			throw NodeUnavailableException.rejected(mismatch);
		}
	}

	private void logMismatch(String mismatch, boolean different) {
		if (mismatch.equals(this.mismatch)) {
			return;
		}
		this.mismatch = mismatch;
		String message = "Lock node %s: %s; this instance uses %s".formatted(this.node,
				mismatch.isEmpty() ? "all instances use the same node list again" : mismatch,
				this.membership.identity());
		if (different) {
			logger.error(message);
		}
		else if (mismatch.isEmpty()) {
			logger.info(message);
		}
		else {
			logger.warn(message);
		}
	}

	/**
	 * Send what is due.
	 */
	void update(Pipeline pipeline, long nowNanos) {
		if (nowNanos - this.dueNanos >= 0) {
			this.dueNanos = nowNanos + SETTLED_NANOS;
			pipeline.submit(new RecordCommand(pipeline, command(this.action, this.options.keys().recordKey())));
		}
	}

	/**
	 * What the script is asked to do, in lower case on the wire.
	 */
	private enum Action {

		READ, STAY, FOUND, JOIN

	}

	private final class RecordCommand extends PendingCommand {

		private final Pipeline pipeline;

		RecordCommand(Pipeline pipeline, byte[] command) {
			super(command);
			this.pipeline = pipeline;
		}

		@Override
		void onReply(@Nullable Object reply) {
			if (reply instanceof RespError error) {
				onError(error);
				return;
			}
			try {
				MembershipRecord record = MembershipRecord.of(reply);
				onTime(record.timeMicros(), queuedNanos());
				onRecord(record);
			}
			catch (NodeUnavailableException ex) {
				this.pipeline.close(String.valueOf(ex.getMessage()));
			}
			catch (IllegalArgumentException ex) {
				this.pipeline.close(Handshake.noRecord(RecordUpdater.this.options.keys().recordKey()));
			}
		}

		private void onError(RespError error) {
			if (error.code().equals("NOSCRIPT")) {
				this.pipeline.submit(new ScriptLoad(LockScript.RECORD));
				RecordUpdater.this.dueNanos = RecordUpdater.this.options.clock().nanoTime();
			}
			else if (ServerErrors.isUnusable(error)) {
				this.pipeline.close(ServerErrors.describe(error));
			}
			else {
				// Held locks still need the connection. It is written later.
				RecordUpdater.this.health.onError(ServerErrors.describe(error));
			}
		}

		@Override
		void onFailure(Cause cause, String reason) {
			// The next connection begins with reading it.
		}

	}

}
