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
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;

/**
 * A claim for names of several groups, which asks one after the other. What one group
 * granted is kept alive while the next is asked; if that fails, or the lease is lost
 * meanwhile, everything is released again.
 */
final class GroupedContender implements Contender, Contender.Listener {

	/** The lease of one group may end so often before the others have granted theirs. */
	private static final int MAX_ROUNDS = 8;

	private final Claim claim;

	private final List<Part> parts;

	private final LongSupplier nanoTime;

	private final Contender.Listener listener;

	private final AtomicBoolean waitingReported = new AtomicBoolean();

	/** Requests without a wait that have not received an outcome yet. */
	private final Set<Consumer<ClaimFailure>> followers = Collections.synchronizedSet(new LinkedHashSet<>());

	private final AtomicInteger rounds = new AtomicInteger(1);

	private volatile boolean cancelled;

	/** What the groups have granted in this round. */
	private volatile GroupedGrant granted;

	/** The part that is asked for. */
	private volatile int asked;

	private volatile Contender current;

	private volatile int earlierAttempts;

	GroupedContender(Claim claim, List<Part> parts, LongSupplier nanoTime, Contender.Listener listener) {
		this.claim = claim;
		this.parts = parts;
		this.nanoTime = nanoTime;
		this.listener = listener;
		this.granted = new GroupedGrant(claim.names());
		this.current = contender(0, claim.queuedAtNanos());
	}

	private Contender contender(int index, long queuedAtNanos) {
		Part part = this.parts.get(index);
		return part.store().contend(part.claim().queuedAt(queuedAtNanos), this);
	}

	@Override
	public void start() {
		this.current.start();
	}

	@Override
	public void cancel() {
		this.cancelled = true;
		this.current.cancel();
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		this.followers.add(outcome);
		askFor(outcome, this.current);
	}

	/**
	 * A group that grants its part reports nothing: then the outcome is the next group's.
	 */
	private void askFor(Consumer<ClaimFailure> outcome, Contender asked) {
		asked.askFor((failure) -> {
			if (this.followers.remove(outcome)) {
				outcome.accept(failure);
			}
		});
	}

	@Override
	public int attempts() {
		return this.earlierAttempts + this.current.attempts();
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.current.lastFailure();
	}

	private void ask(int index) {
		this.earlierAttempts = attempts();
		// Of a claim without a wait each group takes its own time.
		Contender following = contender(index,
				this.claim.isImmediate() ? this.nanoTime.getAsLong() : this.claim.queuedAtNanos());
		this.asked = index;
		this.current = following;
		List.copyOf(this.followers).forEach((outcome) -> askFor(outcome, following));
		if (this.cancelled) {
			following.cancel();
		}
		else {
			following.start();
		}
	}

	@Override
	public void onWaiting() {
		if (!this.waitingReported.getAndSet(true)) {
			this.listener.onWaiting();
		}
	}

	@Override
	public void onGranted(Grant grant) {
		this.granted.add(this.parts.get(this.asked).store(), grant);
		int next = this.asked + 1;
		if (next == this.parts.size()) {
			complete();
		}
		else if (this.cancelled) {
			onFailed(new ClaimFailure.Cancelled());
		}
		else {
			ask(next);
		}
	}

	private void complete() {
		if (this.granted.isValid()) {
			this.listener.onGranted(this.granted);
		}
		else {
			askAgain();
		}
	}

	/** R1: a lease that ended meanwhile, in a pause perhaps, is none. */
	private void askAgain() {
		boolean inTime = this.claim.remainingNanos(this.nanoTime.getAsLong()) > 0;
		boolean again = this.rounds.getAndIncrement() < MAX_ROUNDS && inTime && !this.cancelled;
		if (!again) {
			onFailed(new ClaimFailure.Unavailable("its lease ended before all of its groups had granted it"));
			return;
		}
		this.granted.release(Duration.ZERO);
		this.granted = new GroupedGrant(this.claim.names());
		ask(0);
	}

	@Override
	public void onFailed(ClaimFailure failure) {
		this.granted.release(Duration.ZERO);
		this.listener.onFailed(failure);
	}

	@Override
	public String toString() {
		return this.claim + " in " + this.parts.size() + " groups";
	}

	/**
	 * What is claimed of one group.
	 *
	 * @param store the group
	 * @param claim the names that belong to it
	 */
	record Part(LeaseStore store, Claim claim) {
	}

}
