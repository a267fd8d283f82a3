package io.quorlock.autoconfigure;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Details of the ZooKeeper ensemble that locks are kept on. A bean of this type takes
 * precedence over {@code distributed-lock.zookeeper.connect-string}.
 *
 * @since 0.1.0
 */
public interface LockZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Return the servers.
	 * @return the connect string, as in {@code host1:2181,host2:2181}
	 */
	String getConnectString();

}
