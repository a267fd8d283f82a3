package io.quorlock.store;

import java.util.List;

import io.quorlock.LockMode;

/**
 * What one contender wants. Times in nanoseconds are readings of, or intervals on, the
 * clock that the engine and the store share.
 *
 * @param names the names, sorted, without duplicates: all of them or none (R12)
 * @param mode how the lock excludes others
 * @param permits how many may hold the name at once, 0 for a plain lock (R20)
 * @param permit the number of the permit to try first, 0 if any will do
 * @param fair whether the claim is served in the order of asking (R21)
 * @param leaseNanos how long the lease is
 * @param renewed whether the store keeps the lease alive until it is released; otherwise
 * it ends after {@code leaseNanos}
 * @param tokens how many fencing tokens the grant takes for each name (R9, R17), at least
 * 1
 * @param queuedAtNanos when the request was made
 * @param waitNanos how long to wait for another holder, from {@code queuedAtNanos} on; 0
 * asks once and does not wait
 * @param maxAttempts how often to ask at most, {@link Integer#MAX_VALUE} for no limit
 * @param failFast whether to fail after the first attempt that no quorum replied to
 * @param retained whether this process may keep the lease while it is unused: a claim
 * that is refused because of it asks for it (R24)
 * @since 0.1.0
 */
public record Claim(List<String> names, LockMode mode, int permits, int permit, boolean fair, long leaseNanos,
		boolean renewed, int tokens, long queuedAtNanos, long waitNanos, int maxAttempts, boolean failFast,
		boolean retained) {

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
		return new Claim(some, this.mode, this.permits, this.permit, this.fair, this.leaseNanos, this.renewed,
				this.tokens, this.queuedAtNanos, this.waitNanos, this.maxAttempts, this.failFast, this.retained);
	}

	/**
	 * Return the same claim, which tries a permit first.
	 * @param permit the number of the permit, 0 if any will do
	 * @return the claim
	 */
	public Claim preferring(int permit) {
		return (permit == this.permit) ? this
				: new Claim(this.names, this.mode, this.permits, permit, this.fair, this.leaseNanos, this.renewed,
						this.tokens, this.queuedAtNanos, this.waitNanos, this.maxAttempts, this.failFast,
						this.retained);
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
		return String.join(",", this.names);
	}

}
