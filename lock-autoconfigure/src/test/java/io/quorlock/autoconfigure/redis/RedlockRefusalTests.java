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

import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.io.DefaultResourceLoader;

import io.quorlock.Settings;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.redis.RedlockBackendConfiguration.PropertiesLockConnectionDetails;
import io.quorlock.time.SystemClock;

import static io.quorlock.autoconfigure.TestProperties.assertRefused;

/**
 * Tests for what the configurations of independent nodes refuse: each failure says which
 * property is wrong, why, and what to do.
 */
class RedlockRefusalTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@Test
	void embeddedServersNeedTheirModule() {
		assertRefused(
				() -> new RedlockBackendConfiguration().distributedLockConnectionDetails(
						TestProperties.bind("backend", "embedded"), this.beans.getBeanProvider(SslBundles.class)),
				"distributed-lock.backend", "embedded", "quorlock-embedded is not on the class path",
				"Add the dependency io.quorlock:quorlock-embedded, or list independent nodes in distributed-lock.nodes.");
	}

	@Test
	void groupsDoNotReplaceConnectionDetails() {
		this.beans.registerSingleton("details", (LockConnectionDetails) () -> List.of("redis://c"));
		LockProperties properties = TestProperties.bind("groups.a.nodes", "redis://a", "groups.b.nodes", "redis://b");
		assertRefused(
				() -> new RedlockBackendConfiguration().distributedLockBackend(properties,
						this.beans.getBeanProvider(LockConnectionDetails.class), new SystemClock(),
						Settings.engine("shop@host:1").build(), this.beans, new DefaultResourceLoader()),
				"distributed-lock.groups", "a, b",
				"there are connection details of type LockConnectionDetails too, and a lock is kept either on their nodes "
						+ "or in one of the groups",
				"Remove the groups, or the connection details (a bean, or a service connection).");
	}

	@Test
	void passwordDoesNotReplaceAProviderOfCredentialsAndIsNotShown() {
		RedisCredentialsProvider provider = () -> new DefaultRedisCredentials("ann", "secret");
		this.beans.registerSingleton("credentials", provider);
		LockProperties properties = TestProperties.bind("nodes", "redis://a", "connection.password", "secret");
		assertRefused(
				() -> new RedlockNodes(properties, List.of(new PropertiesLockConnectionDetails(properties, null)),
						new SystemClock(), "shop@host:1", this.beans),
				"distributed-lock.connection.password", "******",
				"there is a RedisCredentialsProvider bean too, which supplies user and password",
				"Remove the property, or the bean.");
	}

}
