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
 * @since 0.1.0
 * @see #builder(String)
 */
public final class QuorumSettings {

	private final String instanceId;

	private final Duration operationTimeout;

	private final Duration retryMinDelay;

	private final Duration retryMaxDelay;

	private final Duration maxLeaseTime;

	private final double clockDriftFactor;

	private final boolean fencing;

	private final Duration fencingRetention;

	private final long fencingFloor;

	private final Duration handoverMaxDuration;

	private final Duration lockDelay;

	private final LongSupplier random;

	private final LongSupplier identity;

	private QuorumSettings(Builder builder) {
		this.instanceId = builder.instanceId;
		this.operationTimeout = builder.operationTimeout;
		this.retryMinDelay = builder.retryMinDelay;
		this.retryMaxDelay = builder.retryMaxDelay;
		this.maxLeaseTime = builder.maxLeaseTime;
		this.clockDriftFactor = builder.clockDriftFactor;
		this.fencing = builder.fencing;
		this.fencingRetention = builder.fencingRetention;
		this.fencingFloor = builder.fencingFloor;
		this.handoverMaxDuration = builder.handoverMaxDuration;
		this.lockDelay = builder.lockDelay;
		this.random = builder.random;
		this.identity = builder.identity;
	}

	/**
	 * Create a builder with the documented defaults.
	 * @param instanceId the readable owner, part of every token
	 * @return the builder
	 */
	public static Builder builder(String instanceId) {
		return new Builder(instanceId);
	}

	String instanceId() {
		return this.instanceId;
	}

	Duration operationTimeout() {
		return this.operationTimeout;
	}

	Duration retryMinDelay() {
		return this.retryMinDelay;
	}

	Duration retryMaxDelay() {
		return this.retryMaxDelay;
	}

	Duration maxLeaseTime() {
		return this.maxLeaseTime;
	}

	double clockDriftFactor() {
		return this.clockDriftFactor;
	}

	boolean fencing() {
		return this.fencing;
	}

	Duration fencingRetention() {
		return this.fencingRetention;
	}

	long fencingFloor() {
		return this.fencingFloor;
	}

	Duration handoverMaxDuration() {
		return this.handoverMaxDuration;
	}

	Duration lockDelay() {
		return this.lockDelay;
	}

	LongSupplier random() {
		return this.random;
	}

	/**
	 * Return the source of what distinguishes this owner from every other one. A
	 * checkpoint of a process may be restored several times, with the state of its random
	 * numbers, and each copy is an owner of its own: by default this asks the system
	 * anew.
	 */
	LongSupplier identity() {
		return this.identity;
	}

	/**
	 * Builds {@link QuorumSettings}.
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

		/**
		 * Set how long a node may take to reply.
		 * @param operationTimeout the time
		 * @return this builder
		 */
		public Builder operationTimeout(Duration operationTimeout) {
			this.operationTimeout = operationTimeout;
			return this;
		}

		/**
		 * Set the bounds of the random pause between two attempts (R4).
		 * @param min the shortest pause
		 * @param max the longest pause
		 * @return this builder
		 */
		public Builder retryDelay(Duration min, Duration max) {
			this.retryMinDelay = min;
			this.retryMaxDelay = max;
			return this;
		}

		/**
		 * Set the longest lease that any client of the nodes asks for.
		 * @param maxLeaseTime the lease
		 * @return this builder
		 */
		public Builder maxLeaseTime(Duration maxLeaseTime) {
			this.maxLeaseTime = maxLeaseTime;
			return this;
		}

		/**
		 * Set by how much the rates of two clocks may differ, relatively (R1).
		 * @param clockDriftFactor the factor, for example 0.01
		 * @return this builder
		 */
		public Builder clockDriftFactor(double clockDriftFactor) {
			this.clockDriftFactor = clockDriftFactor;
			return this;
		}

		/**
		 * Set whether grants carry fencing tokens (R9).
		 * @param fencing whether they do
		 * @return this builder
		 */
		public Builder fencing(boolean fencing) {
			this.fencing = fencing;
			return this;
		}

		/**
		 * Set how long a fence key outlives its last use (R9).
		 * @param fencingRetention the time
		 * @return this builder
		 */
		public Builder fencingRetention(Duration fencingRetention) {
			this.fencingRetention = fencingRetention;
			return this;
		}

		/**
		 * Set the least token that is ever proposed, for locks whose tokens were issued
		 * by another store before (R22).
		 * @param fencingFloor microseconds since 1970-01-01T00:00Z, as tokens are; 0 for
		 * none
		 * @return this builder
		 */
		public Builder fencingFloor(long fencingFloor) {
			this.fencingFloor = fencingFloor;
			return this;
		}

		/**
		 * Set for how long one lease may be handed over inside this process (R17).
		 * @param handoverMaxDuration the time
		 * @return this builder
		 */
		public Builder handoverMaxDuration(Duration handoverMaxDuration) {
			this.handoverMaxDuration = handoverMaxDuration;
			return this;
		}

		/**
		 * Set how long keys outlive the validity of a lease that was not released in time
		 * (R25).
		 * @param lockDelay the time; zero for none
		 * @return this builder
		 */
		public Builder lockDelay(Duration lockDelay) {
			this.lockDelay = lockDelay;
			return this;
		}

		/**
		 * Set the source of random numbers, so that a simulation can be repeated (R16).
		 * @param random numbers that are uniformly distributed over all longs
		 * @return this builder
		 */
		public Builder random(LongSupplier random) {
			this.random = random;
			this.identity = random;
			return this;
		}

		/**
		 * Build the settings.
		 * @return the settings
		 */
		public QuorumSettings build() {
			return new QuorumSettings(this);
		}

	}

}
