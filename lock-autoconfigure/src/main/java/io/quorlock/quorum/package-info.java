/**
 * Redlock over a quorum of independent nodes: rounds, votes, fencing tokens, renewal,
 * releases and waiting. Classes may know those above them in this list, never below:
 * {@code QuorumSettings}, {@code Timing}, {@code Voters}, {@code PendingReplies},
 * {@code Messenger}, {@code NodeRequest}, {@code NodeClocks}, {@code FenceProposals},
 * {@code Standings}, {@code Ballot}, {@code Release}, {@code Renewal},
 * {@code AcquireRound}, {@code RetryPolicy}, {@code QuorumGrant},
 * {@code QuorumContender}, {@code QuorumStore}.
 * <p>
 * Lock order: {@code QuorumContender}, {@code AcquireRound} and {@code Watchdog} have a
 * lock each, and nothing is locked under it. No lock is held while a node, a listener or
 * another part is called.
 */
@NullMarked
package io.quorlock.quorum;

import org.jspecify.annotations.NullMarked;
