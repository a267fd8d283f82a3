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
import com.redis.testcontainers.RedisStackContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.PemTrustStore;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisContainersLockConnectionDetailsFactory} without Docker: the
 * containers are only the shells of servers that run here.
 */
class RedisContainersLockConnectionDetailsFactoryTests {

	private static EmbeddedRedis redis;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class, LockAutoConfiguration.class))
		.withUserConfiguration(Containers.class);

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start(3);
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@Test
	void severalContainersMakeOneNodeList() {
		this.contextRunner.withPropertyValues("distributed-lock.nodes=redis://not-used").run((context) -> {
			assertThat(context).hasSingleBean(LockConnectionDetails.class);
			assertThat(context.getBean(LockConnectionDetails.class).getNodes())
				.containsExactlyInAnyOrderElementsOf(redis.uris());
			assertThat(context.getBean(LockBackend.class).nodes()).hasSize(3);
			LockRequest request = LockRequest.of("order").waitTime(Duration.ofSeconds(20));
			try (LockHandle handle = context.getBean(LockTemplate.class).acquire(request)) {
				assertThat(handle.isHeld()).isTrue();
			}
		});
	}

	@Test
	void containerWithTrustStoreIsReachedWithTls() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
			.withUserConfiguration(SecuredContainer.class)
			.run((context) -> {
				LockConnectionDetails details = context.getBean(LockConnectionDetails.class);
				assertThat(details.getNodes()).containsExactly(redis.node(0).uri(),
						redis.node(1).uri().replace("redis:", "rediss:"));
				assertThat(details.getSslBundle()).isNotNull();
			});
	}

	@Test
	void containerWithMoreThanRedisIsANodeWhateverItsImageIs() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class))
			.withUserConfiguration(StackContainer.class)
			.run((context) -> assertThat(context.getBean(LockConnectionDetails.class).getNodes())
				.containsExactly(redis.node(2).uri()));
	}

	@Test
	void containersAreNoNodesWithoutJedis() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("redis.clients.jedis"))
			.withPropertyValues("distributed-lock.backend=in-memory")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockConnectionDetails.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Containers {

		@Bean
		@ServiceConnection
		RedisContainer first() {
			return running("redis", 0);
		}

		@Bean
		@ServiceConnection
		RedisContainer second() {
			return running("mirror/own", 1);
		}

		@Bean
		@ServiceConnection
		RedisContainer third() {
			return running("redis", 2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SecuredContainer {

		@Bean
		@ServiceConnection("valkey/valkey")
		GenericContainer<?> plain() {
			return running("redis", 0);
		}

		@Bean
		@ServiceConnection("distributed-lock")
		@PemTrustStore(certificate = "classpath:not-read-yet.pem")
		GenericContainer<?> secured() {
			return running("redis", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class StackContainer {

		@Bean
		@ServiceConnection
		RedisStackContainer stack() {
			DockerImageName name = DockerImageName.parse("mirror/own").asCompatibleSubstituteFor("redis/redis-stack");
			return Running.on(redis.node(2).port(), 6379, new RedisStackContainer(name));
		}

	}

	private static RedisContainer running(String image, int index) {
		DockerImageName name = DockerImageName.parse(image).asCompatibleSubstituteFor("redis");
		return Running.on(redis.node(index).port(), 6379, new RedisContainer(name));
	}

}
