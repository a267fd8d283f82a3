package io.quorlock.zookeeper;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;

/**
 * The contract of stores on an ensemble of three, through a follower.
 */
@Tag("long")
class ZooKeeperEnsembleLeaseStoreTests extends LeaseStoreContract {

	private static EmbeddedZooKeeperEnsemble ensemble;

	@BeforeAll
	static void startServers() {
		ensemble = EmbeddedZooKeeperEnsemble.start(3);
	}

	@AfterAll
	static void stopServers() {
		ensemble.close();
	}

	@Override
	protected LeaseStore startStore(String instanceId) {
		return ZooKeeperStores.start(ensemble.followers().get(0).connectString(), instanceId);
	}

}
