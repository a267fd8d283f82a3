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

package io.quorlock.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.NodeReport.Waiter;
import io.quorlock.time.LockTimer;

/**
 * A claim for names of the map. Its state changes under the lock of the map.
 */
final class InMemoryContender implements Contender {

	final InMemoryLeaseStore store;

	final Claim claim;

	final String owner;

	private final InMemoryLeases leases;

	private final Listener listener;

	private final List<Consumer<ClaimFailure>> asking = new ArrayList<>(0);

	private LockTimer.@Nullable Timeout limit;

	private boolean begun;

	private boolean waiting;

	private boolean ended;

	private volatile int attempts;

	private volatile ClaimFailure lastFailure = new ClaimFailure.Pending();

	InMemoryContender(InMemoryLeaseStore store, Claim claim, Listener listener) {
		this.store = store;
		this.leases = store.leases();
		this.claim = claim;
		this.listener = listener;
		this.owner = store.newOwner();
	}

	@Override
	public void start() {
		this.leases.change(this::begin);
	}

	/** Ask for the first time. */
	void begin() {
		this.begun = true;
		ask();
		if (!this.ended) {
			this.limit = this.store.timer()
				.schedule(Math.min(this.claim.remainingNanos(this.leases.now()), Long.MAX_VALUE / 4),
						() -> this.leases.change(() -> fail(this.lastFailure)));
		}
	}

	void ask() {
		if (this.ended) {
			return;
		}
		this.attempts++;
		boolean down = this.store.outage() != null;
		ClaimFailure failure = down ? new ClaimFailure.Unavailable(this.store.status().description())
				: this.leases.take(this);
		if (failure == null) {
			return;
		}
		this.lastFailure = failure;
		this.asking.forEach((outcome) -> this.leases.report(() -> outcome.accept(failure)));
		this.asking.clear();
		if (this.claim.isImmediate() || this.attempts >= this.claim.maxAttempts() || (down && this.claim.failFast())) {
			fail(failure);
		}
		else if (down) {
			this.leases.queue(this);
		}
		else if (!this.waiting) {
			this.waiting = true;
			this.leases.report(this.listener::onWaiting);
		}
	}

	/** It stands in no queue any more. */
	void granted(InMemoryGrant grant) {
		this.ended = true;
		if (this.limit != null) {
			this.limit.cancel();
		}
		this.leases.report(() -> this.listener.onGranted(grant));
	}

	private void fail(ClaimFailure failure) {
		if (!this.ended) {
			this.ended = true;
			if (this.limit != null) {
				this.limit.cancel();
			}
			this.leases.report(() -> this.listener.onFailed(failure));
			this.leases.remove(this);
		}
	}

	@Override
	public void cancel() {
		this.leases.change(() -> fail(new ClaimFailure.Cancelled()));
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		this.leases.change(() -> {
			this.asking.add(outcome);
			if (this.begun) {
				ask();
			}
		});
	}

	@Override
	public int attempts() {
		return this.attempts;
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.lastFailure;
	}

	Waiter report() {
		return new Waiter(this.owner, this.claim.mode(),
				Duration.ofNanos(this.leases.now() - this.claim.queuedAtNanos()));
	}

}
