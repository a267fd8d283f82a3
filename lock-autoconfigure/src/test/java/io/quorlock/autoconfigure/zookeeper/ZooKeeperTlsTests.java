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

package io.quorlock.autoconfigure.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.pem.PemContent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.ThrowawayCertificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The zookeeper backend with TLS, on a server that wants a client certificate.
 */
class ZooKeeperTlsTests {

	private static final List<String> SERVER_PROPERTIES = List.of("serverCnxnFactory", "ssl.keyStore.location",
			"ssl.trustStore.location", "ssl.trustStore.type", "ssl.clientAuth");

	private static ThrowawayCertificates certificates;

	private static EmbeddedZooKeeper server;

	private static int port;

	@BeforeAll
	static void startServer(@TempDir Path directory) throws IOException {
		certificates = ThrowawayCertificates.create();
		Path identity = directory.resolve("server-identity.pem");
		Files.writeString(identity,
				Files.readString(certificates.serverKeyPem()) + Files.readString(certificates.serverPem()));
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = socket.getLocalPort();
		}
		server = EmbeddedZooKeeper.builder()
			.property("secureClientPort", Integer.toString(port))
			.property("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory")
			.property("ssl.keyStore.location", identity.toString())
			.property("ssl.trustStore.location", certificates.authorityPem().toString())
			.property("ssl.trustStore.type", "PEM")
			.property("ssl.clientAuth", "need")
			.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
		SERVER_PROPERTIES.forEach(ZooKeeperTlsTests::clear);
	}

	private static void clear(String name) {
		System.clearProperty("zookeeper." + name);
	}

	@Test
	void bundleWithClientCertificateIsUsed() {
		contextRunner()
			.withPropertyValues("distributed-lock.zookeeper.ssl.bundle=locks",
					"spring.ssl.bundle.pem.locks.keystore.certificate=file:" + certificates.clientPem(),
					"spring.ssl.bundle.pem.locks.keystore.private-key=file:" + certificates.clientKeyPem())
			.run((context) -> context.getBean(LockTemplate.class)
				.acquire(LockRequest.of("tls").waitTime(Duration.ofSeconds(60)))
				.close());
	}

	@Test
	void nothingIsSentInTheClear() {
		contextRunner().run((context) -> assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> context.getBean(LockTemplate.class)
				.acquire(LockRequest.of("tls").waitTime(Duration.ofSeconds(2)))));
	}

	@Test
	void bundleThatDoesNotExistIsNamed() {
		contextRunner().withPropertyValues("distributed-lock.zookeeper.ssl.bundle=other")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("other"));
	}

	@Test
	void keyThatTheBundleNamesIsTheOnlyOneOfTheClient() throws Exception {
		KeyStore keys = store();
		PrivateKey key = Objects.requireNonNull(PemContent.load(certificates.clientKeyPem()).getPrivateKey());
		Certificate[] chain = PemContent.load(certificates.clientPem()).getCertificates().toArray(Certificate[]::new);
		Certificate[] other = PemContent.load(certificates.serverPem()).getCertificates().toArray(Certificate[]::new);
		keys.setKeyEntry("other", key, "own".toCharArray(), other);
		keys.setKeyEntry("client", key, "own".toCharArray(), chain);
		ZooKeeperTls tls = new ZooKeeperTls();
		SslStoreBundle stores = SslStoreBundle.of(keys, "of the store", null);
		Map<String, String> properties = tls
			.clientProperties(SslBundle.of(stores, SslBundleKey.of("own", "client"), SslOptions.NONE));
		KeyStore written = written(properties, "keyStore");
		assertThat(Collections.list(written.aliases())).containsExactly("client");
		assertThat(written.getCertificateChain("client")).isEqualTo(chain);
		assertThat(properties).doesNotContainKeys("zookeeper.ssl.trustStore.location", "zookeeper.ssl.ciphersuites",
				"zookeeper.ssl.enabledProtocols");
		// A certificate that was renewed replaces the one before.
		String location = properties.get("zookeeper.ssl.keyStore.location");
		properties = tls.clientProperties(SslBundle.of(stores, SslBundleKey.of("own", "other"), SslOptions.NONE));
		assertThat(properties).containsEntry("zookeeper.ssl.keyStore.location", location);
		assertThat(Collections.list(written(properties, "keyStore").aliases())).containsExactly("other");
	}

	@Test
	void keysAreReadableByTheUserOfTheProcessAloneAndDeletedAtItsEnd() throws Exception {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		Process process = new ProcessBuilder(java.toString(), "-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("java.class.path"), TemporaryKeys.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		List<String> lines = process.inputReader().lines().toList();
		assertThat(lines).hasSize(2).first().isEqualTo("[OWNER_EXECUTE, OWNER_READ, OWNER_WRITE]");
		assertThat(process.waitFor()).isZero();
		assertThat(Path.of(lines.get(1))).isAbsolute().doesNotExist();
	}

	static class TemporaryKeys {

		public static void main(String[] args) throws Exception {
			Map<String, String> properties = new ZooKeeperTls()
				.clientProperties(SslBundle.of(SslStoreBundle.of(store(), null, store())));
			Path directory = Objects
				.requireNonNull(Path.of(properties.get("zookeeper.ssl.keyStore.location")).getParent());
			System.out.println(new TreeSet<>(
					Files.getPosixFilePermissions(directory).stream().map(PosixFilePermission::name).toList()));
			System.out.println(directory);
		}

	}

	@Test
	void keyWithoutAPasswordOfItsOwnHasTheOneOfItsStore() throws Exception {
		KeyStore keys = store();
		PrivateKey key = Objects.requireNonNull(PemContent.load(certificates.clientKeyPem()).getPrivateKey());
		Certificate[] chain = PemContent.load(certificates.clientPem()).getCertificates().toArray(Certificate[]::new);
		keys.setKeyEntry("client", key, "of the store".toCharArray(), chain);
		keys.setCertificateEntry("authority", PemContent.load(certificates.authorityPem()).getCertificates().get(0));
		Map<String, String> properties = new ZooKeeperTls()
			.clientProperties(SslBundle.of(SslStoreBundle.of(keys, "of the store", null)));
		KeyStore written = written(properties, "keyStore");
		assertThat(Collections.list(written.aliases())).containsExactly("client");
		assertThat(written.getCertificateChain("client")).isEqualTo(chain);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PKCS12", "JKS" })
	void optionsOfTheBundleReachTheClient(String type) throws Exception {
		KeyStore trusted = KeyStore.getInstance(type);
		trusted.load(null, null);
		Certificate authority = PemContent.load(certificates.authorityPem()).getCertificates().get(0);
		trusted.setCertificateEntry("authority", authority);
		Map<String, String> properties = new ZooKeeperTls()
			.clientProperties(SslBundle.of(SslStoreBundle.of(null, null, trusted), SslBundleKey.NONE,
					SslOptions.of(new String[] { "C1", "C2" }, new String[] { "TLSv1.3", "TLSv1.2" })));
		assertThat(properties).containsEntry("zookeeper.client.secure", "true")
			.containsEntry("zookeeper.ssl.ciphersuites", "C1,C2")
			.containsEntry("zookeeper.ssl.enabledProtocols", "TLSv1.3,TLSv1.2")
			.containsEntry("zookeeper.ssl.trustStore.type", "PKCS12")
			.doesNotContainKey("zookeeper.ssl.keyStore.location");
		assertThat(written(properties, "trustStore").getCertificate("authority")).isEqualTo(authority);
	}

	private static KeyStore store() throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		return store;
	}

	private static KeyStore written(Map<String, String> properties, String name) throws Exception {
		String prefix = "zookeeper.ssl." + name + ".";
		File file = new File(Objects.requireNonNull(properties.get(prefix + "location")));
		KeyStore store = KeyStore.getInstance(file,
				Objects.requireNonNull(properties.get(prefix + "password")).toCharArray());
		assertThat(store.getType()).isEqualTo(properties.get(prefix + "type"));
		return store;
	}

	private static ApplicationContextRunner contextRunner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, LockAutoConfiguration.class))
			.withPropertyValues("distributed-lock.zookeeper.connect-string=127.0.0.1:" + port,
					"spring.ssl.bundle.pem.locks.truststore.certificate=file:" + certificates.authorityPem());
	}

}
