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

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.actuate.LocksDescriptor;
import io.quorlock.actuate.LocksDescriptor.GroupDescriptor;
import io.quorlock.actuate.LocksEndpoint;
import io.quorlock.autoconfigure.actuate.LocksEndpointAutoConfiguration;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockConnectionDetails;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.engine.LockInspector;
import io.quorlock.groups.Sharding;
import io.quorlock.health.LockHealthIndicator;
import io.quorlock.metrics.LockGauges;
import io.quorlock.metrics.LockTags;
import io.quorlock.redis.NodeAddress;
import io.quorlock.store.NodeReport;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Groups of nodes in an application (R23).
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class GroupsTests {

	private static final Sharding SHARDING = new Sharding(List.of("a", "b"), Sharding.By.NAME);

	private static EmbeddedRedis redis;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.restart-quarantine=0s",
				"distributed-lock.connection.operation-timeout=1s");

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(3);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	private ApplicationContextRunner grouped(String a, String b) {
		return this.contextRunner.withPropertyValues("distributed-lock.groups.a.nodes=" + a,
				"distributed-lock.groups.b.nodes=" + b);
	}

	private static void awaitNodes(LockInspector inspector, int nodes) {
		Awaitility.await().until(() -> inspector.status().voting() == nodes);
	}

	@Test
	void serversThatWereStartedForATestReplaceTheGroups(CapturedOutput output) {
		grouped("redis://not-used:1", "redis://not-used:2")
			.withBean(LockConnectionDetails.class, () -> new EmbeddedLockConnectionDetails(redis.uris()))
			.run((context) -> {
				LockInspector inspector = context.getBean(LockInspector.class);
				awaitNodes(inspector, 3);
				assertThat(inspector.status().groups()).isEmpty();
				assertThat(output).contains("quorum 2 of 3");
				context.getBean(LockTemplate.class).acquire(LockRequest.of("order")).close();
			});
	}

	@Test
	void embeddedServersReplaceTheGroups() {
		grouped("redis://not-used:1", "redis://not-used:2")
			.withPropertyValues("distributed-lock.backend=embedded", "distributed-lock.embedded.nodes=1")
			.run((context) -> {
				LockInspector inspector = context.getBean(LockInspector.class);
				awaitNodes(inspector, 1);
				assertThat(inspector.status().groups()).isEmpty();
				context.getBean(LockTemplate.class).acquire(LockRequest.of("order")).close();
			});
	}

	@Test
	void eachNameIsKeptInItsGroup(CapturedOutput output) {
		List<String> uris = redis.uris();
		grouped(uris.get(0), uris.get(1) + "," + uris.get(2)).run((context) -> {
			LockInspector inspector = context.getBean(LockInspector.class);
			awaitNodes(inspector, 3);
			assertThat(output).contains("quorum 1 of 1, group b").contains("quorum 2 of 2");
			for (int i = 0; i < 10; i++) {
				String name = "grouped:" + i;
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire(LockRequest.of(name))) {
					assertThat(lock.isHeld()).isTrue();
					List<NodeReport> reports = inspector.inspect(name).join();
					assertThat(reports).hasSize(SHARDING.groupOf(name).equals("a") ? 1 : 2);
				}
			}
			Health health = new LockHealthIndicator(inspector, Map::of, false).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsOnlyKeys("groups");
		});
	}

	@Test
	void healthIsUpWhileOneGroupGrantsAndNamesTheOneThatIsDown() {
		grouped(redis.uris().get(0), "redis://127.0.0.1:1").run((context) -> {
			LockInspector inspector = context.getBean(LockInspector.class);
			awaitNodes(inspector, 1);
			Health health = new LockHealthIndicator(inspector, Map::of, false).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).extracting("groups").asString().contains("a={status=UP", "b={status=DOWN");
			assertThat(health.getDetails()).containsEntry("degraded", "names of these groups cannot be locked: b");
			PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
			new LockGauges(inspector, new LockTags(), List.of()).bindTo(registry);
			assertThat(registry.scrape()).contains("distributed_lock_group_available{group=\"a\"} 1.0")
				.contains("distributed_lock_group_available{group=\"b\"} 0.0")
				.contains("distributed_lock_group_nodes{group=\"a\"} 1.0")
				.contains("distributed_lock_group_votes{group=\"a\"} 1.0")
				.contains("distributed_lock_group_votes{group=\"b\"} 0.0")
				.contains("distributed_lock_group_quorum{group=\"b\"} 1.0");
		});
	}

	@Test
	void healthIsDownWhileNoGroupGrants() {
		grouped("redis://127.0.0.1:1", "redis://127.0.0.1:2").run((context) -> {
			LockInspector inspector = context.getBean(LockInspector.class);
			assertThat(new LockHealthIndicator(inspector, Map::of, false).health().getStatus()).isEqualTo(Status.DOWN);
		});
	}

	@Test
	void endpointShowsEachGroup() {
		List<String> uris = redis.uris();
		grouped("redis://127.0.0.1:1", uris.get(1) + "," + uris.get(2))
			.withConfiguration(AutoConfigurations.of(LocksEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=locks")
			.run((context) -> {
				awaitNodes(context.getBean(LockInspector.class), 2);
				LocksDescriptor locks = context.getBean(LocksEndpoint.class).locks(SecurityContext.NONE, null);
				assertThat(locks.quorum()).isEqualTo(3);
				assertThat(locks.groups())
					.containsExactly(new GroupDescriptor("a", false, 1, List.of("127.0.0.1:1")), new GroupDescriptor(
							"b", true, 2,
							uris.subList(1, 3).stream().map((uri) -> NodeAddress.parse(uri).name()).sorted().toList()));
			});
	}

	@Test
	void instanceWithOtherNodesInOneGroupIsNoticedInThatGroup() {
		List<String> uris = redis.uris();
		String prefix = "distributed-lock.key-prefix=other-nodes:";
		grouped(uris.get(0), uris.get(1) + "," + uris.get(2)).withPropertyValues(prefix).run((context) -> {
			awaitNodes(context.getBean(LockInspector.class), 3);
			grouped(uris.get(0), uris.get(1))
				.withPropertyValues(prefix, "distributed-lock.node-mismatch=fail", "distributed-lock.wait-time=100ms")
				.run((other) -> {
					LockInspector inspector = other.getBean(LockInspector.class);
					Awaitility.await().untilAsserted(() -> {
						assertThat(group(inspector, "a").available()).isTrue();
						assertThat(group(inspector, "b").description()).contains("instances use different node lists");
					});
					LockTemplate template = other.getBean(LockTemplate.class);
					template.acquire(LockRequest.of(nameIn("a"))).close();
					assertThatExceptionOfType(LockUnavailableException.class)
						.isThrownBy(() -> template.acquire(LockRequest.of(nameIn("b"))))
						.withMessageContaining("different node list");
					String inGroupA = NodeAddress.parse(uris.get(0)).name();
					assertThat(other.getBean(LockBackend.class).notes().get()).doesNotContainKey(inGroupA);
				});
		});
	}

	private static StoreStatus group(LockInspector inspector, String id) {
		return Objects.requireNonNull(inspector.status().groups().get(id));
	}

	private static String nameIn(String group) {
		return Stream.iterate(0, (i) -> i + 1)
			.map((i) -> "grouped:" + i)
			.filter((name) -> SHARDING.groupOf(name).equals(group))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void instanceWithAnotherLayoutIsNoticed(CapturedOutput output) {
		List<String> uris = redis.uris();
		grouped(uris.get(0), uris.get(1)).withPropertyValues("distributed-lock.key-prefix=layout:").run((context) -> {
			awaitNodes(context.getBean(LockInspector.class), 2);
			grouped(uris.get(0), uris.get(1))
				.withPropertyValues("distributed-lock.key-prefix=layout:", "distributed-lock.sharding.by=prefix",
						"distributed-lock.node-mismatch=fail")
				.run((other) -> Awaitility.await()
					.untilAsserted(() -> assertThat(other.getBean(LockInspector.class).status().description())
						.contains("group a of a,b by name")));
		});
	}

	@Test
	void groupsBesideNodesStopTheStart() {
		fails("It is set together with distributed-lock.nodes", "distributed-lock.groups.a.nodes=redis://a",
				"distributed-lock.nodes=redis://b");
		fails("the backend is zookeeper", "distributed-lock.groups.a.nodes=redis://a",
				"distributed-lock.backend=zookeeper", "distributed-lock.zookeeper.connect-string=a:2181");
		fails("same node as distributed-lock.groups.a.nodes[0]", "distributed-lock.groups.a.nodes=redis://a",
				"distributed-lock.groups.b.nodes=redis://a");
		fails("the id of a group may have letters", "distributed-lock.groups[a;b].nodes=redis://a");
		fails("there is no node", "distributed-lock.groups.a.nodes=redis://a", "distributed-lock.groups.b.nodes=");
	}

	@Test
	void groupsBesideZooKeeperStopTheStartUnlessABackendIsChosen() {
		ApplicationContextRunner both = grouped("redis://a", "redis://b")
			.withPropertyValues("distributed-lock.zookeeper.connect-string=zk1:2181");
		both.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOfSatisfying(InvalidLockConfigurationException.class, (failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock.groups");
				assertThat(failure.getValue()).isEqualTo("a, b");
				assertThat(failure.getReason()).contains("together with distributed-lock.zookeeper.connect-string");
				assertThat(failure.getAction()).contains("Remove distributed-lock.zookeeper.connect-string",
						"set distributed-lock.backend to redlock");
			}));
		both.withPropertyValues("distributed-lock.backend=redlock")
			.run((context) -> assertThat(context.getBean(LockBackend.class).name()).isEqualTo("redlock"));
	}

	@Test
	void serversOfZooKeeperInAGroupStopTheStart() {
		for (String server : List.of("zk1:2181", "zookeeper://zk1:2181")) {
			fails("distributed-lock.groups.b.nodes[0]", "distributed-lock.groups.a.nodes=redis://a",
					"distributed-lock.groups.b.nodes=" + server + ",redis://b");
			fails("expected redis://", "distributed-lock.groups.a.nodes=redis://a",
					"distributed-lock.groups.b.nodes=" + server + ",redis://b");
		}
	}

	private void fails(String reason, String... properties) {
		this.contextRunner.withPropertyValues(properties)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidLockConfigurationException.class)
				.satisfies((ex) -> assertThat(ex.getMessage()).containsIgnoringCase(reason)));
	}

}
