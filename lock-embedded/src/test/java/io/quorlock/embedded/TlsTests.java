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

import java.util.List;

import javax.net.ssl.SSLContext;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for servers that speak TLS, and for {@link ThrowawayCertificates}.
 */
class TlsTests {

	@SuppressWarnings("NullAway.Init")
	private static ThrowawayCertificates certificates;

	@BeforeAll
	static void createCertificates() {
		certificates = ThrowawayCertificates.create();
	}

	@Test
	void serverIsTrustedByItsOwnAuthorityOnly() {
		try (EmbeddedRedisNode node = certificates.server().start()) {
			assertThat(node.uri()).isEqualTo("rediss://127.0.0.1:" + node.port());
			assertThat(node.execute("PING")).isEqualTo("PONG");
			assertThat(node.execute("CONFIG", "GET", "port")).as("port without TLS").isEqualTo(List.of("port", "0"));
			try (LoopbackProxy proxy = LoopbackProxy.to(node)) {
				assertThat(proxy.uri()).isEqualTo("rediss://127.0.0.1:" + proxy.port());
			}
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> ping(node, SSLContext.getDefault()))
				.withMessageContaining("certification path");
		}
	}

	@Test
	void clientWithoutCertificateIsRefusedWhereOneIsRequired() throws Exception {
		ThrowawayCertificates others = ThrowawayCertificates.create();
		try (EmbeddedRedisNode node = certificates.server().config("tls-auth-clients yes").start()) {
			assertThat(node.execute("PING")).isEqualTo("PONG");
			SSLContext anonymous = certificates.clientContext(false);
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> ping(node, anonymous));
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> ping(node, others.clientContext()));
		}
	}

	@Test
	void clientWithoutCertificateIsWelcomeElsewhere() throws Exception {
		try (EmbeddedRedisNode node = certificates.server().start()) {
			assertThat(ping(node, certificates.clientContext(false))).isEqualTo("PONG");
		}
	}

	private static String ping(EmbeddedRedisNode node, SSLContext context) {
		try (RespConnection connection = RespConnection.to(node.port(), context)) {
			return String.valueOf(connection.execute("PING"));
		}
	}

}
