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

import com.redis.testcontainers.RedisContainer;
import org.junit.jupiter.api.RepeatedTest;
import org.testcontainers.containers.GenericContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.annotation.DirtiesContext.ClassMode;

import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doReturn;

/**
 * Each container is one node, however often a test class loads its context. The
 * containers are only the shells of servers that nobody asks.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@DirtiesContext(classMode = ClassMode.AFTER_EACH_TEST_METHOD)
class ReloadedContextTests {

	@ServiceConnection
	static final RedisContainer first = redis(7001);

	@ServiceConnection
	static final RedisContainer second = redis(7002);

	@ServiceConnection("zookeeper")
	static final GenericContainer<?> zookeeper = named("zookeeper:3.9",
			Running.on(7003, 2181, new GenericContainer<>("zookeeper:3.9")));

	@RepeatedTest(2)
	void containersAreListedOnce(@Autowired LockConnectionDetails nodes,
			@Autowired LockZooKeeperConnectionDetails servers) {
		assertThat(nodes.getNodes()).containsExactly("redis://127.0.0.1:7001", "redis://127.0.0.1:7002");
		assertThat(servers.getConnectString()).isEqualTo("127.0.0.1:7003");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

	/** Only Docker could say whether there is such an image. */
	private static <C extends GenericContainer<?>> C named(String image, C running) {
		doReturn(image).when(running).getDockerImageName();
		return running;
	}

	private static RedisContainer redis(int port) {
		return named("redis:7", Running.on(port, 6379, new RedisContainer("redis:7")));
	}

}
