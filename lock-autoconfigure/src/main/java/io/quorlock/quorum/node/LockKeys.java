package io.quorlock.quorum.node;

import java.util.List;

/**
 * Names that are locked together, and the keys that stand for them on the wire:
 * {@code <prefix>{<name>}}, the same with {@code :fence}, and the channel with
 * {@code :released}. The braces keep the keys of one name in one slot of a Cluster.
 *
 * @since 0.1.0
 */
public final class LockKeys {

	private final List<String> names;

	private final String[] lockKeys;

	public LockKeys(String prefix, List<String> names) {
		this.names = names;
		this.lockKeys = new String[names.size()];
		for (int i = 0; i < this.lockKeys.length; i++) {
			this.lockKeys[i] = prefix + "{" + names.get(i) + "}";
		}
	}

	/**
	 * The names, sorted, without duplicates.
	 * @return at least one name
	 */
	public List<String> names() {
		return this.names;
	}

	/**
	 * How many names there are.
	 * @return at least 1
	 */
	public int size() {
		return this.lockKeys.length;
	}

	/**
	 * The key whose value is the owner's token.
	 * @param index of the name
	 * @return the key
	 */
	public String lockKey(int index) {
		return this.lockKeys[index];
	}

	/**
	 * The key whose value is the greatest fencing token this node has heard of.
	 * @param index of the name
	 * @return the key
	 */
	public String fenceKey(int index) {
		return this.lockKeys[index] + ":fence";
	}

	/**
	 * The channel on which a release is announced.
	 * @param lockKey the lock key
	 * @return the channel
	 */
	public static String releasedChannel(String lockKey) {
		return lockKey + ":released";
	}

	@Override
	public String toString() {
		return String.join(",", this.names);
	}

}
