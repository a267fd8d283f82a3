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

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata that IDEs show for {@link LockProperties}.
 */
class ConfigurationMetadataTests {

	/** Their defaults are chosen at run time, or there is none. */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("distributed-lock.leader.roles",
			"distributed-lock.backend", "distributed-lock.connection.password",
			"distributed-lock.connection.ssl.bundle", "distributed-lock.connection.username",
			"distributed-lock.embedded.zookeeper", "distributed-lock.fencing.floor", "distributed-lock.groups",
			"distributed-lock.instance-id", "distributed-lock.max-hold-time", "distributed-lock.nodes",
			"distributed-lock.restart-quarantine", "distributed-lock.retry.max-attempts",
			"distributed-lock.zookeeper.acl", "distributed-lock.zookeeper.auth",
			"distributed-lock.zookeeper.client-properties", "distributed-lock.zookeeper.connect-string",
			"distributed-lock.zookeeper.ssl.bundle");

	@ParameterizedTest
	@MethodSource("properties")
	void propertyIsDescribedAsBootDescribesItsOwn(Map<String, Object> property) {
		String description = (String) property.get("description");
		assertThat(description).isNotNull().endsWith(".").doesNotContain("{@", "\n", "- ");
		assertThat(description.split(" ")[0]).isNotIn("The", "A", "An");
		if ("java.lang.Boolean".equals(property.get("type"))) {
			assertThat(description).startsWith("Whether ");
		}
	}

	@ParameterizedTest
	@MethodSource("properties")
	void defaultIsThere(Map<String, Object> property) {
		assertThat(property.containsKey("defaultValue"))
			.isEqualTo(!WITHOUT_DEFAULT.contains((String) property.get("name")));
	}

	@ParameterizedTest
	@MethodSource("enums")
	void eachValueOfAnEnumIsDescribed(String property, Class<? extends Enum<?>> type) {
		List<String> values = Arrays.stream(type.getEnumConstants())
			.map((value) -> value.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.toList();
		assertThat(list("hints")).filteredOn("name", property)
			.singleElement()
			.extracting((hint) -> hint.get("values"))
			.asInstanceOf(InstanceOfAssertFactories.list(Map.class))
			.allSatisfy((value) -> assertThat((String) value.get("description")).endsWith("."))
			.extracting((value) -> value.get("value"))
			.containsExactlyElementsOf(values);
	}

	static Stream<Arguments> enums() throws ClassNotFoundException {
		List<Arguments> enums = new ArrayList<>();
		for (Map<String, Object> property : properties()) {
			String name = (String) property.get("name");
			String type = String.valueOf(property.get("type"));
			if (type.startsWith("io.quorlock.") && !type.contains("<") && Class.forName(type).isEnum()) {
				enums.add(Arguments.of(name, Class.forName(type)));
			}
		}
		assertThat(enums).hasSizeGreaterThan(3);
		return enums.stream();
	}

	@Test
	void eachBackendThatIsChosenByItselfIsInTheDescription() {
		assertThat(properties()).filteredOn("name", "distributed-lock.backend")
			.singleElement()
			.extracting("description")
			.asString()
			.contains("\"redlock\"", "\"zookeeper\"", "\"redis\"", "\"embedded\"");
	}

	@Test
	void orderIsTheConstant() {
		assertThat(properties()).filteredOn("name", "distributed-lock.order")
			.singleElement()
			.extracting("defaultValue")
			.isEqualTo(LockProperties.DEFAULT_ORDER);
	}

	static List<Map<String, Object>> properties() {
		return list("properties").stream()
			.filter((property) -> String.valueOf(property.get("name")).startsWith("distributed-lock."))
			.toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(String name) {
		try (InputStream metadata = Objects.requireNonNull(LockProperties.class.getClassLoader()
			.getResourceAsStream("META-INF/spring-configuration-metadata.json"))) {
			Map<String, Object> root = JsonMapper.shared().readValue(metadata, Map.class);
			return (List<Map<String, Object>>) Objects.requireNonNull(root.get(name));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
