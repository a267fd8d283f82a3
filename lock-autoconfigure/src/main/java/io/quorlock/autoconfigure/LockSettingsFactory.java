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

import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import io.quorlock.autoconfigure.LockProperties.LocalHandover;
import io.quorlock.autoconfigure.LockProperties.ReleaseMode;
import io.quorlock.engine.EngineSettings;
import io.quorlock.quorum.QuorumSettings;

/**
 * Creates the settings of the engine and the quorum from the properties.
 *
 * @since 0.1.0
 */
public final class LockSettingsFactory {

	private LockSettingsFactory() {
	}

	/**
	 * Validate the properties.
	 * @param properties the properties
	 * @param environment their source
	 * @throws InvalidLockConfigurationException if a property is invalid, or a duration
	 * has no unit: it would be in milliseconds
	 */
	static void check(LockProperties properties, Environment environment) {
		checkUnits(Binder.get(environment), LockProperties.PREFIX, LockProperties.class);
		properties.check();
	}

	private static void checkUnits(Binder binder, String prefix, Class<?> type) {
		for (RecordComponent property : type.getRecordComponents()) {
			Class<?> propertyType = property.getType();
			String name = prefix + DataObjectPropertyName.toDashedForm(property.getName());
			if (propertyType == Duration.class) {
				String value = binder.bind(name, String.class).map(String::strip).orElse(null);
				InvalidLockConfigurationException.require(value == null || !value.matches("[+-]?\\d*[1-9]\\d*"), name,
						value, "it has no unit, and would be %s milliseconds".formatted(value),
						"Write the unit, such as %ss or %sms.".formatted(value, value));
			}
			else if (propertyType.isRecord()) {
				checkUnits(binder, name + ".", propertyType);
			}
		}
	}

	/**
	 * Validate the properties, and create the settings of the engine.
	 * @param p the properties
	 * @param environment the source of the properties
	 * @param operationTimeout how long a caller waits for the servers of the backend
	 * @return the settings
	 * @throws InvalidLockConfigurationException if a property is invalid
	 */
	public static EngineSettings createEngineSettings(LockProperties p, Environment environment,
			Duration operationTimeout) {
		check(p, environment);
		LocalHandover handover = p.localHandover();
		return new EngineSettings(instanceId(p, environment), LockProperties.PREFIX, p.waitTime(), p.leaseTime(),
				p.maxLeaseTime(), Objects.requireNonNullElse(p.maxHoldTime(), Duration.ZERO),
				operationTimeout.multipliedBy(2),
				Objects.requireNonNullElse(p.retry().maxAttempts(), Integer.MAX_VALUE), p.unavailableFailFast(),
				handover.max(), handover.maxDuration(), p.retainTime(), p.leakDetection(),
				p.releaseMode() == ReleaseMode.CONFIRMED);

	}

	/**
	 * Create the settings of the quorum.
	 * @param instanceId the instance id
	 * @return the settings
	 */
	public static QuorumSettings createQuorumSettings(LockProperties p, String instanceId) {
		LockProperties.Fencing fencing = p.fencing();
		return new QuorumSettings(instanceId, p.operationTimeout(), p.retry().minDelay(), p.retry().maxDelay(),
				p.maxLeaseTime(), p.clockDriftFactor(), fencing.enabled(), fencing.retention(p.quarantine()),
				fencing.floorOrZero(), p.localHandover().maxDuration(), () -> ThreadLocalRandom.current().nextLong(),
				() -> new SecureRandom().nextLong());

	}

	/**
	 * Return the bundle that a property names.
	 * @param property the full name of the property
	 * @param bundle its value; none if it is empty
	 * @param bundles the bundles of the application
	 * @return the bundle, or {@code null} if the property is not set
	 * @throws InvalidLockConfigurationException if the application has no bundles
	 */
	public static @Nullable SslBundle sslBundle(String property, @Nullable String bundle,
			@Nullable SslBundles bundles) {
		if (!StringUtils.hasLength(bundle)) {
			return null;
		}
		if (bundles == null) {
			throw new InvalidLockConfigurationException(property, bundle, "the application has no SSL bundles",
					"Configure the bundle under spring.ssl.bundle.");
		}
		return bundles.getBundle(bundle);
	}

	static String instanceId(LockProperties properties, Environment environment) {
		return (properties.instanceId() != null) ? properties.instanceId()
				: environment.getProperty("spring.application.name", "application") + "@" + host() + ":"
						+ ProcessHandle.current().pid();
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
