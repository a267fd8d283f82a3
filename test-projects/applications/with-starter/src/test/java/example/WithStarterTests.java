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

package example;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
			.containsExactlyInAnyOrder("jar jedis", "jar quorlock-autoconfigure", "jar quorlock-core", "jar quorlock-redis",
					"jar quorlock-spring-boot-starter");
		assertThat(added).filteredOn((line) -> line.startsWith("bean "))
			.isNotEmpty()
			.allMatch((line) -> OWN.matcher(line).lookingAt());
	}

	@Test
	void jarsOfTheStarterCarryTheirLicense() throws IOException {
		for (String file : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
			assertThat(Collections.list(getClass().getClassLoader().getResources(file))).map(URL::toString)
				.anyMatch((url) -> url.contains("/quorlock-core-"))
				.anyMatch((url) -> url.contains("/quorlock-autoconfigure-"))
				.anyMatch((url) -> url.contains("/quorlock-spring-boot-starter-"));
		}
	}

	@Test
	void jarsOfTheStarterAreModulesThatDoNotOverlap() {
		Path[] jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> entry.matches(".*[/\\\\](quorlock-|spring-|jedis-|commons-logging|jspecify|micrometer-|slf4j-api)[^/\\\\]*[.]jar"))
			.map(Path::of)
			.toArray(Path[]::new);
		ModuleFinder finder = ModuleFinder.of(jars);
		List<String> names = finder.findAll().stream().map((module) -> module.descriptor().name()).toList();
		assertThat(names).contains("io.quorlock.core", "io.quorlock.redis", "io.quorlock.autoconfigure",
				"io.quorlock.starter");
		// Refuses a package that is in two of them.
		assertThat(ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), names).modules()).isNotEmpty();
	}

	@Test
	void testsHaveOneJsonObject() {
		assertThat(ClassUtils.isPresent("org.apache.commons.pool2.impl.GenericObjectPool", null)).isFalse();
		assertThat(org.json.JSONObject.class.getProtectionDomain().getCodeSource().getLocation().toString())
			.contains("android-json");
	}

}
