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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import io.kubernetes.client.custom.QuantityFormatException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Probe;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the manifests in {@code deploy} fit the schema of Kubernetes, as the model
 * of its Java client has it, and that they fit each other. The values of enumerations are
 * strings in that model and are not checked.
 */
class ManifestTests {

	private static final Path DEPLOY = Documentation.ROOT.resolve("deploy");

	private static final String NODES = "kubernetes/nodes.yaml";

	private static final String POLICIES = "kubernetes/policies.yaml";

	private static final Map<String, Class<?>> MODELS = Map.of("v1 Service", V1Service.class, "apps/v1 StatefulSet",
			V1StatefulSet.class, "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class,
			"networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy.class);

	/** What the Compose files use: a misspelt key is none of these. */
	private static final Map<String, Class<?>> COMPOSE_KEYS = Map.of("image", String.class, "command", List.class,
			"restart", String.class, "read_only", Boolean.class, "tmpfs", List.class, "mem_limit", String.class,
			"volumes", List.class, "ports", List.class);

	@ParameterizedTest
	@ValueSource(strings = { NODES, POLICIES })
	void manifestsFitTheSchema(String file) {
		assertThat(problems(read(file))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					# manifest          | right                                 | wrong                           | problem
					kubernetes/nodes.yaml | periodSeconds: 5                    | periodSecond: 5                 | field `periodSecond` in the JSON string is not defined
					kubernetes/nodes.yaml | readOnlyRootFilesystem: true        | readonlyRootFilesystem: true    | field `readonlyRootFilesystem` in the JSON string is not defined
					kubernetes/nodes.yaml | mountPath: /etc/quorlock            | path: /etc/quorlock             | field `path` in the JSON string is not defined
					kubernetes/nodes.yaml | maxSkew: 1                          | minDomains: 1                   | maxSkew
					kubernetes/nodes.yaml | containerPort: 6379                 | containerPort: redis            | redis
					kubernetes/nodes.yaml | initialDelaySeconds: 65             | initialDelaySeconds: '65'       | initialDelaySeconds is "65"
					kubernetes/nodes.yaml | image: redis:7.2                    | image: 7.2                      | image is 7.2
					kubernetes/nodes.yaml | app: lock-node                      | app: 1                          | app is 1
					kubernetes/nodes.yaml | readOnlyRootFilesystem: true        | readOnlyRootFilesystem: 'true'  | readOnlyRootFilesystem is "true"
					kubernetes/nodes.yaml | command: [redis-server, /etc/quorlock/redis.conf] | command: redis-server | command
					kubernetes/nodes.yaml | memory: 128Mi                       | memory: 128 megabytes           | quantity: 128
					kubernetes/nodes.yaml | kind: StatefulSet                   | kind: StatefulSett              | apps/v1 StatefulSett
					kubernetes/nodes.yaml | apiVersion: apps/v1                 | apiVersion: v1                  | v1 StatefulSet
					kubernetes/policies.yaml | podSelector:                     | podSelectors:                   | field `podSelectors` in the JSON string is not defined
					kubernetes/policies.yaml | uses-locks: "true"               | uses-locks: true                | uses-locks is true
					""")
	void brokenManifestIsRefused(String file, String right, String wrong, String problem) {
		String manifest = read(file);
		assertThat(manifest).contains(right);
		assertThat(problems(manifest.replace(right, wrong))).isNotEmpty()
			.anySatisfy((found) -> assertThat(found).contains(problem));
	}

	@Test
	@SuppressWarnings("unchecked")
	void kustomizationNamesFilesThatExist() throws IOException {
		Map<String, Object> kustomization = new Yaml().load(read("kustomization.yaml"));
		assertThat(kustomization).containsOnlyKeys("apiVersion", "kind", "resources", "configMapGenerator",
				"secretGenerator", "generatorOptions");
		assertThat(kustomization).containsEntry("apiVersion", "kustomize.config.k8s.io/v1beta1")
			.containsEntry("kind", "Kustomization");
		try (Stream<Path> files = Files.list(DEPLOY.resolve("kubernetes"))) {
			assertThat((List<String>) Objects.requireNonNull(kustomization.get("resources")))
				.containsExactlyInAnyOrderElementsOf(files.map((file) -> "kubernetes/" + file.getFileName()).toList());
		}
		assertThat(generated("configMapGenerator").values()).containsExactly(List.of("redis.conf"));
		assertThat(generated("secretGenerator").values()).containsExactly(List.of("users.acl"));
		assertThat(DEPLOY.resolve("redis.conf")).isRegularFile();
		assertThat(DEPLOY.resolve("users.acl")).isRegularFile();
	}

	@Test
	void mountedFilesAreThoseOfTheConfiguration() {
		assertThat(pods()).allSatisfy((pod) -> {
			V1PodSpec spec = Objects.requireNonNull(pod.getSpec());
			List<String> files = new ArrayList<>();
			assertThat(spec.getVolumes()).singleElement().satisfies((volume) -> {
				assertThat(volume.getProjected().getSources()).allSatisfy((source) -> {
					List<String> content = (source.getConfigMap() != null)
							? generated("configMapGenerator").get(source.getConfigMap().getName())
							: generated("secretGenerator").get(source.getSecret().getName());
					assertThat(content).as("what %s refers to", source).isNotNull();
					files.addAll(Objects.requireNonNull(content));
				});
				assertThat(container(pod).getVolumeMounts()).singleElement().satisfies((mount) -> {
					assertThat(mount.getName()).isEqualTo(volume.getName());
					String folder = mount.getMountPath() + "/";
					assertThat(files.stream().map(folder::concat)).contains(container(pod).getCommand().get(1));
					String users = read("redis.conf").lines()
						.filter((line) -> line.startsWith("aclfile "))
						.findFirst()
						.orElseThrow();
					assertThat(files.stream().map(folder::concat)).contains(users.substring("aclfile ".length()));
				});
			});
		});
	}

	@Test
	void selectorsSelectThePods() {
		List<V1StatefulSet> sets = typed(NODES, V1StatefulSet.class);
		List<V1Service> services = typed(NODES, V1Service.class);
		for (V1StatefulSet set : sets) {
			assertThat(pods().stream().filter((pod) -> selects(set.getSpec().getSelector(), pod)))
				.containsExactly(set.getSpec().getTemplate());
			List<V1Service> named = services.stream()
				.filter((service) -> Objects.equals(service.getMetadata().getName(), set.getSpec().getServiceName()))
				.toList();
			assertThat(named).singleElement()
				.satisfies((service) -> assertThat(pods().stream()
					.filter((pod) -> labels(pod).entrySet().containsAll(service.getSpec().getSelector().entrySet())))
					.containsExactly(set.getSpec().getTemplate()));
			V1PodSpec pod = Objects.requireNonNull(set.getSpec().getTemplate().getSpec());
			assertThat(pod.getTopologySpreadConstraints()).isNotEmpty()
				.allSatisfy(
						(constraint) -> assertThat(pods()).allMatch((p) -> selects(constraint.getLabelSelector(), p)));
			assertThat(pod.getAffinity().getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution())
				.isNotEmpty()
				.allSatisfy((term) -> assertThat(pods()).allMatch((p) -> selects(term.getLabelSelector(), p)));
		}
		assertThat(typed(POLICIES, V1PodDisruptionBudget.class)).singleElement()
			.satisfies((budget) -> assertThat(pods()).allMatch((pod) -> selects(budget.getSpec().getSelector(), pod)));
		assertThat(typed(POLICIES, V1NetworkPolicy.class)).singleElement()
			.satisfies(
					(policy) -> assertThat(pods()).allMatch((pod) -> selects(policy.getSpec().getPodSelector(), pod)));
	}

	@Test
	void portsAreThoseOfTheServer() {
		int port = Integer.parseInt(read("redis.conf").lines()
			.filter((line) -> line.startsWith("port "))
			.findFirst()
			.orElseThrow()
			.substring("port ".length()));
		assertThat(pods())
			.allSatisfy((pod) -> assertThat(container(pod).getPorts()).extracting(V1ContainerPort::getContainerPort)
				.containsExactly(port));
		assertThat(typed(NODES, V1Service.class))
			.allSatisfy((service) -> assertThat(service.getSpec().getPorts()).singleElement().satisfies((of) -> {
				assertThat(of.getPort()).isEqualTo(port);
				assertThat(of.getTargetPort()).as("a headless service maps no ports").isNull();
			}));
		V1NetworkPolicy policy = typed(POLICIES, V1NetworkPolicy.class).get(0);
		assertThat(policy.getSpec().getIngress()).singleElement().satisfies((rule) -> {
			assertThat(rule.getPorts()).singleElement()
				.satisfies((of) -> assertThat(of.getPort().getIntValue()).isEqualTo(port));
			assertThat(rule.getFrom()).singleElement().satisfies((peer) -> {
				Map<String, String> labels = peer.getPodSelector().getMatchLabels();
				assertThat(labels).hasSize(1);
				labels.forEach((label, value) -> assertThat(read("README.md")).contains(label + ": \"" + value + "\""));
			});
		});
	}

	@Test
	void commandsAreInTheImage() {
		assertThat(pods()).allSatisfy((pod) -> {
			V1Container redis = container(pod);
			assertThat(redis.getImage()).startsWith("redis:");
			assertThat(redis.getCommand().get(0)).isEqualTo("redis-server");
			for (V1Probe probe : List.of(redis.getReadinessProbe(), redis.getLivenessProbe())) {
				List<String> command = probe.getExec().getCommand();
				assertThat(command).hasSize(3).startsWith("sh", "-c");
				assertThat(Stream.of(command.get(2).split("\\|(?![^']*'$)")).map((part) -> part.strip().split(" ")[0]))
					.containsExactly("redis-cli", "grep");
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "compose-three.yaml", "compose-five.yaml" })
	void composeFilesHaveKnownKeys(String file) {
		Map<String, Map<String, Map<String, Object>>> compose = new Yaml().load(read(file));
		assertThat(compose).containsOnlyKeys("x-node", "services");
		Objects.requireNonNull(compose.get("services"))
			.forEach((name, service) -> assertThat(service).as(name).allSatisfy((key, value) -> {
				assertThat(COMPOSE_KEYS).containsKey(key);
				assertThat(value).as(key).isInstanceOf(COMPOSE_KEYS.get(key));
			}));
	}

	/** What is wrong with the documents of a file, in the words of the schema. */
	private static List<String> problems(String manifests) {
		List<String> problems = new ArrayList<>();
		for (Object document : new Yaml().loadAll(manifests)) {
			JsonElement given = new Gson().toJsonTree(document);
			String kind = kind(document);
			Class<?> model = MODELS.get(kind);
			if (model == null) {
				problems.add("No model of " + kind);
				continue;
			}
			try {
				// The client refuses unknown and missing fields, but converts numbers and
				// strings into each other: what was converted is written differently.
				JsonElement known = JSON.getGson().toJsonTree(JSON.getGson().fromJson(given, model));
				compare(kind, given, known, problems);
			}
			catch (JsonParseException | IllegalArgumentException | QuantityFormatException ex) {
				problems.add(kind + ": " + ex.getMessage());
			}
		}
		return problems;
	}

	/** The model adds empty lists: only what was given has to be known. */
	private static void compare(String path, JsonElement given, JsonElement known, List<String> problems) {
		if (given.isJsonObject() && known.isJsonObject()) {
			given.getAsJsonObject().entrySet().forEach((entry) -> {
				String member = path + "." + entry.getKey();
				JsonElement value = known.getAsJsonObject().get(entry.getKey());
				if (value != null) {
					compare(member, entry.getValue(), value, problems);
				}
				else {
					problems.add(member + " is unknown");
				}
			});
		}
		else if (given.isJsonArray() && known.isJsonArray()
				&& given.getAsJsonArray().size() == known.getAsJsonArray().size()) {
			JsonArray elements = given.getAsJsonArray();
			for (int i = 0; i < elements.size(); i++) {
				compare(path + "[" + i + "]", elements.get(i), known.getAsJsonArray().get(i), problems);
			}
		}
		else if (!given.equals(known)) {
			problems.add(path + " is " + given + ", expected " + known);
		}
	}

	private static String kind(Object document) {
		Map<?, ?> map = (Map<?, ?>) document;
		return map.get("apiVersion") + " " + map.get("kind");
	}

	private static <T> List<T> typed(String file, Class<T> model) {
		return StreamSupport.stream(new Yaml().loadAll(read(file)).spliterator(), false)
			.filter((document) -> MODELS.get(kind(document)) == model)
			.map((document) -> JSON.getGson().fromJson(new Gson().toJsonTree(document), model))
			.toList();
	}

	private static List<V1PodTemplateSpec> pods() {
		List<V1PodTemplateSpec> pods = typed(NODES, V1StatefulSet.class).stream()
			.map((set) -> set.getSpec().getTemplate())
			.toList();
		assertThat(pods).hasSize(3);
		return pods;
	}

	private static V1Container container(V1PodTemplateSpec pod) {
		List<V1Container> containers = Objects.requireNonNull(pod.getSpec()).getContainers();
		assertThat(containers).hasSize(1);
		return containers.get(0);
	}

	private static Map<String, String> labels(V1PodTemplateSpec pod) {
		return Objects.requireNonNull(Objects.requireNonNull(pod.getMetadata()).getLabels());
	}

	private static boolean selects(V1LabelSelector selector, V1PodTemplateSpec pod) {
		assertThat(selector.getMatchExpressions()).as("only labels are compared here").isNullOrEmpty();
		assertThat(selector.getMatchLabels()).as("without labels, it selects everything").isNotEmpty();
		return labels(pod).entrySet().containsAll(selector.getMatchLabels().entrySet());
	}

	/** The files of each object that a generator of the kustomization creates. */
	@SuppressWarnings("unchecked")
	private static Map<String, List<String>> generated(String generator) {
		Map<String, List<Map<String, Object>>> kustomization = new Yaml().load(read("kustomization.yaml"));
		Map<String, List<String>> files = new HashMap<>();
		for (Map<String, Object> object : Objects.requireNonNull(kustomization.get(generator))) {
			files.put((String) object.get("name"), (List<String>) object.get("files"));
		}
		return files;
	}

	private static String read(String file) {
		return Documentation.read(DEPLOY.resolve(file));
	}

}
