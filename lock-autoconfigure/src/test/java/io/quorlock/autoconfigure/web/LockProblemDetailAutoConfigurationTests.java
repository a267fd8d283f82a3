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

package io.quorlock.autoconfigure.web;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;

import io.quorlock.LockException;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockReentryException;
import io.quorlock.LockUnavailableException;
import io.quorlock.web.LockProblemDetailAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockProblemDetailAutoConfiguration}.
 */
class LockProblemDetailAutoConfigurationTests {

	private static final Class<?>[] WEB = { LockProblemDetailAutoConfiguration.class, JacksonAutoConfiguration.class,
			HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class,
			DispatcherServletAutoConfiguration.class };

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(WEB))
		.withBean(Failing.class);

	@Test
	void thereIsNoAdviceWhereItIsSwitchedOffOrNothingIsServed() {
		this.contextRunner.withPropertyValues("distributed-lock.web.problem-details=false")
			.run((context) -> assertThat(context).doesNotHaveBean(LockProblemDetailAdvice.class));
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WEB))
			.run((context) -> assertThat(context).doesNotHaveBean(LockProblemDetailAdvice.class));
	}

	@Test
	void responseHasItsStatusAndNothingOfTheMessage() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(LockProblemDetailAdvice.class);
			for (String path : List.of("contended", "async", "future")) {
				assertProblem(get(context, path), 409,
						"Another request is working on the same thing. Try again later.");
			}
			MvcTestResult unavailable = get(context, "unavailable");
			assertProblem(unavailable, 503,
					"A lock that this request needs is not available at the moment. Try again later.");
			assertThat(unavailable).hasHeader("Retry-After", "1");
			for (String path : List.of("lost", "reentry")) {
				assertThat(get(context, path)).as("an error of the application")
					.failure()
					.hasCauseInstanceOf(LockException.class);
			}
			assertThat(get(context, "wrapped")).hasStatus(HttpStatus.TOO_MANY_REQUESTS);
			assertThat(get(context, "annotated")).hasStatus(HttpStatus.UNPROCESSABLE_CONTENT);
		});
	}

	private static void assertProblem(MvcTestResult result, int status, String detail) {
		assertThat(result).hasStatus(status)
			.hasContentType("application/problem+json")
			.bodyText()
			.contains("\"status\":" + status, "\"detail\":\"" + detail + "\"")
			.doesNotContain("redis-1", "alice");
	}

	@ParameterizedTest
	@CsvSource({ "5000, 5", "10, 1" })
	void adviceOfTheApplicationMaySayWhenToTryAgain(long millis, String header) {
		this.contextRunner
			.withBean(LockProblemDetailAdvice.class, () -> new LockProblemDetailAdvice(Duration.ofMillis(millis)))
			.run((context) -> assertThat(get(context, "unavailable")).hasHeader("Retry-After", header));
	}

	@ParameterizedTest
	@ValueSource(classes = { HandlesLocks.class, HandlesEverything.class })
	void adviceOfTheApplicationComesFirst(Class<?> advice) {
		this.contextRunner.withUserConfiguration(advice)
			.run((context) -> assertThat(get(context, "contended")).hasStatus(418));
	}

	@Test
	void webFluxRespondsAlike() {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LockProblemDetailAutoConfiguration.class,
					JacksonAutoConfiguration.class, CodecsAutoConfiguration.class, WebFluxAutoConfiguration.class,
					HttpHandlerAutoConfiguration.class))
			.withBean(Failing.class)
			.run((context) -> {
				WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
				client.get()
					.uri("/unavailable")
					.exchange()
					.expectStatus()
					.isEqualTo(503)
					.expectHeader()
					.valueEquals("Retry-After", "1");
				client.get().uri("/contended").exchange().expectStatus().isEqualTo(409);
				client.get().uri("/wrapped").exchange().expectStatus().isEqualTo(429);
			});
	}

	private static MvcTestResult get(AssertableWebApplicationContext context, String path) {
		return MockMvcTester.from(context).get().uri("/" + path).exchange();
	}

	@RestController
	static class Failing {

		@GetMapping("/{kind}")
		String fail(@PathVariable String kind) throws Exception {
			String message = "Lock 'account:alice' on redis-1:6379";
			LockNotAcquiredException contended = new LockNotAcquiredException(message, "account:alice",
					"shop@redis-1:1", Duration.ofSeconds(5), 3);
			throw switch (kind) {
				case "contended" -> contended;
				case "async" -> new CompletionException(contended);
				case "future" -> new ExecutionException(contended);
				case "wrapped" -> new ResponseStatusException(HttpStatus.TOO_MANY_REQUESTS, "busy", contended);
				case "annotated" -> new OrderException(contended);
				case "lost" -> new LockLostException(message);
				case "reentry" -> new LockReentryException(message);
				default -> new LockUnavailableException(message);
			};
		}

	}

	@ResponseStatus(HttpStatus.UNPROCESSABLE_CONTENT)
	static class OrderException extends Exception {

		OrderException(Exception cause) {
			super(cause);
		}

	}

	@RestControllerAdvice
	static class HandlesLocks {

		@ExceptionHandler
		ResponseEntity<Void> handle(LockException ex) {
			return ResponseEntity.status(418).build();
		}

	}

	@RestControllerAdvice
	static class HandlesEverything {

		@ExceptionHandler
		ResponseEntity<Void> handle(Exception ex) {
			return ResponseEntity.status(418).build();
		}

	}

}
