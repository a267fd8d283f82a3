package example;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the starter changes nothing of an application but what is its own.
 */
class WithStarterTests {

	/** Their names, and the proxy creator that any advisor needs. */
	private static final Pattern OWN = Pattern.compile("bean (distributedLock|distributed-lock-|management.endpoint.locks-"
			+ "|io\\.quorlock\\.|org\\.springframework\\.aop\\.config\\.internalAutoProxyCreator)");

	@Test
	void starterAddsItsOwnBeansAndJarsAlone() throws IOException {
		List<String> without = Files.readAllLines(Inventory.OF_PLAIN);
		List<String> with = Inventory.take().lines();
		assertThat(with).as("nothing is gone or changed").containsAll(without);
		List<String> added = new ArrayList<>(with);
		added.removeAll(without);
		assertThat(added).filteredOn((line) -> line.startsWith("jar "))
			.map((line) -> line.replaceAll("-\\d.*", ""))
			.containsExactlyInAnyOrder("jar jedis", "jar lock-autoconfigure", "jar lock-starter");
		assertThat(added).filteredOn((line) -> line.startsWith("bean "))
			.isNotEmpty()
			.allMatch((line) -> OWN.matcher(line).lookingAt());
	}

	@Test
	void jarsOfTheStarterCarryTheirLicense() throws IOException {
		for (String file : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
			assertThat(Collections.list(getClass().getClassLoader().getResources(file))).map(URL::toString)
				.anyMatch((url) -> url.contains("/lock-autoconfigure-"))
				.anyMatch((url) -> url.contains("/lock-starter-"));
		}
	}

	@Test
	void testsHaveOneJsonObject() {
		assertThat(ClassUtils.isPresent("org.apache.commons.pool2.impl.GenericObjectPool", null)).isFalse();
		assertThat(org.json.JSONObject.class.getProtectionDomain().getCodeSource().getLocation().toString())
			.contains("android-json");
	}

}
