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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.mock.env.MockEnvironment;

import io.quorlock.autoconfigure.InvalidLockConfigurationException;
import io.quorlock.autoconfigure.LockBackend;
import io.quorlock.autoconfigure.LockZooKeeperConnectionDetails;
import io.quorlock.autoconfigure.TestProperties;
import io.quorlock.autoconfigure.embedded.EmbeddedServersConfiguration.EmbeddedLockZooKeeperConnectionDetails;
import io.quorlock.autoconfigure.zookeeper.ZooKeeperBackendConfiguration.PropertiesLockZooKeeperConnectionDetails;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;
import io.quorlock.zookeeper.ZooKeeperSettings;
import io.quorlock.zookeeper.ZooKeeperSettings.Credentials;

import static io.quorlock.autoconfigure.TestProperties.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the settings of a {@link ZooKeeperBackend}.
 */
class ZooKeeperBackendSettingsTests {

	@Test
	void bundleOfAnApplicationWithoutBundlesIsRefused() {
		assertRefused(
				() -> new PropertiesLockZooKeeperConnectionDetails(
						TestProperties.bind("zookeeper.ssl.bundle", "locks").zookeeper(), new MockEnvironment(), null)
					.getSslBundle(),
				"distributed-lock.zookeeper.ssl.bundle", "locks", "the application has no SSL bundles",
				"Configure the bundle under spring.ssl.bundle.");
	}

	@Test
	void embeddedServersNeedTheirModule() {
		assertRefused(
				() -> new ZooKeeperBackendConfiguration().distributedLockZooKeeperConnectionDetails(
						TestProperties.bind("embedded.zookeeper", "3"), new MockEnvironment(),
						new DefaultListableBeanFactory().getBeanProvider(SslBundles.class)),
				"distributed-lock.embedded.zookeeper", "3", "quorlock-embedded is not on the class path",
				"Add the dependency io.quorlock:quorlock-embedded.");
	}

	@Test
	void propertiesHaveTheDefaultsOfTheSettings() {
		assertThat(settings()).usingRecursiveComparison()
			.ignoringFields("moreClientProperties")
			.isEqualTo(new ZooKeeperSettings("a:2181", "shop@host:1", Duration.ofSeconds(15), Duration.ofSeconds(15),
					Duration.ofSeconds(1), "/quorlock", 0.01, true, 0, ZooDefs.Ids.OPEN_ACL_UNSAFE, List.of(), Map.of(),
					Map::of));
	}

	@Test
	void everyPropertyReachesTheStore() {
		ZooKeeperSettings settings = settings("zookeeper.session-timeout", "2s", "zookeeper.connection-timeout", "3s",
				"connection.operation-timeout", "4s", "zookeeper.root", "/locks", "clock-drift-factor", "0.05",
				"fencing.enabled", "false", "fencing.floor", "6", "zookeeper.client-properties.[jute.maxbuffer]", "7");
		assertThat(settings).usingRecursiveComparison()
			.ignoringFields("moreClientProperties")
			.isEqualTo(new ZooKeeperSettings("a:2181", "shop@host:1", Duration.ofSeconds(2), Duration.ofSeconds(3),
					Duration.ofSeconds(4), "/locks", 0.05, false, 6, ZooDefs.Ids.OPEN_ACL_UNSAFE, List.of(),
					Map.of("jute.maxbuffer", "7"), Map::of));
	}

	@Test
	void secretOfCredentialsMayHaveColons() {
		assertThat(settings("zookeeper.auth[0]", "digest:locks:grüße", "zookeeper.auth[1]", "x:y").credentials())
			.extracting(Credentials::scheme, (auth) -> new String(auth.secret(), StandardCharsets.UTF_8))
			.containsExactly(tuple("digest", "locks:grüße"), tuple("x", "y"));
	}

	@Test
	void permissionsAreThoseOfTheirLetters() {
		assertThat(settings("zookeeper.acl[0]", "world:anyone:r", "zookeeper.acl[1]", "digest:locks:hash:cd",
				"zookeeper.acl[2]", "auth::wa")
			.acl()).containsExactly(new ACL(Perms.READ, new Id("world", "anyone")),
					new ACL(Perms.CREATE | Perms.DELETE, new Id("digest", "locks:hash")),
					new ACL(Perms.WRITE | Perms.ADMIN, new Id("auth", "")));
	}

	@Test
	void idMayHaveCommas() {
		assertThat(settings("zookeeper.acl", "x509:CN=a,O=b:r").acl())
			.containsExactly(new ACL(Perms.READ, new Id("x509", "CN=a,O=b")));
	}

	@ParameterizedTest
	@CsvSource({ "zookeeper.acl, anyone", "zookeeper.acl, :anyone:r", "zookeeper.acl, world:r",
			"zookeeper.acl, world:anyone:rx", "zookeeper.session-timeout, 600h", "zookeeper.session-timeout, -1s",
			"zookeeper.connection-timeout, 600h", "local-handover.max, 65", "retain-time, 1ms" })
	void badValueIsRefused(String property, String value) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(() -> settings(property, value))
			.withMessageContaining("'distributed-lock." + property + "'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					zookeeper.acl                | anyone    | anyone                 | it is not scheme:id:permissions | Write each as scheme:id:permissions, the permissions some of 'rwcda'.
					zookeeper.acl                | auth::rx  | auth::rx               | it is not scheme:id:permissions | Write each as scheme:id:permissions, the permissions some of 'rwcda'.
					zookeeper.acl                | auth::r,world:anyone:w   | auth::r,world:anyone:w   | it is several entries in one value | Write them as a list, one entry each: an id may contain commas.
					zookeeper.acl                | digest:a:b=:rw, auth::cd | digest:a:b=:rw, auth::cd | it is several entries in one value | Write them as a list, one entry each: an id may contain commas.
					zookeeper.auth               | secret    | ...                    | a scheme is missing             | Write each as scheme:secret, as digest:user:password.
					zookeeper.auth               | :secret   | ...                    | a scheme is missing             | Write each as scheme:secret, as digest:user:password.
					zookeeper.root               | locks/    | locks/                 | Path must start with / character | Use an absolute path such as /quorlock.
					zookeeper.session-timeout    | 0s        | PT0S                   | it is not positive, or too long | Use a time between 2 and 20 ticks of the servers, for example 15s.
					zookeeper.connection-timeout | 0s        | PT0S                   | it is not positive, or too long | Use some seconds, for example 15s.
					local-handover.max           | 65        | 65                     | on ZooKeeper at most 64 threads hold a lock in turn | Use a smaller number.
					retain-time                  | 1s        | PT1S                   | on ZooKeeper, other instances cannot ask for a lease that is kept unused | Remove the property, or keep the locks on Redis nodes.
					""")
	void refusalSaysWhyAndWhatToDo(String property, String value, String shown, String reason, String action) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class).isThrownBy(() -> settings(property, value))
			.satisfies((failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock." + property);
				assertThat(failure.getValue()).isEqualTo(shown);
				assertThat(failure.getReason()).isEqualTo(reason);
				assertThat(failure.getAction()).isEqualTo(action);
			});
	}

	@Test
	void callerWaitsASecondAtLeastForTheDisksOfAMajority() {
		assertThat(settings("connection.operation-timeout", "999ms").operationTimeout())
			.isEqualTo(Duration.ofSeconds(1));
		assertThat(settings("connection.operation-timeout", "1001ms").operationTimeout())
			.isEqualTo(Duration.ofMillis(1001));
	}

	@Test
	void asManyThreadsAsATokenHasPlacesForMayHoldALockInTurn() {
		assertThat(settings("local-handover.max", "64")).isNotNull();
	}

	@ParameterizedTest
	@CsvSource({ "' '", "','", "/app", "a:b:c/" })
	void badServersAreRefused(String servers) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> new ZooKeeperBackend(TestProperties.bind(), List.of(() -> servers), () -> "shop@host:1")
				.settings())
			.withMessageContaining("connect-string");
	}

	@Test
	void locksAreThoseOfThisProcessIfAllServersAre() {
		LockZooKeeperConnectionDetails embedded = new EmbeddedLockZooKeeperConnectionDetails("a:2181");
		assertThat(backend(embedded).local()).isTrue();
		assertThat(backend(embedded, () -> "b:2181").local()).isFalse();
		assertThat(backend(embedded).name()).isEqualTo("zookeeper");
		assertThat(backend(embedded).notes().get()).as("before the store is there").isEmpty();
	}

	@Test
	void serversOfSeveralConnectionDetailsAreOneEnsemble() {
		assertThat(servers(() -> "a:2181", () -> "b:2181,c:2181/shop")).isEqualTo("a:2181,b:2181,c:2181/shop");
	}

	@Test
	void serversOfSpringCloudAreTheOnesOnlyIfThereAreNoOwn() {
		MockEnvironment environment = new MockEnvironment().withProperty("spring.cloud.zookeeper.connect-string",
				"cloud:2181");
		assertThat(new PropertiesLockZooKeeperConnectionDetails(
				TestProperties.bind("zookeeper.connect-string", "own:2181").zookeeper(), environment, null)
			.getConnectString()).isEqualTo("own:2181");
		assertThat(new PropertiesLockZooKeeperConnectionDetails(TestProperties.bind().zookeeper(), environment, null)
			.getConnectString()).isEqualTo("cloud:2181");
	}

	/** A certificate that was renewed, say. */
	@Test
	void nextSessionHasTheBundleOfItsTime() {
		LockZooKeeperConnectionDetails details = mock(LockZooKeeperConnectionDetails.class);
		given(details.getConnectString()).willReturn("a:2181");
		given(details.getSslBundle()).willReturn(bundle("TLSv1.2"));
		Supplier<Map<String, String>> session = new ZooKeeperBackend(TestProperties.bind(),
				List.of(() -> "b:2181", details), () -> "shop@host:1")
			.settings()
			.moreClientProperties();
		assertThat(session.get()).containsEntry("zookeeper.ssl.enabledProtocols", "TLSv1.2");
		given(details.getSslBundle()).willReturn(bundle("TLSv1.3"));
		assertThat(session.get()).containsEntry("zookeeper.ssl.enabledProtocols", "TLSv1.3");
	}

	private static SslBundle bundle(String protocol) {
		return SslBundle.of(SslStoreBundle.NONE, null, SslOptions.of(null, Set.of(protocol)));
	}

	/** All that follows the first slash is the chroot for the client. */
	@Test
	void serversBehindAChrootAreRefused() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> servers(() -> "a:2181/shop", () -> "b:2181/shop"))
			.satisfies((failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock.zookeeper.connect-string");
				assertThat(failure.getValue()).isEqualTo("a:2181/shop,b:2181/shop");
				assertThat(failure.getReason())
					.isEqualTo("servers follow the chroot, and would be taken for a part of it");
				assertThat(failure.getAction())
					.isEqualTo("List the servers as host1:2181,host2:2181,host3:2181. A chroot follows the last one.");
			});
	}

	private static String servers(LockZooKeeperConnectionDetails... details) {
		LockBackend backend = backend(details);
		LockClock clock = new SystemClock();
		try (TimerThread timer = new TimerThread("test")) {
			Objects.requireNonNull(backend.store()).create(clock, timer, List.of());
		}
		return backend.notes().get().keySet().iterator().next();
	}

	private static LockBackend backend(LockZooKeeperConnectionDetails... details) {
		return new ZooKeeperBackend(TestProperties.bind(), List.of(details), () -> "shop@host:1").create();
	}

	private static ZooKeeperSettings settings(String... properties) {
		return new ZooKeeperBackend(TestProperties.bind(properties), List.of(() -> "a:2181"), () -> "shop@host:1")
			.settings();
	}

}
