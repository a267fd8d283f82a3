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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import io.quorlock.LockContext;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a new application works with the lines of the README's quick start, whatever
 * the web stack, and with real nodes.
 */
class QuickStartTests {

	private static final Pattern YAML = Pattern.compile("^```yaml\\n(distributed-lock:\\n.*?)^```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static EmbeddedRedis redis;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedis.start(3);
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@ParameterizedTest
	@Tag("long")
	@EnumSource(WebApplicationType.class)
	void applicationLocksWithTheLinesOfTheReadme(WebApplicationType type) throws Exception {
		try (ConfigurableApplicationContext context = application(type).properties(quickStart())
			// A server that has just been started is kept out for a minute.
			.properties("distributed-lock.restart-quarantine=0s", "distributed-lock.wait-time=20s")
			.run()) {
			assertThat(ship(context, type)).isEqualTo("under order:42");
			assertWasLockedOn(redis);
		}
	}

	@Test
	void applicationLocksWithoutAnyLineWhereEmbeddedServersAre() throws Exception {
		try (ConfigurableApplicationContext context = application(WebApplicationType.NONE)
			.properties("distributed-lock.wait-time=20s",
					// On the class path of these tests, not on that of the quick start.
					"spring.autoconfigure.exclude="
							+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
							+ "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration")
			.run()) {
			assertThat(ship(context, WebApplicationType.NONE)).isEqualTo("under order:42");
			assertWasLockedOn(context.getBean(EmbeddedRedis.class));
		}
	}

	private static SpringApplicationBuilder application(WebApplicationType type) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("server.port=0", "spring.main.banner-mode=off");
	}

	/** What the README says, with other addresses. */
	private static Properties quickStart() throws IOException {
		Matcher yaml = YAML.matcher(Files.readString(Documentation.ROOT.resolve("README.md")));
		assertThat(yaml.find()).isTrue();
		String lines = yaml.group(1);
		for (int i = 0; i < redis.uris().size(); i++) {
			lines = lines.replace("redis://redis-" + (i + 1) + ":6379", redis.uris().get(i));
		}
		YamlPropertiesFactoryBean properties = new YamlPropertiesFactoryBean();
		properties.setResources(new ByteArrayResource(lines.getBytes(StandardCharsets.UTF_8)));
		assertThat(properties.getObject()).containsOnlyKeys("distributed-lock.nodes");
		return Objects.requireNonNull(properties.getObject());
	}

	/** The fence of a lock stays on the nodes that granted it. */
	private static void assertWasLockedOn(EmbeddedRedis nodes) {
		assertThat(nodes.nodes()).map((node) -> node.execute("GETDEL", "lock:{order:42}:fence"))
			.filteredOn(Objects::nonNull)
			.hasSizeGreaterThan(nodes.nodes().size() / 2);
	}

	private static String ship(ConfigurableApplicationContext context, WebApplicationType type) throws Exception {
		if (type == WebApplicationType.NONE) {
			return context.getBean(Shipping.class).ship(42);
		}
		URI uri = URI
			.create("http://127.0.0.1:%s/%s/42".formatted(context.getEnvironment().getProperty("local.server.port"),
					Map.of(WebApplicationType.SERVLET, "ship", WebApplicationType.REACTIVE, "ship-later").get(type)));
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Shipping.class, ShippingController.class })
	static class Application {

	}

	@Service
	static class Shipping {

		@DistributedLock(name = "order", key = "#orderId")
		public String ship(long orderId) {
			return "under " + LockContext.current().orElseThrow().name();
		}

		@DistributedLock(name = "order", key = "#orderId")
		public Mono<String> shipLater(long orderId) {
			return Mono.just("under " + LockContext.current().orElseThrow().name());
		}

	}

	@RestController
	static class ShippingController {

		private final Shipping shipping;

		ShippingController(Shipping shipping) {
			this.shipping = shipping;
		}

		@GetMapping("/ship/{orderId}")
		String ship(@PathVariable long orderId) {
			return this.shipping.ship(orderId);
		}

		@GetMapping("/ship-later/{orderId}")
		Mono<String> shipLater(@PathVariable long orderId) {
			return this.shipping.shipLater(orderId);
		}

	}

}
