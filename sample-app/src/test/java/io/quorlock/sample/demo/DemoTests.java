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

package io.quorlock.sample.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;

import io.quorlock.sample.SampleApplication;
import io.quorlock.sample.watch.Visit;
import io.quorlock.sample.watch.VisitLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
class DemoTests {

	/** As {@code mvn spring-boot:run} does, whatever arguments the user gives. */
	@Test
	void demoShowsWhatTheLockPreventsAndTheServiceStaysUp(CapturedOutput output) throws IOException {
		assertThat(Files.readString(Path.of("pom.xml"))).contains("<demo>true</demo>")
			.doesNotContain("spring-boot.run.arguments");
		System.setProperty("demo", "true");
		try (ConfigurableApplicationContext context = run("demo")) {
			VisitLog visits = context.getBean(VisitLog.class);
			assertThat(output).contains("5 Redis servers that this process started", "quorum 3")
				.containsPattern("without a lock +\\d+ +[1-9]\\d* +" + visits.unguardedOverlaps() + " ")
				.containsPattern("with @DistributedLock +100 +0 +0 +\\d+ ms +\\d+ ms +\\d+ ms .* 5 of 5")
				.containsPattern("shop-2 sells to Bob with token \\d+")
				.containsPattern("shop-1 resumes and writes 9 pieces: refused\\. .* is stale")
				.contains("pieces left: 9, orders: 1");
			String url = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
			assertThat(output).contains("The service stays up: " + url);
			// Whoever opens the console now sees both instances at work.
			await().until(() -> visits.open().stream().map(Visit::instance).distinct().count() == 2
					&& visits.open().stream().anyMatch(Visit::isLocked));
			RestTestClient.bindToServer()
				.baseUrl(url)
				.build()
				.get()
				.uri("/stock/watch")
				.exchange()
				.expectBody()
				.json("{\"pieces\":9,\"sold\":1}");
		}
		finally {
			System.clearProperty("demo");
		}
	}

	@Test
	void nodesThatFailCostNoPieceAndNoExclusion(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run("chaos", "--demo", "--spring.profiles.active=chaos")) {
			assertThat(output).containsPattern("2 nodes killed +3 of 5 +[1-9]")
				.containsPattern("both back, empty, in quarantine +[345] of 5 +[1-9]")
				.containsPattern("quarantine ends +5 of 5 +[1-9]")
				.containsPattern("1 node frozen +\\d of 5 +[1-9]")
				.containsPattern("pieces gone: (\\d+), orders: \\1, two at once: 0");
		}
	}

	private static ConfigurableApplicationContext run(String database, String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.addAll(List.of("--server.port=0", "--spring.datasource.url=jdbc:h2:mem:" + database));
		return SpringApplication.run(SampleApplication.class, all.toArray(String[]::new));
	}

}
