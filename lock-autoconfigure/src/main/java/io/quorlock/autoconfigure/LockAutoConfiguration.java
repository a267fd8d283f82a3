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

package io.quorlock.autoconfigure;

import java.util.Arrays;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

import io.quorlock.LockTemplate;

/**
 * {@link AutoConfiguration Auto-configuration} for distributed locks: an engine over the
 * configured {@link LockBackend backend}, a {@link LockTemplate}, and the annotation.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@EnableConfigurationProperties(LockProperties.class)
@Import(LockAutoConfiguration.Configurations.class)
public final class LockAutoConfiguration {

	/**
	 * Imports the configurations of the backends, then those of the beans that use them.
	 * By name, since they are in packages that use this one.
	 */
	static class Configurations implements ImportSelector {

		private static final String[] CONFIGURATIONS = { "embedded.EmbeddedServersConfiguration",
				"redis.RedlockBackendConfiguration", "redis.RedisBackendConfiguration",
				"zookeeper.ZooKeeperBackendConfiguration", "InMemoryBackendConfiguration",
				"ApplicationBackendConfiguration", "LockTransactionConfiguration", "LockEngineConfiguration",
				"LockAdvisorConfiguration" };

		@Override
		public String[] selectImports(AnnotationMetadata importingClassMetadata) {
			String prefix = LockAutoConfiguration.class.getPackageName() + ".";
			return Arrays.stream(CONFIGURATIONS).map(prefix::concat).toArray(String[]::new);
		}

	}

}
