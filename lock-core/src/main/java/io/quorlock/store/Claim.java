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

package io.quorlock.store;

import java.util.List;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LogText;

/**
 * What one contender wants. Times in nanoseconds are readings of, or intervals on, the
 * clock that the engine and the store share.
 *
 * @param names the names, sorted, without duplicates: all of them or none; at most
 * {@link LockRequest#MAX_NAMES}
 * @param mode how the lock excludes others
 * @param permits how many may hold the name at once, 0 for a plain lock
 * @param fair whether the claim is served in the order of asking
 * @param leaseNanos how long the lease is
 * @param renewed whether the store keeps the lease alive until it is released; otherwise
 * it ends after {@code leaseNanos}
 * @param tokens how many fencing tokens the grant takes for each name, at least 1
 * @param queuedAtNanos when the request was made
 * @param waitNanos how long to wait for another holder, from {@code queuedAtNanos} on; 0
 * asks once and does not wait
 * @param maxAttempts how often to ask at most, {@link Integer#MAX_VALUE} for no limit
 * @param failFast whether to fail after the first attempt that no quorum replied to
 * @param retained whether this process may keep the lease while it is unused: a claim
 * that is refused because of it asks for it
 * @since 0.1.0
 */
public record Claim(List<String> names, LockMode mode, int permits, boolean fair, long leaseNanos, boolean renewed,
		int tokens, long queuedAtNanos, long waitNanos, int maxAttempts, boolean failFast, boolean retained) {

	/**
	 * Create a claim.
	 * @param names the names, sorted, without duplicates: all of them or none; at most
	 * {@link LockRequest#MAX_NAMES}
	 * @param mode how the lock excludes others
	 * @param permits how many may hold the name at once, 0 for a plain lock
	 * @param fair whether the claim is served in the order of asking
	 * @param leaseNanos how long the lease is
	 * @param renewed whether the store keeps the lease alive until it is released;
	 * otherwise it ends after {@code leaseNanos}
	 * @param tokens how many fencing tokens the grant takes for each name, at least 1
	 * @param queuedAtNanos when the request was made
	 * @param waitNanos how long to wait for another holder, from {@code queuedAtNanos}
	 * on; 0 asks once and does not wait
	 * @param maxAttempts how often to ask at most, {@link Integer#MAX_VALUE} for no limit
	 * @param failFast whether to fail after the first attempt that no quorum replied to
	 * @param retained whether this process may keep the lease while it is unused: a claim
	 * that is refused because of it asks for it
	 * @throws IllegalArgumentException if it is for more than
	 * {@link LockRequest#MAX_NAMES} names
	 */
	public Claim {
		if (names.size() > LockRequest.MAX_NAMES) {
			throw new IllegalArgumentException(
					"A claim is for %d names at most, not for %,d".formatted(LockRequest.MAX_NAMES, names.size()));
		}
	}

	/**
	 * Return whether the claim waits for no holder.
	 * @return {@code true} for a wait of zero
	 */
	public boolean isImmediate() {
		return this.waitNanos == 0;
	}

	/**
	 * Return the same claim for some of its names.
	 * @param some the names, sorted
	 * @return the claim
	 */
	public Claim only(List<String> some) {
		return new Claim(some, this.mode, this.permits, this.fair, this.leaseNanos, this.renewed, this.tokens,
				this.queuedAtNanos, this.waitNanos, this.maxAttempts, this.failFast, this.retained);
	}

	/**
	 * Return the same claim of a request that was made at another time.
	 * @param queuedAtNanos when it was made
	 * @return the claim
	 */
	public Claim queuedAt(long queuedAtNanos) {
		return new Claim(this.names, this.mode, this.permits, this.fair, this.leaseNanos, this.renewed, this.tokens,
				queuedAtNanos, this.waitNanos, this.maxAttempts, this.failFast, this.retained);
	}

	/**
	 * Return what is left of the wait.
	 * @param nowNanos the time
	 * @return the time left, negative if the wait is over
	 */
	public long remainingNanos(long nowNanos) {
		return this.waitNanos - (nowNanos - this.queuedAtNanos);
	}

	@Override
	public String toString() {
		return LogText.join(this.names);
	}

}
