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

package io.quorlock.autoconfigure.zookeeper;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.LockSettingsFactory;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;

/**
 * Adapts {@link LockProperties} to {@link LockZooKeeperConnectionDetails}.
 */
class PropertiesLockZooKeeperConnectionDetails implements LockZooKeeperConnectionDetails {

	private final LockProperties.ZooKeeper properties;

	private final Environment environment;

	private final @Nullable SslBundles sslBundles;

	PropertiesLockZooKeeperConnectionDetails(LockProperties properties, Environment environment,
			@Nullable SslBundles sslBundles) {
		this.properties = properties.zookeeper();
		this.environment = environment;
		this.sslBundles = sslBundles;
	}

	@Override
	public String getConnectString() {
		String own = this.properties.connectString();
		return StringUtils.hasText(own) ? own
				: this.environment.getProperty("spring.cloud.zookeeper.connect-string", "");
	}

	@Override
	public @Nullable SslBundle getSslBundle() {
		return LockSettingsFactory.sslBundle("distributed-lock.zookeeper.ssl.bundle", this.properties.ssl().bundle(),
				this.sslBundles);
	}

}
