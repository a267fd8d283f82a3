package io.quorlock.zookeeper;

/**
 * What locks in ZooKeeper do not do.
 */
final class Unsupported {

	private Unsupported() {
	}

	static UnsupportedOperationException requests() {
		return new UnsupportedOperationException("Requests to release a lock are not passed on by the backend "
				+ "'zookeeper': keep the locks on Redis nodes, or ask the holder in another way");
	}

}
