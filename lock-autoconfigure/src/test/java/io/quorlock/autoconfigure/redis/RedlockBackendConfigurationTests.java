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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.io.DefaultResourceLoader;

import io.quorlock.Settings;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockProperties;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.redis.RedlockBackendConfiguration.PropertiesLockConnectionDetails;
import io.quorlock.store.LeaseStore;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedlockBackendConfiguration}.
 */
class RedlockBackendConfigurationTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final LockClock clock = new SystemClock();

	private LockBackend backend(String... configured) {
		LockProperties properties = TestProperties.bind(configured);
		this.beans.registerSingleton("details", new PropertiesLockConnectionDetails(properties, null));
		return new RedlockBackendConfiguration().distributedLockBackend(properties,
				this.beans.getBeanProvider(LockConnectionDetails.class), this.clock,
				Settings.engine("shop@host:1").build(), this.beans, new DefaultResourceLoader());
	}

	/** The application may bring the settings, and not set the property. */
	@Test
	void nodesKnowTheInstanceAsTheEngineDoes() {
		assertThat(backend("nodes", "redis://a,redis://b").nodes()).hasSize(2)
			.allSatisfy((node) -> assertThat(node).extracting("options.instanceId").isEqualTo("shop@host:1"));
	}

	@Test
	void everyGroupHasTheSettingsThatAreConfigured() {
		LockBackend backend = backend("groups.a.nodes", "redis://a", "groups.b.nodes", "redis://b",
				"connection.operation-timeout", "7ms");
		try (TimerThread timer = new TimerThread("test")) {
			LeaseStore store = Objects.requireNonNull(backend.store()).create(this.clock, timer, List.of());
			assertThat(store).extracting("groups", InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("a", "b")
				.extracting(Map::values, InstanceOfAssertFactories.COLLECTION)
				.extracting("settings.operationTimeout")
				.containsOnly(Duration.ofMillis(7));
		}
	}

}
