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

import org.jspecify.annotations.Nullable;

import io.quorlock.LockCancelledException;
import io.quorlock.LockException;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;
import io.quorlock.LogText;
import io.quorlock.store.ClaimFailure;

/**
 * Makes the exceptions that explain to a caller why a lock was not acquired.
 *
 * @param names the names that were asked for, joined by commas
 * @param waitedNanos how long the request waited
 * @param attempts how often the store was asked
 */
record Failures(String names, long waitedNanos, int attempts) {

	LockException of(ClaimFailure failure) {
		if (failure instanceof ClaimFailure.Held held) {
			return notAcquired(held.owner(), LogText.escape(held.description()));
		}
		if (failure instanceof ClaimFailure.Cancelled) {
			return cancelled();
		}
		return unavailable(failure.description());
	}

	LockException heldHere(HeldLease lease, String instanceId, long nowNanos) {
		Holder holder = lease.holder();
		return notAcquired(instanceId,
				"thread '%s' of this instance has held '%s' for %d ms".formatted(holder.caller().thread(),
						LogText.escape(lease.toString()), (nowNanos - holder.sinceNanos()) / 1_000_000));
	}

	LockException behindOthers(String instanceId) {
		return notAcquired(instanceId, "another thread of this instance is in front of it");
	}

	LockException interrupted(InterruptedException cause) {
		return new LockInterruptedException(ended("interrupted"), this.names, waited(), cause);
	}

	LockException cancelled() {
		return new LockCancelledException(ended("cancelled"), this.names, waited());
	}

	private String ended(String how) {
		return "The wait for lock '%s' was %s after %d ms and %s".formatted(LogText.escape(this.names), how,
				waited().toMillis(), count());
	}

	private Duration waited() {
		return Duration.ofNanos(this.waitedNanos);
	}

	LockException stopped() {
		return unavailable("the lock engine of this instance is stopped");
	}

	LockException lostBeforeHandOut() {
		return unavailable("it was granted, but lost before the caller got it: the lease is too short for the pauses "
				+ "of this process, or an operator released it");
	}

	LockException refused(IllegalArgumentException refusal) {
		return unavailable(String.valueOf(refusal.getMessage()));
	}

	LockUnavailableException unavailable(String why) {
		return new LockUnavailableException("Lock '%s' is unavailable after %d ms and %s: %s"
			.formatted(LogText.escape(this.names), this.waitedNanos / 1_000_000, count(), why));
	}

	private LockNotAcquiredException notAcquired(@Nullable String owner, String why) {
		return new LockNotAcquiredException("Lock '%s' was not acquired within %d ms (%s): %s"
			.formatted(LogText.escape(this.names), waited().toMillis(), count(), why), this.names, owner, waited(),
				this.attempts);
	}

	private String count() {
		return this.attempts + ((this.attempts == 1) ? " attempt" : " attempts");
	}

}
