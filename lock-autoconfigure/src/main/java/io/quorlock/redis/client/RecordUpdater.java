package io.quorlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.membership.Layout;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.membership.Membership.RecordAction;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.membership.Seals.Question;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RespError;

/**
 * Keeps the record of the node list on one node up to date (R10): writes it where it is
 * missing, notes there that our list is in use and which layouts it serves (R23), and
 * reports other lists in use.
 */
final class RecordUpdater {

	private static final long UNSETTLED_NANOS = Duration.ofMillis(250).toNanos();

	/** A server that is flushed while we are connected is noticed no later than this. */
	private static final long SETTLED_NANOS = Duration.ofSeconds(10).toNanos();

	/** A seal is read more often: instances wait for it. */
	private static final long SEALED_NANOS = Duration.ofSeconds(2).toNanos();

	private static final Duration REMEMBERED = Duration.ofSeconds(60);

	private final String node;

	private final int index;

	private final JedisNodeOptions options;

	private final Membership membership;

	private final NodeAdmission admission;

	private final NodeHealth health;

	private volatile Action action = Action.READ;

	private volatile long dueNanos;

	/** What the handshake asked. */
	private volatile Question question;

	private final OtherLists otherLists;

	private volatile String note = "";

	private volatile OptionalLong clockOffsetMicros = OptionalLong.empty();

	RecordUpdater(String node, int index, JedisNodeOptions options, Membership membership, NodeAdmission admission,
			NodeHealth health) {
		this.node = node;
		this.index = index;
		this.options = options;
		this.membership = membership;
		this.admission = admission;
		this.health = health;
		this.otherLists = new OtherLists(node, membership, options.failOnMismatch());
		this.question = ask();
	}

	private Question ask() {
		return this.membership.seals().ask(this.options.clock().nanoTime());
	}

	/**
	 * Return how the list of nodes of another instance differs from ours, or which seal
	 * the node has.
	 * @return a text for people; empty if there is nothing to say
	 */
	String note() {
		return this.otherLists.mismatch().isEmpty() ? this.note : this.otherLists.mismatch();
	}

	/**
	 * Return the node's wall clock less our monotonic clock, as the record reported it
	 * last (R9).
	 * @return microseconds; empty if the connection has not reported it yet
	 */
	OptionalLong clockOffsetMicros() {
		return this.clockOffsetMicros;
	}

	/**
	 * A reply that took long is no better estimate of the time than an earlier one.
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
		this.question = ask();
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
				List.of(action.name().toLowerCase(Locale.ROOT), this.membership.identity(), Long.toString(seconds),
						layout().isVersioned()
								? Integer.toString(this.membership.seals().toWrite(this.index, action.meaning)) : "",
						Long.toString(this.membership.seals().sealedBeforeSeconds())));
	}

	private Layout layout() {
		return this.membership.seals().layout();
	}

	/**
	 * The handshake read the record.
	 * @throws NodeUnavailableException if others use the node with another list
	 */
	void onRecord(MembershipRecord record) throws NodeUnavailableException {
		onRecord(record, this.question);
	}

	private void onRecord(MembershipRecord record, Question question) throws NodeUnavailableException {
		long now = this.options.clock().leastNanoTime();
		boolean settled = this.action == Action.STAY;
		boolean refused = layout().isVersioned() && record.seal() > layout().version();
		this.otherLists.compare(refused ? List.of() : record.otherLists(), refusedBelow(record));
		boolean recorded = record.suffices(layout().isVersioned());
		this.admission.onRecord(recorded ? record.ageSeconds() : -1, now);
		if (layout().isVersioned()) {
			onSeal(record, question, now);
		}
		this.action = switch (this.membership.examine(this.index, recorded, now)) {
			case FOUND -> Action.FOUND;
			case JOIN -> Action.JOIN;
			case MARK -> Action.MARK;
			case WAIT -> Action.READ;
			case NONE -> Action.STAY;
		};
		boolean wait = this.action == Action.READ || this.action == Action.MARK;
		this.dueNanos = this.options.clock().nanoTime()
				+ (wait ? UNSETTLED_NANOS : (settled && recorded) ? settledNanos() : 0);
	}

	/**
	 * Versions that hold no lock on the node any more: those below an old seal, and those
	 * from before the last move, whose seal was old when this one began.
	 */
	private int refusedBelow(MembershipRecord record) {
		boolean old = record.sealAgeSeconds() > layout().age().toSeconds();
		return old ? record.seal() : Math.min(record.seal(), layout().version() - 2);
	}

	private long settledNanos() {
		return layout().isVersioned() ? Math.min(SEALED_NANOS, layout().age().toNanos() / 4) : SETTLED_NANOS;
	}

	private void onSeal(MembershipRecord record, Question question, long leastNanos) {
		NodeReply.Sealed reply = new NodeReply.Sealed(layout().version(), record.seal());
		this.admission.onRefusal((record.seal() > layout().version()) ? reply.message() : "");
		boolean recorded = record.suffices(true);
		if (recorded || record.seal() < 0) {
			this.membership.seals()
				.read(this.index, question, record.seal(), record.sealed(), record.sealAgeSeconds(), leastNanos);
		}
		this.note = !recorded ? "its seal is unknown until enough of the other nodes have reported theirs"
				: (record.seal() == 0) ? ""
						: "sealed at layout version %d since %d s".formatted(record.seal(), record.sealAgeSeconds());
	}

	/**
	 * A new connection begins with reading.
	 */
	void disconnected() {
		this.action = Action.READ;
		this.membership.seals().disconnected(this.index);
		this.clockOffsetMicros = OptionalLong.empty();
	}

	/**
	 * Send what is due.
	 */
	void update(Pipeline pipeline, long nowNanos) {
		if (nowNanos - this.dueNanos >= 0) {
			this.dueNanos = nowNanos + SETTLED_NANOS;
			pipeline.submit(new RecordCommand(pipeline, command(this.action, this.options.keys().recordKey()), ask()));
		}
	}

	/**
	 * What the script is asked to do, in lower case on the wire.
	 */
	private enum Action {

		READ(RecordAction.WAIT), STAY(RecordAction.NONE), FOUND(RecordAction.FOUND), JOIN(RecordAction.JOIN),

		MARK(RecordAction.MARK);

		private final RecordAction meaning;

		Action(RecordAction meaning) {
			this.meaning = meaning;
		}

	}

	private final class RecordCommand extends PendingCommand {

		private final Pipeline pipeline;

		private final Question question;

		RecordCommand(Pipeline pipeline, byte[] command, Question question) {
			super(command);
			this.pipeline = pipeline;
			this.question = question;
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
				onRecord(record, this.question);
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
