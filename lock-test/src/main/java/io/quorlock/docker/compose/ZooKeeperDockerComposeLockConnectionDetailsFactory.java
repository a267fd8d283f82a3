/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
