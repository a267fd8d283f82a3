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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.ReleaseResult;

/**
 * A lease in several groups: it is valid as long as all of its parts are, and the loss of
 * one is the loss of all (R23). Its parts are {@linkplain #add added} one after another.
 */
final class GroupedGrant implements Grant {

	/** Until all groups have granted their part. */
	private static final Listener NOBODY = (reason) -> {
	};

	private final List<String> names;

	private final List<Part> parts = new CopyOnWriteArrayList<>();

	/** The part that was lost first. */
	private final AtomicReference<@Nullable Part> lost = new AtomicReference<>();

	private final AtomicBoolean lossReported = new AtomicBoolean();

	private volatile Listener listener = NOBODY;

	GroupedGrant(List<String> names) {
		this.names = names;
	}

	/**
	 * Add what a group granted. It is kept alive from now on, since it might end before
	 * the other groups have granted theirs.
	 */
	void add(LeaseStore store, Grant grant) {
		Part part = new Part(store, grant);
		this.parts.add(part);
		grant.keep(part);
	}

	/** Release all parts; confirmed if each of them is. */
	CompletableFuture<ReleaseResult> release(Duration cooldown) {
		CompletableFuture<ReleaseResult> all = CompletableFuture.completedFuture(ReleaseResult.CONFIRMED);
		for (Part part : this.parts) {
			all = all.thenCombine(part.store.release(part.grant, cooldown, null),
					(one, other) -> (one == ReleaseResult.CONFIRMED) ? other : one);
		}
		return all;
	}

	@Override
	public void keep(Listener listener) {
		this.listener = listener;
		reportLoss();
		if (risk() != null) {
			listener.onRisk(); // since before the last group granted its part
		}
	}

	/**
	 * The other parts are released before another request of this process is let in.
	 */
	private void reportLoss() {
		Listener listener = this.listener;
		Part lost = this.lost.get();
		if (listener != NOBODY && lost != null && !this.lossReported.getAndSet(true)) {
			this.parts.stream()
				.filter((part) -> part != lost)
				.forEach((part) -> part.store.release(part.grant, Duration.ZERO, null));
			listener.onLost(lost.lossReason);
		}
	}

	/** At risk as long as one of the parts is. */
	@Override
	public @Nullable Risk risk() {
		return grants().map(Grant::risk).filter(Objects::nonNull).findFirst().orElse(null);
	}

	private Stream<Grant> grants() {
		return this.parts.stream().map((part) -> part.grant);
	}

	private Grant first() {
		return this.parts.get(0).grant;
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		grants().forEach((grant) -> grant
			.onReleaseRequested((request) -> callback.accept(new ReleaseRequest(this.names, request.deadline()))));
	}

	@Override
	public List<String> names() {
		return this.names;
	}

	@Override
	public String owner() {
		return first().owner();
	}

	@Override
	public long @Nullable [] tokens() {
		long[] tokens = new long[this.names.size()];
		for (Part part : this.parts) {
			long[] some = part.grant.tokens();
			if (some == null) {
				return null;
			}
			for (int i = 0; i < some.length; i++) {
				tokens[this.names.indexOf(part.grant.names().get(i))] = some[i];
			}
		}
		return tokens;
	}

	@Override
	public int tokenCount() {
		return grants().mapToInt(Grant::tokenCount).min().orElse(1);
	}

	@Override
	public int permit() {
		return 0;
	}

	@Override
	public LockMode mode() {
		return first().mode();
	}

	@Override
	public @Nullable String loss() {
		String first = null;
		for (Part part : this.parts) {
			String loss = part.grant.loss(); // each is asked: it may lose its lease
			first = (first != null) ? first : loss;
		}
		Part lost = this.lost.get();
		return (lost != null) ? lost.lossReason : first;
	}

	@Override
	public long validUntilNanos() {
		return grants().mapToLong(Grant::validUntilNanos)
			.reduce((min, until) -> (until - min < 0) ? until : min)
			.orElseThrow();
	}

	@Override
	public boolean passOn() {
		return false;
	}

	@Override
	public CompletionStage<Boolean> downgrade(int turn) {
		return all((grant) -> grant.downgrade(turn));
	}

	@Override
	public CompletionStage<Boolean> extend(Duration lease, int turn) {
		return all((grant) -> grant.extend(lease, turn));
	}

	private CompletionStage<Boolean> all(Function<Grant, CompletionStage<Boolean>> action) {
		CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
		for (Part part : this.parts) {
			all = all.thenCombine(action.apply(part.grant), (one, other) -> one && other);
		}
		return all;
	}

	@Override
	public void stopRenewal(String reason, int turn) {
		grants().forEach((grant) -> grant.stopRenewal(reason, turn));
	}

	@Override
	public List<String> nodes() {
		return grants().flatMap((grant) -> grant.nodes().stream()).toList();
	}

	@Override
	public String toString() {
		return grants().toList().toString();
	}

	/** The lease of one group. */
	private final class Part implements Listener {

		private final LeaseStore store;

		private final Grant grant;

		private volatile String lossReason = "";

		Part(LeaseStore store, Grant grant) {
			this.store = store;
			this.grant = grant;
		}

		@Override
		public void onLost(String reason) {
			this.lossReason = reason;
			if (GroupedGrant.this.lost.compareAndSet(null, this)) {
				reportLoss();
			}
		}

		@Override
		public void onRenewed(boolean confirmed) {
			GroupedGrant.this.listener.onRenewed(confirmed);
		}

		@Override
		public void onRisk() {
			GroupedGrant.this.listener.onRisk();
		}

	}

}
