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

package io.quorlock.zookeeper;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import org.apache.jute.BinaryOutputArchive;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.Settings;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the settings of a store, what clients are made of them, and how large a
 * request may be.
 */
class ZooKeeperSettingsTests {

	private static final long ID = 42;

	private static final byte[] PASSWORD = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

	private static final int TIMEOUT_MILLIS = 21_000;

	private final StoreContext context = ZooKeeperStores.context(new ManualTime());

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.set(ZooKeeperSettings::sessionTimeout, Duration.ZERO), "session timeout: PT0S");
		refuses((builder) -> builder.set(ZooKeeperSettings::operationTimeout, Duration.ZERO),
				"operation timeout: PT0S");
		refuses((builder) -> builder.set(ZooKeeperSettings::clockDriftFactor, 0.2), "drift factor: 0.2");
		refuses((builder) -> builder.set(ZooKeeperSettings::clockDriftFactor, -0.01), "drift factor: -0.01");
		refuses((builder) -> builder.set(ZooKeeperSettings::fencingFloor, -1L), "floor: -1");
	}

	@Test
	void propertiesThatAreSetWinOverThoseThatAreSupplied() {
		ZooKeeperSettings settings = builder().set(ZooKeeperSettings::clientProperties, Map.of("a", "set"))
			.set(ZooKeeperSettings::moreClientProperties, () -> Map.of("a", "supplied", "b", "supplied"))
			.build();
		assertThat(settings.nextClientProperties()).containsOnly(Map.entry("a", "set"), Map.entry("b", "supplied"));
	}

	@Test
	void textOfSettingsShowsNoSecrets() {
		ZooKeeperSettings settings = builder().set(ZooKeeperSettings::clientProperties, Map.of("password", "secret"))
			.build();
		assertThat(settings).hasToString("ZooKeeperSettings[localhost:2181/quorlock]");
	}

	private static void refuses(UnaryOperator<Settings<ZooKeeperSettings>> change, String message) {
		Settings<ZooKeeperSettings> builder = change.apply(builder());
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

	private static Settings<ZooKeeperSettings> builder() {
		return TestZooKeeperSettings.with("localhost:2181", "app");
	}

	/** A client that resumes a session could not end it otherwise. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void clientsOfNewAndOfFormerSessionsAskForWhatIsSet(boolean former) throws Exception {
		ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		server.setSoTimeout(20_000);
		ZooKeeper client = client(server.getLocalPort(), former);
		try (server; Socket connection = server.accept()) {
			connection.setSoTimeout(20_000);
			DataInputStream in = new DataInputStream(connection.getInputStream());
			in.skipNBytes(Integer.BYTES); // the length
			in.skipNBytes(Integer.BYTES + Long.BYTES); // the version and what was seen
			assertThat(in.readInt()).isEqualTo(TIMEOUT_MILLIS);
			assertThat(in.readLong()).isEqualTo(former ? ID : 0);
			assertThat(in.readNBytes(in.readInt())).isEqualTo(former ? PASSWORD : new byte[16]);
			assertThat(in.readBoolean()).as("it may be a server that is cut off from the others").isFalse();
			accept(new DataOutputStream(connection.getOutputStream()));
			in.skipNBytes(Integer.BYTES);
			assertThat(in.readInt()).as("number of a request with credentials").isEqualTo(-4);
			in.skipNBytes(2 * Integer.BYTES);
			assertThat(text(in)).isEqualTo("digest");
			assertThat(text(in)).isEqualTo("user:secret");
			assertThat(client.getClientConfig().getProperty("some.property")).isEqualTo("some value");
		}
		finally {
			client.close(10_000);
		}
	}

	private static ZooKeeper client(int port, boolean former) throws Exception {
		ZooKeeperSettings settings = TestZooKeeperSettings.with("127.0.0.1:" + port, "a")
			.set(ZooKeeperSettings::sessionTimeout, Duration.ofMillis(TIMEOUT_MILLIS))
			.set(ZooKeeperSettings::credentials,
					List.of(new ZooKeeperSettings.Credentials("digest",
							"user:secret".getBytes(StandardCharsets.US_ASCII))))
			.set(ZooKeeperSettings::clientProperties, Map.of("some.property", "some value"))
			.build();
		ConnectAttempts attempts = ConnectAttempts.to(settings, System::nanoTime);
		return former ? attempts.resume(settings, (event) -> {
		}, ID, PASSWORD) : attempts.create(settings, (event) -> {
		});
	}

	private static void accept(DataOutputStream out) throws Exception {
		out.writeInt(3 * Integer.BYTES + Long.BYTES + PASSWORD.length + 1);
		out.writeInt(0);
		out.writeInt(TIMEOUT_MILLIS);
		out.writeLong(ID);
		out.writeInt(PASSWORD.length);
		out.write(PASSWORD);
		out.writeBoolean(false);
		out.flush();
	}

	private static String text(DataInputStream in) throws Exception {
		return new String(in.readNBytes(in.readInt()), StandardCharsets.US_ASCII);
	}

	@Test
	void stopWaitsForAllRemovalsUnderWay() {
		CompletableFuture<Boolean> first = new CompletableFuture<>();
		CompletableFuture<Boolean> second = new CompletableFuture<>();
		this.context.removed(first);
		this.context.removed(second);
		CompletableFuture<Void> removals = this.context.removals();
		first.complete(true);
		assertThat(removals).isNotDone();
		second.complete(false);
		assertThat(removals).isCompleted();
	}

	@Test
	void removalThatIsOverIsForgotten() {
		WeakReference<?> removal = removed();
		Awaitility.await().until(() -> {
			System.gc();
			return removal.get() == null;
		});
		assertThat(this.context.removals()).isCompleted();
	}

	private WeakReference<?> removed() {
		CompletableFuture<Boolean> removal = new CompletableFuture<>();
		this.context.removed(removal);
		removal.complete(true);
		return new WeakReference<>(removal);
	}

	@Test
	void limitIsWhatTheClientIsConfiguredWith() {
		assertThat(SessionRequests.maxBytes("4000000")).isEqualTo(4_000_000);
		assertThat(SessionRequests.maxBytes(" 0x3fffff ")).isEqualTo(0x3fffff);
		assertThat(SessionRequests.maxBytes(null)).isEqualTo(0xfffff);
		assertThat(SessionRequests.maxBytes("much")).isEqualTo(0xfffff);
	}

	@Test
	void whateverGoesIntoTheRequestCounts() {
		int plain = size("zoo:2181", "a", "/quorlock/x");
		// The path of the create and that of the write, in bytes.
		assertThat(size("zoo:2181", "a", "/quorlock/\u4e2d")).isEqualTo(plain + 4);
		assertThat(size("zoo:2181/apps", "a", "/quorlock/x")).isEqualTo(plain + 10);
		assertThat(size("zoo:2181", "abc", "/quorlock/x")).isEqualTo(plain + 2);
		assertThat(size("zoo:2181", "a", "/quorlock/x", "/quorlock/x")).isEqualTo(2 * plain);
	}

	/** What is too large must not be sent: the servers would close the connection. */
	@Test
	void requestIsNotLargerThanItsEstimate() throws IOException {
		ACL acl = new ACL(ZooDefs.Perms.ALL, new Id("digest", "shop:secret"));
		List<String> containers = List.of("/quorlock/a/locks", "/quorlock/" + "b".repeat(500) + "/locks");
		String prefix = ClaimQueue.Node.prefix(UUID.randomUUID(), ClaimQueue.Kind.LEASE);
		List<Op> operations = new ArrayList<>();
		for (String container : containers) {
			operations.add(Op.create("/apps" + container + "/" + prefix,
					"a:ffffffffffffffff:9999".getBytes(StandardCharsets.UTF_8), List.of(acl),
					CreateMode.EPHEMERAL_SEQUENTIAL));
			operations.add(Op.setData("/apps" + container, new byte[0], -1));
		}
		ByteArrayOutputStream written = new ByteArrayOutputStream();
		new MultiOperationRecord(operations).serialize(BinaryOutputArchive.getArchive(written), "request");
		ZooKeeperSettings settings = TestZooKeeperSettings.with("zoo:2181/apps", "a")
			.set(ZooKeeperSettings::acl, List.of(acl))
			.build();
		assertThat(SessionRequests.sizeOfEnqueue(settings, containers)).isGreaterThanOrEqualTo(written.size());
	}

	@Test
	void rightsCountForEachName() {
		ACL first = new ACL(ZooDefs.Perms.ALL, new Id("digest", "shop:secret"));
		ACL second = new ACL(ZooDefs.Perms.READ, new Id("ip", "10.0.0.1"));
		int one = size(List.of(first), "/quorlock/x");
		assertThat(size(List.of(first, second), "/quorlock/x")).isEqualTo(one + 12 + 2 + 8);
		assertThat(size(List.of(first), "/quorlock/x", "/quorlock/x")).isEqualTo(2 * one);
	}

	private static int size(List<ACL> acl, String... containers) {
		return SessionRequests.sizeOfEnqueue(
				TestZooKeeperSettings.with("zoo:2181", "a").set(ZooKeeperSettings::acl, acl).build(),
				List.of(containers));
	}

	private static int size(String connectString, String instanceId, String... containers) {
		return SessionRequests.sizeOfEnqueue(TestZooKeeperSettings.with(connectString, instanceId).build(),
				List.of(containers));
	}

}
