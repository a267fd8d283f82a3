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

import org.jspecify.annotations.Nullable;

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
 * @param ticket the place of a claim that was refused before; {@code null} for a first
 * attempt
 * @param hint which permit to try first
 * @param retainable whether the lease may be kept while it is unused (R24)
 */
record Question(LockTarget target, long leaseNanos, int range, @Nullable Ticket ticket, int hint, boolean retainable) {

	/** Return the command of a new attempt. */
	NodeCommand.Acquire command(Rounds rounds) {
		// First the attempt, then its tokens: if a node tells its time in between, a
		// proposal is checked that need not be. In the other order one that must be
		// checked would not.
		CommandHeader header = new CommandHeader(this.target, rounds.newAttempt(this.retainable));
		FenceProposals.Proposal proposal = rounds.fencing() ? rounds.proposals().propose(this.target, this.range)
				: null;
		Timing timing = rounds.timing();
		return new NodeCommand.Acquire(header, this.leaseNanos / 1_000_000,
				(proposal != null) ? proposal.tokens() : null, (proposal != null) ? proposal.range() : this.range,
				timing.fenceMillis(this.leaseNanos), this.ticket, this.hint);
	}

}
