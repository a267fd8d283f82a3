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

package io.quorlock.quorum;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * The settings of a {@link QuorumStore}.
 *
 * @param instanceId the readable owner, part of every token
 * @param operationTimeout how long a node may take to reply; positive
 * @param retryMinDelay the shortest random pause between two attempts (R4)
 * @param retryMaxDelay the longest one, not shorter than that
 * @param maxLeaseTime the longest lease that any client of the nodes asks for; positive
 * @param clockDriftFactor by how much the rates of two clocks may differ, relatively
 * (R1); 0 to 0.1
 * @param fencing whether grants carry fencing tokens (R9)
 * @param fencingRetention how long a fence key outlives its last use (R9)
 * @param fencingFloor the least token that is ever proposed, for locks whose tokens were
 * issued by another store before (R22): microseconds since 1970-01-01T00:00Z, as tokens
 * are; 0 for none
 * @param handoverMaxDuration for how long one lease may be handed over inside this
 * process (R17)
 * @param lockDelay how long keys outlive the validity of a lease that was not released in
 * time (R25); zero for none
 * @param random the source of random numbers, uniformly distributed over all longs, so
 * that a simulation can be repeated (R16)
 * @param identity the source of what distinguishes this owner from every other one. A
 * checkpoint of a process may be restored several times, with the state of its random
 * numbers, and each copy is an owner of its own: by default this asks the system anew.
 * @since 0.1.0
 * @see #builder(String)
 */
public record QuorumSettings(String instanceId, Duration operationTimeout, Duration retryMinDelay,
		Duration retryMaxDelay, Duration maxLeaseTime, double clockDriftFactor, boolean fencing,
		Duration fencingRetention, long fencingFloor, Duration handoverMaxDuration, Duration lockDelay,
		LongSupplier random, LongSupplier identity) {

	public QuorumSettings {
		check(operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", operationTimeout);
		check(retryMinDelay.compareTo(retryMaxDelay) <= 0 && !retryMinDelay.isNegative(), "shortest retry delay",
				retryMinDelay);
		check(maxLeaseTime.compareTo(Duration.ZERO) > 0, "longest lease", maxLeaseTime);
		check(clockDriftFactor >= 0 && clockDriftFactor <= 0.1, "clock drift factor", clockDriftFactor);
		check(!fencingRetention.isNegative(), "fencing retention", fencingRetention);
		check(fencingFloor >= 0, "fencing floor", fencingFloor);
		check(!lockDelay.isNegative(), "lock delay", lockDelay);
	}

	private static void check(boolean valid, String component, Object value) {
		if (!valid) {
			throw new IllegalArgumentException("Invalid %s: %s".formatted(component, value));
		}
	}

	/**
	 * Create a builder with the documented defaults.
	 * @param instanceId the readable owner, part of every token
	 * @return the builder
	 */
	public static Builder builder(String instanceId) {
		return new Builder(instanceId);
	}

	/**
	 * Builds {@link QuorumSettings}: each method sets the component of its name, which is
	 * documented there.
	 *
	 * @hidden
	 */
	public static final class Builder {

		private final String instanceId;

		private Duration operationTimeout = Duration.ofMillis(100);

		private Duration retryMinDelay = Duration.ofMillis(50);

		private Duration retryMaxDelay = Duration.ofMillis(500);

		private Duration maxLeaseTime = Duration.ofSeconds(60);

		private double clockDriftFactor = 0.01;

		private boolean fencing = true;

		private Duration fencingRetention = Duration.ofMinutes(10);

		private long fencingFloor;

		private Duration handoverMaxDuration = Duration.ofMillis(50);

		private Duration lockDelay = Duration.ZERO;

		private LongSupplier random = () -> ThreadLocalRandom.current().nextLong();

		private LongSupplier identity = () -> new SecureRandom().nextLong();

		private Builder(String instanceId) {
			this.instanceId = instanceId;
		}

		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		public Builder retryDelay(Duration min, Duration max) {
			this.retryMinDelay = min;
			this.retryMaxDelay = max;
			return this;
		}

		public Builder maxLeaseTime(Duration maxLeaseTime) {
			this.maxLeaseTime = maxLeaseTime;
			return this;
		}

		public Builder clockDriftFactor(double clockDriftFactor) {
			this.clockDriftFactor = clockDriftFactor;
			return this;
		}

		public Builder fencing(boolean fencing) {
			this.fencing = fencing;
			return this;
		}

		public Builder fencingRetention(Duration fencingRetention) {
			this.fencingRetention = fencingRetention;
			return this;
		}

		public Builder fencingFloor(long fencingFloor) {
			this.fencingFloor = fencingFloor;
			return this;
		}

		public Builder handoverMaxDuration(Duration handoverMaxDuration) {
			this.handoverMaxDuration = handoverMaxDuration;
			return this;
		}

		public Builder lockDelay(Duration lockDelay) {
			this.lockDelay = lockDelay;
			return this;
		}

		public Builder random(LongSupplier random) {
			this.random = random;
			this.identity = random; // or a simulation could not be repeated
			return this;
		}

		public QuorumSettings build() {
			return new QuorumSettings(this.instanceId, this.operationTimeout, this.retryMinDelay, this.retryMaxDelay,
					this.maxLeaseTime, this.clockDriftFactor, this.fencing, this.fencingRetention, this.fencingFloor,
					this.handoverMaxDuration, this.lockDelay, this.random, this.identity);
		}

	}

}
