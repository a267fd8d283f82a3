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

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.quorum.ContenderState.Phase;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.time.LockTimer;

/**
 * A claim that asks the nodes. If it is refused, it stands in their queues until it is
 * offered the name (R4, R21). The {@linkplain ContenderState state} changes under the
 * lock, everything else happens outside of it.
 */
final class QuorumContender implements Contender, AcquireRound.Listener, InstanceChannel.Waiter {

	private static final ClaimFailure PENDING = new ClaimFailure.Pending();

	private final Quorum quorum;

	private final Claim claim;

	final LockTarget target;

	private final Contender.Listener listener;

	private final ReentrantLock lock;

	// Guarded by the lock.

	private final ContenderState state;

	private LockTimer.@Nullable Timeout timeout;

	/** When the timeout is due. */
	private long dueNanos;

	/** The place in the queues, made when it is needed. */
	private @Nullable Ticket ticket;

	/** The release in front of this contender's first attempt. */
	private volatile @Nullable Release previous;

	/** The last attempt, until all replies to it have come. */
	private volatile @Nullable AcquireRound round;

	/** The nodes that refused that one. */
	private volatile long queuedAt;

	QuorumContender(Quorum quorum, Claim claim, Contender.Listener listener) {
		this.quorum = quorum;
		this.claim = claim;
		this.target = target(claim);
		this.listener = listener;
		this.lock = quorum.contenderLocks.of(claim.names());
		this.state = new ContenderState(claim, this.quorum.voters, this.quorum.timing);
	}

	private static LockTarget target(Claim claim) {
		if (claim.permits() > 0) {
			return LockTarget.permits(claim.names().get(0), claim.permits());
		}
		return (claim.mode() == LockMode.SHARED) ? LockTarget.shared(claim.names())
				: LockTarget.exclusive(claim.names());
	}

	@Override
	public void start() {
		attempt(Phase.NEW);
	}

	/**
	 * Stand in the queues from the release in front on, which takes the ticket there.
	 * {@link #awaitOffer()} follows.
	 * @return the ticket, or null if the claim does not wait
	 */
	@Nullable Ticket queueBehindRelease() {
		return locked(this.state::queue) ? queue() : null;
	}

	/** The release in front of the first attempt. */
	void follows(Release release) {
		this.previous = release;
	}

	/** Wait for an offer before the first attempt. */
	void awaitOffer() {
		contended();
		await(Phase.NEW, 0);
	}

	private void attempt(Phase expected) {
		long now = now();
		if (expected == Phase.NEW && this.quorum.channel.isContended(this.claim.names().get(0), now)
				&& locked(this.state::queue)) {
			queue();
		}
		AcquireRound last = this.round;
		AcquireRound round = locked(() -> this.state.begin(expected, now) ? nextRound(now) : null);
		if (round != null) {
			if (last != null) {
				last.releaseOwed();
			}
			round.start();
		}
	}

	/** Called under the lock. */
	private AcquireRound nextRound(long now) {
		cancelTimeout();
		int permits = this.target.permits();
		int hint = (permits > 1) ? 1 + (int) this.quorum.timing.randomNanos(0, permits) : 1;
		AcquireRound next = new AcquireRound(this.quorum, this.claim, this.target,
				this.state.isQueued() ? ticket() : null, hint, this.state.settlement(), now, this);
		this.round = next;
		return next;
	}

	/** Return the ticket with what it has to live now. Called under the lock. */
	private Ticket ticket() {
		Ticket ticket = this.ticket;
		if (ticket == null) {
			long micros = this.quorum.proposals.micros() - (now() - this.claim.queuedAtNanos()) / 1_000;
			ticket = Ticket.of(micros, this.target, this.quorum.timing.offerMillis(),
					this.quorum.newAttempt(false).owner());
			this.ticket = ticket;
		}
		return ticket.living(this.quorum.timing.ticketMillis(remainingNanos()));
	}

	/** Offers are received before the nodes get the ticket. */
	private Ticket queue() {
		Ticket ticket = locked(this::ticket);
		this.quorum.channel.add(ticket.text(), this);
		if (locked(this.state::phase) == Phase.DONE) {
			this.quorum.channel.remove(ticket.text()); // it was cancelled meanwhile
		}
		return ticket;
	}

	/**
	 * Others want the name. That this claim brought a ticket says nothing: otherwise the
	 * name would be contended for ever.
	 */
	private void contended() {
		this.quorum.channel.contended(this.claim.names().get(0), now());
	}

	@Override
	public void onGranted(AcquireRound round) {
		// Others had it since, if this is not the first attempt.
		Release before = (this.state.attempts() == 1) ? this.previous : null;
		if (finish()) {
			forgetTicket();
		}
		this.listener.onGranted(new QuorumGrant(this.quorum, round, this.claim.renewed(), before));
	}

	/** The round withdraws the ticket. Offers that cross this are not answered. */
	private void forgetTicket() {
		Ticket ticket = this.ticket;
		if (ticket != null) {
			if (locked(this.state::hasWaited)) {
				contended();
			}
			this.quorum.timer.schedule(this.quorum.timing.operationTimeoutNanos,
					() -> this.quorum.channel.remove(ticket.text()));
		}
	}

	@Override
	public void onFailed(AcquireRound round, RoundResult result) {
		ContenderState.Next next = locked(() -> this.state.failed(result, now()));
		boolean queues = next.queues() && locked(this.state::queue);
		if (queues) {
			contended();
		}
		round.release(queues ? queue() : null);
		if (round.isOver()) {
			onOver(round);
		}
		next.informed().forEach((follower) -> follower.accept(result.failure()));
		if (next.failure() != null) {
			end(next.failure());
		}
		else {
			await(Phase.ASKING, next.delayNanos());
		}
	}

	/** What a claim that waits keeps of its rounds is their result. */
	@Override
	public void onOver(AcquireRound round) {
		long refused = round.queuedAt();
		locked(() -> {
			if (this.round == round) {
				this.queuedAt = refused;
				this.round = null;
			}
			return null;
		});
	}

	private void await(Phase expected, long settlingNanos) {
		int waiting = this.quorum.channel.waiting();
		ContenderState.Wait wait = locked(() -> {
			ContenderState.Wait begun = this.state.await(expected, settlingNanos, waiting, now());
			if (begun != null && !begun.cancelled() && !begun.offered()) {
				askIn(begun.delayNanos());
			}
			return begun;
		});
		if (wait == null) {
			return;
		}
		if (wait.cancelled()) {
			end(new ClaimFailure.Cancelled());
			return;
		}
		if (wait.reports()) {
			this.listener.onWaiting();
		}
		if (wait.offered()) {
			attempt(Phase.WAITING);
		}
	}

	/** Called under the lock. */
	private void askIn(long delayNanos) {
		cancelTimeout();
		this.dueNanos = now() + delayNanos;
		this.timeout = this.quorum.timer.schedule(delayNanos, this::onPauseOver);
	}

	/** Called under the lock. */
	private void askWithin(long delayNanos) {
		long now = now();
		long limited = this.state.limited(delayNanos, now);
		if (this.state.isWaiting() && now + limited - this.dueNanos < 0) {
			askIn(limited);
		}
	}

	private void onPauseOver() {
		ClaimFailure failure = locked(() -> this.state.endUnasked(now()));
		if (failure != null) {
			end(failure);
		}
		else {
			attempt(Phase.WAITING);
		}
	}

	@Override
	public void onOffered(int slot) {
		long queuedAt = queuedAt();
		boolean offered = locked(() -> {
			this.state.offeredBy(slot);
			if (!this.state.isPartlyOffered()) {
				return false;
			}
			long delay = this.state.offeredDelayNanos(queuedAt);
			if (delay > 0) {
				askWithin(delay);
			}
			return delay == 0 && this.state.isWaiting();
		});
		if (offered) {
			attempt(Phase.WAITING);
		}
	}

	/**
	 * Return the nodes that have written down the ticket. The round takes its own lock:
	 * not to be called under this one.
	 */
	private long queuedAt() {
		AcquireRound last = this.round;
		return (last != null) ? last.queuedAt() : this.queuedAt;
	}

	@Override
	public void onNext() {
		locked(() -> {
			long twoTimeouts = 2 * this.quorum.timing.operationTimeoutNanos;
			askWithin(twoTimeouts + this.quorum.timing.randomNanos(0, twoTimeouts / 10));
			return null;
		});
	}

	@Override
	public void onListening(int slot) {
		locked(() -> {
			if (this.state.listeningTo(slot)) {
				askWithin(this.quorum.timing.randomNanos(0,
						this.quorum.channel.waiting() * ContenderState.NANOS_PER_WAITER));
			}
			return null;
		});
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		locked(() -> {
			this.state.follow(outcome);
			return null;
		});
		attempt(Phase.WAITING);
	}

	@Override
	public void cancel() {
		if (locked(this.state::cancel)) {
			end(new ClaimFailure.Cancelled());
		}
	}

	private void end(ClaimFailure failure) {
		if (!finish()) {
			return;
		}
		AcquireRound last = this.round;
		if (last != null) {
			last.releaseOwed();
		}
		if (locked(this.state::isQueued)) {
			String ticket = locked(this::ticket).text();
			this.quorum.channel.remove(ticket);
			this.quorum.withdraw(this.target, ticket, this.quorum.voters.all);
		}
		this.listener.onFailed(failure);
	}

	/** Return whether the claim had not ended before. */
	private boolean finish() {
		this.lock.lock();
		try {
			cancelTimeout();
			return this.state.finish();
		}
		finally {
			this.lock.unlock();
		}
	}

	private <T extends @Nullable Object> T locked(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void cancelTimeout() {
		if (this.timeout != null) {
			this.timeout.cancel();
			this.timeout = null;
		}
	}

	private long now() {
		return this.quorum.clock.nanoTime();
	}

	private long remainingNanos() {
		return this.claim.remainingNanos(now());
	}

	@Override
	public int attempts() {
		return this.state.attempts();
	}

	@Override
	public ClaimFailure lastFailure() {
		RoundResult last = this.state.last();
		return (last == null || last.isDivided()) ? PENDING : last.failure();
	}

	@Override
	public String toString() {
		return this.claim + " " + this.state.phase();
	}

}
