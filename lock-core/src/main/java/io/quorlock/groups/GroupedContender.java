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

package io.quorlock.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;

/**
 * A claim that asks one group after the other. What one group granted is kept alive while
 * the next is asked; if that fails, or the lease is lost meanwhile, everything is
 * released again. The state changes under the lock, everything else happens outside of
 * it.
 */
final class GroupedContender implements Contender {

	/** The lease of one group may end so often before the others have granted theirs. */
	private static final int MAX_ROUNDS = 8;

	private final Claim claim;

	private final List<PartialClaim> parts;

	private final LongSupplier nanoTime;

	private final Contender.Listener listener;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.
	private final List<GroupedGrant.Part> granted = new ArrayList<>();

	private boolean cancelled;

	private boolean waitingReported;

	/** Requests without a wait that have not received an outcome yet. */
	private final Set<Follower> followers = new LinkedHashSet<>();

	private int rounds = 1;

	private volatile Contender current;

	private volatile int earlierAttempts;

	GroupedContender(Claim claim, List<PartialClaim> parts, LongSupplier nanoTime, Contender.Listener listener) {
		this.claim = claim;
		this.parts = parts;
		this.nanoTime = nanoTime;
		this.listener = listener;
		this.current = contender(0, claim.queuedAtNanos());
	}

	private Contender contender(int index, long queuedAtNanos) {
		PartialClaim part = this.parts.get(index);
		return part.store().contend(part.claim().queuedAt(queuedAtNanos), new PartListener(part.store()));
	}

	boolean isOnlyIn(LeaseStore store) {
		return this.parts.size() == 1 && this.parts.get(0).store() == store;
	}

	/** The contender of the only group. */
	Contender only() {
		return this.current;
	}

	@Override
	public void start() {
		this.current.start();
	}

	@Override
	public void cancel() {
		locked(() -> this.cancelled = true);
		this.current.cancel();
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		Follower follower = new Follower(outcome);
		locked(() -> this.followers.add(follower));
		this.current.askFor(follower);
	}

	@Override
	public int attempts() {
		return this.earlierAttempts + this.current.attempts();
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.current.lastFailure();
	}

	private void onWaiting() {
		boolean first = locked(() -> {
			boolean reported = this.waitingReported;
			this.waitingReported = true;
			return !reported;
		});
		if (first) {
			this.listener.onWaiting();
		}
	}

	private void onGranted(LeaseStore store, Grant grant) {
		GroupedGrant.Part part = new GroupedGrant.Part(store, grant);
		int next = locked(() -> {
			this.granted.add(part);
			return this.granted.size();
		});
		if (next == this.parts.size()) {
			complete();
			return;
		}
		if (isCancelled()) {
			fail(new ClaimFailure.Cancelled());
			return;
		}
		part.keepWhileOthersAreAsked();
		ask(next);
	}

	private void ask(int index) {
		this.earlierAttempts = attempts();
		// Of a claim without a wait each group takes its own time.
		Contender following = contender(index,
				this.claim.isImmediate() ? this.nanoTime.getAsLong() : this.claim.queuedAtNanos());
		this.current = following;
		locked(() -> List.copyOf(this.followers)).forEach(following::askFor);
		if (isCancelled()) {
			following.cancel();
		}
		else {
			following.start();
		}
	}

	private void complete() {
		GroupedGrant grant = new GroupedGrant(this.claim, List.copyOf(this.granted));
		if (grant.isValid()) {
			this.listener.onGranted(grant);
		}
		else {
			askAgain();
		}
	}

	/** R1: a lease that ended meanwhile, in a pause perhaps, is none. */
	private void askAgain() {
		boolean inTime = this.claim.remainingNanos(this.nanoTime.getAsLong()) > 0;
		boolean again = locked(() -> this.rounds++ < MAX_ROUNDS && inTime && !this.cancelled);
		if (!again) {
			fail(new ClaimFailure.Unavailable("its lease ended before all of its groups had granted it"));
			return;
		}
		release();
		ask(0);
	}

	private void fail(ClaimFailure failure) {
		release();
		this.listener.onFailed(failure);
	}

	private void release() {
		List<GroupedGrant.Part> release = locked(() -> {
			List<GroupedGrant.Part> parts = List.copyOf(this.granted);
			this.granted.clear();
			return parts;
		});
		release.forEach((part) -> part.store().release(part.grant(), Duration.ZERO, null));
	}

	/**
	 * A group that grants its part reports nothing: then the outcome is the next group's.
	 */
	private final class Follower implements Consumer<ClaimFailure> {

		private final Consumer<ClaimFailure> outcome;

		Follower(Consumer<ClaimFailure> outcome) {
			this.outcome = outcome;
		}

		@Override
		public void accept(ClaimFailure failure) {
			boolean first = locked(() -> GroupedContender.this.followers.remove(this));
			if (first) {
				this.outcome.accept(failure);
			}
		}

	}

	private boolean isCancelled() {
		return locked(() -> this.cancelled);
	}

	private <T> T locked(Supplier<T> change) {
		this.lock.lock();
		try {
			return change.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String toString() {
		return this.claim + " in " + this.parts.size() + " groups";
	}

	private final class PartListener implements Contender.Listener {

		private final LeaseStore store;

		PartListener(LeaseStore store) {
			this.store = store;
		}

		@Override
		public void onWaiting() {
			GroupedContender.this.onWaiting();
		}

		@Override
		public void onGranted(Grant grant) {
			GroupedContender.this.onGranted(this.store, grant);
		}

		@Override
		public void onFailed(ClaimFailure failure) {
			fail(failure);
		}

	}

}
