package io.quorlock.redis.client;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;

/**
 * One command on its way through a {@link Pipeline}, with what to do about its answer.
 */
abstract class Call {

	private final byte[] bytes;

	/** When it was put into the queue. */
	private long queuedNanos;

	Call(byte[] bytes) {
		this.bytes = bytes;
	}

	final byte[] bytes() {
		return this.bytes;
	}

	final long queuedNanos() {
		return this.queuedNanos;
	}

	/**
	 * Called under the queue's lock, right before the call is put into it.
	 */
	void onQueued(long nowNanos) {
		this.queuedNanos = nowNanos;
	}

	/**
	 * Whether the call is taken even though many are waiting, up to a second limit.
	 */
	boolean isUrgent() {
		return true;
	}

	/**
	 * Whether its answer, unless it is an error, comes as a push message.
	 */
	boolean isAnsweredByPush() {
		return false;
	}

	/**
	 * The server answered.
	 * @param answer a number, bytes, a list, nothing, or the server's error as a
	 * {@code JedisDataException}
	 */
	abstract void onAnswer(@Nullable Object answer);

	/**
	 * There will be no answer.
	 * @param cause {@link Outcome#LOST} or {@link Outcome#NOT_SENT}
	 * @param reason why
	 */
	abstract void onFailure(Cause cause, String reason);

}
