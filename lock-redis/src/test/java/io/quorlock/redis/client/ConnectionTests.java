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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.FutureTask;

import javax.net.ssl.SSLParameters;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.ThrowawayCertificates;
import io.quorlock.redis.NodeAddress;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Connection}.
 */
class ConnectionTests {

	/** R3: what is on its way would arrive behind what the next connection brings. */
	@Test
	void nothingIsSentOnceItIsClosed() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(Duration.ofSeconds(10))) {
			connection.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()), NodeProbe.options());
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
			Connection connection = new Connection(Duration.ofSeconds(10));
			connection.close();
			assertThatExceptionOfType(NodeUnavailableException.class).isThrownBy(() -> connection
				.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()), NodeProbe.options()));
		}
	}

	/** However the deadline and the replies meet. */
	@Test
	void connectionThatWasClosedForItsDeadlineIsNotSaidToBeClosed() throws Exception {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(Duration.ofMillis(200))) {
			connection.connect(NodeAddress.parse("redis://127.0.0.1:" + listener.getLocalPort()), NodeProbe.options());
			Awaitility.await().until(() -> connection.closeIfOverdue() != null);
			assertThat(connection.describe(new SocketException("Socket closed")))
				.hasMessage("did not reply within 200 ms (TCP connect)");
		}
	}

	@Test
	void serverThatRepliesWithoutTlsIsSaidPerhapsNotToExpectIt() throws IOException {
		try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Connection connection = new Connection(Duration.ofSeconds(10))) {
			new Thread(new FutureTask<>(() -> {
				listener.accept().getOutputStream().write("-ERR unknown command\r\n".getBytes(StandardCharsets.UTF_8));
				return "sent";
			})).start();
			NodeAddress address = NodeAddress.parse("rediss://127.0.0.1:" + listener.getLocalPort());
			assertThatExceptionOfType(NodeUnavailableException.class)
				.isThrownBy(() -> connection.connect(address, NodeProbe.options()))
				.withMessage("TLS handshake failed: Unsupported or unrecognized SSL message; "
						+ "if it does not expect TLS, use redis://");
		}
	}

	@Test
	void certificateForAnotherNameIsRefusedWhateverTheParametersSay() {
		ThrowawayCertificates certificates = ThrowawayCertificates.create();
		SSLParameters careless = new SSLParameters();
		careless.setEndpointIdentificationAlgorithm("");
		RedisNodeOptions options = TestOptions.with(new TestClock())
			.set(RedisNodeOptions::sslContext, certificates::clientContext)
			.set(RedisNodeOptions::sslParameters, () -> careless)
			.build();
		try (EmbeddedRedisNode redis = certificates.server()
			.config("tls-cert-file " + certificates.clientPem())
			.config("tls-key-file " + certificates.clientKeyPem())
			.start(); Connection connection = new Connection(Duration.ofSeconds(10))) {
			NodeAddress address = NodeAddress.parse("rediss://localhost:" + redis.port());
			assertThatExceptionOfType(NodeUnavailableException.class)
				.isThrownBy(() -> connection.connect(address, options))
				.withMessage("TLS handshake failed: No name matching localhost found");
		}
	}

}
