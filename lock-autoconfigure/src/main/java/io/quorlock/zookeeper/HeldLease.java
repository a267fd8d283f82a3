package io.quorlock.zookeeper;

import java.util.List;

/**
 * What this process holds, for who takes it away.
 */
interface HeldLease {

	List<String> names();

	/**
	 * Lose the lease, if it is held.
	 * @param reason why
	 */
	void lose(String reason);

}
