/**
 * Redlock over a quorum of independent nodes: rounds, votes, fencing tokens, renewal,
 * releases and waiting. Classes may know those above them in this list, never below:
 * {@code QuorumSettings}, {@code Timing}, {@code Voters}, {@code PendingReplies},
 * {@code Messenger}, {@code NodeRequest}, {@code NodeClocks}, {@code FenceProposals},
 * {@code Standings}, {@code Ballot}, {@code Release}, {@code Renewal},
 * {@code AcquireRound}, {@code RetryPolicy}, {@code QuorumGrant},
 * {@code QuorumContender}, {@code QuorumStore}.
 * <p>
 * The package {@link io.quorlock.engine} says in which order locks are taken.
 */
@NullMarked
package io.quorlock.quorum;

import org.jspecify.annotations.NullMarked;
