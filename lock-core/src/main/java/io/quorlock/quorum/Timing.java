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

import java.util.function.LongSupplier;

/**
 * The intervals that follow from the settings, in nanoseconds.
 */
final class Timing {

	/** The expiry of keys comes in milliseconds, and may be a little late. */
	private static final long EXPIRY_MARGIN_NANOS = 2_000_000;

	/** Nodes take what ends later for a ticket from before their clock was set back. */
	private static final long LONGEST_TICKET_NANOS = 30_000_000_000L;

	private final double driftFactor;

	final long operationTimeoutNanos;

	private final long minDelayNanos;

	final long maxDelayNanos;

	private final long maxLeaseNanos;

	private final long retentionMillis;

	/** How long a key lives at most that a command sent now may still write. */
	final long longestLifeNanos;

	private final LongSupplier random;

	Timing(QuorumSettings settings) {
		this.driftFactor = settings.clockDriftFactor();
		this.operationTimeoutNanos = settings.operationTimeout().toNanos();
		this.minDelayNanos = settings.retryMinDelay().toNanos();
		this.maxDelayNanos = settings.retryMaxDelay().toNanos();
		this.maxLeaseNanos = settings.maxLeaseTime().toNanos();
		this.retentionMillis = settings.fencingRetention().toMillis();
		this.longestLifeNanos = this.maxLeaseNanos + driftMarginNanos(this.maxLeaseNanos) + this.operationTimeoutNanos;
		this.random = settings.random();
	}

	long operationTimeoutMillis() {
		return this.operationTimeoutNanos / 1_000_000;
	}

	/** R1: the drift of two clocks over a lease, and the granularity of expiry. */
	long driftMarginNanos(long leaseNanos) {
		return (long) (leaseNanos * this.driftFactor) + EXPIRY_MARGIN_NANOS;
	}

	/** A fence key outlives the last possible use of its lock by the retention (R9). */
	long fenceMillis(long leaseNanos) {
		return this.retentionMillis + leaseNanos / 1_000_000;
	}

	/**
	 * R19: a small part of the quarantine and of the retention, most of which is left to
	 * clocks that disagree; at most 3 s.
	 */
	long readersStepMicros() {
		long millis = Math.min(this.maxLeaseNanos / 1_000_000, 2 * Math.min(30_000, this.retentionMillis));
		return Math.max(1, millis * 1_000 / 20);
	}

	/** R21: within which time a claim that is offered a name asks for it. */
	long offerMillis() {
		return Math.max(1, 2 * operationTimeoutMillis());
	}

	/**
	 * R21: a ticket ends with the wait, and some time later; the ticket of a longer wait
	 * is written again by the attempts in between.
	 */
	long ticketMillis(long remainingNanos) {
		long min = Math.max(0, Math.min(remainingNanos, LONGEST_TICKET_NANOS));
		return Math.min(min + 2 * this.operationTimeoutNanos, LONGEST_TICKET_NANOS) / 1_000_000;
	}

	/** R4: random, growing with the attempts, between the shortest and the longest. */
	long backOffNanos(int attempts) {
		long bound = Math.min(this.maxDelayNanos, this.minDelayNanos << Math.min(attempts, 20));
		return randomNanos(this.minDelayNanos, Math.max(this.minDelayNanos, bound));
	}

	/**
	 * A random time of at least {@code min}, and less than {@code max} if that is more.
	 */
	long randomNanos(long min, long max) {
		return min + ((max > min) ? Math.floorMod(this.random.getAsLong(), max - min) : 0);
	}

	void checkLease(long leaseNanos, Object lock) {
		if (leaseNanos - driftMarginNanos(leaseNanos) <= 0) {
			throw new IllegalArgumentException(
					"Lease time %d ms of lock '%s' is too short: clock drift takes %d ms of it; the least is %d ms"
						.formatted(leaseNanos / 1_000_000, lock, driftMarginNanos(leaseNanos) / 1_000_000,
								minLeaseMillis()));
		}
	}

	private long minLeaseMillis() {
		long millis = 3;
		while (millis * 1_000_000 - driftMarginNanos(millis * 1_000_000) <= 0) {
			millis++;
		}
		return millis;
	}

}
