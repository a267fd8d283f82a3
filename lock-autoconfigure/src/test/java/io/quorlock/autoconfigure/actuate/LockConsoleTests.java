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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

import io.quorlock.actuate.LockConsole;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockConsoleManagementContextConfiguration}.
 */
class LockConsoleTests {

	private static final String ENABLED = "--distributed-lock.console.enabled=true";

	private static final String EXPOSED = "--management.endpoints.web.exposure.include=locks";

	@Test
	void pageIsThereOnlyIfItIsSwitchedOn() {
		try (ConfigurableApplicationContext context = start(EXPOSED)) {
			assertThat(mvc(context).get().uri("/actuator/lock-console")).hasStatus(404);
		}
	}

	@Test
	void pageIsReadOnlyAndRunsNothingButItsOwnScript() {
		try (ConfigurableApplicationContext context = start(EXPOSED, ENABLED)) {
			MockMvcTester mvc = mvc(context);
			assertThat(mvc.get().uri("/actuator/lock-console")).hasStatus(200)
				.hasContentType("text/html;charset=UTF-8")
				.hasHeader("X-Content-Type-Options", "nosniff")
				.bodyText()
				.contains("data-locks=\"locks\" data-unrestricted=\"false\"");
			assertThat(mvc.get().uri("/actuator/lock-console")).headers()
				.hasHeaderSatisfying("Content-Security-Policy",
						(policy) -> assertThat(policy).singleElement()
							.asString()
							.contains("default-src 'none'", "frame-ancestors 'none'", "script-src 'sha256-")
							.doesNotContain("unsafe"));
			assertThat(mvc.head().uri("/actuator/lock-console")).hasStatus(200).bodyText().isEmpty();
			assertThat(mvc.post().uri("/actuator/lock-console")).hasStatus(405).hasHeader("Allow", "GET, HEAD");
			assertThat(mvc.get().uri("/actuator/locks")).hasStatus(200);
		}
	}

	@ParameterizedTest
	@Tag("long")
	@CsvSource({ "/manage, /manage/lock-console", "/, /lock-console" })
	void pageIsBesideTheEndpointAndKnowsItsPathAndAccess(String base, String page) {
		try (ConfigurableApplicationContext context = start(EXPOSED, ENABLED,
				"--management.endpoints.web.base-path=" + base,
				"--management.endpoints.web.path-mapping.locks=ops/\"><b>",
				"--management.endpoint.locks.access=unrestricted", "--management.server.port=0")) {
			assertThat(get(context, "local.management.port", page))
				.contains("data-locks=\"ops/&quot;&gt;&lt;b&gt;\" data-unrestricted=\"true\"");
			assertThat(get(context, "local.server.port", page)).doesNotContain("data-locks");
		}
	}

	@Test
	void pageComesBeforeWhatTheApplicationMapsForAllPaths() {
		try (ConfigurableApplicationContext context = start(EXPOSED, ENABLED,
				"--spring.main.sources=" + CatchAll.class.getName())) {
			assertThat(mvc(context).get().uri("/any/thing")).hasStatus(200).bodyText().isEqualTo("all");
			assertThat(mvc(context).get().uri("/actuator/lock-console")).bodyText().contains("data-locks=\"locks\"");
		}
	}

	@Test
	@Tag("long")
	void endpointThatHasThePathOfThePageComesBeforeIt() {
		try (ConfigurableApplicationContext context = start(EXPOSED, ENABLED,
				"--management.endpoints.web.path-mapping.locks=lock-console")) {
			assertThat(mvc(context).get().uri("/actuator/lock-console")).bodyJson().hasPath("$.held");
		}
	}

	@Test
	void accessIsCappedAsThatOfTheEndpoint() {
		try (ConfigurableApplicationContext context = start(EXPOSED, ENABLED,
				"--management.endpoint.locks.access=unrestricted",
				"--management.endpoints.access.max-permitted=read-only")) {
			assertThat(mvc(context).get().uri("/actuator/lock-console")).bodyText()
				.contains("data-unrestricted=\"false\"");
		}
	}

	@Test
	@Tag("long")
	void pageIsServedToSayWhatIsMissingWhereTheEndpointIsNotExposed() {
		try (ConfigurableApplicationContext context = start(ENABLED)) {
			assertThat(mvc(context).get().uri("/actuator/lock-console")).bodyText().contains("data-locks=\"locks\"");
		}
	}

	@Test
	@Tag("long")
	void otherApplicationsStartWithoutIt() {
		for (WebApplicationType type : List.of(WebApplicationType.REACTIVE, WebApplicationType.NONE)) {
			try (ConfigurableApplicationContext context = start(type, EXPOSED, ENABLED)) {
				assertThat(context.containsBean("distributedLockConsoleHandlerMapping")).isFalse();
			}
		}
	}

	@Test
	void pageLoadsNothingAndMakesNoMarkupOfText() throws IOException {
		String page = Files.readString(Path.of("src/main/resources/io/quorlock/actuate/lock-console.html"));
		assertThat(page).doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
				"://", " src=", "@import", "url(", "style=", "onclick=");
	}

	@Test
	void policyNamesTheScriptAndTheStyleThatAreInThePage() throws Exception {
		MockHttpServletResponse response = new MockHttpServletResponse();
		new LockConsole("locks", true).handleRequest(new MockHttpServletRequest("GET", "/"), response);
		String page = response.getContentAsString();
		assertThat(response.getHeader("Content-Security-Policy"))
			.isEqualTo("default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
					+ "frame-ancestors 'none'; script-src " + hash(page, "script") + "; style-src "
					+ hash(page, "style"));
		assertThat(response.getHeader("Referrer-Policy")).isEqualTo("no-referrer");
		assertThat(response.getHeader("Cache-Control")).isEqualTo("no-cache");
		assertThat(response.getContentLength()).isEqualTo(response.getContentAsByteArray().length);
		assertThat(page).contains("data-unrestricted=\"true\"");
	}

	private static String hash(String page, String element) throws Exception {
		Matcher content = Pattern.compile("<%1$s>(.*?)</%1$s>".formatted(element), Pattern.DOTALL).matcher(page);
		assertThat(content.find()).isTrue();
		byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.group(1).getBytes(StandardCharsets.UTF_8));
		return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
	}

	private static MockMvcTester mvc(ConfigurableApplicationContext context) {
		return MockMvcTester.from((WebApplicationContext) context);
	}

	private static String get(ConfigurableApplicationContext context, String port, String path) {
		URI uri = URI.create("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty(port) + path);
		return HttpClient.newHttpClient()
			.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
			.join()
			.body();
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return start(WebApplicationType.SERVLET, arguments);
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String... arguments) {
		List<String> all = new ArrayList<>(
				List.of("--server.port=0", "--server.address=127.0.0.1", "--distributed-lock.backend=in-memory"));
		all.addAll(List.of(arguments));
		return new SpringApplicationBuilder(Application.class).web(type).run(all.toArray(String[]::new));
	}

	@RestController
	static class CatchAll {

		@RequestMapping("/**")
		String all() {
			return "all";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
