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

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;

/**
 * Makes properties of the ZooKeeper client of an SSL bundle. The client reads key stores
 * from files alone, so they are written to a directory that only the user of this process
 * can read, under a random password.
 */
final class ZooKeeperTls {

	private static final String TYPE = "PKCS12";

	private final String password = randomPassword();

	private @Nullable Path directory;

	private static String randomPassword() {
		byte[] random = new byte[16];
		new SecureRandom().nextBytes(random);
		return HexFormat.of().formatHex(random);
	}

	/**
	 * Write the stores of a bundle.
	 * @param bundle the bundle, as it is now
	 * @return the properties of a client that uses it
	 */
	synchronized Map<String, String> clientProperties(SslBundle bundle) {
		Map<String, String> properties = new LinkedHashMap<>();
		properties.put("zookeeper.client.secure", "true");
		properties.put("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
		try {
			KeyStore keys = bundle.getStores().getKeyStore();
			if (keys != null) {
				add(properties, "keyStore", copyOf(keys, bundle));
			}
			KeyStore trusted = bundle.getStores().getTrustStore();
			if (trusted != null) {
				add(properties, "trustStore", trusted);
			}
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException("The SSL bundle for ZooKeeper cannot be written to files", ex);
		}
		String[] protocols = bundle.getOptions().getEnabledProtocols();
		if (protocols != null) {
			properties.put("zookeeper.ssl.enabledProtocols", String.join(",", protocols));
		}
		String[] ciphers = bundle.getOptions().getCiphers();
		if (ciphers != null) {
			properties.put("zookeeper.ssl.ciphersuites", String.join(",", ciphers));
		}
		return properties;
	}

	private void add(Map<String, String> properties, String name, KeyStore store)
			throws IOException, GeneralSecurityException {
		Path file = directory().resolve(name + ".p12");
		try (OutputStream out = Files.newOutputStream(file)) {
			copy(store).store(out, this.password.toCharArray());
		}
		properties.put("zookeeper.ssl." + name + ".location", file.toString());
		properties.put("zookeeper.ssl." + name + ".password", this.password);
		properties.put("zookeeper.ssl." + name + ".type", TYPE);
	}

	/** Of certificates, in case that the store is of another type. */
	private static KeyStore copy(KeyStore store) throws IOException, GeneralSecurityException {
		if (store.getType().equalsIgnoreCase(TYPE)) {
			return store;
		}
		KeyStore copy = empty();
		for (String alias : Collections.list(store.aliases())) {
			copy.setCertificateEntry(alias, store.getCertificate(alias));
		}
		return copy;
	}

	/** Of the keys, under our password. */
	private KeyStore copyOf(KeyStore keys, SslBundle bundle) throws IOException, GeneralSecurityException {
		SslBundleKey wanted = bundle.getKey();
		String secret = (wanted.getPassword() != null) ? wanted.getPassword()
				: bundle.getStores().getKeyStorePassword();
		List<String> aliases = (wanted.getAlias() != null) ? List.of(wanted.getAlias())
				: Collections.list(keys.aliases());
		KeyStore copy = empty();
		for (String alias : aliases) {
			Key key = keys.getKey(alias, (secret != null) ? secret.toCharArray() : null);
			if (key != null) {
				copy.setKeyEntry(alias, key, this.password.toCharArray(), keys.getCertificateChain(alias));
			}
		}
		return copy;
	}

	private static KeyStore empty() throws IOException, GeneralSecurityException {
		KeyStore store = KeyStore.getInstance(TYPE);
		store.load(null, null);
		return store;
	}

	private Path directory() throws IOException {
		Path existing = this.directory;
		if (existing == null) {
			existing = Files.createTempDirectory("quorlock-tls-");
			// What is registered last is deleted first.
			existing.toFile().deleteOnExit();
			for (String file : List.of("trustStore.p12", "keyStore.p12")) {
				existing.resolve(file).toFile().deleteOnExit();
			}
			this.directory = existing;
		}
		return existing;
	}

}
