package io.quorlock.quorum;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.quorum.node.Ticket.Registration;
import io.quorlock.store.Claim;

/**
 * The ticket of a claim (R21): whether the nodes are to write it down, and whether it is
 * still to be removed. Not thread-safe: the contender guards it.
 */
final class Queueing {

	private static final long LEAST_PATIENCE_MILLIS = 1_000;

	private final Ticket ticket;

	/** Whether some node may have written the ticket down. */
	private boolean registered;

	Queueing(Rounds rounds, Claim claim, String claimId) {
		long micros = rounds.proposals().micros() - (rounds.clock().nanoTime() - claim.queuedAtNanos()) / 1_000;
		this.ticket = Ticket.of(micros, claim.mode() == LockMode.SHARED, claimId, registration(claim),
				Math.max(LEAST_PATIENCE_MILLIS, rounds.timing().patienceMillis()));
	}

	private static Registration registration(Claim claim) {
		if (claim.isImmediate()) {
			return Registration.NEVER;
		}
		if (claim.fair() || claim.mode() == LockMode.SHARED) {
			return Registration.WHEN_REFUSED;
		}
		return (claim.permits() > 0) ? Registration.NEVER : Registration.BEHIND_READERS;
	}

	/** Return what a claim locks. */
	static LockTarget target(Claim claim) {
		if (claim.permits() > 0) {
			return LockTarget.permits(claim.names().get(0), claim.permits());
		}
		return (claim.mode() == LockMode.SHARED) ? LockTarget.shared(claim.names())
				: LockTarget.exclusive(claim.names());
	}

	/**
	 * Return the ticket for the next attempt. A claim whose last attempt no quorum
	 * replied to registers nothing until one does: it would only be in the way of others.
	 */
	Ticket forAttempt(@Nullable AcquireRound last) {
		if (last != null && !last.decision().isVoted()) {
			return this.ticket.with(Registration.NEVER);
		}
		return this.ticket;
	}

	/**
	 * An attempt failed; a node that has not replied may have written the ticket down.
	 */
	void refused(AcquireRound round) {
		this.registered |= this.ticket.registration() == Registration.WHEN_REFUSED
				|| round.decision().ballot().registering(this.ticket) != 0;
	}

	/**
	 * Return whether every attempt asks all nodes, since each writes the ticket down
	 * anew.
	 */
	boolean asksAll() {
		return this.registered || this.ticket.registration() == Registration.WHEN_REFUSED;
	}

	/** Return whether the ticket is to be removed, once. */
	boolean takeRegistration() {
		boolean registered = this.registered;
		this.registered = false;
		return registered;
	}

	Ticket ticket() {
		return this.ticket;
	}

}
