package io.quorlock.docker.compose;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;

/**
 * {@link DockerComposeConnectionDetailsFactory} that makes a
 * {@link LockZooKeeperConnectionDetails} of each {@code zookeeper} service. Together they
 * are the ensemble.
 */
class ZooKeeperDockerComposeLockConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<LockZooKeeperConnectionDetails> {

	private static final String[] NAMES = { "zookeeper", "bitnami/zookeeper", "confluentinc/cp-zookeeper",
			"distributed-lock-zookeeper" };

	private static final int PORT = 2181;

	ZooKeeperDockerComposeLockConnectionDetailsFactory() {
		super(NAMES, "org.apache.zookeeper.ZooKeeper");
	}

	@Override
	protected LockZooKeeperConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new ServiceConnectionDetails(source.getRunningService());
	}

	private static final class ServiceConnectionDetails extends DockerComposeConnectionDetails
			implements LockZooKeeperConnectionDetails {

		private final String connectString;

		ServiceConnectionDetails(RunningService service) {
			super(service);
			this.connectString = service.host() + ":" + service.ports().get(PORT);
		}

		@Override
		public String getConnectString() {
			return this.connectString;
		}

	}

}
