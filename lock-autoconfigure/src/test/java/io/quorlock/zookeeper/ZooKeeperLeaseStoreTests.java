package io.quorlock.zookeeper;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;

/**
 * The contract of stores on a real server.
 */
class ZooKeeperLeaseStoreTests extends LeaseStoreContract {

	private static EmbeddedZooKeeper server;

	@BeforeAll
	static void startServer() {
		server = EmbeddedZooKeeper.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	protected LeaseStore startStore(String instanceId) {
		return ZooKeeperStores.start(server.connectString(), instanceId);
	}

}
