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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.store.Grant;
import io.quorlock.time.LockTimer;

/**
 * How long a holder may keep a lease that is renewed: until
 * {@code distributed-lock.max-hold-time}; long before that, it is reported.
 */
final class HoldLimit {

	private static final Log logger = LogFactory.getLog(HoldLimit.class);

	/** A lock that is held for so many leases is reported once. */
	private static final int LONG_HOLD_LEASES = 20;

	private final EngineSettings settings;

	private final LockTimer timer;

	private final Grant grant;

	/** Renewals of a lease are confirmed one after another. */
	private volatile boolean reported;

	private volatile LockTimer.@Nullable Timeout timeout;

	HoldLimit(EngineSettings settings, LockTimer timer, Grant grant) {
		this.settings = settings;
		this.timer = timer;
		this.grant = grant;
	}

	/** A holder has the lease from now on. */
	void start(Holder holder) {
		cancel();
		this.reported = false;
		Duration limit = this.settings.maxHoldTime();
		if (!limit.isZero() && holder.request().leaseTime() == null) {
			String reason = "it was held for longer than %s (%s)".formatted(this.settings.nameOf("max-hold-time"),
					limit);
			// It may be too late to cancel this when the next holder gets the lease.
			this.timeout = this.timer.schedule(Nanos.of(limit),
					() -> this.grant.stopRenewal(reason, holder.generation()));
		}
	}

	void cancel() {
		LockTimer.Timeout timeout = this.timeout;
		if (timeout != null) {
			timeout.cancel();
		}
	}

	/** The lease was renewed for a holder that has had it for some time. */
	void renewed(Holder holder, long heldNanos) {
		long longNanos = LONG_HOLD_LEASES * this.settings.leaseTime().toNanos();
		if (heldNanos > longNanos && !holder.releasesOnRequest() && !this.reported) {
			this.reported = true;
			Throwable stack = holder.caller().stack();
			logger.warn(
					"Lock '%s' has been held for %d s by a request of thread '%s' and is still renewed. %s"
						.formatted(LogText.names(this.grant.names()), heldNanos / 1_000_000_000,
								holder.caller().thread(),
								(stack != null) ? "It was acquired here:" : "Is its handle closed? Set "
										+ this.settings.nameOf("leak-detection") + " to record where it was taken"),
					stack);
		}
	}

}
