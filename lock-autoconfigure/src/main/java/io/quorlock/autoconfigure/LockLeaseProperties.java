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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What requests and leases are unless they say otherwise.
 *
 * @since 0.1.0
 */
public abstract class LockLeaseProperties {

	/**
	 * Time to wait for a lock that another owner holds.
	 */
	private Duration waitTime = Duration.ofSeconds(5);

	/**
	 * Whether to fail after one attempt, instead of after the wait, when no quorum of
	 * nodes replies.
	 */
	private boolean unavailableFailFast = false;

	/**
	 * Time that a lock outlives a crash of its holder. Renewed at a third of it while the
	 * lock is held.
	 */
	private Duration leaseTime = Duration.ofSeconds(30);

	/**
	 * Longest lease that may be requested.
	 */
	private Duration maxLeaseTime = Duration.ofSeconds(60);

	/**
	 * Time for which an instance keeps a lease that it no longer uses, in case it wants
	 * the lock again. Another instance that is refused meanwhile gets it after one
	 * message.
	 */
	private Duration retainTime = Duration.ofSeconds(0);

	/**
	 * When closing a lock returns: when a quorum confirmed the release, or when it was
	 * given to the connections.
	 */
	private ReleaseMode releaseMode = ReleaseMode.CONFIRMED;

	/**
	 * Whether each request records the stack of its caller, so that the warning about a
	 * lock that is held for very long shows where it was acquired.
	 */
	private boolean leakDetection = false;

	/**
	 * Time after which a lock is no longer renewed, so that a stuck worker does not hold
	 * it for ever. Unlimited by default.
	 */
	private @Nullable Duration maxHoldTime;

	/**
	 * Time during which a restarted node has no vote. At least the longest lease of any
	 * client of the nodes, or 0 to switch it off. By default the longest lease,
	 * max-lease-time.
	 */
	private @Nullable Duration restartQuarantine;

	/**
	 * Relative difference in rate that two clocks may have.
	 */
	private double clockDriftFactor = 0.01;

	public Duration getWaitTime() {
		return this.waitTime;
	}

	public void setWaitTime(Duration waitTime) {
		this.waitTime = waitTime;
	}

	public boolean isUnavailableFailFast() {
		return this.unavailableFailFast;
	}

	public void setUnavailableFailFast(boolean unavailableFailFast) {
		this.unavailableFailFast = unavailableFailFast;
	}

	public Duration getLeaseTime() {
		return this.leaseTime;
	}

	public void setLeaseTime(Duration leaseTime) {
		this.leaseTime = leaseTime;
	}

	public Duration getMaxLeaseTime() {
		return this.maxLeaseTime;
	}

	public void setMaxLeaseTime(Duration maxLeaseTime) {
		this.maxLeaseTime = maxLeaseTime;
	}

	public Duration getRetainTime() {
		return this.retainTime;
	}

	public void setRetainTime(Duration retainTime) {
		this.retainTime = retainTime;
	}

	public ReleaseMode getReleaseMode() {
		return this.releaseMode;
	}

	public void setReleaseMode(ReleaseMode releaseMode) {
		this.releaseMode = releaseMode;
	}

	public boolean isLeakDetection() {
		return this.leakDetection;
	}

	public void setLeakDetection(boolean leakDetection) {
		this.leakDetection = leakDetection;
	}

	public @Nullable Duration getMaxHoldTime() {
		return this.maxHoldTime;
	}

	public void setMaxHoldTime(@Nullable Duration maxHoldTime) {
		this.maxHoldTime = maxHoldTime;
	}

	public @Nullable Duration getRestartQuarantine() {
		return this.restartQuarantine;
	}

	public void setRestartQuarantine(@Nullable Duration restartQuarantine) {
		this.restartQuarantine = restartQuarantine;
	}

	public double getClockDriftFactor() {
		return this.clockDriftFactor;
	}

	public void setClockDriftFactor(double clockDriftFactor) {
		this.clockDriftFactor = clockDriftFactor;
	}

	/**
	 * Return the time during which a restarted node has no vote.
	 * @return the configured time or, if there is none, the longest lease; zero if the
	 * quarantine is switched off
	 */
	public Duration determineRestartQuarantine() {
		return (this.restartQuarantine != null) ? this.restartQuarantine : this.maxLeaseTime;
	}

	/**
	 * When closing a lock returns.
	 */
	public enum ReleaseMode {

		/**
		 * When a quorum confirmed the release, or after one operation timeout.
		 */
		CONFIRMED,

		/**
		 * When the release was given to the connections.
		 */
		SENT

	}

}
