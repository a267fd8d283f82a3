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

package io.quorlock.docker.compose;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.lifecycle.DockerComposeServicesReadyEvent;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ReflectionUtils;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockConnectionDetails;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.engine.LockInspector;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.NodeState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RedisDockerComposeLockConnectionDetailsFactory} without Docker: Boot
 * is notified that services are running.
 */
class RedisDockerComposeLockConnectionDetailsFactoryTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class));

	@Test
	void severalServicesMakeOneNodeList() {
		nodesOf(service("lock-1", "redis:8", 7001), service("lock-2", "valkey/valkey:9", 7002),
				service("web", "nginx", 80), service("lock-3", "mirror/own", 7003,
						"org.springframework.boot.service-connection", "distributed-lock"))
			.run((context) -> {
				assertThat(context.getBean(LockBackend.class).nodes()).map(LockNode::name)
					.containsExactly("127.0.0.1:7001", "127.0.0.1:7002", "127.0.0.1:7003");
				assertThat(context.getBeansOfType(LockConnectionDetails.class).values())
					.allMatch(LockConnectionDetails::isNewlyStarted);
			});
	}

	@Test
	void serviceWithTrustStoreIsReachedWithTls() {
		RunningService service = service("lock-1", "redis:8", 7001,
				"org.springframework.boot.sslbundle.pem.truststore.certificate", "classpath:not-read-yet.pem");
		new ApplicationContextRunner().withInitializer((context) -> announce(context, List.of(service)))
			.run((context) -> {
				LockConnectionDetails details = context.getBean(LockConnectionDetails.class);
				assertThat(details.getNodes()).containsExactly("rediss://127.0.0.1:7001");
				assertThat(details.getSslBundle()).isNotNull();
			});
	}

	@Test
	void servicesAreNoNodesWithoutTheirClients() {
		nodesOf(service("lock-1", "redis:8", 7001), service("zk-1", "zookeeper:3.9", 7002))
			.withClassLoader(new FilteredClassLoader("redis.clients.jedis", "org.apache.zookeeper"))
			.withPropertyValues("distributed-lock.backend=in-memory")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(LockConnectionDetails.class)
				.doesNotHaveBean(LockZooKeeperConnectionDetails.class));
	}

	@Test
	void serviceWithAnotherLabelIsNoNode() {
		nodesOf(service("lock-1", "redis", 7001),
				service("cache", "redis", 7002, "org.springframework.boot.service-connection", "cache"))
			.run((context) -> assertThat(context.getBean(LockBackend.class).nodes()).map(LockNode::name)
				.containsExactly("127.0.0.1:7001"));
	}

	@Test
	void severalZooKeeperServicesMakeOneEnsemble() {
		nodesOf(service("zk-1", "zookeeper:3.9", 7001), service("zk-2", "confluentinc/cp-zookeeper:8.0", 7002),
				service("zk-3", "mirror/own", 7003, "org.springframework.boot.service-connection",
						"distributed-lock-zookeeper"))
			.run((context) -> assertThat(context.getBean(LockInspector.class).status().nodes())
				.extracting(NodeState::name)
				.containsExactly("127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003"));
	}

	private ApplicationContextRunner nodesOf(RunningService... services) {
		return this.contextRunner.withInitializer((context) -> announce(context, Arrays.asList(services)));
	}

	/**
	 * What Boot does when Docker Compose is up, by the parts that it does not publish.
	 */
	private static void announce(ConfigurableApplicationContext context, List<RunningService> services) {
		DockerComposeServicesReadyEvent event = create(DockerComposeServicesReadyEvent.class,
				new Class<?>[] { ApplicationContext.class, List.class }, context, services);
		for (ApplicationListener<?> listener : SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ApplicationListener.class)) {
			if (listener.getClass().getSimpleName().equals("DockerComposeServiceConnectionsApplicationListener")) {
				ReflectionTestUtils.invokeMethod(listener, "onApplicationEvent", event);
			}
		}
	}

	private static <T> T create(Class<T> type, Class<?>[] parameterTypes, Object... arguments) {
		try {
			var constructor = ReflectionUtils.accessibleConstructor(type, parameterTypes);
			return constructor.newInstance(arguments);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static RunningService service(String name, String image, int port, String... label) {
		ConnectionPorts ports = mock(ConnectionPorts.class);
		given(ports.get(name.startsWith("zk") ? 2181 : 6379)).willReturn(port);
		RunningService service = mock(RunningService.class);
		given(service.name()).willReturn(name);
		given(service.image()).willReturn(ImageReference.of(image));
		given(service.host()).willReturn("127.0.0.1");
		given(service.ports()).willReturn(ports);
		given(service.labels()).willReturn((label.length > 0) ? Map.of(label[0], label[1]) : Map.of());
		return service;
	}

}
