package io.quorlock.autoconfigure;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.LockProperties.Backend;
import io.quorlock.engine.LockSettings;

/**
 * Checks the properties, and makes of them what the engine wants to be told.
 */
final class LockSettingsFactory {

	private static final String PREFIX = "distributed-lock.";

	private final LockProperties properties;

	LockSettingsFactory(LockProperties properties) {
		this.properties = properties;
	}

	/**
	 * Makes the settings.
	 * @param defaultInstanceId the instance id, if none is configured
	 * @return the settings
	 * @throws InvalidLockConfigurationException if a property cannot work
	 */
	LockSettings create(String defaultInstanceId) {
		checkNames();
		checkTimes();
		checkSafety();
		checkLimits();
		LockProperties p = this.properties;
		return new LockSettings((p.instanceId() != null) ? p.instanceId() : defaultInstanceId, p.keyPrefix(),
				p.waitTime(), p.leaseTime(), p.maxLeaseTime(),
				Objects.requireNonNullElse(p.maxHoldTime(), Duration.ZERO), operationTimeout(), p.retry().minDelay(),
				p.retry().maxDelay(), Objects.requireNonNullElse(p.retry().maxAttempts(), Integer.MAX_VALUE),
				p.clockDriftFactor(), p.fencing().enabled(), p.fencing().retention(), p.localHandover().max(),
				p.localHandover().maxDuration());
	}

	/** A node may be asked to wait for its replicas before it answers. */
	private Duration operationTimeout() {
		LockProperties p = this.properties;
		Duration timeout = p.connection().operationTimeout();
		return (usesRedis() && p.redis().waitReplicas() > 0) ? timeout.plus(p.redis().waitTimeout()) : timeout;
	}

	private boolean usesRedis() {
		LockProperties p = this.properties;
		return (p.backend() != null) ? p.backend() == Backend.REDIS : p.nodes().isEmpty();
	}

	private void checkNames() {
		String keyPrefix = this.properties.keyPrefix();
		require(!keyPrefix.contains("{") && !keyPrefix.contains("}"), "key-prefix", keyPrefix,
				"it contains a brace, and the braces around a lock's name must be the only ones in its key",
				"Choose a prefix without braces.");
		String instanceId = this.properties.instanceId();
		require(instanceId == null || StringUtils.hasText(instanceId), "instance-id", instanceId, "it is blank",
				"Remove the property to get the default, or give it a name that tells people which instance it is.");
	}

	private void checkTimes() {
		LockProperties p = this.properties;
		notNegative("wait-time", p.waitTime());
		positive("lease-time", p.leaseTime());
		positive("max-lease-time", p.maxLeaseTime());
		if (p.maxHoldTime() != null) {
			positive("max-hold-time", p.maxHoldTime());
		}
		positive("connection.operation-timeout", p.connection().operationTimeout());
		positive("redis.wait-timeout", p.redis().waitTimeout());
		Duration operationTimeout = operationTimeout();
		positive("connection.connect-timeout", p.connection().connectTimeout());
		require(operationTimeout.compareTo(p.leaseTime()) < 0, "connection.operation-timeout", text(operationTimeout),
				"it must be shorter than " + PREFIX + "lease-time, which is " + text(p.leaseTime())
						+ ": a lease must not end before a node has answered",
				"Shorten the operation timeout, or lengthen the lease time.");
		require(p.leaseTime().compareTo(p.maxLeaseTime()) <= 0, "lease-time", text(p.leaseTime()),
				"it must not exceed " + PREFIX + "max-lease-time, which is " + text(p.maxLeaseTime()),
				"Shorten the lease time, or raise " + PREFIX + "max-lease-time on all instances.");
		positive("retry.min-delay", p.retry().minDelay());
		require(p.retry().minDelay().compareTo(p.retry().maxDelay()) <= 0, "retry.min-delay",
				text(p.retry().minDelay()),
				"it must not exceed " + PREFIX + "retry.max-delay, which is " + text(p.retry().maxDelay()),
				"Lower the shortest pause, or raise the longest.");
		notNegative("local-handover.max-duration", p.localHandover().maxDuration());
	}

	private void checkSafety() {
		LockProperties p = this.properties;
		require(p.clockDriftFactor() >= 0 && p.clockDriftFactor() < 1, "clock-drift-factor",
				String.valueOf(p.clockDriftFactor()), "it must be at least 0 and less than 1",
				"Use a fraction: 0.01 allows clocks to differ by one percent in rate.");
		Duration quarantine = p.effectiveRestartQuarantine();
		notNegative("restart-quarantine", quarantine);
		require(quarantine.isZero() || quarantine.compareTo(p.maxLeaseTime()) >= 0, "restart-quarantine",
				text(quarantine),
				"it is shorter than " + PREFIX + "max-lease-time, which is " + text(p.maxLeaseTime())
						+ ": a node that restarted empty would count while locks that it forgot are still held",
				"Raise it to at least the longest lease of any client of the nodes, or set it to 0 to switch the quarantine off.");
		Duration retention = p.fencing().retention();
		notNegative("fencing.retention", retention);
		require(!p.fencing().enabled() || retention.compareTo(quarantine) >= 0, "fencing.retention", text(retention),
				"it is shorter than the restart quarantine, which is " + text(quarantine)
						+ ": nodes that count could have forgotten the last fencing token",
				"Raise it to at least the restart quarantine.");
	}

	private void checkLimits() {
		LockProperties p = this.properties;
		Integer maxAttempts = p.retry().maxAttempts();
		atLeast(1, "retry.max-attempts", (maxAttempts != null) ? maxAttempts : Integer.MAX_VALUE);
		atLeast(1, "embedded.nodes", p.embedded().nodes());
		atLeast(0, "local-handover.max", p.localHandover().max());
		atLeast(0, "redis.wait-replicas", p.redis().waitReplicas());
	}

	private void notNegative(String property, Duration value) {
		require(!value.isNegative(), property, text(value), "it must not be negative", "Use a duration of 0 or more.");
	}

	private void positive(String property, Duration value) {
		require(value.toMillis() > 0, property, text(value), "it must be at least one millisecond",
				"Use a longer duration.");
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
