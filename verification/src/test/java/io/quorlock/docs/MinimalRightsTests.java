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

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedRedisNodeBuilder;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.embedded.RespConnection;
import io.quorlock.engine.LockInspector;
import io.quorlock.redis.LockScript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the rights in {@code docs/setup.md} are enough for everything, and that each
 * of them is needed.
 */
class MinimalRightsTests {

	private static final Pattern CONFIGURATION = Pattern.compile("```conf\n# redis.conf of a lock node\n(.*?)```",
			Pattern.DOTALL);

	private static final Pattern CALLED = Pattern.compile("redis\\.call\\('([A-Za-z]+)'");

	private static final Pattern USED = Pattern.compile("cmdstat_([a-z|]+):");

	@Test
	void documentedRightsAreEnoughAndAllOfThemAreUsed() throws Exception {
		try (DocumentedServer server = new DocumentedServer();
				LoopbackProxy proxy = LoopbackProxy.to(server.node.port())) {
			server.execute("CONFIG", "RESETSTAT");
			for (boolean fencing : new boolean[] { true, false }) {
				useEverything(server, proxy, runner(proxy.port(), fencing), Duration.ofSeconds(30));
			}
			assertThat((List<?>) server.execute("ACL", "LOG")).isEmpty();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(used(server)).containsAll(commands()));
		}
	}

	@Test
	@Tag("proof")
	void eachDocumentedRightIsNeeded() throws Exception {
		try (DocumentedServer server = new DocumentedServer();
				LoopbackProxy proxy = LoopbackProxy.to(server.node.port())) {
			ApplicationContextRunner impatient = runner(proxy.port(), true)
				.withPropertyValues("distributed-lock.wait-time=1s", "distributed-lock.unavailable-fail-fast=true");
			useEverything(server, proxy, runner(proxy.port(), true), Duration.ofSeconds(30));
			for (String command : commands()) {
				server.execute("ACL", "SETUSER", "quorlock", "-" + command);
				server.execute("ACL", "LOG", "RESET");
				CompletableFuture<Void> use = CompletableFuture.runAsync(() -> {
					try {
						useEverything(server, proxy, impatient, Duration.ofSeconds(2));
					}
					catch (Exception | AssertionError ex) {
						// It cannot work, and is over.
					}
				});
				Awaitility.await(command)
					.atMost(Duration.ofSeconds(60))
					.until(() -> String.valueOf(server.execute("ACL", "LOG")).contains(" " + command + ","));
				use.get(60, TimeUnit.SECONDS);
				server.execute("ACL", "SETUSER", "quorlock", "+" + command);
			}
		}
	}

	@Test
	void documentedUsersAreThereAfterARestart() {
		try (DocumentedServer server = new DocumentedServer()) {
			server.node.restartEmpty();
			assertThat(server.execute("ACL", "WHOAMI")).isEqualTo("admin");
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> server.node.execute("PING"))
				.withMessageContaining("NOAUTH");
		}
	}

	@Test
	void documentedRightsContainWhateverTheScriptsCall() {
		assertThat(LockScript.values()).allSatisfy((script) -> assertThat(commands()).as(script.name())
			.containsAll(CALLED.matcher(script.source())
				.results()
				.map((call) -> call.group(1).toLowerCase(Locale.ROOT))
				.toList()));
	}

	private static List<String> used(DocumentedServer server) {
		String stats = String.valueOf(server.execute("INFO", "commandstats"));
		return USED.matcher(stats).results().map((match) -> match.group(1)).toList();
	}

	/** Changes with each call of ZCOUNT, also with one that is denied. */
	private static List<String> counts(DocumentedServer server) {
		String stats = String.valueOf(server.execute("INFO", "commandstats"));
		return stats.lines().filter((line) -> line.startsWith("cmdstat_zcount:")).toList();
	}

	@Test
	void documentedUserMayNotFlush() {
		try (DocumentedServer server = new DocumentedServer();
				RespConnection connection = RespConnection.to(server.node.port())) {
			connection.execute("AUTH", "quorlock", "secret");
			for (String command : List.of("FLUSHALL", "FLUSHDB", "KEYS *", "CONFIG GET *", "GET other")) {
				assertThatExceptionOfType(EmbeddedServerException.class).as(command)
					.isThrownBy(() -> connection.execute(command.split(" ")))
					.withMessageContaining("NOPERM");
			}
		}
	}

	private static List<String> configuration() {
		Matcher matcher = CONFIGURATION.matcher(Documentation.read(Documentation.ROOT.resolve("docs/setup.md")));
		assertThat(matcher.find()).isTrue();
		return matcher.group(1).lines().toList();
	}

	/** What the documented user may do. */
	private static List<String> commands() {
		String user = configuration().stream()
			.filter((line) -> line.startsWith("user quorlock "))
			.findFirst()
			.orElseThrow();
		return Arrays.stream(user.split(" "))
			.filter((rule) -> rule.startsWith("+"))
			.map((rule) -> rule.substring(1))
			.toList();
	}

	private static ApplicationContextRunner runner(int port, boolean fencing) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:" + port,
					"distributed-lock.connection.username=quorlock", "distributed-lock.connection.password=secret",
					"distributed-lock.connection.operation-timeout=2s", "distributed-lock.restart-quarantine=0s",
					"distributed-lock.fencing.enabled=" + fencing);
	}

	private static void useEverything(DocumentedServer server, LoopbackProxy proxy, ApplicationContextRunner runner,
			Duration patience) {
		// A node list that is not used any more, to be forgotten.
		server.execute("HSET", "lock:nodes", "since", "0", "gone:6379", "1");
		runner.run((context) -> runner.run((other) -> {
			LockTemplate template = context.getBean(LockTemplate.class);
			awaitAvailable(template, patience);
			awaitAvailable(other.getBean(LockTemplate.class), patience);
			proxy.cut();
			proxy.restore();
			awaitAvailable(template, patience);
			awaitAvailable(other.getBean(LockTemplate.class), patience);
			exercise(server, template, other.getBean(LockTemplate.class), context.getBean(LockInspector.class));
		}));
	}

	private static void awaitAvailable(LockTemplate template, Duration patience) {
		Awaitility.await().atMost(patience).ignoreExceptions().until(() -> template.tryExecute("available", () -> {
		}));
	}

	private static void exercise(DocumentedServer server, LockTemplate template, LockTemplate other,
			LockInspector inspector) throws Exception {
		LockHandle lock = template.acquire(LockRequest.of("order").key(42));
		CompletableFuture<LockHandle> waiter = other
			.acquireAsync(LockRequest.of("order").key(42).waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		awaitTicket(inspector, "order:42");
		lock.extend(Duration.ofSeconds(40));
		assertThat(other.tryAcquire(LockRequest.ofAll("order:41", "order:42"))).isEmpty();
		assertThat(inspector.inspect("order:42").get(10, TimeUnit.SECONDS)).hasSize(1);
		lock.close();
		waiter.get(20, TimeUnit.SECONDS).close();
		template.execute(LockRequest.ofAll("a", "b").holdAtLeast(Duration.ofMillis(10)), () -> "done");
		template.acquire(LockRequest.of("taken away"));
		assertThat(inspector.forceRelease("taken away").get(10, TimeUnit.SECONDS)).hasSize(1);
		exerciseReaders(template, other, inspector);
		exercisePermits(server, template, other, inspector);
	}

	private static void exerciseReaders(LockTemplate template, LockTemplate other, LockInspector inspector)
			throws Exception {
		LockRequest catalog = LockRequest.of("catalog");
		LockHandle first = template.acquire(catalog);
		first.downgrade();
		LockHandle second = other.acquire(catalog.shared());
		second.extend(Duration.ofSeconds(40));
		assertThat(inspector.inspect("catalog").get(10, TimeUnit.SECONDS)).singleElement()
			.satisfies((report) -> assertThat(report.holders()).hasSize(2));
		first.close();
		CompletableFuture<LockHandle> writer = template.acquireAsync(catalog.waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		awaitTicket(inspector, "catalog");
		template.requestRelease("catalog", Duration.ofSeconds(1));
		second.close();
		writer.get(20, TimeUnit.SECONDS).close();
		template.acquire(LockRequest.ofAll("catalog", "prices").shared()).close();
	}

	private static void exercisePermits(DocumentedServer server, LockTemplate template, LockTemplate other,
			LockInspector inspector) throws Exception {
		LockRequest export = LockRequest.of("export").permits(2).fair();
		LockHandle first = template.acquire(export);
		LockHandle second = other.acquire(export);
		second.extend(Duration.ofSeconds(40));
		CompletableFuture<LockHandle> third = template.acquireAsync(export.waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		awaitTicket(inspector, "export");
		CompletableFuture<LockHandle> fourth = other.acquireAsync(export.waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		List<String> counts = counts(server);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> Long.valueOf(1).equals(server.execute("ZREMRANGEBYRANK", "lock:{export}:line", "1", "1")));
		// It is written again: a ticket that was lost has no rank, and those ahead of it
		// are counted.
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !counts(server).equals(counts));
		assertThat(inspector.forceRelease("export", first.permit()).get(10, TimeUnit.SECONDS)).hasSize(1);
		third.get(20, TimeUnit.SECONDS).close();
		second.close();
		fourth.get(20, TimeUnit.SECONDS).close();
		other.execute(LockRequest.of("report").fair(), () -> "done");
	}

	private static void awaitTicket(LockInspector inspector, String name) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> !inspector.inspect(name).get(10, TimeUnit.SECONDS).get(0).waiters().isEmpty());
	}

	/**
	 * A server that is started from the documented file, at another address.
	 */
	private static final class DocumentedServer implements AutoCloseable {

		private final EmbeddedRedisNode node;

		DocumentedServer() {
			EmbeddedRedisNodeBuilder builder = EmbeddedRedisNode.builder();
			configuration().stream()
				.filter((line) -> !line.startsWith("bind ") && !line.startsWith("port "))
				.forEach(builder::config);
			this.node = builder.start();
		}

		@Nullable Object execute(String... command) {
			try (RespConnection connection = RespConnection.to(this.node.port())) {
				connection.execute("AUTH", "admin", "another-secret");
				return connection.execute(command);
			}
		}

		@Override
		public void close() {
			this.node.close();
		}

	}

}
