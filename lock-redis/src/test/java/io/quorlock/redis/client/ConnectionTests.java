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

package io.quorlock.redis.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;

import io.quorlock.redis.NodeAddress;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Connection}.
 */
class ConnectionTests {

	/** R3: what is on its way would arrive behind what the next connection brings. */
	@Test
	void nothingIsSentOnceItIsClosed() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(10_000)) {
			connection.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()),
					DefaultJedisClientConfig.builder().build());
			try (Socket accepted = listener.accept()) {
				accepted.setSoTimeout(10_000);
				connection.close();
				assertThatExceptionOfType(SocketException.class).isThrownBy(() -> accepted.getInputStream().read())
					.withMessageContaining("reset");
			}
		}
	}

	@Test
	void connectionThatIsClosedBeforeItIsEstablishedIsNotUsed() throws IOException {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Connection connection = new Connection(Duration.ofSeconds(10).toMillis());
			connection.close();
			assertThatExceptionOfType(NodeUnavailableException.class)
				.isThrownBy(() -> connection.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()),
						DefaultJedisClientConfig.builder().build()));
		}
	}

}
