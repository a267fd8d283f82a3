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

package io.quorlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link EmbeddedRedisNode} and {@link EmbeddedRedis}.
 */
class EmbeddedRedisNodeTests {

	@Test
	void repliesToCommandsInEveryKind() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			assertThat(node.uri()).isEqualTo("redis://127.0.0.1:" + node.port());
			assertThat(node.execute("SET", "k", "grüße")).isEqualTo("OK");
			assertThat(node.execute("GET", "k")).isEqualTo("grüße");
			assertThat(node.execute("GET", "none")).isNull();
			assertThat(node.execute("INCR", "n")).isEqualTo(1L);
			assertThat(node.execute("BLPOP", "none", "0.01")).as("no list at all").isNull();
			assertThat(node.execute("MGET", "k", "none", "n")).isEqualTo(Arrays.asList("grüße", null, "1"));
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> node.execute("INCR", "k"))
				.withMessage("ERR value is not an integer or out of range");
		}
	}

	@Test
	void keepsNothingAndEvictsNothing() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			assertThat(node.execute("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
			assertThat(node.execute("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "no"));
			assertThat(node.execute("CONFIG", "GET", "maxmemory-policy"))
				.isEqualTo(List.of("maxmemory-policy", "noeviction"));
			assertThat(node.execute("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
		}
	}

	@Test
	void startsIndependentMasters() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
			assertThat(redis.uris()).hasSize(5).doesNotHaveDuplicates().contains(redis.node(0).uri());
			Set<String> runIds = redis.nodes().stream().map(EmbeddedRedisNodeTests::runId).collect(Collectors.toSet());
			assertThat(runIds).hasSize(5);
			assertThat(redis.nodes()).allSatisfy((node) -> assertThat(info(node)).contains("role:master"));
		}
	}

	@Test
	void noneIsLeftWhereOneDoesNotStart() {
		int port = LoopbackPorts.reserveFree();
		LoopbackPorts.release(port);
		EmbeddedRedisNodeBuilder options = EmbeddedRedisNode.builder().port(port);
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> EmbeddedRedis.start(2, options))
			.withMessage("Port " + port + " is in use");
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> RespConnection.to(port));
	}

	/**
	 * Ctrl-C in a terminal is for the application, which may need its servers to shut
	 * down.
	 */
	@Test
	@EnabledOnOs(OS.LINUX)
	void serverHasASessionOfItsOwn() throws Exception {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			String[] stat = Files.readString(Path.of("/proc", Long.toString(node.pid()), "stat")).split(" ");
			assertThat(stat[5]).isEqualTo(Long.toString(node.pid()));
		}
	}

	@Test
	void stopEndsTheServerAndCloseRemovesItsFiles() {
		EmbeddedRedisNode node = EmbeddedRedisNode.start();
		Path directory = directory(node);
		assertThat(directory).exists();
		long pid = node.pid();
		node.stop();
		assertThat(node.isRunning()).isFalse();
		assertThat(ProcessHandle.of(pid)).isEmpty();
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> node.execute("PING"))
			.withMessageContaining("Failed to connect");
		node.close();
		assertThat(directory).doesNotExist();
	}

	@Test
	void killedServerComesBackEmptyOnTheSamePortWithANewRunId() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			int port = node.port();
			String runId = runId(node);
			node.execute("SET", "k", "v");
			node.kill();
			assertThat(node.isRunning()).isFalse();
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(node::pause)
				.withMessage("The Redis server does not run");
			node.restartEmpty();
			assertThat(node.isRunning()).isTrue();
			assertThat(node.port()).isEqualTo(port);
			assertThat(runId(node)).isNotEqualTo(runId);
			assertThat(node.execute("GET", "k")).isNull();
		}
	}

	@Test
	void runningServerIsReplacedByRestartEmpty() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			String runId = runId(node);
			node.restartEmpty();
			assertThat(runId(node)).isNotEqualTo(runId);
		}
	}

	@Test
	void restartedServerHasTheOptionsOfItsStart() {
		EmbeddedRedisNodeBuilder options = EmbeddedRedisNode.builder();
		try (EmbeddedRedisNode node = options.start()) {
			options.password("secret");
			node.restartEmpty();
			try (RespConnection stranger = RespConnection.to(node.port())) {
				assertThat(stranger.execute("PING")).isEqualTo("PONG");
			}
		}
	}

	@Test
	void pausedServerRepliesOnlyWhenResumed() throws Exception {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			node.pause();
			CompletableFuture<Object> reply = CompletableFuture
				.supplyAsync(() -> String.valueOf(node.execute("SET", "k", "v")));
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> reply.get(300, TimeUnit.MILLISECONDS));
			assertThat(node.isRunning()).isTrue();
			node.resume();
			assertThat(reply.get(5, TimeUnit.SECONDS)).isEqualTo("OK");
		}
	}

	@Test
	@Tag("long")
	@Timeout(20)
	void replyIsAwaitedForFiveSeconds() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start(); RespConnection connection = RespConnection.to(node)) {
			node.pause();
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> connection.execute("PING"))
				.withMessageStartingWith("Nothing came: ");
		}
	}

	@Test
	void pausedServerIsEndedByStopToo() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			node.pause();
			node.stop();
			assertThat(node.isRunning()).isFalse();
		}
	}

	@Test
	void interruptOutlivesTheStopOfTheServer() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			Thread.currentThread().interrupt();
			node.stop();
			assertThat(Thread.interrupted()).isTrue();
			assertThat(node.isRunning()).isFalse();
		}
	}

	@Test
	void portThatIsTakenIsRefused() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> EmbeddedRedisNode.builder().port(node.port()).start())
				.withMessage("Port " + node.port() + " is in use");
		}
	}

	@Test
	void badOptionIsReportedWithTheWordsOfTheServer() {
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> EmbeddedRedisNode.builder().config("no-such-option 1").start())
			.withMessageContaining("no-such-option");
	}

	@Test
	void failedStartLeavesNoFileAndNoPort() {
		EmbeddedRedisNodeBuilder options = EmbeddedRedisNode.builder().port(LoopbackPorts.reserveFree());
		LoopbackPorts.release(options.port);
		Path files = ServerReaper.get().newDirectory("beside-");
		List<Path> before = siblings(files);
		EmbeddedRedisNodeBuilder broken = EmbeddedRedisNode.builder().port(options.port).config("no-such-option 1");
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(broken::start);
		List<ProcessHandle> processes = ProcessHandle.current().children().toList();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(options::start)
			.withMessageStartingWith("Interrupted");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(siblings(files)).isEqualTo(before);
		assertThat(LoopbackPorts.reserved.contains(options.port)).isFalse();
		assertThat(ProcessHandle.current().children()).isSubsetOf(processes);
		options.start().close();
	}

	@Test
	void portThatWasAskedForIsReservedLikeOneThatWasPicked() {
		int port = LoopbackPorts.reserveFree();
		LoopbackPorts.release(port);
		EmbeddedRedisNode node = EmbeddedRedisNode.builder().port(port).start();
		assertThat(LoopbackPorts.reserved.contains(port)).isTrue();
		node.close();
		assertThat(LoopbackPorts.reserved.contains(port)).isFalse();
	}

	@Test
	void portOfAnotherServerStaysReserved() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.start()) {
			node.stop();
			EmbeddedRedisNode.builder().port(node.port()).start().close();
			assertThat(LoopbackPorts.reserved.contains(node.port())).isTrue();
			node.restartEmpty();
		}
	}

	@Test
	void closedNodeStaysClosed() {
		EmbeddedRedisNode node = EmbeddedRedisNode.start();
		node.close();
		assertThat(LoopbackPorts.reserve(node.port())).isTrue();
		node.close();
		assertThat(LoopbackPorts.reserved.contains(node.port())).as("port of a server that came later").isTrue();
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(node::restartEmpty)
			.withMessage("The node is closed");
		assertThat(node.isRunning()).isFalse();
		LoopbackPorts.release(node.port());
	}

	@Test
	void passwordIsDemandedAndUsedByExecute() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.builder().password("a \"b\" \\c+@").start();
				RespConnection stranger = RespConnection.to(node.port())) {
			assertThat(node.execute("PING")).isEqualTo("PONG");
			assertThat(URI.create(node.uriWithPassword()).getUserInfo()).isEqualTo(":a \"b\" \\c+@");
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> stranger.execute("PING"))
				.withMessageStartingWith("NOAUTH");
		}
	}

	@Test
	void userIsLimitedByItsRules() {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.builder().user("app on >secret ~lock:* +get").start();
				RespConnection app = RespConnection.to(node)) {
			assertThat(app.execute("AUTH", "app", "secret")).isEqualTo("OK");
			assertThat(app.execute("GET", "lock:a")).isNull();
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> app.execute("GET", "other"))
				.withMessageStartingWith("NOPERM");
		}
	}

	@Test
	void replicaFollowsItsMaster() {
		EmbeddedRedisNodeBuilder options = EmbeddedRedisNode.builder().randomPassword();
		try (EmbeddedRedisNode master = options.start();
				EmbeddedRedisNode replica = options.replicaOf(master).start()) {
			master.execute("SET", "k", "v");
			await().atMost(Duration.ofSeconds(10)).until(() -> "v".equals(replica.execute("GET", "k")));
			assertThat(info(replica)).contains("role:slave");
		}
	}

	@Test
	void filesOfARunningServerAreNotReadableByOthers() throws Exception {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.builder().password("secret").start()) {
			Path directory = directory(node);
			assertThat(Files.getPosixFilePermissions(directory.getParent()))
				.allMatch((p) -> p.name().startsWith("OWNER"));
		}
	}

	private static List<Path> siblings(Path file) {
		try (Stream<Path> files = Files.list(file.getParent())) {
			return files.filter((sibling) -> sibling.getFileName().toString().startsWith("node-")).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path directory(EmbeddedRedisNode node) {
		List<?> reply = (List<?>) Objects.requireNonNull(node.execute("CONFIG", "GET", "dir"));
		return Path.of(String.valueOf(reply.get(1)));
	}

	private static String info(EmbeddedRedisNode node) {
		return String.valueOf(node.execute("INFO"));
	}

	private static String runId(EmbeddedRedisNode node) {
		return info(node).lines().filter((line) -> line.startsWith("run_id:")).findFirst().orElseThrow();
	}

	@Test
	void randomPasswordIsInTheAddressAndRequired() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(2, EmbeddedRedisNode.builder().randomPassword())) {
			EmbeddedRedisNode node = redis.node(0);
			assertThat(redis.urisWithPassword().get(0)).matches("redis://:[0-9a-f]{32}@127\\.0\\.0\\.1:" + node.port());
			assertThat(node.uri()).isEqualTo("redis://127.0.0.1:" + node.port());
			assertThat(node.execute("PING")).isEqualTo("PONG");
			try (RespConnection stranger = RespConnection.to(node.port())) {
				assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> stranger.execute("PING"))
					.withMessageContaining("NOAUTH");
			}
		}
	}

}
