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

package io.quorlock.testcontainers;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;

/**
 * {@link ContainerConnectionDetailsFactory} that makes one
 * {@link LockZooKeeperConnectionDetails} of all ZooKeeper containers that are service
 * connections: of several servers they are one ensemble.
 */
class ZooKeeperContainersLockConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, LockZooKeeperConnectionDetails> {

	private static final List<String> IMAGE_NAMES = List.of("zookeeper", "bitnami/zookeeper",
			"confluentinc/cp-zookeeper", "distributed-lock-zookeeper");

	private final EnsembleConnectionDetails details = new EnsembleConnectionDetails();

	ZooKeeperContainersLockConnectionDetailsFactory() {
		super(IMAGE_NAMES, "org.apache.zookeeper.ZooKeeper");
	}

	@Override
	protected LockZooKeeperConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<Container<?>> source) {
		this.details.add(source);
		return this.details;
	}

	private static final class EnsembleConnectionDetails implements LockZooKeeperConnectionDetails {

		private final List<Server> servers = new CopyOnWriteArrayList<>();

		void add(ContainerConnectionSource<Container<?>> source) {
			// A test class may load its context again, with the same sources.
			this.servers.removeIf((server) -> server.source == source);
			this.servers.add(new Server(source));
		}

		@Override
		public String getConnectString() {
			return this.servers.stream().map(Server::address).collect(Collectors.joining(","));
		}

	}

	private static final class Server extends ContainerConnectionDetails<Container<?>> {

		private static final int PORT = 2181;

		private final ContainerConnectionSource<Container<?>> source;

		Server(ContainerConnectionSource<Container<?>> source) {
			super(source);
			this.source = source;
		}

		String address() {
			try {
				afterPropertiesSet();
			}
			catch (Exception ex) {
				throw new IllegalStateException("The ZooKeeper container did not start", ex);
			}
			return getContainer().getHost() + ":" + getContainer().getMappedPort(PORT);
		}

	}

}
