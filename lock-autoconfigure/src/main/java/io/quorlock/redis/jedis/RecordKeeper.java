package io.quorlock.redis.jedis;

import java.time.Duration;

import io.quorlock.core.NodeAdmission;
import io.quorlock.core.NodeGroup;
import io.quorlock.core.NodeReply.Outcome;
import io.quorlock.redis.GroupRecord;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Looks after the record of the group on one node (R10): writes it where it is missing,
 * leaves our list of nodes there, and tells whether others have another list.
 */
final class RecordKeeper {

	private static final Log logger = LogFactory.getLog(RecordKeeper.class);

	private static final long UNSETTLED_NANOS = Duration.ofMillis(250).toNanos();

	/** A server that is flushed while we are connected is noticed no later than this. */
	private static final long SETTLED_NANOS = Duration.ofSeconds(10).toNanos();

	private final String node;

	private final int index;

	private final JedisNodeOptions options;

	private final NodeGroup group;

	private final NodeAdmission admission;

	/** What to ask of the node next. */
	private volatile String action = "read";

	private volatile long dueNanos;

	private volatile String mismatch = "";

	RecordKeeper(String node, int index, JedisNodeOptions options, NodeGroup group, NodeAdmission admission) {
		this.node = node;
		this.index = index;
		this.options = options;
		this.group = group;
		this.admission = admission;
	}

	/**
	 * How the list of nodes that another instance left here differs from ours.
	 * @return the difference, for people; empty if there is none
	 */
	String mismatch() {
		return this.mismatch;
	}

	/**
	 * The record was read or written.
	 * @throws NodeUnavailableException if the node belongs to another group
	 */
	void onRecord(GroupRecord record) throws NodeUnavailableException {
		long now = this.options.clock().nanoTime();
		this.admission.onRecord(record.ageSeconds(), now);
		this.action = switch (this.group.examine(this.index, record.exists(), now)) {
			case FOUND -> "found";
			case JOIN -> "join";
			case WAIT -> "read";
			case NONE -> compare(String.valueOf(record.nodes()));
		};
		long delay = record.exists() ? SETTLED_NANOS : UNSETTLED_NANOS;
		this.dueNanos = now + (this.action.equals("read") ? delay : 0);
	}

	private String compare(String nodes) throws NodeUnavailableException {
		switch (this.group.compare(nodes)) {
			case SAME -> this.mismatch = "";
			case ONE_REPLACED ->
				complain("a replacement of a node is under way: another instance uses the nodes " + nodes);
			case DIFFERENT -> {
				complain("another instance uses other nodes, so that it may not exclude us: " + nodes);
				if (this.options.failOnMismatch()) {
					throw NodeUnavailableException.rejected(this.mismatch);
				}
			}
		}
		return this.mismatch.isEmpty() ? "read" : "update";
	}

	private void complain(String mismatch) {
		if (mismatch.equals(this.mismatch)) {
			return;
		}
		this.mismatch = mismatch;
		String message = "Lock node %s: %s; ours are %s".formatted(this.node, mismatch, this.group.identity());
		if (mismatch.startsWith("a replacement")) {
			logger.warn(message);
		}
		else {
			logger.error(message);
		}
	}

	/**
	 * Does what is due.
	 */
	void tick(Pipeline pipeline, long nowNanos) {
		if (nowNanos - this.dueNanos >= 0) {
			this.dueNanos = nowNanos + SETTLED_NANOS;
			pipeline.submit(new RecordCall(pipeline, this.action));
		}
	}

	private final class RecordCall extends Call {

		private final Pipeline pipeline;

		RecordCall(Pipeline pipeline, String action) {
			super(HandShake.record(GroupRecord.key(RecordKeeper.this.options.keyPrefix()),
					RecordKeeper.this.group.identity(), action));
			this.pipeline = pipeline;
		}

		@Override
		void onAnswer(@Nullable Object answer) {
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
		void onFailure(Outcome outcome, String reason) {
			// The next connection begins with reading it.
		}

	}

}
