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

package io.quorlock.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.quorlock.Settings;
import io.quorlock.quorum.QuorumSettings;

/**
 * The settings of an engine over a quorum, as tests vary them.
 */
public record TestSettings(String instanceId, Duration waitTime, Duration leaseTime, Duration maxLeaseTime,
		Duration maxHoldTime, Duration operationTimeout, Duration retryMinDelay, Duration retryMaxDelay,
		int maxAttempts, double clockDriftFactor, boolean fencing, Duration fencingRetention, int handoverMax,
		Duration handoverMaxDuration) {

	public static TestSettings defaults(String instanceId) {
		return new TestSettings(instanceId, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(60),
				Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(50), Duration.ofMillis(500), Integer.MAX_VALUE,
				0.01, true, Duration.ofMinutes(10), 16, Duration.ofMillis(50));
	}

	/** The defaults, but for real time on a machine that is busy with other tests. */
	public static TestSettings patient(String instanceId) {
		TestSettings settings = defaults(instanceId);
		return new TestSettings(settings.instanceId, settings.waitTime, settings.leaseTime, settings.maxLeaseTime,
				settings.maxHoldTime, Duration.ofSeconds(2), settings.retryMinDelay, settings.retryMaxDelay,
				settings.maxAttempts, settings.clockDriftFactor, settings.fencing, settings.fencingRetention,
				settings.handoverMax, settings.handoverMaxDuration);
	}

	TestSettings withoutHandover() {
		return new TestSettings(this.instanceId, this.waitTime, this.leaseTime, this.maxLeaseTime, this.maxHoldTime,
				this.operationTimeout, this.retryMinDelay, this.retryMaxDelay, this.maxAttempts, this.clockDriftFactor,
				this.fencing, this.fencingRetention, 0, this.handoverMaxDuration);
	}

	EngineSettings engine() {
		return engineBuilder().build();
	}

	Settings<EngineSettings> engineBuilder() {
		return Settings.engine(this.instanceId)
			.set(EngineSettings::propertyPrefix, "distributed-lock.")
			.set(EngineSettings::waitTime, this.waitTime)
			.set(EngineSettings::leaseTime, this.leaseTime)
			.set(EngineSettings::maxLeaseTime, this.maxLeaseTime)
			.set(EngineSettings::maxHoldTime, this.maxHoldTime)
			.set(EngineSettings::immediateLimit, this.operationTimeout.multipliedBy(2))
			.set(EngineSettings::maxAttempts, this.maxAttempts)
			.set(EngineSettings::handoverMax, this.handoverMax)
			.set(EngineSettings::handoverMaxDuration, this.handoverMaxDuration);
	}

	QuorumSettings quorum(LongSupplier random) {
		return quorumBuilder(random).build();
	}

	Settings<QuorumSettings> quorumBuilder(LongSupplier random) {
		return Settings.quorum(this.instanceId)
			.set(QuorumSettings::operationTimeout, this.operationTimeout)
			.set(QuorumSettings::retryMinDelay, this.retryMinDelay)
			.set(QuorumSettings::retryMaxDelay, this.retryMaxDelay)
			.set(QuorumSettings::maxLeaseTime, this.maxLeaseTime)
			.set(QuorumSettings::clockDriftFactor, this.clockDriftFactor)
			.set(QuorumSettings::fencing, this.fencing)
			.set(QuorumSettings::fencingRetention, this.fencingRetention)
			.set(QuorumSettings::maxAloneDuration, this.handoverMaxDuration)
			.set(QuorumSettings::random, random)
			.set(QuorumSettings::identity, random);
	}

}
