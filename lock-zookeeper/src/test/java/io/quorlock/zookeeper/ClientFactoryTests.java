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

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients ask of a server when they connect.
 */
class ClientFactoryTests {

	private static final long ID = 42;

	private static final byte[] PASSWORD = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

	private static final int TIMEOUT_MILLIS = 21_000;

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

}
