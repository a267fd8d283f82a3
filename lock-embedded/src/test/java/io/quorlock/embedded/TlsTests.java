package io.quorlock.embedded;

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
		try (EmbeddedRedisNode node = EmbeddedRedisNode.builder().tls(certificates).start()) {
			assertThat(node.uri()).isEqualTo("rediss://127.0.0.1:" + node.port());
			assertThat(node.execute("PING")).isEqualTo("PONG");
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> ping(node, SSLContext.getDefault()))
				.withMessageContaining("certification path");
		}
	}

	@Test
	void clientWithoutCertificateIsRefusedWhereOneIsRequired() throws Exception {
		ThrowawayCertificates others = ThrowawayCertificates.create();
		try (EmbeddedRedisNode node = EmbeddedRedisNode.builder()
			.tls(certificates)
			.clientCertificateRequired()
			.start()) {
			assertThat(node.execute("PING")).isEqualTo("PONG");
			SSLContext anonymous = certificates.clientContext(false);
			assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> ping(node, anonymous));
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> ping(node, others.clientContext()));
		}
	}

	@Test
	void clientWithoutCertificateIsWelcomeElsewhere() throws Exception {
		try (EmbeddedRedisNode node = EmbeddedRedisNode.builder().tls(certificates).start()) {
			assertThat(ping(node, certificates.clientContext(false))).isEqualTo("PONG");
		}
	}

	private static String ping(EmbeddedRedisNode node, SSLContext context) {
		try (RespConnection connection = RespConnection.to(node.port(), context.getSocketFactory())) {
			return String.valueOf(connection.execute("PING"));
		}
	}

}
