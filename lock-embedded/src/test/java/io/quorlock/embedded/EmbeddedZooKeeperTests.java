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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.util.ServiceUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class EmbeddedZooKeeperTests {

	private static final byte[] DATA = { 42 };

	@Test
	void serverKeepsDataWhenRestartedOnTheSamePort() throws Exception {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			try (Client client = Client.to(server.connectString())) {
				client.keeper.create("/kept", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
				int port = server.port();
				server.stop();
				assertThat(server.isRunning()).isFalse();
				client.awaitState(KeeperState.Disconnected);
				server.restart();
				client.awaitState(KeeperState.SyncConnected);
				assertThat(server.port()).isEqualTo(port);
				assertThat(client.keeper.getData("/kept", false, null)).isEqualTo(DATA);
			}
		}
	}

	@Test
	void closedServerLeavesNoFileAndNoThread() {
		List<String> threads = threadNames();
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			assertThat(server.directory().resolve("myid")).exists();
			assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !threads.contains(thread.getName()))
				.filteredOn((thread) -> !thread.getName().matches("(Listener|LearnerCnxAcceptor)Handler-.*"))
				.as("threads that let the JVM end, but for those of two pools")
				.allMatch(Thread::isDaemon);
			server.close();
			assertThat(server.directory()).doesNotExist();
			assertThat(server.isRunning()).isFalse();
		}
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(threadNames()).isSubsetOf(threads));
	}

	@Test
	@Tag("long")
	void closedEnsembleLeavesNoThread() {
		List<String> threads = threadNames();
		EmbeddedZooKeeperEnsemble.start(3).close();
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(threadNames()).isSubsetOf(threads));
	}

	@Test
	void closedServerStaysClosed() {
		EmbeddedZooKeeper server = EmbeddedZooKeeper.start();
		server.close();
		assertThat(server.ownAddress().split(":")).hasSize(3)
			.filteredOn((part) -> !part.equals(LoopbackPorts.HOST))
			.allSatisfy((port) -> assertThat(LoopbackPorts.reserved.contains(Integer.parseInt(port))).isFalse());
		assertThat(LoopbackPorts.reserve(server.port())).isTrue();
		server.close();
		assertThat(LoopbackPorts.reserved.contains(server.port())).as("port of a server that came later").isTrue();
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(server::restart)
			.withMessage("The ZooKeeper server is closed");
		assertThat(server.directory()).doesNotExist();
		LoopbackPorts.release(server.port());
	}

	@Test
	void interruptOutlivesTheStopOfTheServer() {
		List<String> threads = threadNames();
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			Thread.currentThread().interrupt();
			server.close();
		}
		assertThat(Thread.interrupted()).isTrue();
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(threadNames()).isSubsetOf(threads));
	}

	@Test
	void portThatIsTakenIsNamed() throws IOException {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			server.stop();
			try (ServerSocket other = new ServerSocket(server.port(), 1, InetAddress.getByName("127.0.0.1"))) {
				assertThat(other.isBound()).isTrue();
				assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(server::restart)
					.withMessageContaining("on port " + server.port() + " did not start")
					.withMessageContaining("Address already in use");
			}
			server.restart();
			server.awaitServing();
		}
	}

	@Test
	void administratorExpiresSession() throws Exception {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start();
				Client client = Client.to(server.connectString());
				Client other = Client.to(server.connectString())) {
			client.keeper.create("/mine", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
			server.expireSession(client.keeper.getSessionId());
			assertThat(other.keeper.exists("/mine", false)).isNull();
			client.awaitState(KeeperState.Expired);
		}
	}

	@Test
	void longestTimeoutCanBeChanged() throws Exception {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			server.maxSessionTimeout(Duration.ofSeconds(5));
			try (Client client = Client.to(server.connectString(), 60_000)) {
				assertThat(client.keeper.getSessionTimeout()).isEqualTo(5_000);
			}
		}
	}

	@Test
	void runningServerIsRestarted() throws Exception {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			server.restart();
			server.awaitServing();
		}
	}

	@Test
	void serverServesAnyNumberOfClientsOfOneAddress() throws IOException {
		List<Socket> clients = new ArrayList<>();
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
			for (int i = 0; i < 100; i++) {
				clients.add(new Socket("127.0.0.1", server.port()));
			}
			assertThat(server.isServing()).isTrue();
		}
		finally {
			for (Socket client : clients) {
				client.close();
			}
		}
	}

	/** A ZooKeeper server that cannot go on would end the JVM. */
	@Test
	void serverDoesNotEndTheApplication() {
		EmbeddedZooKeeper.start().close();
		ServiceUtils.requestSystemExit(1);
	}

	@Test
	void tickDecidesTheTimeoutsThatAreGranted() throws Exception {
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.builder().property("tickTime", "500").start();
				Client client = Client.to(server.connectString(), 60_000)) {
			assertThat(client.keeper.getSessionTimeout()).isEqualTo(10_000);
		}
	}

	@Test
	void containerIsReaped() throws Exception {
		System.setProperty("znode.container.checkIntervalMs", "100");
		try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(); Client client = Client.to(server.connectString())) {
			client.keeper.create("/container", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
			client.keeper.create("/container/a", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			client.keeper.delete("/container/a", -1);
			await().until(() -> client.keeper.exists("/container", false) == null);
		}
		finally {
			System.clearProperty("znode.container.checkIntervalMs");
		}
	}

	@Test
	void serverThatDoesNotStartSaysWhy() {
		Path files = Objects.requireNonNull(ServerReaper.get().newDirectory("beside-").getParent());
		List<String> before = zooKeeperFolders(files);
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> EmbeddedZooKeeper.builder().property("tickTime", "soon").start())
			.withMessageContaining("did not start")
			.withMessageContaining("soon");
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> EmbeddedZooKeeper.builder().property("tickTime", "soon").startEnsemble(3))
			.withMessageContaining("did not start");
		assertThat(zooKeeperFolders(files)).as("what it leaves").isEqualTo(before);
	}

	@Test
	void ensembleElectsAnotherLeaderWhenItsLeaderStops() throws Exception {
		try (EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(3);
				Client client = Client.to(ensemble.connectString())) {
			client.keeper.create("/kept", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
			EmbeddedZooKeeper first = ensemble.leader();
			assertThat(ensemble.followers()).hasSize(2).doesNotContain(first);
			first.stop();
			EmbeddedZooKeeper second = ensemble.leader();
			assertThat(second).isNotSameAs(first);
			assertThat(ensemble.followers()).hasSize(1).doesNotContain(first, second);
			first.restart();
			ensemble.awaitServing();
			assertThat(ensemble.followers()).hasSize(2).contains(first).doesNotContain(second);
			await().ignoreExceptions().until(() -> client.keeper.getData("/kept", false, null) != null);
		}
	}

	@Test
	@Tag("long")
	void followerCutFromItsLeaderGoesOnReplyingToReads() throws Exception {
		try (EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(3)) {
			EmbeddedZooKeeper leader = ensemble.leader();
			EmbeddedZooKeeper follower = ensemble.followers().get(0);
			try (Client cutOff = Client.to(follower.connectString());
					Client other = Client.to(leader.connectString())) {
				cutOff.keeper.create("/mine", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
				LoopbackProxy link = ensemble.link(follower, leader);
				link.blackhole();
				await().atMost(Duration.ofSeconds(15)).until(() -> other.keeper.exists("/mine", false) == null);
				assertThat(cutOff.keeper.exists("/mine", false)).isNotNull();
				link.restore();
				cutOff.awaitState(KeeperState.Expired);
			}
		}
	}

	private static List<String> zooKeeperFolders(Path directory) {
		return Stream.of(Objects.requireNonNull(directory.toFile().list()))
			.filter((name) -> name.startsWith("zookeeper-"))
			.sorted()
			.toList();
	}

	/** Without those of the assertions, and of processes that the test runner starts. */
	private static List<String> threadNames() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> !name.startsWith("awaitility") && !name.startsWith("process reaper"))
			.toList();
	}

	private static final class Client implements AutoCloseable {

		private final BlockingQueue<KeeperState> states = new LinkedBlockingQueue<>();

		private final ZooKeeper keeper;

		private Client(String connectString, int timeoutMs) throws IOException {
			this.keeper = new ZooKeeper(connectString, timeoutMs, (event) -> this.states.add(event.getState()));
		}

		static Client to(String connectString) throws Exception {
			return to(connectString, 4000);
		}

		static Client to(String connectString, int timeoutMs) throws Exception {
			Client client = new Client(connectString, timeoutMs);
			client.awaitState(KeeperState.SyncConnected);
			return client;
		}

		void awaitState(KeeperState expected) throws InterruptedException {
			KeeperState state;
			do {
				state = this.states.poll(20, TimeUnit.SECONDS);
				assertThat(state).as("state before " + expected).isNotNull();
			}
			while (state != expected);
		}

		@Override
		public void close() throws InterruptedException {
			this.keeper.close(1000);
		}

	}

}
