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

package io.quorlock.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A claim whose outcome a test decides.
 */
public final class FakeContender implements Contender {

	private final FakeLeaseStore store;

	private final Claim claim;

	private final Listener listener;

	private final List<Consumer<ClaimFailure>> followers = new ArrayList<>();

	private ClaimFailure lastFailure = new ClaimFailure.Pending();

	private @Nullable ClaimFailure refusal;

	private boolean started;

	private boolean cancelled;

	FakeContender(FakeLeaseStore store, Claim claim, Listener listener) {
		this.store = store;
		this.claim = claim;
		this.listener = listener;
	}

	/** Grant what it claims, with the next token. */
	public FakeGrant grant() {
		return grant((grant) -> {
		});
	}

	/** Grant what it claims, of which the engine does not know yet what becomes of it. */
	public FakeGrant grant(Consumer<FakeGrant> prepared) {
		FakeGrant grant = this.store.newGrant(this.claim);
		prepared.accept(grant);
		this.listener.onGranted(grant);
		return grant;
	}

	/** Another holds it. */
	public void waits() {
		this.listener.onWaiting();
	}

	/** The store has answered a question, and will be asked again. */
	public void answered(ClaimFailure failure) {
		this.lastFailure = failure;
	}

	/** The claim ends without a lease. */
	public void fail(ClaimFailure failure) {
		this.lastFailure = failure;
		this.listener.onFailed(failure);
	}

	/** The outcome of one question, for those that do not wait. */
	public void refuseFollowers(ClaimFailure failure) {
		List<Consumer<ClaimFailure>> refused = List.copyOf(this.followers);
		this.followers.clear();
		refused.forEach((follower) -> follower.accept(failure));
	}

	/** The outcome for those that do not wait, as soon as they ask. */
	public void refusesFollowersAtOnce(ClaimFailure failure) {
		this.refusal = failure;
	}

	public Claim claim() {
		return this.claim;
	}

	public boolean isStarted() {
		return this.started;
	}

	public boolean isCancelled() {
		return this.cancelled;
	}

	@Override
	public void start() {
		this.started = true;
		this.store.note("start " + this.claim);
		this.store.started(this);
	}

	@Override
	public void cancel() {
		this.cancelled = true;
		this.store.note("cancel " + this.claim);
	}

	@Override
	public void askFor(Consumer<ClaimFailure> outcome) {
		ClaimFailure refused = this.refusal;
		if (refused != null) {
			outcome.accept(refused);
		}
		else {
			this.followers.add(outcome);
		}
	}

	@Override
	public int attempts() {
		return this.started ? 1 : 0;
	}

	@Override
	public ClaimFailure lastFailure() {
		return this.lastFailure;
	}

}
