package io.quorlock.quorum;

import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.Ticket;

/**
 * What a round asks the nodes for.
 *
 * @param target what to lock
 * @param leaseNanos the lease
 * @param range how many tokens the grant takes at most
 * @param ticket the place of the claim
 * @param hint which permit to try first
 * @param retainable whether the lease may be kept while it is unused (R24)
 */
record Question(LockTarget target, long leaseNanos, int range, Ticket ticket, int hint, boolean retainable) {

	/** Return the command of a new attempt. */
	NodeCommand.Acquire command(Rounds rounds) {
		CommandHeader header = new CommandHeader(this.target, rounds.newAttempt(this.retainable));
		FenceProposals.Proposal proposal = rounds.fencing() ? rounds.proposals().propose(this.target, this.range)
				: null;
		return new NodeCommand.Acquire(header, rounds.timing().keyMillis(this.leaseNanos),
				(proposal != null) ? proposal.tokens() : null, (proposal != null) ? proposal.range() : this.range,
				rounds.timing().fenceMillis(this.leaseNanos), this.ticket, this.hint);
	}

}
