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

package io.quorlock.autoconfigure.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.ReleaseRequest;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.engine.SwitchableNode;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the examples of {@code docs/observability.md} and holds what they print there
 * against what they print here. Times, tokens and the like are not compared.
 */
class ObservabilityDocumentationTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "observability.md");

	private static final Pattern EXAMPLE = Pattern.compile(
			"```console\n\\$ curl -s (?:-X (\\w+) )?localhost:8080(\\S+)(?: \\| grep '([^']+)')?\n(.*?)```",
			Pattern.DOTALL);

	/** What is different each time. */
	private static final Set<String> VOLATILE = Set.of("owner", "previousOwner", "fencingToken", "fenceReservedUpTo",
			"remaining", "heldFor", "waitedFor", "thread", "runId", "clockOffsetMicros", "samples", "p50", "p95", "p99",
			"max", "at", "operation");

	private final HttpClient client = HttpClient.newHttpClient();

	@Test
	@Tag("long")
	void examplesPrintWhatTheDocumentSays() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			LockTemplate template = context.getBean(LockTemplate.class);
			LockHandle lock = template.acquire(LockRequest.of("order").key(42));
			template.acquireAsync(LockRequest.of("order").key(42).waitTime(Duration.ofMinutes(5)));
			String port = context.getEnvironment().getRequiredProperty("local.server.port");
			Awaitility.await()
				.until(() -> get(port, "GET", "/actuator/prometheus").contains("distributed_lock_active{"));
			int examples = 0;
			for (Matcher example = EXAMPLE.matcher(Files.readString(DOCUMENT)); example.find(); examples++) {
				String method = (example.group(1) != null) ? example.group(1) : "GET";
				String printed = get(port, method, example.group(2));
				assertThat(normalise(printed, example.group(3))).as(example.group(2))
					.isEqualTo(normalise(example.group(4), example.group(3)));
			}
			assertThat(examples).isEqualTo(6);
			assertThat(lock.isHeld()).isFalse(); // released by force
		}
	}

	@Test
	@Tag("long")
	void nameAndNodeHaveAsManySeriesAsTheDocumentSays() throws Exception {
		String document = Files.readString(DOCUMENT).replaceAll("\\s+", " ");
		try (ConfigurableApplicationContext context = start()) {
			context.getBean(LockTemplate.class).acquire(LockRequest.of("invoice")).close();
			String port = context.getEnvironment().getRequiredProperty("local.server.port");
			Awaitility.await()
				.until(() -> get(port, "GET", "/actuator/prometheus").contains("distributed_lock_held_seconds_count{"));
			String scraped = get(port, "GET", "/actuator/prometheus");
			assertThat(document).contains("makes %d series in Prometheus, a node about %d"
				.formatted(series(scraped, "lock=\"invoice\""), series(scraped, "node=\"redis-1:6379\"")));
		}
	}

	private static long series(String scraped, String tag) {
		return scraped.lines().filter((line) -> line.startsWith("distributed_lock_") && line.contains(tag)).count();
	}

	@ParameterizedTest
	@ValueSource(strings = { "--management.endpoint.locks.access=read-only", "--spring.main.banner-mode=off" })
	void forcedReleaseAndRequestsToReleaseAreRefusedByDefault(String argument) throws Exception {
		try (ConfigurableApplicationContext context = start(argument)) {
			String port = context.getEnvironment().getRequiredProperty("local.server.port");
			assertThat(send(port, "DELETE", "/actuator/locks/order:42").statusCode()).isEqualTo(405);
			assertThat(post(port, "/actuator/locks/order:42", "{}").statusCode()).isEqualTo(405);
			assertThat(send(port, "GET", "/actuator/locks/order:42").statusCode()).isEqualTo(200);
			assertThat(send(port, "GET", "/actuator/locks/" + "x".repeat(1025)).statusCode()).isEqualTo(400);
		}
	}

	@Test
	@Tag("long")
	void holderIsAskedToReleaseIfAccessIsUnrestricted() throws Exception {
		BlockingQueue<ReleaseRequest> requests = new LinkedBlockingQueue<>();
		try (ConfigurableApplicationContext context = start()) {
			String port = context.getEnvironment().getRequiredProperty("local.server.port");
			LockHandle lock = context.getBean(LockTemplate.class).acquire(LockRequest.of("order").key(42));
			lock.onReleaseRequested(requests::add);
			assertThat(post(port, "/actuator/locks/order:42", "{\"deadline\": \"3s\"}").body())
				.isEqualTo("{\"name\":\"order:42\",\"sent\":true}");
			assertThat(requests.poll(20, TimeUnit.SECONDS))
				.isEqualTo(new ReleaseRequest(lock.names(), Duration.ofSeconds(3)));
			assertThat(post(port, "/actuator/locks/order:42", "").statusCode()).isEqualTo(200);
			assertThat(requests.poll(20, TimeUnit.SECONDS))
				.isEqualTo(new ReleaseRequest(lock.names(), Duration.ofSeconds(10)));
			assertThat(post(port, "/actuator/locks/order:43", "{}").body()).contains("\"sent\":false");
			assertThat(post(port, "/actuator/locks/order:42", "{\"deadline\": \"soon\"}").statusCode()).isEqualTo(400);
			assertThat(post(port, "/actuator/locks/order:42;a=b", "{}").statusCode()).isEqualTo(400);
			assertThat(post(port, "/actuator/locks/" + "x".repeat(1025), "{}").statusCode()).isEqualTo(400);
			assertThat(requests).isEmpty();
			assertThat(lock.isHeld()).isTrue();
		}
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		List<String> all = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1",
				"--distributed-lock.instance-id=orders@host-1:4711",
				"--management.endpoints.web.exposure.include=health,info,metrics,prometheus,locks",
				"--management.endpoint.health.show-details=always"));
		all.addAll((arguments.length > 0) ? List.of(arguments)
				: List.of("--management.endpoint.locks.access=unrestricted"));
		return new SpringApplicationBuilder(Application.class).run(all.toArray(String[]::new));
	}

	private String get(String port, String method, String path) throws IOException, InterruptedException {
		return send(port, method, path).body();
	}

	private HttpResponse<String> send(String port, String method, String path)
			throws IOException, InterruptedException {
		return send(request(port, path).method(method, HttpRequest.BodyPublishers.noBody()));
	}

	private HttpResponse<String> post(String port, String path, String json) throws IOException, InterruptedException {
		return send(request(port, path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)));
	}

	private static HttpRequest.Builder request(String port, String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static Object normalise(String text, @Nullable String grep) {
		if (grep == null) {
			return normalise(JsonMapper.shared().readTree(text));
		}
		Pattern pattern = Pattern.compile(grep);
		return text.lines().filter((line) -> pattern.matcher(line).find()).collect(Collectors.toSet());
	}

	private static Object normalise(JsonNode node) {
		if (node.isArray()) {
			List<Object> elements = new ArrayList<>();
			node.forEach((element) -> elements.add(normalise(element)));
			return elements;
		}
		if (node.isObject()) {
			TreeMap<String, Object> properties = new TreeMap<>();
			node.properties()
				.forEach((property) -> properties.put(property.getKey(), VOLATILE.contains(property.getKey())
						? property.getValue().getNodeType() : normalise(property.getValue())));
			return properties;
		}
		return node.asString();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		LockBackend lockBackend() {
			List<LockNode> nodes = new ArrayList<>();
			for (int i = 1; i <= 3; i++) {
				SwitchableNode node = new SwitchableNode(
						new InMemoryLockNode("redis-" + i + ":6379", new SystemClock()));
				if (i == 3) {
					node.cutOff();
				}
				nodes.add(node);
			}
			return new LockBackend("redlock", nodes);
		}

	}

}
