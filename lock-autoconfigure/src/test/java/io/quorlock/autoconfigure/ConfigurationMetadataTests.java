package io.quorlock.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.ReflectionUtils;

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
			"distributed-lock.sharding.previous", "distributed-lock.sharding.version", "distributed-lock.zookeeper.acl",
			"distributed-lock.zookeeper.auth", "distributed-lock.zookeeper.client-properties",
			"distributed-lock.zookeeper.connect-string", "distributed-lock.zookeeper.ssl.bundle");

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

	@Test
	void orderIsTheConstant() {
		assertThat(properties()).filteredOn("name", "distributed-lock.order")
			.singleElement()
			.extracting("defaultValue")
			.isEqualTo(LockProperties.DEFAULT_ORDER);
	}

	@Test
	void groupsOfPropertiesArePublicBeans() {
		assertThat(LockProperties.class.isRecord()).isFalse();
		assertThat(LockProperties.class.getDeclaredClasses()).filteredOn((type) -> !type.isEnum())
			.allSatisfy((group) -> {
				assertThat(group.isRecord()).isFalse();
				assertThat(ReflectionUtils.getUniqueDeclaredMethods(group))
					.anyMatch((method) -> method.getName().startsWith("get") || method.getName().startsWith("is"));
			});
	}

	@SuppressWarnings("unchecked")
	static List<Map<String, Object>> properties() {
		try (InputStream metadata = Objects.requireNonNull(LockProperties.class.getClassLoader()
			.getResourceAsStream("META-INF/spring-configuration-metadata.json"))) {
			Map<String, Object> root = JsonMapper.shared().readValue(metadata, Map.class);
			return ((List<Map<String, Object>>) Objects.requireNonNull(root.get("properties"))).stream()
				.filter((property) -> String.valueOf(property.get("name")).startsWith("distributed-lock."))
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
