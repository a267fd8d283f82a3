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

package io.quorlock.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedRedisNodeBuilder;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.RespConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a server starts from the files in {@code deploy}, that its users are the
 * documented ones, whose rights {@link MinimalRightsTests} uses, and that what starts
 * containers mounts these files.
 */
class DeployTests {

	private static final Path DEPLOY = Documentation.ROOT.resolve("deploy");

	@Test
	void usersAreTheDocumentedOnes() {
		String page = Documentation.read(Documentation.ROOT.resolve("docs/setup.md"));
		List<String> documented = page.lines().filter((line) -> line.startsWith("user ")).toList();
		assertThat(lines("users.acl")).hasSize(3).isEqualTo(documented);
	}

	@Test
	void serverStartsAndIsLockedOn() {
		EmbeddedRedisNodeBuilder builder = EmbeddedRedisNode.builder();
		lines("redis.conf").stream()
			.filter((line) -> !line.matches("(#|bind |port ).*"))
			.map((line) -> line.replace("/etc/quorlock", DEPLOY.toString()))
			.forEach(builder::config);
		try (EmbeddedRedisNode node = builder.start()) {
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> node.execute("PING"))
				.withMessageContaining("NOAUTH");
			new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
				.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:" + node.port(),
						"distributed-lock.connection.username=quorlock", "distributed-lock.connection.password=secret",
						"distributed-lock.restart-quarantine=0s", "distributed-lock.wait-time=20s")
				.run((context) -> assertThat(
						context.getBean(LockTemplate.class).execute("order:42", () -> "under the lock"))
					.isEqualTo("under the lock"));
			try (RespConnection admin = RespConnection.to(node.port())) {
				admin.execute("AUTH", "admin", "another-secret");
				assertThat(admin.execute("CONFIG", "GET", "maxmemory-policy")).asString().contains("noeviction");
				assertThat(admin.execute("CONFIG", "GET", "save")).asString().isEqualTo("[save, ]");
				assertThat(admin.execute("CONFIG", "GET", "appendonly")).asString().isEqualTo("[appendonly, no]");
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "compose-three.yaml, 3", "compose-five.yaml, 5" })
	void composeStartsNodesWithTheseFiles(String file, int nodes) {
		Map<String, Map<String, Object>> services = at(new Yaml().load(read(file)), "services");
		assertThat(services.keySet())
			.containsExactlyElementsOf(IntStream.rangeClosed(1, nodes).mapToObj((i) -> "redis-" + i).toList());
		assertThat(services.values()).allSatisfy((service) -> {
			assertThat(service.get("command")).isEqualTo(List.of("redis-server", "/etc/quorlock/redis.conf"));
			assertThat(service.get("volumes")).isEqualTo(
					List.of("./redis.conf:/etc/quorlock/redis.conf:ro", "./users.acl:/etc/quorlock/users.acl:ro"));
		});
		assertThat(services.values()).extracting((service) -> service.get("ports")).doesNotHaveDuplicates();
	}

	@Test
	void kubernetesStartsNodesWithTheseFiles() {
		Map<String, Object> kustomization = new Yaml().load(read("kustomization.yaml"));
		assertThat(kustomization.toString()).contains("files=[redis.conf]", "files=[users.acl]",
				"disableNameSuffixHash=true");
		List<Map<String, Object>> sets = documents("kubernetes/nodes.yaml", "StatefulSet");
		assertThat(sets).hasSize(3).allSatisfy((set) -> {
			Map<String, Object> pod = at(set, "spec", "template");
			assertThat(pod.toString())
				.contains("name=lock-node}", "name=lock-node-users}", "initialDelaySeconds=65",
						"command=[redis-server, /etc/quorlock/redis.conf]")
				.doesNotContain("persistentVolumeClaim");
			assertThat(DeployTests.<Object>at(set, "spec", "updateStrategy", "type")).isEqualTo("OnDelete");
			assertThat(DeployTests.<Object>at(set, "spec", "selector", "matchLabels"))
				.isEqualTo(at(pod, "metadata", "labels"));
		});
		assertThat(documents("kubernetes/nodes.yaml", "Service"))
			.extracting((service) -> (Object) at(service, "spec", "selector"))
			.containsExactlyElementsOf(
					sets.stream().map((set) -> (Object) at(set, "spec", "selector", "matchLabels")).toList());
		assertThat(documents("kubernetes/policies.yaml", "PodDisruptionBudget")).hasSize(1);
		assertThat(documents("kubernetes/policies.yaml", "NetworkPolicy")).hasSize(1);
	}

	private static List<Map<String, Object>> documents(String file, String kind) {
		return StreamSupport.stream(new Yaml().loadAll(read(file)).spliterator(), false)
			.map(DeployTests::<Map<String, Object>>at)
			.filter((document) -> kind.equals(document.get("kind")))
			.toList();
	}

	@SuppressWarnings("unchecked")
	private static <T> T at(Object yaml, String... keys) {
		Object value = yaml;
		for (String key : keys) {
			value = ((Map<String, Object>) value).get(key);
		}
		return (T) value;
	}

	private static List<String> lines(String file) {
		return read(file).lines().toList();
	}

	private static String read(String file) {
		return Documentation.read(DEPLOY.resolve(file));
	}

}
