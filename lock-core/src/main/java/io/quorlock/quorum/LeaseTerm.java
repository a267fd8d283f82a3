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

/**
 * How long a lease is valid, when it is renewed next, and how it ended. Decides only; the
 * grant guards it and carries the decisions out. The state and the end of the validity
 * may be read at any time.
 */
final class LeaseTerm {

	enum State {

		HELD, RELEASED, LOST

	}

	/** A timer that is so late had to wait for the process, as the replies had. */
	private static final long LATE_NANOS = 5_000_000;

	/** How long replies that have arrived take at most to be read. */
	private static final long READING_NANOS = 50_000_000;

	private final Timing timing;

	/** Whether it is kept alive. */
	final boolean renewed;

	private volatile State state = State.HELD;

	private volatile long validUntilNanos;

	private boolean renewing;

	private long leaseNanos;

	private long nextRenewalNanos;

	/** When the last request was sent that a quorum confirmed. */
	private long confirmedNanos;

	/** When the fences were given their life. */
	private long fencedNanos;

	/** When the lease is at risk, unless a renewal is confirmed until then (R26). */
	private long riskNanos;

	/** The risk was put off once, so that replies could be read. */
	private boolean riskPutOff;

	/** A renewal was sent since then. */
	private boolean asked;

	private volatile boolean atRisk;

	/** Raised when the validity is lowered: what was sent earlier cannot raise it. */
	private int epoch;

	/** How often the lease was passed on. */
	private int turn;

	private boolean downgraded;

	/** A holder asked for another lease. */
	private boolean changed;

	private String lossReason = "";

	LeaseTerm(Timing timing, boolean renewed, long leaseNanos, long sinceNanos, long validUntilNanos) {
		this.timing = timing;
		this.renewed = renewed;
		this.renewing = renewed;
		this.leaseNanos = leaseNanos;
		this.validUntilNanos = validUntilNanos;
		this.nextRenewalNanos = sinceNanos + renewalNanos();
		this.fencedNanos = sinceNanos;
		confirmed(sinceNanos);
	}

	/** R26: at risk when a third of the validity is left. */
	private void confirmed(long sentNanos) {
		this.confirmedNanos = sentNanos;
		this.riskNanos = this.validUntilNanos - (this.validUntilNanos - sentNanos) / 3;
		this.riskPutOff = false;
		this.asked = false;
	}

	/** R6: the time from one renewal to the next, a third of the lease. */
	private long renewalNanos() {
		return this.leaseNanos / 3;
	}

	/** R28: those that are due within a tenth of it share a command. */
	long jointNanos() {
		return renewalNanos() / 10;
	}

	/** Return whether half of the fences' life is over. */
	boolean isFenceDue(long now) {
		return now - this.fencedNanos >= this.timing.fenceMillis(this.leaseNanos) * 500_000;
	}

	boolean isHeld() {
		return this.state == State.HELD;
	}

	boolean isLost() {
		return this.state == State.LOST;
	}

	boolean isExpired(long now) {
		return now - this.validUntilNanos >= 0;
	}

	long validUntilNanos() {
		return this.validUntilNanos;
	}

	/** Return when the term has to be looked at again. */
	long nextLookNanos() {
		if (!this.renewing) {
			return this.validUntilNanos;
		}
		long next = earlier(this.nextRenewalNanos, this.validUntilNanos);
		return this.atRisk ? next : earlier(this.riskNanos, next);
	}

	private static long earlier(long one, long other) {
		return (one - other < 0) ? one : other;
	}

	/**
	 * Return whether a renewal is due, or soon enough to be sent together with others.
	 * Until it is confirmed the next is a retry, and comes sooner.
	 */
	boolean takeRenewal(long now) {
		long early = this.asked ? 0 : jointNanos();
		if (!isHeld() || !this.renewing || now + early - this.nextRenewalNanos < 0) {
			return false;
		}
		this.nextRenewalNanos = now
				+ Math.min(renewalNanos(), this.timing.operationTimeoutNanos + this.timing.backOffNanos(1));
		if (!this.asked) {
			this.asked = true;
			putOffRisk(now); // if sent late, after a pause: the replies need some time
		}
		return true;
	}

	/** Note that the lease is at risk, if it is by now. */
	void takeRisk(long now) {
		if (!isHeld() || !this.renewing || this.atRisk || now - this.riskNanos < 0 || isExpired(now)) {
			return;
		}
		boolean late = now - this.riskNanos > LATE_NANOS;
		this.atRisk = !(late && putOffRisk(now));
	}

	/** After a pause of the process, the replies that are there are read first. */
	private boolean putOffRisk(long now) {
		long reading = now + Math.min(READING_NANOS, (this.validUntilNanos - now) / 4);
		if (this.riskPutOff || reading - this.riskNanos <= 0) {
			return false;
		}
		this.riskPutOff = true;
		this.riskNanos = reading;
		return true;
	}

	boolean isAtRisk() {
		return this.atRisk;
	}

	long confirmedNanos() {
		return this.confirmedNanos;
	}

	/**
	 * Turn the lease into a shared one, which does not pass to a writer any more.
	 * @return false if it belongs to another holder by now
	 */
	boolean downgrade(int turn) {
		boolean its = belongsTo(turn);
		this.downgraded |= its;
		return its;
	}

	/** Return the lease of a renewal: only one that is kept alive begins anew. */
	long leaseToRenewNanos(long now) {
		return this.renewed ? this.leaseNanos : Math.max(1_000_000, this.validUntilNanos - now);
	}

	boolean belongsTo(int turn) {
		return isHeld() && this.turn == turn;
	}

	/**
	 * Take another lease from now on.
	 * @return whether it is shorter: then the validity ends earlier before the keys do
	 * (R6)
	 */
	boolean change(long leaseNanos, long now) {
		this.changed |= leaseNanos != this.leaseNanos;
		this.leaseNanos = leaseNanos;
		long until = now + leaseNanos - this.timing.driftMarginNanos(leaseNanos);
		boolean shorter = until - this.validUntilNanos < 0;
		if (shorter) {
			this.validUntilNanos = until;
			this.epoch++;
			this.nextRenewalNanos = now + renewalNanos();
			confirmed(now);
		}
		return shorter;
	}

	/**
	 * A quorum confirmed a renewal. It counts only before the old validity ended, and
	 * never lowers it (R6).
	 */
	boolean confirm(Renewal renewal, long now) {
		if (!isHeld() || isExpired(now) || renewal.epoch != this.epoch) {
			return false;
		}
		long until = renewal.sentNanos + renewal.leaseNanos - this.timing.driftMarginNanos(renewal.leaseNanos);
		this.validUntilNanos = this.validUntilNanos + Math.max(0, until - this.validUntilNanos);
		if (this.renewing) {
			this.lossReason = "";
		}
		this.nextRenewalNanos = renewal.sentNanos + renewalNanos();
		confirmed(renewal.sentNanos);
		if (renewal.command.prolong()) {
			this.fencedNanos = renewal.sentNanos;
		}
		this.atRisk = this.atRisk && now - this.riskNanos >= 0;
		return true;
	}

	/** A renewal was not confirmed. */
	boolean fail(Renewal renewal, String reason) {
		if (!isHeld() || !this.renewing || renewal.epoch < this.epoch) {
			return false;
		}
		this.lossReason = reason;
		return true;
	}

	/** The validity ends here, since another owner has the lock (R7). */
	boolean cutShort(String reason, long now) {
		if (!isHeld() || isExpired(now)) {
			return false;
		}
		this.validUntilNanos = now;
		this.lossReason = reason;
		return true;
	}

	boolean stopRenewal(String reason, int turn) {
		boolean its = belongsTo(turn);
		if (its) {
			this.renewing = false;
			this.lossReason = reason;
		}
		return its;
	}

	boolean release() {
		this.state = State.RELEASED;
		return true;
	}

	void lose(String reason) {
		this.lossReason = reason;
		this.state = State.LOST;
	}

	/** Return whether the validity has ended, and the lease with it. */
	boolean expire(long now) {
		if (!isExpired(now)) {
			return false;
		}
		if (this.lossReason.isEmpty()) {
			this.lossReason = this.renewed ? "its validity ended without a renewal (a pause of this process?)"
					: "its lease time of " + this.leaseNanos / 1_000_000 + " ms ended before it was released";
		}
		this.state = State.LOST;
		return true;
	}

	/**
	 * Pass the lease on, unless one holder extended it or could not renew it, or too
	 * little of it is left (R17).
	 */
	boolean passOn(long now) {
		boolean enoughLeft = this.validUntilNanos - now > this.leaseNanos / 2;
		if (!isHeld() || this.downgraded || !enoughLeft || this.changed || !this.lossReason.isEmpty()) {
			return false;
		}
		this.turn++;
		return true;
	}

	int epoch() {
		return this.epoch;
	}

	long leaseNanos() {
		return this.leaseNanos;
	}

	String lossReason() {
		return this.lossReason;
	}

	/** Return why a lease that is not held has ended. */
	String endReason() {
		return isLost() ? this.lossReason : "it was released";
	}

	@Override
	public String toString() {
		return this.state.toString();
	}

}
