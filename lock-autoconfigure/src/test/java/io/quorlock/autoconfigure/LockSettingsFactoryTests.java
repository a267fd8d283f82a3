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

package io.quorlock.autoconfigure;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.Ordered;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import io.quorlock.Settings;
import io.quorlock.engine.EngineSettings;
import io.quorlock.quorum.QuorumSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockSettingsFactory} and {@link LockProperties}.
 */
class LockSettingsFactoryTests {

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void propertiesHaveTheDefaultsOfTheSettings() {
		assertThat(engineSettings()).usingRecursiveComparison()
			.ignoringFields("propertyPrefix")
			.isEqualTo(Settings.engine("shop@host:1").build());
		assertThat(quorumSettings()).usingRecursiveComparison()
			.ignoringFields("random")
			.isEqualTo(Settings.quorum("shop@host:1").build());
	}

	@Test
	void propertiesThatTheEngineDoesNotSeeHaveTheirDefaults() {
		LockProperties properties = TestProperties.bind();
		assertThat(properties.enabled()).isTrue();
		assertThat(properties.backend()).isNull();
		assertThat(properties.nodes()).isEmpty();
		assertThat(properties.embedded().nodes()).isEqualTo(5);
		assertThat(properties.connection().connectTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(properties.nodeMismatch()).isEqualTo(LockProperties.NodeMismatch.FAIL);
		assertThat(properties.nodeEviction()).isEqualTo(LockProperties.NodeEviction.EXCLUDE_ALLKEYS);
		assertThat(properties.transaction().releaseAfterCompletion()).isTrue();
		assertThat(properties.order()).isEqualTo(Ordered.LOWEST_PRECEDENCE - 100);
		assertThat(properties.keyPrefix()).isEqualTo("lock:");
		assertThat(properties.allowReplicas()).isFalse();
		assertThat(properties.console().enabled()).isFalse();
		assertThat(properties.web().problemDetails()).isTrue();
		assertThat(properties.leader().autoStart()).isTrue();
		assertThat(properties.shedlock().endWithSession()).isFalse();
		assertThat(properties.sharding().by()).hasToString("NAME");
		assertThat(properties.redis().durable()).isFalse();
		assertThat(properties.redis().waitReplicas()).isZero();
		assertThat(properties.redis().waitTimeout()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void quarantineIsTheLongestLeaseUnlessSet() {
		assertThat(TestProperties.bind("max-lease-time", "2m").quarantine()).isEqualTo(Duration.ofMinutes(2));
		assertThat(TestProperties.bind("restart-quarantine", "3m").quarantine()).isEqualTo(Duration.ofMinutes(3));
		assertThat(TestProperties.bind("restart-quarantine", "0s").quarantine()).isZero();
	}

	/** Two processes with one instance id must not take each other's keys for theirs. */
	@Test
	void identityIsAnotherForEachStartAndPausesAreRandom() {
		QuorumSettings settings = quorumSettings();
		assertThat(settings.identity().getAsLong()).isNotEqualTo(settings.identity().getAsLong());
		assertThat(settings.random().getAsLong()).isNotEqualTo(settings.random().getAsLong());
	}

	@Test
	void everyPropertyReachesTheEngine() {
		String[] properties = { "key-prefix", "p:", "wait-time", "1s", "lease-time", "2s", "max-lease-time", "3s",
				"max-hold-time", "4s", "connection.operation-timeout", "5ms", "retry.min-delay", "6ms",
				"retry.max-delay", "7ms", "retry.max-attempts", "8", "clock-drift-factor", "0.09", "fencing.enabled",
				"false", "fencing.retention", "11s", "local-handover.max", "12", "local-handover.max-duration", "13ms",
				"retain-time", "18s", "release-mode", "sent", "fencing.floor", "17", "unavailable-fail-fast", "true",
				"leak-detection", "true" };
		assertThat(engineSettings(properties)).usingRecursiveComparison()
			.isEqualTo(Settings.engine("shop@host:1")
				.set(EngineSettings::propertyPrefix, "distributed-lock.")
				.set(EngineSettings::waitTime, Duration.ofSeconds(1))
				.set(EngineSettings::leaseTime, Duration.ofSeconds(2))
				.set(EngineSettings::maxLeaseTime, Duration.ofSeconds(3))
				.set(EngineSettings::maxHoldTime, Duration.ofSeconds(4))
				.set(EngineSettings::immediateLimit, Duration.ofMillis(10))
				.set(EngineSettings::maxAttempts, 8)
				.set(EngineSettings::handoverMax, 12)
				.set(EngineSettings::handoverMaxDuration, Duration.ofMillis(13))
				.set(EngineSettings::confirmingReleases, false)
				.set(EngineSettings::retainTime, Duration.ofSeconds(18))
				.set(EngineSettings::unavailableFailFast, true)
				.set(EngineSettings::recordingCallers, true)
				.build());
		assertThat(quorumSettings(properties)).usingRecursiveComparison()
			.ignoringFields("random")
			.isEqualTo(Settings.quorum("shop@host:1")
				.set(QuorumSettings::operationTimeout, Duration.ofMillis(5))
				.set(QuorumSettings::retryMinDelay, Duration.ofMillis(6))
				.set(QuorumSettings::retryMaxDelay, Duration.ofMillis(7))
				.set(QuorumSettings::maxLeaseTime, Duration.ofSeconds(3))
				.set(QuorumSettings::clockDriftFactor, 0.09)
				.set(QuorumSettings::fencing, false)
				.set(QuorumSettings::fencingRetention, Duration.ofSeconds(11))
				.set(QuorumSettings::maxAloneDuration, Duration.ofMillis(13))
				.set(QuorumSettings::fencingFloor, 17L)
				.build());
	}

	@Test
	void nodeThatWaitsForItsReplicasHasTheTimeForIt() {
		assertThat(quorumSettings("redis.wait-replicas", "1")).extracting("operationTimeout")
			.isEqualTo(Duration.ofMillis(1_100));
		assertThat(engineSettings("redis.wait-replicas", "1").immediateLimit()).isEqualTo(Duration.ofMillis(2_200));
		assertThat(quorumSettings("redis.wait-timeout", "2s")).extracting("operationTimeout")
			.isEqualTo(Duration.ofMillis(100));
		for (String[] elsewhere : List.of(new String[] { "nodes", "redis://a" },
				new String[] { "groups.a.nodes", "redis://a" }, new String[] { "backend", "redlock" })) {
			assertThat(quorumSettings("redis.wait-replicas", "1", elsewhere[0], elsewhere[1]))
				.extracting("operationTimeout")
				.isEqualTo(Duration.ofMillis(100));
		}
		assertThat(quorumSettings("redis.wait-replicas", "1", "backend", "redis")).extracting("operationTimeout")
			.isEqualTo(Duration.ofMillis(1_100));
	}

	@Test
	void leaseOutlastsTheTimeForTheReplicasAsWell() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings("redis.wait-replicas", "1", "lease-time", "1100ms"))
			.withMessageContaining("'distributed-lock.connection.operation-timeout' with value '1s100ms'");
		assertThat(engineSettings("redis.wait-replicas", "1", "lease-time", "1101ms")).isNotNull();
		assertThat(engineSettings("lease-time", "1100ms")).isNotNull();
	}

	@Test
	void retentionOfTokensIsNotNegativeAlthoughThereAreNone() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings("fencing.enabled", "false", "fencing.retention", "-1s"))
			.withMessageContaining("fencing.retention");
	}

	@Test
	void propertiesAreTakenFromTheEnvironment() {
		Map<String, Object> variables = Map.of("DISTRIBUTEDLOCK_LEASETIME", "7s", "DISTRIBUTEDLOCK_NODES",
				"redis://a,redis://b,redis://c", "DISTRIBUTEDLOCK_GROUPS_EU_NODES_0", "redis://d");
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace("systemEnvironment", new SystemEnvironmentPropertySource("systemEnvironment", variables));
		LockProperties properties = Binder.get(environment).bindOrCreate("distributed-lock", LockProperties.class);
		assertThat(properties.leaseTime()).isEqualTo(Duration.ofSeconds(7));
		assertThat(properties.nodes()).containsExactly("redis://a", "redis://b", "redis://c");
		assertThat(Objects.requireNonNull(properties.groups().get("eu")).nodes()).containsExactly("redis://d");
	}

	/** Nobody has to know the retention who wants long leases. */
	@Test
	void retentionThatIsNotSetIsNoShorterThanTheQuarantine() {
		assertThat(quorumSettings("max-lease-time", "1h")).extracting("fencingRetention")
			.isEqualTo(Duration.ofHours(1));
		assertThat(quorumSettings("max-lease-time", "9m")).extracting("fencingRetention")
			.isEqualTo(Duration.ofMinutes(10));
		assertThat(quorumSettings("max-lease-time", "1h", "fencing.retention", "2h")).extracting("fencingRetention")
			.isEqualTo(Duration.ofHours(2));
	}

	@Test
	void retentionThatIsSetIsTakenAsItIsOrRefused() {
		assertThat(quorumSettings("max-lease-time", "10m", "fencing.retention", "10m")).extracting("fencingRetention")
			.isEqualTo(Duration.ofMinutes(10));
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> quorumSettings("max-lease-time", "11m", "fencing.retention", "10m"))
			.withMessageContaining("'distributed-lock.fencing.retention' with value '10m'")
			.withMessageContaining("shorter than the restart quarantine, which is 11m");
	}

	@Test
	void fencingThatIsOffIsNotChecked() {
		assertThat(quorumSettings("fencing.enabled", "false", "fencing.retention", "1s")).extracting("fencing")
			.isEqualTo(false);
	}

	@Test
	void secretsAreNotShown() {
		LockProperties properties = TestProperties.bind("connection.password", "secret", "nodes",
				"redis://:secret@host", "groups.a.nodes", "redis://:secret@host", "zookeeper.auth", "digest:a:secret");
		assertThat(properties.connection().password()).isEqualTo("secret");
		assertThat(properties + " " + properties.connection() + properties.groups() + properties.zookeeper())
			.doesNotContain("secret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					key-prefix                   | lock{:  | lock{: | brace | Choose a prefix without braces.
					key-prefix                   | lo}ck:  | lo}ck: | brace |
					instance-id                  | ' '     | ' '    | blank | Remove the property to get the default, or set it to a name by which operators recognize the instance.
					instance-id                  | 'a\tb'  | 'a\tb' | control character | Remove the character; in YAML,
					leader.roles                 | a,,b    | ''     | a role has 1 to 256 characters | Correct the list. Roles are separated by single commas.
					wait-time                    | -1s     | -1s    | negative | Use a duration of 0 or more.
					lease-time                   | 0s      | 0s     | at least one millisecond | Use a longer duration.
					lease-time                   | 90s     | 1m30s  | must not exceed distributed-lock.max-lease-time, which is 1m | Shorten the lease time, or raise distributed-lock.max-lease-time on all instances.
					lease-time                   | -5s     | -5s    | at least one millisecond |
					lease-time                   | 5       | 5ms    | longer than distributed-lock.connection.operation-timeout, which is 100ms | Write the unit, such as 30s: a number without one is in milliseconds.
					max-lease-time               | 0s      | 0s     | at least one millisecond |
					retain-time                  | -1s    | -1s    | negative |
					fencing.floor                | -1      | -1     | between 0 and 2^52 | Set it to the greatest token that the other store has issued, or remove it.
					fencing.floor                | 4503599627370497 | 4503599627370497 | between 0 and 2^52 |
					max-lease-time               | 106752d | 106752d | must not exceed 36500 days |
					max-hold-time                | 0s      | 0s     | at least one millisecond |
					connection.operation-timeout | 30s     | 30s    | shorter than distributed-lock.lease-time, which is 30s | Shorten the operation timeout, or lengthen the lease time.
					connection.operation-timeout | 4ms     | 4ms    | at least 5ms |
					connection.client-name       | my shop | my shop | a space |
					connection.client-name       | Läden   | Läden  | printable ASCII |
					connection.connect-timeout   | -1ms    | -1ms   | at least one millisecond |
					connection.connect-timeout   | 36501d  | 36501d | must not exceed 36500 days |
					wait-time                    | 36501d  | 36501d | must not exceed 36500 days | Use a shorter duration.
					retry.min-delay              | 600ms   | 600ms  | must not exceed distributed-lock.retry.max-delay, which is 500ms | Lower the shortest pause, or raise the longest.
					retry.max-delay              | 36501d  | 36501d | must not exceed 36500 days |
					retry.min-delay              | 0ms     | 0s     | at least one millisecond |
					retry.max-delay              | 0ms     | 0s     | at least one millisecond |
					retry.max-attempts           | 0       | 0      | at least 1 |
					clock-drift-factor           | 0.2     | 0.2    | between 0 and 0.1 | Use a fraction: 0.01 allows clocks to differ by one percent in rate.
					clock-drift-factor           | -0.1    | -0.1   | between 0 and 0.1 |
					clock-drift-factor           | NaN     | NaN    | between 0 and 0.1 |
					connection.username          | locks   | locks  | no distributed-lock.connection.password | Set the password, or remove the user name.
					restart-quarantine           | 59s     | 59s    | shorter than distributed-lock.max-lease-time, which is 1m | Raise it to at least the longest lease of any client of the nodes, or set it to 0 to switch the quarantine off.
					restart-quarantine           | -1s     | -1s    | negative |
					fencing.retention            | -1s     | -1s    | negative |
					fencing.retention            | 30s     | 30s    | shorter than the restart quarantine, which is 1m | Raise it to at least the restart quarantine.
					embedded.nodes               | 0       | 0      | at least 1 | Use 1 or more.
					local-handover.max           | -1      | -1     | at least 0 | Use 0 or more.
					local-handover.max-duration  | -1ms    | -1ms   | negative |
					redis.wait-replicas          | -1      | -1     | at least 0 |
					redis.wait-timeout           | 0s      | 0s     | at least one millisecond |
					""")
	void badValueIsRefused(String property, String value, String shown, String reason, @Nullable String action) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings(property, value))
			.withMessageContaining("property 'distributed-lock." + property + "' with value '" + shown + "'")
			.withMessageContaining(reason)
			.satisfies((failure) -> assertThat(failure.getAction()).startsWith((action != null) ? action : "")
				.endsWith("."));
	}

	@ParameterizedTest
	@CsvSource({ "lease-time, 60s", "retry.min-delay, 500ms", "clock-drift-factor, 0", "clock-drift-factor, 0.1",
			"fencing.floor, 0", "fencing.floor, 4503599627370496", "connection.operation-timeout, 5ms",
			"restart-quarantine, 60s", "restart-quarantine, 0s", "fencing.retention, 60s", "wait-time, 36500d",
			"connection.connect-timeout, 36500d", "retry.max-attempts, 1", "embedded.nodes, 1", "local-handover.max, 0",
			"max-hold-time, 1ms", "connection.username, ''" })
	void valueAtTheLimitIsAccepted(String property, String value) {
		assertThat(engineSettings(property, value)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lease-time", "wait-time", "connection.operation-timeout", "retry.max-delay",
			"zookeeper.session-timeout", "fencing.retention" })
	void durationWithoutAUnitIsRefused(String property) {
		LockProperties bound = TestProperties.bind();
		MockEnvironment environment = new MockEnvironment().withProperty("distributed-lock." + property, "5");
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> LockSettingsFactory.check(bound, environment))
			.withMessageContaining("'distributed-lock." + property + "' with value '5': it has no unit")
			.satisfies((failure) -> assertThat(failure.getAction()).isEqualTo("Write the unit, such as 5s or 5ms."));
		LockSettingsFactory.check(bound, environment.withProperty("distributed-lock." + property, "0"));
		LockSettingsFactory.check(bound, environment.withProperty("distributed-lock." + property, "PT5S"));
	}

	@Test
	void nodesBesideAnEnsembleAreRefused() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings("nodes", "redis://redis-1:6379", "zookeeper.connect-string", "zk:2181"))
			.withMessageContaining("'distributed-lock.zookeeper.connect-string' with value 'zk:2181'")
			.withMessageContaining("distributed-lock.nodes");
		assertThat(engineSettings("nodes", "redis://redis-1:6379", "zookeeper.connect-string", "zk:2181", "backend",
				"zookeeper"))
			.isNotNull();
	}

	@Test
	void emptyPasswordIsNone() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings("connection.username", "locks", "connection.password", ""))
			.withMessageContaining("no distributed-lock.connection.password");
	}

	@Test
	void roleIsAsLongAsTheNameOfALockMayBe() {
		assertThat(engineSettings("leader.roles", "r".repeat(256))).isNotNull();
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings("leader.roles", "r".repeat(257)))
			.withMessageContaining("a role has 1 to 256 characters");
	}

	@Test
	void leaseThatIsLongerThanTheLongestIsTheOneThatIsNamed() {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings("max-lease-time", "10s"))
			.withMessageContaining("'distributed-lock.lease-time' with value '30s'")
			.withMessageContaining("must not exceed distributed-lock.max-lease-time, which is 10s");
	}

	@Test
	void groupsThatAreRefusedAreNamedWithWhatToDo() {
		String[] groups = { "groups.a.nodes", "redis://a", "groups.b.nodes", "redis://b" };
		assertRefused("groups", "a, b",
				"Move the nodes into a group of their own and remove distributed-lock.nodes. "
						+ "Changing where locks are kept needs a stop of all instances, see docs/groups.md.",
				groups, "nodes", "redis://c");
		assertRefused("groups", "a;b", "Choose another id.", new String[] { "groups[a;b].nodes", "redis://a" });
		for (String backend : List.of("redis", "zookeeper")) {
			assertRefused("groups", "a, b", "Remove distributed-lock.backend, or the groups.", groups, "backend",
					backend);
		}
		assertThat(engineSettings(joined(groups, "backend", "in-memory"))).isNotNull();
		assertThat(engineSettings(joined(groups, "backend", "embedded"))).isNotNull();
		assertThat(engineSettings(joined(groups, "backend", "redlock"))).isNotNull();
	}

	private static void assertRefused(String property, @Nullable String value, String action, String[] groups,
			String... more) {
		assertThatExceptionOfType(InvalidLockConfigurationException.class)
			.isThrownBy(() -> engineSettings(joined(groups, more)))
			.satisfies((failure) -> {
				assertThat(failure.getProperty()).isEqualTo("distributed-lock." + property);
				assertThat(failure.getValue()).isEqualTo(value);
				assertThat(failure.getAction()).isEqualTo(action);
			});
	}

	private static String[] joined(String[] properties, String... more) {
		return Stream.of(properties, more).flatMap(Stream::of).toArray(String[]::new);
	}

	private static EngineSettings engineSettings(String... properties) {
		LockProperties bound = TestProperties.bind(joined(new String[] { "instance-id", "shop@host:1" }, properties));
		return LockSettingsFactory.createEngineSettings(bound, new MockEnvironment(), bound.operationTimeout());
	}

	private static QuorumSettings quorumSettings(String... properties) {
		LockProperties bound = TestProperties.bind(properties);
		LockSettingsFactory.check(bound, new MockEnvironment());
		return LockSettingsFactory.createQuorumSettings(bound, "shop@host:1");
	}

	@Test
	void instanceIsKnownByApplicationHostAndProcess() throws Exception {
		String process = "@" + InetAddress.getLocalHost().getHostName() + ":" + ProcessHandle.current().pid();
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment))
			.isEqualTo("application" + process);
		this.environment.setProperty("spring.application.name", "shop");
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment)).isEqualTo("shop" + process);
	}

	@Test
	void idThatIsConfiguredIsUsed() {
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind("instance-id", "shop-1"), this.environment))
			.isEqualTo("shop-1");
		assertThat(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment))
			.isEqualTo(LockSettingsFactory.instanceId(TestProperties.bind(), this.environment));
	}

}
