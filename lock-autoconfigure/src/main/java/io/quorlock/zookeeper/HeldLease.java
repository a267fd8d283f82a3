package io.quorlock.zookeeper;

import java.util.List;

/**
 * What this process holds, for a forced release.
 */
interface HeldLease {

	/** Where its nodes are. */
	List<String> containers();

	/** The number of the permit, 0 for a plain lock. */
	int permit();

	/**
	 * Lose the lease, if it is held.
	 * @param reason why
	 */
	void lose(String reason);

}
