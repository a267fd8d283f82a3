package io.quorlock.zookeeper;

import java.io.IOException;
import java.util.function.LongSupplier;

import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Creates clients of ZooKeeper from settings.
 */
final class ClientFactory {

	private ClientFactory() {
	}

	static ConnectAttempts attempts(ZooKeeperSettings settings, LongSupplier nanoTime) {
		ConnectStringParser parser = new ConnectStringParser(settings.connectString());
		return new ConnectAttempts(new StaticHostProvider(parser.getServerAddresses()), nanoTime);
	}

	static ZooKeeper create(ZooKeeperSettings settings, ConnectAttempts attempts, Watcher watcher) throws IOException {
		ZKClientConfig config = new ZKClientConfig();
		settings.clientProperties().forEach(config::setProperty);
		// Never read-only: such a server may be cut off from all others.
		ZooKeeper client = new ZooKeeper(settings.connectString(),
				Math.toIntExact(settings.sessionTimeout().toMillis()), watcher, false, attempts, config);
		settings.credentials().forEach((credentials) -> client.addAuthInfo(credentials.scheme(), credentials.secret()));
		return client;
	}

}
