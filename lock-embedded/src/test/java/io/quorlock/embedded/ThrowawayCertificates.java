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
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority made for one test, with a certificate for a server on loopback
 * (127.0.0.1 and localhost) and one for a client. Valid for a day; the files go with the
 * JVM. Made with the JDK's keytool, which takes a few seconds.
 */
public final class ThrowawayCertificates {

	private static final String PASSWORD = "changeit";

	private final Path directory = ServerReaper.get().newDirectory("certificates-");

	private final KeyStore keys;

	private ThrowawayCertificates() throws IOException, GeneralSecurityException {
		Path store = this.directory.resolve("all.p12");
		generate(store, "authority", "-ext", "bc:c");
		generate(store, "server", "-signer", "authority", "-ext", "san=ip:127.0.0.1,dns:localhost");
		generate(store, "client", "-signer", "authority");
		this.keys = KeyStore.getInstance("PKCS12");
		try (InputStream in = Files.newInputStream(store)) {
			this.keys.load(in, PASSWORD.toCharArray());
		}
		for (String alias : List.of("authority", "server", "client")) {
			writePem(certificate(alias), "CERTIFICATE", this.keys.getCertificate(alias).getEncoded());
			writePem(key(alias), "PRIVATE KEY", this.keys.getKey(alias, PASSWORD.toCharArray()).getEncoded());
		}
	}

	/**
	 * Create an authority and its certificates. Each call creates others, which do not
	 * trust each other.
	 * @return the certificates
	 * @throws EmbeddedServerException if keytool fails
	 */
	public static ThrowawayCertificates create() {
		try {
			return new ThrowawayCertificates();
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new EmbeddedServerException("No certificates could be made: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Return the authority's certificate.
	 * @return a PEM file
	 */
	public Path authorityPem() {
		return certificate("authority");
	}

	/**
	 * Return the server's certificate.
	 * @return a PEM file
	 */
	public Path serverPem() {
		return certificate("server");
	}

	/**
	 * Return the server's private key, PKCS#8, not encrypted.
	 * @return a PEM file
	 */
	public Path serverKeyPem() {
		return key("server");
	}

	/**
	 * Return the client's certificate.
	 * @return a PEM file
	 */
	public Path clientPem() {
		return certificate("client");
	}

	/**
	 * Return the client's private key, PKCS#8, not encrypted.
	 * @return a PEM file
	 */
	public Path clientKeyPem() {
		return key("client");
	}

	/**
	 * Return a builder of servers that have the server's certificate, and do not ask for
	 * one of clients.
	 * @return a new builder
	 */
	public EmbeddedRedisNodeBuilder server() {
		return EmbeddedRedisNode.builder()
			.tls(clientContext())
			.config("tls-ca-cert-file \"" + authorityPem() + "\"")
			.config("tls-cert-file \"" + serverPem() + "\"")
			.config("tls-key-file \"" + serverKeyPem() + "\"")
			.config("tls-auth-clients no");
	}

	/**
	 * Return the TLS context of a client that trusts the authority and presents the
	 * client certificate.
	 * @return a new context
	 */
	public SSLContext clientContext() {
		return clientContext(true);
	}

	/**
	 * Return the TLS context of a client that trusts the authority.
	 * @param withCertificate whether it shows the client certificate
	 * @return a new context
	 */
	public SSLContext clientContext(boolean withCertificate) {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(withCertificate ? keyManagers() : null, trustManagers(), null);
			return context;
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private KeyManager[] keyManagers() throws IOException, GeneralSecurityException {
		KeyStore client = emptyStore();
		client.setKeyEntry("client", this.keys.getKey("client", PASSWORD.toCharArray()), PASSWORD.toCharArray(),
				this.keys.getCertificateChain("client"));
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(client, PASSWORD.toCharArray());
		return factory.getKeyManagers();
	}

	private TrustManager[] trustManagers() throws IOException, GeneralSecurityException {
		KeyStore trusted = emptyStore();
		trusted.setCertificateEntry("authority", this.keys.getCertificate("authority"));
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init(trusted);
		return factory.getTrustManagers();
	}

	private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		return store;
	}

	private Path certificate(String alias) {
		return this.directory.resolve(alias + ".crt");
	}

	private Path key(String alias) {
		return this.directory.resolve(alias + ".key");
	}

	private static void generate(Path store, String alias, String... more) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
						"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-genkeypair", "-alias", alias, "-dname",
						"CN=" + alias, "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "1", "-keystore",
						store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
		command.addAll(List.of(more));
		Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (keytool.onExit().join().exitValue() != 0) {
			throw new IOException(output);
		}
	}

	private static void writePem(Path file, String type, byte[] content) throws IOException {
		String base64 = Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content);
		Files.writeString(file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
	}

}
