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

import java.beans.PropertyDescriptor;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.env.Environment;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import io.quorlock.LockRequest;
import io.quorlock.autoconfigure.LockLeaseProperties.ReleaseMode;
import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.EngineSettings;
import io.quorlock.quorum.QuorumSettings;

/**
 * Validates the properties and creates the settings of the engine and the quorum from
 * them.
 */
final class LockSettingsFactory {

	private static final String PREFIX = "distributed-lock.";

	/** Tokens end at 2^53, and those that follow the floor need room. */
	private static final long MAX_FLOOR = 1L << 52;

	/** A century: longer ones, added to a clock, would overflow. */
	private static final Duration LONGEST = LockRequest.UNLIMITED_WAIT;

	/** A pause of the garbage collector alone takes as long. */
	private static final Duration LEAST_OPERATION_TIMEOUT = Duration.ofMillis(5);

	/** The name of its lock has at most 1,024 characters, and may escape each of them. */
	private static final int MAX_ROLE = 256;

	private final LockProperties properties;

	LockSettingsFactory(LockProperties properties) {
		this.properties = properties;
	}

	/**
	 * Validate the properties.
	 * @throws InvalidLockConfigurationException if a property is invalid
	 */
	void check() {
		checkNames();
		checkClientName();
		checkRoles();
		checkGroups();
		checkTimes();
		checkSafety();
		checkLimits();
	}

	/**
	 * Refuse durations without a unit, which would be milliseconds.
	 * @param environment the source of the properties
	 */
	static void checkUnits(Environment environment) {
		checkUnits(Binder.get(environment), PREFIX, LockProperties.class);
	}

	private static void checkUnits(Binder binder, String prefix, Class<?> type) {
		for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
			Class<?> propertyType = property.getPropertyType();
			String name = prefix + DataObjectPropertyName.toDashedForm(property.getName());
			if (propertyType == Duration.class) {
				BindResult<String> bound = binder.bind(name, String.class);
				String value = bound.isBound() ? bound.get().strip() : "";
				if (value.matches("[+-]?\\d*[1-9]\\d*")) {
					throw new InvalidLockConfigurationException(name, value,
							"it has no unit, and would be %s milliseconds".formatted(value),
							"Write the unit, such as %ss or %sms.".formatted(value, value));
				}
			}
			else if (propertyType.getName().startsWith(LockProperties.class.getPackageName() + ".")
					&& !propertyType.isEnum()) {
				checkUnits(binder, name + ".", propertyType);
			}
		}
	}

	/**
	 * Create the settings of the engine.
	 * @param instanceId the instance id
	 * @return the settings
	 */
	EngineSettings createEngineSettings(String instanceId) {
		return createEngineSettings(instanceId, operationTimeout());
	}

	/**
	 * Create the settings of the engine.
	 * @param instanceId the instance id
	 * @param operationTimeout how long a caller waits for the servers of the backend
	 * @return the settings
	 */
	EngineSettings createEngineSettings(String instanceId, Duration operationTimeout) {
		LockProperties p = this.properties;
		return EngineSettings.builder(instanceId)
			.propertyPrefix(PREFIX)
			.waitTime(p.getWaitTime())
			.unavailableFailFast(p.isUnavailableFailFast())
			.leaseTime(p.getLeaseTime())
			.maxLeaseTime(p.getMaxLeaseTime())
			.maxHoldTime(Objects.requireNonNullElse(p.getMaxHoldTime(), Duration.ZERO))
			.retainTime(p.getRetainTime())
			.recordingCallers(p.isLeakDetection())
			.confirmingReleases(p.getReleaseMode() == ReleaseMode.CONFIRMED)
			.immediateLimit(operationTimeout.multipliedBy(2))
			.maxAttempts(Objects.requireNonNullElse(p.getRetry().getMaxAttempts(), Integer.MAX_VALUE))
			.handover(p.getLocalHandover().getMax(), p.getLocalHandover().getMaxDuration())
			.build();
	}

	/**
	 * Create the settings of the quorum.
	 * @param instanceId the instance id
	 * @return the settings
	 */
	QuorumSettings createQuorumSettings(String instanceId) {
		LockProperties p = this.properties;
		return QuorumSettings.builder(instanceId)
			.operationTimeout(operationTimeout())
			.retryDelay(p.getRetry().getMinDelay(), p.getRetry().getMaxDelay())
			.maxLeaseTime(p.getMaxLeaseTime())
			.clockDriftFactor(p.getClockDriftFactor())
			.fencing(p.getFencing().isEnabled())
			.fencingRetention(p.getFencing().determineRetention(p.determineRestartQuarantine()))
			.fencingFloor(Objects.requireNonNullElse(p.getFencing().getFloor(), 0L))
			.handoverMaxDuration(p.getLocalHandover().getMaxDuration())
			.build();
	}

	/** A node may wait for its replicas before it replies. */
	Duration operationTimeout() {
		LockProperties p = this.properties;
		Duration timeout = p.getConnection().getOperationTimeout();
		return (usesRedis() && p.getRedis().getWaitReplicas() > 0) ? timeout.plus(p.getRedis().getWaitTimeout())
				: timeout;
	}

	private boolean usesRedis() {
		LockProperties p = this.properties;
		return (p.getBackend() != null) ? p.getBackend() == Backend.REDIS
				: p.getNodes().isEmpty() && p.getGroups().isEmpty();
	}

	private void checkNames() {
		String keyPrefix = this.properties.getKeyPrefix();
		require(!keyPrefix.contains("{") && !keyPrefix.contains("}"), "key-prefix", keyPrefix,
				"it contains a brace, and the braces around a lock's name must be the only ones in its key",
				"Choose a prefix without braces.");
		String instanceId = this.properties.getInstanceId();
		require(instanceId == null || StringUtils.hasText(instanceId), "instance-id", instanceId, "it is blank",
				"Remove the property to get the default, or set it to a name by which operators recognize the instance.");
		// Messages between instances have a line for each part.
		require(instanceId == null || instanceId.chars().noneMatch(Character::isISOControl), "instance-id", instanceId,
				"it contains a line break or another control character",
				"Remove the character; in YAML, a block that begins with '|' ends with a line break.");
	}

	private void checkClientName() {
		String name = this.properties.getConnection().getClientName();
		require(name == null || name.chars().allMatch((character) -> character >= '!' && character <= '~'),
				"connection.client-name", name,
				"servers refuse every connection whose name has a space or anything but printable ASCII characters",
				"Use letters, digits, '-', '_' and '.', or remove the property.");
	}

	/** The election of a role that is no key would be tried for ever. */
	private void checkRoles() {
		for (String role : this.properties.getLeader().getRoles()) {
			require(StringUtils.hasText(role) && role.length() <= MAX_ROLE, "leader.roles", role,
					"a role has 1 to %d characters, not all of them blank".formatted(MAX_ROLE),
					"Correct the list. Roles are separated by single commas.");
		}
	}

	private void checkGroups() {
		LockProperties p = this.properties;
		String ids = String.join(", ", p.getGroups().keySet());
		require(p.getGroups().isEmpty() || p.getNodes().isEmpty(), "groups", ids,
				"it is set together with " + PREFIX
						+ "nodes, and a lock is kept either on these nodes or in one of the groups",
				"Move the nodes into a group of their own and remove " + PREFIX + "nodes. Changing where locks are kept"
						+ " needs a stop of all instances, see docs/groups.md.");
		p.getGroups()
			.keySet()
			.forEach((id) -> require(id.matches("[\\w.-]+"), "groups", id,
					"the id of a group may have letters, digits, '.', '_' and '-'", "Choose another id."));
		// Tests replace the groups, whatever the application configures.
		boolean kept = p.getBackend() != Backend.REDIS && p.getBackend() != Backend.ZOOKEEPER;
		require(p.getGroups().isEmpty() || kept, "groups", ids,
				"the backend is " + text(p.getBackend()) + ", and only independent Redis nodes form groups",
				"Remove " + PREFIX + "backend, or the groups.");
		boolean zooKeeper = p.getBackend() == null && StringUtils.hasText(p.getZookeeper().getConnectString());
		require(p.getNodes().isEmpty() || !zooKeeper, "zookeeper.connect-string", p.getZookeeper().getConnectString(),
				"it is set together with " + PREFIX + "nodes, and locks are kept either on Redis nodes or in ZooKeeper",
				"Remove one of the two, or set " + PREFIX + "backend to redlock or zookeeper.");
		require(p.getGroups().isEmpty() || !zooKeeper, "groups", ids, "it is set together with " + PREFIX
				+ "zookeeper.connect-string, and locks are kept either in groups of Redis nodes or in ZooKeeper",
				"Remove " + PREFIX
						+ "zookeeper.connect-string to use the groups, or the groups to use ZooKeeper. To have"
						+ " both in the configuration, set " + PREFIX + "backend to redlock, which uses the groups.");
	}

	/** As it is written in the configuration. */
	static @Nullable String text(@Nullable Backend backend) {
		return (backend != null) ? backend.name().toLowerCase(Locale.ROOT).replace('_', '-') : null;
	}

	private void checkTimes() {
		LockProperties p = this.properties;
		notNegative("wait-time", p.getWaitTime());
		positive("lease-time", p.getLeaseTime());
		positive("max-lease-time", p.getMaxLeaseTime());
		if (p.getMaxHoldTime() != null) {
			positive("max-hold-time", p.getMaxHoldTime());
		}
		require(p.getConnection().getOperationTimeout().compareTo(LEAST_OPERATION_TIMEOUT) >= 0,
				"connection.operation-timeout", text(p.getConnection().getOperationTimeout()),
				"it must be at least " + text(LEAST_OPERATION_TIMEOUT) + ": no reply of a node would count",
				"Use several round trips, for example 100ms.");
		notTooLong("connection.operation-timeout", p.getConnection().getOperationTimeout());
		positive("redis.wait-timeout", p.getRedis().getWaitTimeout());
		Duration operationTimeout = operationTimeout();
		positive("connection.connect-timeout", p.getConnection().getConnectTimeout());
		require(operationTimeout.compareTo(p.getLeaseTime()) < 0 || p.getLeaseTime().toSeconds() > 0, "lease-time",
				text(p.getLeaseTime()),
				"it must be longer than " + PREFIX + "connection.operation-timeout, which is " + text(operationTimeout),
				"Write the unit, such as 30s: a number without one is in milliseconds.");
		require(operationTimeout.compareTo(p.getLeaseTime()) < 0, "connection.operation-timeout",
				text(operationTimeout),
				"it must be shorter than " + PREFIX + "lease-time, which is " + text(p.getLeaseTime())
						+ ": a lease must not end before a node has replied",
				"Shorten the operation timeout, or lengthen the lease time.");
		require(p.getLeaseTime().compareTo(p.getMaxLeaseTime()) <= 0, "lease-time", text(p.getLeaseTime()),
				"it must not exceed " + PREFIX + "max-lease-time, which is " + text(p.getMaxLeaseTime()),
				"Shorten the lease time, or raise " + PREFIX + "max-lease-time on all instances.");
		positive("retry.min-delay", p.getRetry().getMinDelay());
		positive("retry.max-delay", p.getRetry().getMaxDelay());
		require(p.getRetry().getMinDelay().compareTo(p.getRetry().getMaxDelay()) <= 0, "retry.min-delay",
				text(p.getRetry().getMinDelay()),
				"it must not exceed " + PREFIX + "retry.max-delay, which is " + text(p.getRetry().getMaxDelay()),
				"Lower the shortest pause, or raise the longest.");
		notNegative("retain-time", p.getRetainTime());
		notNegative("local-handover.max-duration", p.getLocalHandover().getMaxDuration());
	}

	private void checkSafety() {
		LockProperties p = this.properties;
		require(p.getClockDriftFactor() >= 0 && p.getClockDriftFactor() <= 0.1, "clock-drift-factor",
				String.valueOf(p.getClockDriftFactor()), "it must be between 0 and 0.1",
				"Use a fraction: 0.01 allows clocks to differ by one percent in rate.");
		require(StringUtils.hasLength(p.getConnection().getPassword())
				|| !StringUtils.hasLength(p.getConnection().getUsername()), "connection.username",
				p.getConnection().getUsername(),
				"there is no " + PREFIX + "connection.password, and without one the nodes use their default user",
				"Set the password, or remove the user name.");
		Duration quarantine = p.determineRestartQuarantine();
		notNegative("restart-quarantine", quarantine);
		Duration longest = p.getMaxLeaseTime();
		require(quarantine.isZero() || quarantine.compareTo(longest) >= 0, "restart-quarantine", text(quarantine),
				"it is shorter than " + PREFIX + "max-lease-time, which is " + text(longest)
						+ ": a node that restarted empty would vote while locks that it lost are still held",
				"Raise it to at least the longest lease of any client of the nodes, or set it to 0 to switch the quarantine off.");
		Duration retention = p.getFencing().determineRetention(quarantine);
		notNegative("fencing.retention", retention);
		require(!p.getFencing().isEnabled() || retention.compareTo(quarantine) >= 0, "fencing.retention",
				text(retention),
				"it is shorter than the restart quarantine, which is " + text(quarantine)
						+ ": voting nodes could have lost the last fencing token",
				"Raise it to at least the restart quarantine.");
		long floor = Objects.requireNonNullElse(p.getFencing().getFloor(), 0L);
		require(floor >= 0 && floor <= MAX_FLOOR, "fencing.floor", String.valueOf(floor),
				"it must be between 0 and 2^52",
				"Set it to the greatest token that the other store has issued, or remove it.");
	}

	private void checkLimits() {
		LockProperties p = this.properties;
		Integer maxAttempts = p.getRetry().getMaxAttempts();
		atLeast(1, "retry.max-attempts", (maxAttempts != null) ? maxAttempts : Integer.MAX_VALUE);
		atLeast(1, "embedded.nodes", p.getEmbedded().getNodes());
		atLeast(0, "local-handover.max", p.getLocalHandover().getMax());
		atLeast(0, "redis.wait-replicas", p.getRedis().getWaitReplicas());
	}

	private void notNegative(String property, Duration value) {
		require(!value.isNegative(), property, text(value), "it must not be negative", "Use a duration of 0 or more.");
		notTooLong(property, value);
	}

	private void positive(String property, Duration value) {
		require(value.compareTo(Duration.ofMillis(1)) >= 0, property, text(value),
				"it must be at least one millisecond", "Use a longer duration.");
		notTooLong(property, value);
	}

	private void notTooLong(String property, Duration value) {
		require(value.compareTo(LONGEST) <= 0, property, text(value),
				"it must not exceed %d days".formatted(LONGEST.toDays()), "Use a shorter duration.");
	}

	private void atLeast(int minimum, String property, int value) {
		require(value >= minimum, property, String.valueOf(value), "it must be at least " + minimum,
				"Use " + minimum + " or more.");
	}

	private static void require(boolean condition, String property, @Nullable String value, String reason,
			String action) {
		if (!condition) {
			throw new InvalidLockConfigurationException(PREFIX + property, value, reason, action);
		}
	}

	private static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, Style.COMPOSITE);
	}

}
