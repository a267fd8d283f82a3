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

import static io.quorlock.SettingCheck.check;

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
 * @param fencingRetention how long a fence key outlives its last grant, and half of it
 * the last renewal (R9)
 * @param fencingFloor the least token that is ever proposed, for locks whose tokens were
 * issued by another store before (R22): microseconds since 1970-01-01T00:00Z, as tokens
 * are; 0 for none
 * @param handoverMaxDuration for how long one lease may be handed over inside this
 * process (R17)
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
		Duration fencingRetention, long fencingFloor, Duration handoverMaxDuration, LongSupplier random,
		LongSupplier identity) {

	private QuorumSettings checked() {
		check(this.operationTimeout.compareTo(Duration.ZERO) > 0, "operation timeout", this.operationTimeout);
		check(this.retryMinDelay.compareTo(this.retryMaxDelay) <= 0 && !this.retryMinDelay.isNegative(),
				"shortest retry delay", this.retryMinDelay);
		check(this.maxLeaseTime.compareTo(Duration.ZERO) > 0, "longest lease", this.maxLeaseTime);
		check(this.clockDriftFactor >= 0 && this.clockDriftFactor <= 0.1, "clock drift factor", this.clockDriftFactor);
		check(!this.fencingRetention.isNegative(), "fencing retention", this.fencingRetention);
		check(this.fencingFloor >= 0, "fencing floor", this.fencingFloor);
		return this;
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

		private LongSupplier random = () -> ThreadLocalRandom.current().nextLong();

		private LongSupplier identity = () -> new SecureRandom().nextLong();

		private Builder(String instanceId) {
			this.instanceId = instanceId;
		}

		/**
		 * Set the {@linkplain QuorumSettings#operationTimeout() component} of this name.
		 * @param operationTimeout its value
		 * @return this builder
		 */
		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		/**
		 * Set the pauses between two attempts.
		 * @param min the first pause
		 * @param max the longest pause
		 * @return this builder
		 */
		public Builder retryDelay(Duration min, Duration max) {
			this.retryMinDelay = min;
			this.retryMaxDelay = max;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#maxLeaseTime() component} of this name.
		 * @param maxLeaseTime its value
		 * @return this builder
		 */
		public Builder maxLeaseTime(Duration maxLeaseTime) {
			this.maxLeaseTime = maxLeaseTime;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#clockDriftFactor() component} of this name.
		 * @param clockDriftFactor its value
		 * @return this builder
		 */
		public Builder clockDriftFactor(double clockDriftFactor) {
			this.clockDriftFactor = clockDriftFactor;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#fencing() component} of this name.
		 * @param fencing its value
		 * @return this builder
		 */
		public Builder fencing(boolean fencing) {
			this.fencing = fencing;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#fencingRetention() component} of this name.
		 * @param fencingRetention its value
		 * @return this builder
		 */
		public Builder fencingRetention(Duration fencingRetention) {
			this.fencingRetention = fencingRetention;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#fencingFloor() component} of this name.
		 * @param fencingFloor its value
		 * @return this builder
		 */
		public Builder fencingFloor(long fencingFloor) {
			this.fencingFloor = fencingFloor;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#handoverMaxDuration() component} of this
		 * name.
		 * @param handoverMaxDuration its value
		 * @return this builder
		 */
		public Builder handoverMaxDuration(Duration handoverMaxDuration) {
			this.handoverMaxDuration = handoverMaxDuration;
			return this;
		}

		/**
		 * Set the {@linkplain QuorumSettings#random() component} of this name.
		 * @param random its value
		 * @return this builder
		 */
		public Builder random(LongSupplier random) {
			this.random = random;
			this.identity = random; // or a simulation could not be repeated
			return this;
		}

		/**
		 * Build the settings.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range
		 */
		public QuorumSettings build() {
			return new QuorumSettings(this.instanceId, this.operationTimeout, this.retryMinDelay, this.retryMaxDelay,
					this.maxLeaseTime, this.clockDriftFactor, this.fencing, this.fencingRetention, this.fencingFloor,
					this.handoverMaxDuration, this.random, this.identity)
				.checked();
		}

	}

}
