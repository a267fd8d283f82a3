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

	/** The ticket of a claim that was granted or ended goes (R21). */
	void withdraw(String ticket, long slots) {
		if (slots != 0) {
			CommandHeader header = new CommandHeader(this.target, new Attempt(Ticket.claimOf(ticket)));
			new Ignored(this.rounds, new NodeCommand.Withdraw(header, ticket)).submit(slots);
		}
	}

	/**
	 * Behind a grant: the ticket, which the nodes that granted have removed by
	 * themselves, and permits that are not needed any more.
	 */
	void tidy(Attempt attempt, @Nullable Ticket ticket, Ballot ballot) {
		if (ticket != null) {
			withdraw(ticket.text(), ballot.refused());
		}
		drop(attempt, ballot.permit(), ballot.strays());
	}

	/** A reply that came behind the grant: a late refusal has written the ticket down. */
	void tidy(Attempt attempt, @Nullable Ticket ticket, Ballot ballot, int slot, NodeReply reply) {
		if (reply instanceof NodeReply.Refused && ticket != null) {
			withdraw(ticket.text(), Voters.bit(slot));
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
