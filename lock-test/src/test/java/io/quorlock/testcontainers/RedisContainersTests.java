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

import java.time.Duration;

import com.redis.testcontainers.RedisContainer;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for Redis containers as lock nodes, where there is a Docker engine.
 */
@SpringBootTest
@Testcontainers(disabledWithoutDocker = true)
class RedisContainersTests {

	private static final String IMAGE = System.getProperty("quorlock.test.redis-image", "redis:7");

	@Container
	@ServiceConnection
	static RedisContainer first = new RedisContainer(IMAGE);

	@Container
	@ServiceConnection
	static RedisContainer second = new RedisContainer(IMAGE);

	@Container
	@ServiceConnection
	static RedisContainer third = new RedisContainer(IMAGE);

	@Test
	void containersAreOneQuorum(@Autowired LockBackend backend, @Autowired LockTemplate template) {
		assertThat(backend.nodes()).hasSize(3);
		try (LockHandle handle = template.acquire(LockRequest.of("order").waitTime(Duration.ofSeconds(20)))) {
			assertThat(handle.fencingToken()).isPositive();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LockAutoConfiguration.class)
	static class Application {

	}

}
