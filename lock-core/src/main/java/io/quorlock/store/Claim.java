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
 * @see #builder(List)
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
	 * Build a claim for exclusive locks that are renewed, which neither waits nor is
	 * asked for more than once.
	 * @param names the names, sorted, without duplicates: all of them or none; at most
	 * {@link LockRequest#MAX_NAMES}
	 * @return the builder
	 */
	public static Builder builder(List<String> names) {
		return new Builder(names);
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
		return new Builder(this).names(some).build();
	}

	/**
	 * Return the same claim of a request that was made at another time.
	 * @param queuedAtNanos when it was made
	 * @return the claim
	 */
	public Claim queuedAt(long queuedAtNanos) {
		return (queuedAtNanos == this.queuedAtNanos) ? this
				: new Builder(this).waiting(queuedAtNanos, this.waitNanos).build();
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

	/**
	 * Builds a {@link Claim}. What the parts mean is said there.
	 */
	public static final class Builder {

		private List<String> names;

		private LockMode mode = LockMode.EXCLUSIVE;

		private int permits;

		private boolean fair;

		private long leaseNanos;

		private boolean renewed = true;

		private int tokens = 1;

		private long queuedAtNanos;

		private long waitNanos;

		private int maxAttempts = Integer.MAX_VALUE;

		private boolean failFast;

		private boolean retained;

		private Builder(List<String> names) {
			this.names = names;
		}

		private Builder(Claim claim) {
			this.names = claim.names;
			this.mode = claim.mode;
			this.permits = claim.permits;
			this.fair = claim.fair;
			this.leaseNanos = claim.leaseNanos;
			this.renewed = claim.renewed;
			this.tokens = claim.tokens;
			this.queuedAtNanos = claim.queuedAtNanos;
			this.waitNanos = claim.waitNanos;
			this.maxAttempts = claim.maxAttempts;
			this.failFast = claim.failFast;
			this.retained = claim.retained;
		}

		private Builder names(List<String> names) {
			this.names = names;
			return this;
		}

		/**
		 * Set what kind of lock it is.
		 * @param mode how the lock excludes others
		 * @param permits how many may hold the name at once, 0 for a plain lock
		 * @param fair whether the claim is served in the order of asking
		 * @return this builder
		 */
		public Builder kind(LockMode mode, int permits, boolean fair) {
			this.mode = mode;
			this.permits = permits;
			this.fair = fair;
			return this;
		}

		/**
		 * Set the lease.
		 * @param leaseNanos how long it is
		 * @param renewed whether it is kept alive until the release
		 * @return this builder
		 */
		public Builder lease(long leaseNanos, boolean renewed) {
			this.leaseNanos = leaseNanos;
			this.renewed = renewed;
			return this;
		}

		/**
		 * Set whether this process may keep the lease while it is unused.
		 * @param retained whether it may
		 * @return this builder
		 */
		public Builder retained(boolean retained) {
			this.retained = retained;
			return this;
		}

		/**
		 * Set how many fencing tokens the grant takes for each name.
		 * @param tokens the number, at least 1
		 * @return this builder
		 */
		public Builder tokens(int tokens) {
			this.tokens = tokens;
			return this;
		}

		/**
		 * Set how long to wait.
		 * @param queuedAtNanos when the request was made
		 * @param waitNanos how long to wait from then on, 0 to ask once
		 * @return this builder
		 */
		public Builder waiting(long queuedAtNanos, long waitNanos) {
			this.queuedAtNanos = queuedAtNanos;
			this.waitNanos = waitNanos;
			return this;
		}

		/**
		 * Set how often to ask.
		 * @param maxAttempts how often at most
		 * @param failFast whether to fail after the first attempt that no quorum replied
		 * to
		 * @return this builder
		 */
		public Builder attempts(int maxAttempts, boolean failFast) {
			this.maxAttempts = maxAttempts;
			this.failFast = failFast;
			return this;
		}

		/**
		 * Build the claim.
		 * @return the claim
		 * @throws IllegalArgumentException if it is for more than
		 * {@link LockRequest#MAX_NAMES} names
		 */
		public Claim build() {
			return new Claim(this.names, this.mode, this.permits, this.fair, this.leaseNanos, this.renewed, this.tokens,
					this.queuedAtNanos, this.waitNanos, this.maxAttempts, this.failFast, this.retained);
		}

	}

}
