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
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import com.redis.testcontainers.RedisContainer;
import com.redis.testcontainers.RedisStackContainer;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.Container;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

import io.quorlock.autoconfigure.LockConnectionDetails;

/**
 * {@link ContainerConnectionDetailsFactory} that makes one {@link LockConnectionDetails}
 * of all Redis containers that are service connections.
 * <p>
 * Boot asks for every container and keeps the first details of a type that it gets, so
 * the other containers are added to the details of the first.
 */
class RedisContainersLockConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, LockConnectionDetails> {

	private static final List<String> IMAGE_NAMES = List.of("redis", "redis/redis-stack", "redis/redis-stack-server",
			"valkey/valkey", "distributed-lock");

	private static final int REDIS_PORT = 6379;

	private final ContainersConnectionDetails details = new ContainersConnectionDetails();

	RedisContainersLockConnectionDetailsFactory() {
		super(IMAGE_NAMES, "redis.clients.jedis.RedisCredentialsProvider");
	}

	@Override
	protected boolean sourceAccepts(ContainerConnectionSource<Container<?>> source, Class<?> requiredContainerType,
			Class<?> requiredConnectionDetailsType) {
		return super.sourceAccepts(source, requiredContainerType, requiredConnectionDetailsType)
				|| source.accepts(ANY_CONNECTION_NAME, RedisContainer.class, requiredConnectionDetailsType)
				|| source.accepts(ANY_CONNECTION_NAME, RedisStackContainer.class, requiredConnectionDetailsType);
	}

	@Override
	protected LockConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
		this.details.add(source);
		return this.details;
	}

	private static final class ContainersConnectionDetails implements LockConnectionDetails, InitializingBean {

		private final List<Node> nodes = new CopyOnWriteArrayList<>();

		void add(ContainerConnectionSource<Container<?>> source) {
			// A test class may load its context again, with the same sources.
			this.nodes.removeIf((node) -> node.source == source);
			this.nodes.add(new Node(source));
		}

		@Override
		public void afterPropertiesSet() throws Exception {
			for (Node node : this.nodes) {
				node.afterPropertiesSet();
			}
		}

		@Override
		public List<String> getNodes() {
			return this.nodes.stream().map(Node::uri).toList();
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return this.nodes.stream().map(Node::getSslBundle).filter(Objects::nonNull).findFirst().orElse(null);
		}

		@Override
		public boolean isNewlyStarted() {
			return true;
		}

	}

	private static final class Node extends ContainerConnectionDetails<Container<?>> {

		private final ContainerConnectionSource<Container<?>> source;

		Node(ContainerConnectionSource<Container<?>> source) {
			super(source);
			this.source = source;
		}

		String uri() {
			return ((getSslBundle() != null) ? "rediss://" : "redis://") + getContainer().getHost() + ":"
					+ getContainer().getMappedPort(REDIS_PORT);
		}

		@Override
		protected @Nullable SslBundle getSslBundle() {
			return super.getSslBundle();
		}

	}

}
