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
 */
public record EngineSettings(String instanceId, String propertyPrefix, Duration waitTime, Duration leaseTime,
		Duration maxLeaseTime, Duration maxHoldTime, Duration immediateLimit, int maxAttempts,
		boolean unavailableFailFast, int handoverMax, Duration handoverMaxDuration, Duration retainTime,
		boolean recordingCallers, boolean confirmingReleases) {

	/**
	 * Create new settings.
	 * @param instanceId the readable owner of the locks of this instance
	 * @param propertyPrefix what stands before the names of settings in messages, with
	 * its separator
	 * @param waitTime how long a request waits that has no wait time of its own; zero if
	 * it does not wait
	 * @param leaseTime the lease that is kept alive until the release; positive
	 * @param maxLeaseTime the longest lease that a request may ask for; positive
	 * @param maxHoldTime for how long a lock is kept alive at most; zero for no limit
	 * @param immediateLimit how long a request may take that does not wait for a holder:
	 * two operation timeouts of the store
	 * @param maxAttempts how often a request is asked for, {@link Integer#MAX_VALUE} for
	 * no limit; at least 1
	 * @param unavailableFailFast whether a request fails after one attempt that no quorum
	 * replied to
	 * @param handoverMax how many threads of this process one grant may serve; 0 or 1 for
	 * no hand-over
	 * @param handoverMaxDuration for how long one grant may be handed over
	 * @param retainTime how long an unused lease is kept; zero to release at once
	 * @param recordingCallers whether each request records the stack of its caller, to
	 * warn of leaks
	 * @param confirmingReleases whether closing a handle waits until the release is
	 * confirmed
	 * @throws IllegalArgumentException if a value is out of range
	 */
	public EngineSettings {
		check(!waitTime.isNegative(), "wait time", waitTime);
		check(leaseTime.compareTo(Duration.ZERO) > 0, "lease time", leaseTime);
		check(maxLeaseTime.compareTo(Duration.ZERO) > 0, "longest lease", maxLeaseTime);
		check(!maxHoldTime.isNegative(), "longest hold", maxHoldTime);
		check(maxAttempts >= 1, "number of attempts", maxAttempts);
		check(!retainTime.isNegative(), "retain time", retainTime);
	}

	/** Check a lease that a user asks for. */
	void checkLease(Duration lease, String name) {
		if (lease.compareTo(this.maxLeaseTime) > 0) {
			throw new IllegalArgumentException("Lease time %s of lock '%s' is longer than %s (%s)".formatted(lease,
					LogText.escape(name), nameOf("max-lease-time"), this.maxLeaseTime));
		}
		if (lease.compareTo(Duration.ofMillis(1)) < 0) {
			throw new IllegalArgumentException(
					"Lease time %s of lock '%s' is shorter than 1 ms".formatted(lease, LogText.escape(name)));
		}
	}

	String nameOf(String setting) {
		return this.propertyPrefix + setting;
	}

}
