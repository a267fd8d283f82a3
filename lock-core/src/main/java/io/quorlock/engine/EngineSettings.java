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

import io.quorlock.LogText;

import static io.quorlock.SettingCheck.check;

/**
 * The settings of a {@link LockEngine}.
 *
 * @param instanceId the readable owner of the locks of this instance
 * @param propertyPrefix what stands before the names of settings in messages, with its
 * separator
 * @param waitTime how long a request waits that has no wait time of its own; zero if it
 * does not wait
 * @param leaseTime the lease that is kept alive until the release; positive
 * @param maxLeaseTime the longest lease that a request may ask for; positive
 * @param maxHoldTime for how long a lock is kept alive at most; zero for no limit
 * @param immediateLimit how long a request may take that does not wait for a holder: two
 * operation timeouts of the store
 * @param maxAttempts how often a request is asked for, {@link Integer#MAX_VALUE} for no
 * limit; at least 1
 * @param unavailableFailFast whether a request fails after one attempt that no quorum
 * replied to
 * @param handoverMax how many threads of this process one grant may serve; 0 or 1 for no
 * hand-over
 * @param handoverMaxDuration for how long one grant may be handed over
 * @param retainTime how long an unused lease is kept; zero to release at once
 * @param recordingCallers whether each request records the stack of its caller, to warn
 * of leaks
 * @param confirmingReleases whether closing a handle waits until the release is confirmed
 * @since 0.1.0
 * @see #builder(String)
 */
public record EngineSettings(String instanceId, String propertyPrefix, Duration waitTime, Duration leaseTime,
		Duration maxLeaseTime, Duration maxHoldTime, Duration immediateLimit, int maxAttempts,
		boolean unavailableFailFast, int handoverMax, Duration handoverMaxDuration, Duration retainTime,
		boolean recordingCallers, boolean confirmingReleases) {

	private EngineSettings checked() {
		check(!this.waitTime.isNegative(), "wait time", this.waitTime);
		check(this.leaseTime.compareTo(Duration.ZERO) > 0, "lease time", this.leaseTime);
		check(this.maxLeaseTime.compareTo(Duration.ZERO) > 0, "longest lease", this.maxLeaseTime);
		check(!this.maxHoldTime.isNegative(), "longest hold", this.maxHoldTime);
		check(this.maxAttempts >= 1, "number of attempts", this.maxAttempts);
		check(!this.retainTime.isNegative(), "retain time", this.retainTime);
		return this;
	}

	/**
	 * Create a builder with the documented defaults.
	 * @param instanceId the readable owner of the locks of this instance
	 * @return the builder
	 */
	public static Builder builder(String instanceId) {
		return new Builder(instanceId);
	}

	/** Check a lease that a user asks for. */
	void checkLease(Duration lease, String name) {
		if (lease.compareTo(this.maxLeaseTime) > 0) {
			throw new IllegalArgumentException("Lease time %s of lock '%s' is longer than %s (%s)".formatted(lease,
					LogText.escape(name), nameOf("max-lease-time"), this.maxLeaseTime));
		}
		if (lease.toMillis() <= 0) {
			throw new IllegalArgumentException(
					"Lease time %s of lock '%s' is shorter than 1 ms".formatted(lease, LogText.escape(name)));
		}
	}

	String nameOf(String setting) {
		return this.propertyPrefix + setting;
	}

	/**
	 * Builds {@link EngineSettings}: each method sets the component of its name, which is
	 * documented there.
	 */
	public static final class Builder {

		private final String instanceId;

		private String propertyPrefix = "";

		private Duration waitTime = Duration.ofSeconds(5);

		private Duration leaseTime = Duration.ofSeconds(30);

		private Duration maxLeaseTime = Duration.ofSeconds(60);

		private Duration maxHoldTime = Duration.ZERO;

		private Duration immediateLimit = Duration.ofMillis(200);

		private int maxAttempts = Integer.MAX_VALUE;

		private boolean unavailableFailFast;

		private int handoverMax = 16;

		private Duration handoverMaxDuration = Duration.ofMillis(50);

		private Duration retainTime = Duration.ZERO;

		private boolean recordingCallers;

		private boolean confirmingReleases = true;

		private Builder(String instanceId) {
			this.instanceId = instanceId;
		}

		/**
		 * Set the {@linkplain EngineSettings#propertyPrefix() component} of this name.
		 * @param propertyPrefix its value
		 * @return this builder
		 */
		public Builder propertyPrefix(String propertyPrefix) {
			this.propertyPrefix = propertyPrefix;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#waitTime() component} of this name.
		 * @param waitTime its value
		 * @return this builder
		 */
		public Builder waitTime(Duration waitTime) {
			this.waitTime = waitTime;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#leaseTime() component} of this name.
		 * @param leaseTime its value
		 * @return this builder
		 */
		public Builder leaseTime(Duration leaseTime) {
			this.leaseTime = leaseTime;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#maxLeaseTime() component} of this name.
		 * @param maxLeaseTime its value
		 * @return this builder
		 */
		public Builder maxLeaseTime(Duration maxLeaseTime) {
			this.maxLeaseTime = maxLeaseTime;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#maxHoldTime() component} of this name.
		 * @param maxHoldTime its value
		 * @return this builder
		 */
		public Builder maxHoldTime(Duration maxHoldTime) {
			this.maxHoldTime = maxHoldTime;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#immediateLimit() component} of this name.
		 * @param immediateLimit its value
		 * @return this builder
		 */
		public Builder immediateLimit(Duration immediateLimit) {
			this.immediateLimit = immediateLimit;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#maxAttempts() component} of this name.
		 * @param maxAttempts its value
		 * @return this builder
		 */
		public Builder maxAttempts(int maxAttempts) {
			this.maxAttempts = maxAttempts;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#unavailableFailFast() component} of this
		 * name.
		 * @param unavailableFailFast its value
		 * @return this builder
		 */
		public Builder unavailableFailFast(boolean unavailableFailFast) {
			this.unavailableFailFast = unavailableFailFast;
			return this;
		}

		/**
		 * Set how often and for how long one grant may be handed over.
		 * @param max how many threads it may serve; 0 or 1 for no hand-over
		 * @param maxDuration for how long it may be handed over
		 * @return this builder
		 */
		public Builder handover(int max, Duration maxDuration) {
			this.handoverMax = max;
			this.handoverMaxDuration = maxDuration;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#retainTime() component} of this name.
		 * @param retainTime its value
		 * @return this builder
		 */
		public Builder retainTime(Duration retainTime) {
			this.retainTime = retainTime;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#recordingCallers() component} of this name.
		 * @param recordingCallers its value
		 * @return this builder
		 */
		public Builder recordingCallers(boolean recordingCallers) {
			this.recordingCallers = recordingCallers;
			return this;
		}

		/**
		 * Set the {@linkplain EngineSettings#confirmingReleases() component} of this
		 * name.
		 * @param confirmingReleases its value
		 * @return this builder
		 */
		public Builder confirmingReleases(boolean confirmingReleases) {
			this.confirmingReleases = confirmingReleases;
			return this;
		}

		/**
		 * Build the settings.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is out of range
		 */
		public EngineSettings build() {
			return new EngineSettings(this.instanceId, this.propertyPrefix, this.waitTime, this.leaseTime,
					this.maxLeaseTime, this.maxHoldTime, this.immediateLimit, this.maxAttempts,
					this.unavailableFailFast, this.handoverMax, this.handoverMaxDuration, this.retainTime,
					this.recordingCallers, this.confirmingReleases)
				.checked();
		}

	}

}
