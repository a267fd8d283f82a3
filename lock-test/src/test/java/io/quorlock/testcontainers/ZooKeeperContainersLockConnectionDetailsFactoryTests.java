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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ZooKeeperContainersLockConnectionDetailsFactory} without Docker: the
 * containers are only the shells of servers that run here.
 */
class ZooKeeperContainersLockConnectionDetailsFactoryTests {

	private static EmbeddedZooKeeperEnsemble ensemble;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class, LockAutoConfiguration.class))
		.withUserConfiguration(Containers.class);

	@BeforeAll
	static void start() {
		ensemble = EmbeddedZooKeeperEnsemble.start(3);
	}

	@AfterAll
	static void stop() {
		ensemble.close();
	}

	@Test
	void containersAreOneEnsemble() {
		this.contextRunner.withPropertyValues("distributed-lock.zookeeper.connect-string=not-used:1").run((context) -> {
			assertThat(context.getBean(LockZooKeeperConnectionDetails.class).getConnectString().split(","))
				.containsExactlyInAnyOrder(ensemble.connectString().split(","));
			context.getBean(LockTemplate.class).acquire(LockRequest.of("order")).close();
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Containers {

		@Bean
		@ServiceConnection("zookeeper")
		GenericContainer<?> first() {
			return running(0);
		}

		@Bean
		@ServiceConnection("confluentinc/cp-zookeeper")
		GenericContainer<?> second() {
			return running(1);
		}

		@Bean
		@ServiceConnection("distributed-lock-zookeeper")
		GenericContainer<?> third() {
			return running(2);
		}

	}

	private static GenericContainer<?> running(int index) {
		return Running.on(ensemble.server(index).port(), 2181, new GenericContainer<>("zookeeper:3.9"));
	}

}
