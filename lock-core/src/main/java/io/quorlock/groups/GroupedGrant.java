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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.Claim;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;

/**
 * A lease in one group, or in several: then it is valid as long as all of its parts are,
 * and the loss of one is the loss of all (R23).
 */
final class GroupedGrant implements Grant {

	private final Claim claim;

	private final List<Part> parts;

	private final AtomicReference<@Nullable String> lost = new AtomicReference<>();

	GroupedGrant(Claim claim, List<Part> parts) {
		this.claim = claim;
		this.parts = parts;
	}

	List<Part> parts() {
		return this.parts;
	}

	private Grant first() {
		return this.parts.get(0).grant();
	}

	@Override
	public void keep(Listener listener) {
		this.parts.forEach((part) -> part.keep(new Listener() {

			@Override
			public void onLost(String reason) {
				onPartLost(part, reason, listener);
			}

			@Override
			public void onRenewed(boolean confirmed) {
				listener.onRenewed(confirmed);
			}

			@Override
			public void onRisk() {
				listener.onRisk();
			}

		}));
	}

	/** At risk as long as one of the parts is. */
	@Override
	public @Nullable Risk risk() {
		for (Part part : this.parts) {
			Risk risk = part.grant().risk();
			if (risk != null) {
				return risk;
			}
		}
		return null;
	}

	/**
	 * The other parts are released before another request of this process is let in.
	 */
	private void onPartLost(Part lost, String reason, Listener listener) {
		if (this.lost.compareAndSet(null, reason)) {
			this.parts.stream()
				.filter((part) -> part != lost)
				.forEach((part) -> part.store().release(part.grant(), Duration.ZERO, null));
			listener.onLost(reason);
		}
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		this.parts.forEach((part) -> part.grant()
			.onReleaseRequested((request) -> callback.accept(new ReleaseRequest(names(), request.deadline()))));
	}

	@Override
	public void onWanted(Runnable callback) {
		this.parts.forEach((part) -> part.grant().onWanted(callback));
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public String owner() {
		return first().owner();
	}

	@Override
	public long @Nullable [] tokens() {
		List<String> names = names();
		long[] tokens = new long[names.size()];
		for (Part part : this.parts) {
			long[] some = part.grant().tokens();
			if (some == null) {
				return null;
			}
			for (int i = 0; i < some.length; i++) {
				tokens[names.indexOf(part.grant().names().get(i))] = some[i];
			}
		}
		return tokens;
	}

	@Override
	public int tokenCount() {
		return this.parts.stream().mapToInt((part) -> part.grant().tokenCount()).min().orElse(1);
	}

	@Override
	public CompletionStage<Boolean> moreTokens(int count) {
		return (this.parts.size() == 1) ? first().moreTokens(count) : CompletableFuture.completedFuture(false);
	}

	@Override
	public int permit() {
		return first().permit();
	}

	@Override
	public LockMode mode() {
		return first().mode();
	}

	@Override
	public @Nullable String loss() {
		String first = null;
		for (Part part : this.parts) {
			String loss = part.grant().loss(); // each is asked: it may lose its lease
			first = (first != null) ? first : loss;
		}
		String lost = this.lost.get();
		return (lost != null) ? lost : first;
	}

	@Override
	public long validUntilNanos() {
		long least = first().validUntilNanos();
		for (Part part : this.parts) {
			long until = part.grant().validUntilNanos();
			least = (until - least < 0) ? until : least;
		}
		return least;
	}

	@Override
	public boolean passOn() {
		return this.parts.size() == 1 && first().passOn();
	}

	@Override
	public CompletionStage<Boolean> downgrade(int passes) {
		return all((grant) -> grant.downgrade(passes));
	}

	@Override
	public CompletionStage<Boolean> extend(Duration lease, int passes) {
		return all((grant) -> grant.extend(lease, passes));
	}

	private CompletionStage<Boolean> all(Function<Grant, CompletionStage<Boolean>> action) {
		CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
		for (Part part : this.parts) {
			all = all.thenCombine(action.apply(part.grant()), (one, other) -> one && other);
		}
		return all;
	}

	@Override
	public void stopRenewal(String reason, int passes) {
		this.parts.forEach((part) -> part.grant().stopRenewal(reason, passes));
	}

	@Override
	public List<String> nodes() {
		List<String> nodes = new ArrayList<>();
		this.parts.forEach((part) -> nodes.addAll(part.grant().nodes()));
		return nodes;
	}

	@Override
	public String toString() {
		return this.parts.toString();
	}

	/**
	 * The lease of one group. It may have to be kept before the others are granted, and
	 * is kept only once: what happens until then is reported to the callbacks of that
	 * call.
	 */
	static final class Part implements Listener {

		private final LeaseStore store;

		private final Grant grant;

		private final AtomicBoolean kept = new AtomicBoolean();

		/** The reason of a loss that was not reported yet. */
		private final AtomicReference<@Nullable String> lost = new AtomicReference<>();

		private volatile @Nullable Listener listener;

		Part(LeaseStore store, Grant grant) {
			this.store = store;
			this.grant = grant;
		}

		LeaseStore store() {
			return this.store;
		}

		Grant grant() {
			return this.grant;
		}

		void keepWhileOthersAreAsked() {
			if (this.kept.compareAndSet(false, true)) {
				this.grant.keep(this);
			}
		}

		void keep(Listener listener) {
			this.listener = listener;
			keepWhileOthersAreAsked();
			report();
			if (this.grant.risk() != null) {
				listener.onRisk(); // since before the others were granted
			}
		}

		@Override
		public void onLost(String reason) {
			this.lost.set(reason);
			report();
		}

		private void report() {
			Listener listener = this.listener;
			String reason = (listener != null) ? this.lost.getAndSet(null) : null;
			if (listener != null && reason != null) {
				listener.onLost(reason);
			}
		}

		@Override
		public void onRenewed(boolean confirmed) {
			Listener listener = this.listener;
			if (listener != null) {
				listener.onRenewed(confirmed);
			}
		}

		@Override
		public void onRisk() {
			Listener listener = this.listener;
			if (listener != null) {
				listener.onRisk();
			}
		}

		@Override
		public String toString() {
			return this.grant.toString();
		}

	}

}
