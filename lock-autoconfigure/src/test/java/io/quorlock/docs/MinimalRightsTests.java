package io.quorlock.docs;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.embedded.RespConnection;
import io.quorlock.engine.LockInspector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the rights in {@code docs/operations.md} are enough for everything, and that
 * each of them is needed.
 */
class MinimalRightsTests {

	private static final Pattern USED = Pattern.compile("cmdstat_([a-z|]+):");

	@Test
	void documentedRightsAreEnoughAndAllOfThemAreUsed() throws Exception {
		String[] acl = documentedAcl();
		try (EmbeddedRedisNode server = EmbeddedRedisNode.start();
				LoopbackProxy proxy = LoopbackProxy.to(server.port())) {
			server.execute(acl);
			// A node list that nobody uses any more, to be forgotten.
			server.execute("HSET", "lock:nodes", "since", "0", "gone:6379", "1");
			server.execute("CONFIG", "RESETSTAT");
			for (boolean fencing : new boolean[] { true, false }) {
				ApplicationContextRunner runner = runner(proxy.port(), fencing);
				runner.run((context) -> runner.run((other) -> {
					LockTemplate template = context.getBean(LockTemplate.class);
					awaitAvailable(template);
					awaitAvailable(other.getBean(LockTemplate.class));
					exercise(server, template, other.getBean(LockTemplate.class), context.getBean(LockInspector.class));
					proxy.cut();
					proxy.restore();
					awaitAvailable(template);
				}));
			}
			assertThat((List<?>) server.execute("ACL", "LOG")).isEmpty();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(used(server)).containsAll(rights(acl)));
		}
	}

	private static List<String> used(EmbeddedRedisNode server) {
		String stats = String.valueOf(server.execute("INFO", "commandstats"));
		return USED.matcher(stats).results().map((match) -> match.group(1)).toList();
	}

	@Test
	void documentedUserMayNotFlush() {
		try (EmbeddedRedisNode server = EmbeddedRedisNode.start()) {
			server.execute(documentedAcl());
			try (RespConnection connection = RespConnection.to(server.port())) {
				connection.execute("AUTH", "quorlock", "secret");
				for (String command : List.of("FLUSHALL", "FLUSHDB", "KEYS *", "CONFIG GET *", "GET other")) {
					assertThatExceptionOfType(EmbeddedServerException.class).as(command)
						.isThrownBy(() -> connection.execute(command.split(" ")))
						.withMessageContaining("NOPERM");
				}
			}
		}
	}

	private static String[] documentedAcl() {
		String page = Documentation.read(Documentation.ROOT.resolve("docs/operations.md"));
		Matcher matcher = Pattern.compile("^ACL SETUSER quorlock .*$", Pattern.MULTILINE).matcher(page);
		assertThat(matcher.find()).isTrue();
		return matcher.group().split(" ");
	}

	private static List<String> rights(String[] acl) {
		return Arrays.stream(acl).filter((rule) -> rule.startsWith("+")).map((rule) -> rule.substring(1)).toList();
	}

	private static ApplicationContextRunner runner(int port, boolean fencing) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
			.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:" + port,
					"distributed-lock.connection.username=quorlock", "distributed-lock.connection.password=secret",
					"distributed-lock.connection.operation-timeout=2s", "distributed-lock.restart-quarantine=0s",
					"distributed-lock.fencing.enabled=" + fencing);
	}

	private static void awaitAvailable(LockTemplate template) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.ignoreExceptions()
			.until(() -> template.tryExecute("available", () -> {
			}));
	}

	private static void exercise(EmbeddedRedisNode server, LockTemplate template, LockTemplate other,
			LockInspector inspector) throws Exception {
		LockHandle lock = template.acquire(LockRequest.of("order").key(42));
		CompletableFuture<LockHandle> waiter = other
			.acquireAsync(LockRequest.of("order").key(42).waitTime(Duration.ofSeconds(20)))
			.toCompletableFuture();
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> server.execute("PUBSUB", "CHANNELS").equals(List.of("lock:{order:42}:released")));
		lock.extend(Duration.ofSeconds(40));
		assertThat(other.tryAcquire(LockRequest.ofAll("order:41", "order:42"))).isEmpty();
		assertThat(inspector.inspect("order:42").get(10, TimeUnit.SECONDS)).hasSize(1);
		lock.close();
		waiter.get(20, TimeUnit.SECONDS).close();
		template.execute(LockRequest.ofAll("a", "b").holdAtLeast(Duration.ofMillis(10)), () -> "done");
		template.acquire(LockRequest.of("taken away"));
		assertThat(inspector.forceRelease("taken away").get(10, TimeUnit.SECONDS)).hasSize(1);
	}

}
