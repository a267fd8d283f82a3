package io.quorlock.redis;

import io.quorlock.quorum.node.LockNode;

/**
 * The keys and channels that stand for locks on the wire: {@code <prefix>{<name>}}, and
 * the same with {@code :fence}, {@code :readers}, {@code :waiters},
 * {@code :permit:<number>} and {@code :permit:<number>:fence}; the channel has
 * {@code :released}. The braces keep the keys of one name in one slot of a Cluster.
 *
 * @param prefix before every key, without braces
 * @since 0.1.0
 */
public record RedisKeys(String prefix) {

	/** What follows the lock key, here and in the scripts. */
	private static final String FENCE = ":fence";

	private static final String READERS = ":readers";

	private static final String WAITERS = ":waiters";

	private static final String PERMIT = ":permit:";

	private static final String RELEASED = ":released";

	/** Between the prefix and the instance; locks have a brace there. */
	private static final String INSTANCE = "instance:";

	/**
	 * Return the key whose value is the owner's token.
	 * @param name the lock
	 * @return the key
	 */
	public String lockKey(String name) {
		return this.prefix + "{" + name + "}";
	}

	/**
	 * Return the key whose value is the greatest fencing token that the node knows.
	 * @param name the lock
	 * @return the key
	 */
	public String fenceKey(String name) {
		return lockKey(name) + FENCE;
	}

	/**
	 * Return the key of the set of readers: tokens, and when their leases end (R19).
	 * @param name the lock
	 * @return the key
	 */
	public String readersKey(String name) {
		return lockKey(name) + READERS;
	}

	/**
	 * Return the key of the tickets of the claims that wait (R21).
	 * @param name the lock
	 * @return the key
	 */
	public String waitersKey(String name) {
		return lockKey(name) + WAITERS;
	}

	/**
	 * Return the key of a permit (R20).
	 * @param name the lock
	 * @param permit the number of the permit, from 1 on
	 * @return the key
	 */
	public String permitKey(String name, int permit) {
		return lockKey(name) + PERMIT + permit;
	}

	/**
	 * Return the key of the greatest fencing token of a permit that the node knows.
	 * @param name the lock
	 * @param permit the number of the permit, from 1 on
	 * @return the key
	 */
	public String permitFenceKey(String name, int permit) {
		return permitKey(name, permit) + FENCE;
	}

	/**
	 * Return the channel on which releases are announced.
	 * @param name the lock
	 * @return the channel
	 */
	public String releasedChannel(String name) {
		return name.startsWith(LockNode.INSTANCE) ? instanceChannel(name.substring(LockNode.INSTANCE.length()))
				: lockKey(name) + RELEASED;
	}

	/**
	 * Return the channel of an instance, on which it receives release requests (R24).
	 * @param instance the instance part of the tokens: what stands before the last colon
	 * @return the channel
	 */
	public String instanceChannel(String instance) {
		return this.prefix + INSTANCE + instance;
	}

	/**
	 * Return the lock whose releases are announced on a channel.
	 * @param channel a channel that {@link #releasedChannel} returned
	 * @return the lock; empty for any other channel
	 */
	public String nameOfChannel(String channel) {
		if (channel.startsWith(this.prefix + INSTANCE)) {
			return LockNode.INSTANCE + channel.substring(this.prefix.length() + INSTANCE.length());
		}
		int start = this.prefix.length() + 1;
		int end = channel.length() - RELEASED.length() - 1;
		return (start < end) ? channel.substring(start, end) : "";
	}

	/**
	 * Return the key of the node's record of the node list (R10). No lock has this key:
	 * those have braces.
	 * @return the key
	 */
	public String recordKey() {
		return this.prefix + "nodes";
	}

}
