package io.quorlock.autoconfigure.web;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import io.quorlock.LockException;
import io.quorlock.LockLostException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;
import io.quorlock.web.LockProblemDetailAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockProblemDetailAutoConfiguration}.
 */
class LockProblemDetailAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockProblemDetailAutoConfiguration.class));

	@Test
	void adviceIsThereOnlyWhenAskedFor() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(LockProblemDetailAdvice.class));
		this.contextRunner.withPropertyValues("distributed-lock.web.problem-details=true")
			.run((context) -> assertThat(context).hasSingleBean(LockProblemDetailAdvice.class));
	}

	@ParameterizedTest
	@CsvSource({ "contended, 409", "unavailable, 503", "lost, 500" })
	void replyHasItsStatusAndNothingOfTheMessage(String path, int status) {
		MockMvcTester mvc = MockMvcTester.of(List.of(new Failing()),
				(builder) -> builder.setControllerAdvice(new LockProblemDetailAdvice(Duration.ofSeconds(1))).build());
		MvcTestResult result = mvc.get().uri("/" + path).exchange();
		assertThat(result).hasStatus(status)
			.hasContentType("application/problem+json")
			.bodyText()
			.contains("\"status\":" + status)
			.doesNotContain("redis-1", "alice");
		if (status == 503) {
			assertThat(result).hasHeader("Retry-After", "1");
		}
	}

	@RestController
	static class Failing {

		@GetMapping("/{kind}")
		String fail(@PathVariable String kind) throws LockException {
			String message = "Lock 'account:alice' on redis-1:6379";
			throw switch (kind) {
				case "contended" -> new LockNotAcquiredException(message, "account:alice", "shop@redis-1:1",
						Duration.ofSeconds(5), 3, null);
				case "lost" -> new LockLostException(message);
				default -> new LockUnavailableException(message);
			};
		}

	}

}
