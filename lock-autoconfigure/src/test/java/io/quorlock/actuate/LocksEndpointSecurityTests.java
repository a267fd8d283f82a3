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

package io.quorlock.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint behind Spring Security, as it is by default and as
 * {@code docs/observability.md} configures it.
 */
class LocksEndpointSecurityTests {

	private static final Path SOURCE = Path.of("src/test/java/io/quorlock/actuate/LocksEndpointSecurityTests.java");

	private final HttpClient client = HttpClient.newHttpClient();

	@Test
	void defaultsRefuseToReleaseByForceWhoeverAsks() throws Exception {
		try (ConfigurableApplicationContext context = start(Application.class)) {
			LockHandle lock = context.getBean(LockTemplate.class).acquire(LockRequest.of("order").key(42));
			assertThat(send(context, "GET", "operator", null)).isEqualTo(200);
			assertThat(send(context, "DELETE", "operator", null)).isIn(401, 403);
			assertThat(send(context, "POST", "operator", "{}")).isIn(401, 403);
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void documentedChainLetsOperatorsReleaseByForce() throws Exception {
		try (ConfigurableApplicationContext context = start(Application.class, LocksEndpointSecurity.class)) {
			LockHandle lock = context.getBean(LockTemplate.class).acquire(LockRequest.of("order").key(42));
			assertThat(send(context, "GET", "viewer", null)).isEqualTo(200);
			assertThat(send(context, "GET", null, null)).isEqualTo(401);
			assertThat(send(context, "DELETE", null, null)).isEqualTo(401);
			assertThat(send(context, "DELETE", "viewer", null)).isEqualTo(403);
			assertThat(send(context, "POST", "viewer", "{}")).isEqualTo(403);
			assertThat(send(context, "POST", "operator", "{}")).isEqualTo(200);
			assertThat(lock.isHeld()).isTrue();
			assertThat(send(context, "DELETE", "operator", null)).isEqualTo(200);
			assertThat(lock.isHeld()).isFalse();
		}
	}

	@Test
	void documentedChainIsTheOneThatIsTested() throws IOException {
		String document = Files.readString(Path.of("..", "docs", "observability.md"));
		String chain = document.substring(document.indexOf("class LocksEndpointSecurity {"));
		chain = chain.substring(0, chain.indexOf("```"));
		assertThat(Files.readString(SOURCE).replaceAll("\\s+", " ")).contains(chain.strip().replaceAll("\\s+", " "));
	}

	private static ConfigurableApplicationContext start(Class<?>... sources) {
		return new SpringApplicationBuilder(sources).run("--server.port=0", "--server.address=127.0.0.1",
				"--distributed-lock.backend=in-memory", "--management.endpoints.web.exposure.include=locks",
				"--management.endpoint.locks.access=unrestricted");
	}

	private int send(ConfigurableApplicationContext context, String method, @Nullable String user,
			@Nullable String json) throws IOException, InterruptedException {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/locks/order:42"))
			.method(method,
					(json != null) ? HttpRequest.BodyPublishers.ofString(json) : HttpRequest.BodyPublishers.noBody());
		if (json != null) {
			request.header("Content-Type", "application/json");
		}
		if (user != null) {
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)));
		}
		return this.client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSecurity
	static class Application {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build(),
					User.withUsername("viewer").password("{noop}secret").roles("VIEWER").build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LocksEndpointSecurity {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		SecurityFilterChain locksEndpoint(HttpSecurity http) throws Exception {
			return http.securityMatcher("/actuator/locks/**")
				.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.GET)
					.hasAnyRole("VIEWER", "OPERATOR")
					.anyRequest()
					.hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.sessionManagement((session) -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
				.csrf((csrf) -> csrf.disable())
				.build();
		}

	}

}
