package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockUnavailableException;
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
			return notAcquired(held.owner(), LogText.escape(held.description()), null);
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
						LogText.escape(lease.toString()), (nowNanos - holder.sinceNanos()) / 1_000_000),
				null);
	}

	LockException behindOthers(String instanceId) {
		return notAcquired(instanceId, "another thread of this instance is in front of it", null);
	}

	LockException interrupted(InterruptedException cause) {
		return notAcquired(null, "the wait was interrupted", cause);
	}

	LockException cancelled() {
		return notAcquired(null, "the wait was cancelled", new CancellationException());
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

	private LockNotAcquiredException notAcquired(@Nullable String owner, String why, @Nullable Throwable cause) {
		Duration waited = Duration.ofNanos(this.waitedNanos);
		return new LockNotAcquiredException("Lock '%s' was not acquired within %d ms (%s): %s"
			.formatted(LogText.escape(this.names), waited.toMillis(), count(), why), this.names, owner, waited,
				this.attempts, cause);
	}

	private String count() {
		return this.attempts + ((this.attempts == 1) ? " attempt" : " attempts");
	}

}
