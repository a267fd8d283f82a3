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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Ticket;

/**
 * A lease that a quorum granted: keys that live for a while on the nodes, and the
 * validity that follows from it. Applications hold many thousands of them: a grant keeps
 * nothing of its round, and nothing that the store has.
 */
final class QuorumGrant extends Watchdog implements InstanceChannel.Lease {

	private static final Runnable NOTHING = () -> {
	};

	private final @Nullable Predecessor previous;

	private final int permit;

	/** The least token of each name (R9), and how many there were from that one on. */
	private final long @Nullable [] tokens;

	private final int range;

	/** How many there are, with those that were taken later (R24). */
	private volatile int taken;

	private volatile @Nullable RequestCallback onReleaseRequested;

	private volatile Runnable onWanted = NOTHING;

	/**
	 * Create the grant of a round.
	 * @param quorum the nodes
	 * @param round was granted
	 * @param renewed whether it is kept alive
	 * @param previous the release in front of the round, if it is this instance's
	 */
	QuorumGrant(Quorum quorum, AcquireRound round, boolean renewed, @Nullable Release previous) {
		super(quorum, round, renewed);
		this.permit = round.decision.ballot.permit();
		this.range = round.command.range();
		this.taken = this.range;
		long[] greatest = round.decision.fences();
		this.tokens = (greatest != null) ? plus(greatest, 1L - this.range) : null;
		this.previous = (previous != null) ? new Predecessor(previous, round.sentNanos) : null;
	}

	@Override
	public void keep(Listener listener) {
		this.quorum.channel.add(this, this.onWanted != NOTHING);
		super.keep(listener);
	}

	@Override
	void ended() {
		this.quorum.channel.remove(this, this.onWanted != NOTHING);
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.onReleaseRequested = new RequestCallback(callback);
	}

	@Override
	public void releaseRequested(String id, Duration deadline) {
		RequestCallback callback = this.onReleaseRequested;
		if (callback != null && this.term.isHeld()) {
			callback.requested(id, new ReleaseRequest(names(), deadline));
		}
	}

	@Override
	public void onWanted(Runnable callback) {
		this.onWanted = callback;
	}

	@Override
	public void wanted() {
		this.onWanted.run();
	}

	@Override
	public List<String> names() {
		return this.target.names();
	}

	@Override
	public boolean isOf(String owner) {
		return this.attempt.isOf(owner);
	}

	@Override
	public String owner() {
		return this.attempt.owner();
	}

	@Override
	public int permit() {
		return this.permit;
	}

	@Override
	public LockMode mode() {
		return (this.target.kind() == LockTarget.Kind.SHARED) ? LockMode.SHARED : LockMode.EXCLUSIVE;
	}

	@Override
	public long @Nullable [] tokens() {
		return this.tokens;
	}

	@Override
	public int tokenCount() {
		return this.range;
	}

	private static long[] plus(long[] tokens, long count) {
		long[] sums = tokens.clone();
		for (int i = 0; i < sums.length; i++) {
			sums[i] += count;
		}
		return sums;
	}

	@Override
	long @Nullable [] greatestTokens() {
		return (this.tokens != null) ? plus(this.tokens, this.taken - 1L) : null;
	}

	/**
	 * Take those that follow, by raising the fences on a majority of the nodes (R24): a
	 * claim that is granted the lock later sees what they store. One call at a time.
	 */
	@Override
	public CompletableFuture<Boolean> moreTokens(int count) {
		long[] greatest = greatestTokens();
		long[] after = (greatest != null) ? plus(greatest, count) : null;
		if (after == null || this.quorum.proposals.isFarAhead(after)) {
			return CompletableFuture.completedFuture(false);
		}
		NodeCommand.Raise raise = new NodeCommand.Raise(new CommandHeader(this.target, this.attempt), after,
				this.quorum.timing.fenceMillis(this.term.leaseNanos()), this.permit);
		return NodeQuery.ask(this.quorum, raise, this::isStored).thenApply((replies) -> {
			boolean stored = isStored(replies);
			if (stored) {
				this.taken += count;
				this.quorum.proposals.seen(names(), after);
			}
			return stored;
		});
	}

	private boolean isStored(List<@Nullable NodeReply> replies) {
		long raised = 0;
		for (int slot = 0; slot < replies.size(); slot++) {
			NodeReply reply = replies.get(slot);
			raised |= (reply instanceof NodeReply.Done && reply.voting()) ? Voters.bit(slot) : 0;
		}
		return this.quorum.voters.isMajority(raised);
	}

	@Override
	public Runnable revoke(String reason) {
		Release release = end((now) -> {
			// No renewal is sent again from here on, although the release comes later.
			this.attempt.releasing();
			this.term.lose(reason);
			return true;
		}, 0, null, (later) -> {
		});
		if (release == null) {
			return NOTHING;
		}
		reportLoss();
		return release::submit;
	}

	/**
	 * End the lease.
	 * @param cooldownNanos how long the keys stay, 0 for not at all (R18)
	 * @param now whether the release is sent at once, or with what follows
	 * @param ticket that of the next claim of this instance, if it has one (R21)
	 * @return the release, or null if the lease had ended before
	 */
	@Nullable Release release(long cooldownNanos, boolean now, @Nullable Ticket ticket) {
		if (now) {
			return end((time) -> this.term.release(), cooldownNanos, ticket, Release::submit);
		}
		Thread caller = Thread.currentThread();
		AtomicBoolean alone = new AtomicBoolean();
		Release made = end((time) -> this.term.release(), cooldownNanos, ticket,
				(release) -> send(release, alone.get() || Thread.currentThread() != caller));
		alone.set(true);
		return made;
	}

	/**
	 * A release behind a renewal that another thread is sending may come too late for
	 * what follows to flush it.
	 */
	private void send(Release release, boolean alone) {
		release.submit(false);
		if (alone) {
			this.quorum.messenger.flush();
		}
	}

	/**
	 * Return whether no other instance waited for the names when they were released
	 * before, and this process has not asked right behind its releases for too long
	 * (R17).
	 */
	boolean isAlone(long maxAloneNanos) {
		Predecessor before = this.previous;
		return before != null && this.quorum.clock.nanoTime() - before.followedNanos() < maxAloneNanos
				&& before.release().isUnheard();
	}

	/**
	 * Passes requests to release a lock on to its holder, each of them once (R24),
	 * although every node delivers it.
	 */
	static final class RequestCallback {

		/**
		 * So many instances may ask at one instant, and the messages arrive in any order.
		 */
		private static final int MAX_REMEMBERED = 64;

		private final Consumer<ReleaseRequest> callback;

		private final Deque<String> recentIds = new ArrayDeque<>();

		RequestCallback(Consumer<ReleaseRequest> callback) {
			this.callback = callback;
		}

		/** A node delivered a request. */
		void requested(String id, ReleaseRequest request) {
			if (isNew(id)) {
				this.callback.accept(request);
			}
		}

		private synchronized boolean isNew(String id) {
			if (this.recentIds.contains(id)) {
				return false;
			}
			if (this.recentIds.size() == MAX_REMEMBERED) {
				this.recentIds.removeFirst();
			}
			this.recentIds.addLast(id);
			return true;
		}

	}

	/**
	 * What the round came behind, of this instance.
	 *
	 * @param release the release
	 * @param followedNanos when the round began
	 */
	private record Predecessor(Release release, long followedNanos) {
	}

}
