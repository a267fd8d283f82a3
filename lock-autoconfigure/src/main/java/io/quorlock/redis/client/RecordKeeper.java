package io.quorlock.redis.client;

import java.time.Duration;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.GroupRecord;
import io.quorlock.redis.LockScript;

/**
 * Looks after the record of the group on one node (R10): writes it where it is missing,
 * says there that our list of nodes is in use, and tells whether others use another.
 */
final class RecordKeeper {

	private static final Log logger = LogFactory.getLog(RecordKeeper.class);

	private static final long UNSETTLED_NANOS = Duration.ofMillis(250).toNanos();

	/** A server that is flushed while we are connected is noticed no later than this. */
	private static final long SETTLED_NANOS = Duration.ofSeconds(10).toNanos();

	private static final Duration MEMORY = Duration.ofSeconds(60);

	private final String node;

	private final int index;

	private final JedisNodeOptions options;

	private final Membership membership;

	private final NodeAdmission admission;

	/** What to ask of the node next. */
	private volatile String action = "read";

	private volatile long dueNanos;

	private volatile String mismatch = "";

	RecordKeeper(String node, int index, JedisNodeOptions options, Membership membership, NodeAdmission admission) {
		this.node = node;
		this.index = index;
		this.options = options;
		this.membership = membership;
		this.admission = admission;
	}

	/**
	 * How the list of nodes of another instance differs from ours.
	 * @return the difference, for people; empty if there is none
	 */
	String mismatch() {
		return this.mismatch;
	}

	/**
	 * The command that does something about the record.
	 */
	byte[] command(String action) {
		// The locks of an instance outlive it, and so does its list.
		long seconds = Math.max(MEMORY.toSeconds(), this.options.quarantine().toSeconds() + 1);
		return Resp.evalsha(LockScript.RECORD, List.of(this.options.keys().recordKey()),
				List.of(action, this.membership.identity(), Long.toString(seconds)));
	}

	/**
	 * The record was read or written.
	 * @throws NodeUnavailableException if others use the node in another group
	 */
	void onRecord(GroupRecord record) throws NodeUnavailableException {
		long now = this.options.clock().nanoTime();
		boolean settled = this.action.equals("stay");
		compare(record.otherLists());
		this.admission.onRecord(record.ageSeconds(), now);
		this.action = switch (this.membership.examine(this.index, record.exists(), now)) {
			case FOUND -> "found";
			case JOIN -> "join";
			case WAIT -> "read";
			case NONE -> "stay";
		};
		boolean wait = this.action.equals("read");
		this.dueNanos = now + (wait ? UNSETTLED_NANOS : (settled && record.exists()) ? SETTLED_NANOS : 0);
	}

	/**
	 * A new connection begins with reading.
	 */
	void disconnected() {
		this.action = "read";
	}

	private void compare(List<String> otherLists) throws NodeUnavailableException {
		String mismatch = "";
		boolean different = false;
		for (String list : otherLists) {
			if (this.membership.compare(list) == Membership.Agreement.DIFFERENT) {
				different = true;
				mismatch = "another instance uses a different node list; the two may not exclude each other: " + list;
			}
			else if (!different) {
				mismatch = "a replacement of a node is under way: another instance uses " + list;
			}
		}
		complain(mismatch, different);
		if (different && this.options.failOnMismatch()) {
			throw NodeUnavailableException.rejected(mismatch);
		}
	}

	private void complain(String mismatch, boolean different) {
		if (mismatch.equals(this.mismatch)) {
			return;
		}
		this.mismatch = mismatch;
		String message = "Lock node %s: %s; ours are %s".formatted(this.node,
				mismatch.isEmpty() ? "all instances use the same nodes again" : mismatch, this.membership.identity());
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
	 * Does what is due.
	 */
	void tick(Pipeline pipeline, long nowNanos) {
		if (nowNanos - this.dueNanos >= 0) {
			this.dueNanos = nowNanos + SETTLED_NANOS;
			pipeline.submit(new RecordCall(pipeline, command(this.action)));
		}
	}

	private final class RecordCall extends Call {

		private final Pipeline pipeline;

		RecordCall(Pipeline pipeline, byte[] command) {
			super(command);
			this.pipeline = pipeline;
		}

		@Override
		void onAnswer(@Nullable Object answer) {
			if (answer instanceof JedisNoScriptException) {
				this.pipeline.submit(new ScriptLoad(LockScript.RECORD));
				RecordKeeper.this.dueNanos = RecordKeeper.this.options.clock().nanoTime();
				return;
			}
			if (answer instanceof JedisDataException error) {
				this.pipeline.close(ServerErrors.describe(error));
				return;
			}
			try {
				onRecord(GroupRecord.of(answer));
			}
			catch (NodeUnavailableException ex) {
				this.pipeline.close(String.valueOf(ex.getMessage()));
			}
		}

		@Override
		void onFailure(Cause cause, String reason) {
			// The next connection begins with reading it.
		}

	}

}
