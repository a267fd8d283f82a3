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

package io.quorlock.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the {@code curl} examples of docs/sample.md against this sample, and compares what
 * they print there. Ports, tokens, numbers of orders and measured times are not compared.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.datasource.url=jdbc:h2:mem:readme")
class ReadmeTests {

	private static final Path PAGE = Path.of("..", "docs", "sample.md");

	private static final Pattern EXAMPLE = Pattern.compile(
			"^```console\\n\\$ curl -s 127\\.0\\.0\\.1:8080(\\S+)(?: -H 'Content-Type: application/json' -d '([^']+)')?\\n(.*?)^```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Set<String> VOLATILE = Set.of("id", "fencingToken", "fenceReservedUpTo", "value");

	private final HttpClient client = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Test
	void examplesPrintWhatThePageSays() throws Exception {
		String page = Files.readString(PAGE);
		int examples = 0;
		for (Matcher example = EXAMPLE.matcher(page); example.find(); examples++) {
			Object expected = mask(JsonMapper.shared().readTree(example.group(3)));
			String path = example.group(1);
			String body = example.group(2);
			if (body != null) {
				assertThat(mask(send(path, body))).as(path).isEqualTo(expected);
			}
			else {
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.untilAsserted(() -> assertThat(mask(send(path, null))).as(path).isEqualTo(expected));
			}
		}
		assertThat(examples).isEqualTo(2);
		assertThat(page.split("curl -s", -1)).as("examples in the page").hasSize(examples + 1);
	}

	private JsonNode send(String path, @Nullable String body) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path));
		if (body != null) {
			request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
		}
		return JsonMapper.shared().readTree(this.client.send(request.build(), BodyHandlers.ofString()).body());
	}

	private static Object mask(JsonNode node) {
		if (node.isArray()) {
			List<Object> elements = new ArrayList<>();
			node.forEach((element) -> elements.add(mask(element)));
			return elements;
		}
		if (node.isObject()) {
			List<String> properties = new ArrayList<>();
			node.properties()
				.forEach((property) -> properties
					.add(withoutPorts(property.getKey()) + "=" + (VOLATILE.contains(property.getKey())
							? property.getValue().getNodeType() : mask(property.getValue()))));
			properties.sort(null);
			return properties;
		}
		return withoutPorts(node.asString());
	}

	private static String withoutPorts(String text) {
		return text.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:*");
	}

}
