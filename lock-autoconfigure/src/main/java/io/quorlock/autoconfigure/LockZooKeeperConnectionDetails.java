package io.quorlock.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details of the ZooKeeper ensemble that locks are kept on. A bean of this type takes
 * precedence over {@code distributed-lock.zookeeper.connect-string}. If there are several
 * beans, their servers together are the ensemble.
 *
 * @since 0.1.0
 */
public interface LockZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Return the servers.
	 * @return the connect string, as in {@code host1:2181,host2:2181}
	 */
	String getConnectString();

	/**
	 * Return the SSL bundle for connections to the servers. Asked again for every new
	 * session, so that a reloaded bundle takes effect.
	 * @return the bundle, or {@code null} for connections that are not encrypted
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

}
