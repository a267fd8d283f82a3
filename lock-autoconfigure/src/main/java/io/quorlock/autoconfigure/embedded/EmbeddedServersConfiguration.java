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

package io.quorlock.autoconfigure.embedded;

import java.util.List;
import java.util.Objects;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.ZooKeeper;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.ConditionalOnLockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.autoconfigure.Packaging;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedRedisNodeBuilder;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;

import static io.quorlock.autoconfigure.InvalidLockConfigurationException.require;

/**
 * Configuration of real servers that live as long as the application.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class EmbeddedServersConfiguration {

	private static final Log logger = LogFactory.getLog(EmbeddedServersConfiguration.class);

	private static void warnIfPackaged(String servers, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		if (Packaging.isPackaged(beanFactory, environment)) {
			logger.warn(("Locks are kept on %s servers inside this packaged application. Other instances do not"
					+ " see these locks, so they exclude nothing outside this process. Use servers of your own in production")
				.formatted(servers));
		}
	}

	/**
	 * Redis servers.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(EmbeddedRedis.class)
	@ConditionalOnLockBackend(Backend.EMBEDDED)
	static class Redis {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean
		EmbeddedRedis distributedLockEmbeddedRedis(LockProperties properties,
				ConfigurableListableBeanFactory beanFactory, Environment environment) {
			require(properties.nodes().isEmpty(), "distributed-lock.backend", "embedded",
					"distributed-lock.nodes is set too, and the embedded servers would be used instead of those nodes",
					"Remove distributed-lock.backend to use the nodes, or set distributed-lock.nodes to an empty value"
							+ " to use embedded servers.");
			EmbeddedRedis redis = EmbeddedRedis.start(properties.embedded().nodes(), options(properties));
			warnIfPackaged("Redis", beanFactory, environment);
			return redis;
		}

		@Bean
		@ConditionalOnMissingBean(LockConnectionDetails.class)
		EmbeddedLockConnectionDetails distributedLockConnectionDetails(EmbeddedRedis redis) {
			return new EmbeddedLockConnectionDetails(redis.urisWithPassword());
		}

		/** Without a password, any page in a browser could use the servers. */
		private static EmbeddedRedisNodeBuilder options(LockProperties properties) {
			String password = properties.connection().password();
			EmbeddedRedisNodeBuilder options = EmbeddedRedisNode.builder();
			return StringUtils.hasLength(password) ? options.password(password) : options.randomPassword();
		}

	}

	/**
	 * ZooKeeper servers.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EmbeddedZooKeeperEnsemble.class, ZooKeeper.class, ZooKeeperLeaseStore.class })
	@ConditionalOnLockBackend(Backend.ZOOKEEPER)
	@ConditionalOnProperty("distributed-lock.embedded.zookeeper")
	static class Ensemble {

		@Bean(destroyMethod = "close")
		@ConditionalOnMissingBean
		EmbeddedZooKeeperEnsemble distributedLockEmbeddedZooKeeper(LockProperties properties,
				ConfigurableListableBeanFactory beanFactory, Environment environment) {
			int servers = Objects.requireNonNull(properties.embedded().zookeeper());
			boolean others = !properties.nodes().isEmpty() || !properties.groups().isEmpty()
					|| StringUtils.hasText(properties.zookeeper().connectString());
			require(servers > 0 && !others, "distributed-lock.embedded.zookeeper", Integer.toString(servers),
					others ? "other servers are configured too, and the embedded ones would be used instead of those"
							: "it must be positive",
					"Use 1 or 3, or remove the property to use other servers.");
			EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(servers);
			warnIfPackaged("ZooKeeper", beanFactory, environment);
			return ensemble;
		}

		@Bean
		@ConditionalOnMissingBean(LockZooKeeperConnectionDetails.class)
		EmbeddedLockZooKeeperConnectionDetails distributedLockZooKeeperConnectionDetails(
				EmbeddedZooKeeperEnsemble ensemble) {
			return new EmbeddedLockZooKeeperConnectionDetails(ensemble.connectString());
		}

	}

	/**
	 * Details of servers that live inside the application.
	 *
	 * @param nodes the URIs of the servers
	 */
	public record EmbeddedLockConnectionDetails(List<String> nodes) implements LockConnectionDetails {

		@Override
		public List<String> getNodes() {
			return this.nodes;
		}

		@Override
		public boolean isNewlyStarted() {
			return true;
		}

	}

	/**
	 * Details of ZooKeeper servers that live inside the application.
	 *
	 * @param connectString the servers
	 */
	public record EmbeddedLockZooKeeperConnectionDetails(
			String connectString) implements LockZooKeeperConnectionDetails {

		@Override
		public String getConnectString() {
			return this.connectString;
		}

	}

}
