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

package io.quorlock.autoconfigure.redis;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.ConditionalOnLockBackend;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockModules;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.autoconfigure.LockSettingsFactory;
import io.quorlock.engine.EngineSettings;
import io.quorlock.time.LockClock;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * Configuration of the quorum of independent Redis masters, including those that are
 * started for the application.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnLockBackend({ Backend.REDLOCK, Backend.EMBEDDED })
class RedlockBackendConfiguration {

	@Bean
	@ConditionalOnMissingBean(LockConnectionDetails.class)
	PropertiesLockConnectionDetails distributedLockConnectionDetails(LockProperties properties,
			ObjectProvider<SslBundles> sslBundles) {
		require(properties.backend() != Backend.EMBEDDED, "distributed-lock.backend", "embedded",
				"quorlock-embedded is not on the class path",
				"Add the dependency io.quorlock:quorlock-embedded, or list independent nodes in distributed-lock.nodes.");
		return new PropertiesLockConnectionDetails(properties, sslBundles.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	LockBackend distributedLockBackend(LockProperties properties,
			ObjectProvider<LockConnectionDetails> connectionDetails, LockClock clock, EngineSettings settings,
			BeanFactory beanFactory, ResourceLoader resourceLoader) {
		List<LockConnectionDetails> details = connectionDetails.orderedStream().toList();
		boolean grouped = !properties.groups().isEmpty() && !isNewlyStarted(details);
		String groups = String.join(", ", properties.groups().keySet());
		require(!grouped || (details.size() == 1 && details.get(0) instanceof PropertiesLockConnectionDetails),
				"distributed-lock.groups", groups,
				"there are connection details of type LockConnectionDetails too, and a lock is kept either on their"
						+ " nodes or in one of the groups",
				"Remove the groups, or the connection details (a bean, or a service connection).");
		require(LockModules.hasRedis(resourceLoader.getClassLoader()), "distributed-lock.backend",
				Objects.toString(properties.backend(), null), "quorlock-redis is not on the class path",
				"Add the dependency io.quorlock:quorlock-spring-boot-starter or io.quorlock:quorlock-redis.");
		NodeEndpoints endpoints = grouped ? null : NodeEndpoints.of(details);
		require(LockModules.hasJedis(resourceLoader.getClassLoader()),
				"distributed-lock." + (grouped ? "groups" : "nodes"), grouped ? groups : String.valueOf(endpoints),
				"Jedis, which connects to independent nodes and logs in, is not on the class path",
				"Add the dependency io.quorlock:quorlock-spring-boot-starter or redis.clients:jedis.");
		RedlockNodes nodes = new RedlockNodes(properties, details, clock, settings.instanceId(), beanFactory);
		return (endpoints != null) ? nodes.backend(endpoints) : nodes.backend(details.get(0),
				LockSettingsFactory.createQuorumSettings(properties, settings.instanceId()));
	}

	/** Tests and development replace the servers, whatever the application configures. */
	private static boolean isNewlyStarted(List<LockConnectionDetails> details) {
		return !details.isEmpty() && details.stream().allMatch(LockConnectionDetails::isNewlyStarted);
	}

	/**
	 * Adapts {@link LockProperties} to {@link LockConnectionDetails}.
	 */
	record PropertiesLockConnectionDetails(LockProperties properties,
			@Nullable SslBundles sslBundles) implements LockConnectionDetails {

		@Override
		public List<String> getNodes() {
			return this.properties.nodes();
		}

		@Override
		public @Nullable String getUsername() {
			return textOrNull(this.properties.connection().username());
		}

		@Override
		public @Nullable String getPassword() {
			return textOrNull(this.properties.connection().password());
		}

		/** A placeholder may be replaced by nothing. */
		private static @Nullable String textOrNull(@Nullable String text) {
			return StringUtils.hasLength(text) ? text : null;
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return LockSettingsFactory.sslBundle("distributed-lock.connection.ssl.bundle",
					this.properties.connection().ssl().bundle(), this.sslBundles);
		}

	}

}
