package io.quorlock.autoconfigure;

/**
 * Details of ZooKeeper servers that live inside the application.
 *
 * @param connectString the servers
 */
record EmbeddedLockZooKeeperConnectionDetails(String connectString) implements LockZooKeeperConnectionDetails {

	@Override
	public String getConnectString() {
		return this.connectString;
	}

}
