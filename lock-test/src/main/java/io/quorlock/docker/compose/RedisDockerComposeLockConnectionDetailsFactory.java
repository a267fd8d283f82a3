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

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.ssl.SslBundle;

import io.quorlock.autoconfigure.LockConnectionDetails;

/**
 * {@link DockerComposeConnectionDetailsFactory} that makes a
 * {@link LockConnectionDetails} of each {@code redis} service. Together they are the node
 * list. A service that is labelled
 * {@code org.springframework.boot.service-connection: distributed-lock} is a lock node
 * whatever its image, and nothing else.
 */
class RedisDockerComposeLockConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<LockConnectionDetails> {

	private static final String[] NAMES = { "redis", "redis/redis-stack", "redis/redis-stack-server", "valkey/valkey",
			"distributed-lock" };

	private static final int REDIS_PORT = 6379;

	RedisDockerComposeLockConnectionDetailsFactory() {
		super(NAMES, "redis.clients.jedis.RedisCredentialsProvider");
	}

	@Override
	protected LockConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new ServiceConnectionDetails(source.getRunningService());
	}

	private static final class ServiceConnectionDetails extends DockerComposeConnectionDetails
			implements LockConnectionDetails {

		private final String uri;

		private final @Nullable SslBundle sslBundle;

		ServiceConnectionDetails(RunningService service) {
			super(service);
			this.sslBundle = getSslBundle(service);
			this.uri = ((this.sslBundle != null) ? "rediss://" : "redis://") + service.host() + ":"
					+ service.ports().get(REDIS_PORT);
		}

		@Override
		public List<String> getNodes() {
			return List.of(this.uri);
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return this.sslBundle;
		}

		@Override
		public boolean isNewlyStarted() {
			return true;
		}

	}

}
