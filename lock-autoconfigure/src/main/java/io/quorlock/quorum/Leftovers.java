package io.quorlock.quorum;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;

/**
 * Removes what an attempt or a claim leaves behind on nodes that did not grant it, or
 * granted something else.
 */
final class Leftovers {

	private final Rounds rounds;

	private final LockTarget target;

	Leftovers(Rounds rounds, LockTarget target) {
		this.rounds = rounds;
		this.target = target;
	}

	/** A failed attempt is released (R2). */
	void release(Attempt attempt, long touched, Standings standings) {
		// R18: where the cool-down of an earlier holder is missing, it is put back.
		long millis = (this.target.kind() == LockTarget.Kind.EXCLUSIVE) ? standings.cooldownMillis() : 0;
		long cooldownUntil = 0;
		if (millis > 0) {
			cooldownUntil = this.rounds.clock().nanoTime() + millis * 1_000_000;
			this.rounds.cooldowns().add(this.target.names(), millis * 1_000_000);
		}
		new Release(this.rounds.releases(), this.target, attempt, touched, cooldownUntil).submit();
	}

	/** The ticket of a claim that was granted or ended goes (R21). */
	void withdraw(Ticket ticket, long slots) {
		if (slots != 0) {
			CommandHeader header = new CommandHeader(this.target, new Attempt(Ticket.claimOf(ticket.text())));
			new Ignored(this.rounds, new NodeCommand.Withdraw(header, ticket.text())).submit(slots);
		}
	}

	/** Behind a grant: tickets and permits that are not needed any more. */
	void tidy(Attempt attempt, Ticket ticket, Ballot ballot) {
		withdraw(ticket, ballot.registering(ticket));
		drop(attempt, ballot.permit(), ballot.strays());
	}

	/** A reply that came behind the grant. */
	void tidy(Attempt attempt, Ticket ticket, Ballot ballot, int slot, NodeReply reply) {
		if (reply instanceof NodeReply.Refused refused && ticket.isRegisteredBy(refused)) {
			withdraw(ticket, Voters.bit(slot));
		}
		else if (reply instanceof NodeReply.Granted granted && granted.permit() != ballot.permit()) {
			drop(attempt, ballot.permit(), Voters.bit(slot));
		}
	}

	/** Permits beside the one that was granted are not needed (R20). */
	void drop(Attempt attempt, int permit, long slots) {
		if (slots != 0 && !attempt.isReleasing()) {
			CommandHeader header = new CommandHeader(this.target, attempt);
			new Ignored(this.rounds, new NodeCommand.Drop(header, permit)).submit(slots);
		}
	}

	/**
	 * Put the known cool-downs back on a node that may have lost them: a lock of its own
	 * each, turned into a cool-down at once, unless another has the names (R18).
	 */
	static void restoreCooldowns(Rounds rounds, int slot) {
		rounds.cooldowns().remainingMillis().forEach((names, millis) -> {
			Attempt attempt = rounds.newAttempt(false);
			new Ignored(rounds, new NodeCommand.Acquire(names, attempt, millis, null, 1, 0)).enqueue(Voters.bit(slot));
			long until = rounds.clock().nanoTime() + millis * 1_000_000;
			// Repeated until it is confirmed: without it the lock would look like a
			// holder's.
			new Release(rounds.releases(), LockTarget.exclusive(names), attempt, Voters.bit(slot), until).submit();
		});
	}

	/** Its reply is not awaited: what is left over expires. */
	private static final class Ignored extends NodeRequest {

		private Ignored(Rounds rounds, NodeCommand command) {
			super(rounds.messenger(), command, rounds.clock().nanoTime());
		}

		@Override
		void received(int slot, NodeReply reply) {
		}

	}

}
