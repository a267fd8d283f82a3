package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.RespReader;

/**
 * One command on its way through a {@link Pipeline}, and what becomes of its reply.
 */
abstract class PendingCommand {

	private final byte[] bytes;

	/** When it was put into the queue. */
	private long queuedNanos;

	PendingCommand(byte[] bytes) {
		this.bytes = bytes;
	}

	final byte[] bytes() {
		return this.bytes;
	}

	final long queuedNanos() {
		return this.queuedNanos;
	}

	/**
	 * Called under the queue's lock, right before the command is put into it.
	 */
	void onQueued(long nowNanos) {
		this.queuedNanos = nowNanos;
	}

	/**
	 * Return whether the command is taken even though many are pending, up to a second
	 * limit.
	 */
	boolean isUrgent() {
		return true;
	}

	/**
	 * Return whether its reply, unless it is an error, comes as a push message.
	 */
	boolean isConfirmedByPush() {
		return false;
	}

	/**
	 * Return how large the reply may be.
	 */
	RespReader.Limits limits() {
		return RespReader.Limits.HANDSHAKE;
	}

	/**
	 * The server replied.
	 * @param reply as {@link RespReader} returns it
	 */
	abstract void onReply(@Nullable Object reply);

	/**
	 * There will be no reply.
	 * @param cause {@link Cause#CONNECTION_LOST} or {@link Cause#NOT_SENT}
	 * @param reason why
	 */
	abstract void onFailure(Cause cause, String reason);

}
