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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;

/**
 * A lease that is valid until a test or the engine ends it. Its tokens begin at a
 * thousand times its number.
 */
public final class FakeGrant implements Grant {

	private final FakeLeaseStore store;

	private final Claim claim;

	private final int number;

	private LockMode mode;

	private boolean valid = true;

	private String lossReason = "its time is over";

	private boolean passes = true;

	private int passed;

	private boolean extendable = true;

	private boolean passesRequestsOn = true;

	private boolean fenced = true;

	private int permit;

	private int tokenCount;

	private boolean kept;

	private Listener listener = (reason) -> {
	};

	private Consumer<ReleaseRequest> onReleaseRequested = (request) -> {
	};

	private Runnable onWanted = () -> {
	};

	private @Nullable Risk risk;

	private Runnable beforeNextLook = () -> {
	};

	private Runnable beforeNextPass = () -> {
	};

	private Runnable afterNextDowngrade = () -> {
	};

	private long validUntilNanos = Long.MAX_VALUE / 2;

	private final List<String> stops = new ArrayList<>();

	FakeGrant(FakeLeaseStore store, Claim claim, int number) {
		this.store = store;
		this.claim = claim;
		this.number = number;
		this.mode = claim.mode();
		this.permit = (claim.permits() > 0) ? 1 : 0;
		this.tokenCount = claim.tokens();
	}

	/** It was lost, and the store found out. */
	public void lose(String reason) {
		this.valid = false;
		this.lossReason = reason;
		if (this.kept) {
			this.kept = false;
			this.listener.onLost(reason);
		}
	}

	/** Its time is over, and nobody has noticed. */
	public void end() {
		this.valid = false;
	}

	/** Something happens just before the engine looks whether it is valid. */
	public void beforeNextLook(Runnable event) {
		this.beforeNextLook = event;
	}

	/** Something happens just before it would pass to another holder. */
	public void beforeNextPass(Runnable event) {
		this.beforeNextPass = event;
	}

	/** Something happens as soon as it is shared. */
	public void afterNextDowngrade(Runnable event) {
		this.afterNextDowngrade = event;
	}

	/** Until when its validity is known to last. */
	public void validUntil(long nanos) {
		this.validUntilNanos = nanos;
	}

	/** Its renewal fails. */
	public void risk(String reason) {
		risk(reason, Episode.OF_LEASE);
	}

	public void risk(String reason, Episode episode) {
		this.risk = new Risk(0, List.of(), reason, episode);
		this.listener.onRisk();
	}

	/** A renewal is confirmed after some that were not. */
	public void safe() {
		this.risk = null;
		this.listener.onRisk();
	}

	/** It may not pass to another holder. */
	public void staysWhereItIs() {
		this.passes = false;
	}

	public void extensionsFail() {
		this.extendable = false;
	}

	/** Its store cannot pass requests to release it on. */
	public void passesNoRequestsOn() {
		this.passesRequestsOn = false;
	}

	/** It has no tokens. */
	public void unfenced() {
		this.fenced = false;
	}

	/** It has fewer tokens than were asked for. */
	public void tokens(int count) {
		this.tokenCount = count;
	}

	/** It is for this permit. */
	public void permit(int number) {
		this.permit = number;
	}

	public void renewed(boolean confirmed) {
		this.listener.onRenewed(confirmed);
	}

	/** Another instance was refused because of it. */
	public void wanted() {
		this.onWanted.run();
	}

	public void requestRelease(Duration deadline) {
		this.onReleaseRequested.accept(new ReleaseRequest(names(), deadline));
	}

	public boolean isKept() {
		return this.kept;
	}

	/** Return how often it passed to another holder. */
	public int passed() {
		return this.passed;
	}

	/** Return the reasons for which its renewal was stopped. */
	public List<String> stops() {
		return this.stops;
	}

	@Override
	public void keep(Grant.Listener listener) {
		this.kept = true;
		this.listener = listener;
	}

	@Override
	public @Nullable Risk risk() {
		return this.risk;
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		if (!this.passesRequestsOn) {
			throw new UnsupportedOperationException("no requests");
		}
		this.onReleaseRequested = callback;
	}

	@Override
	public void onWanted(Runnable callback) {
		this.onWanted = callback;
	}

	@Override
	public List<String> names() {
		return this.claim.names();
	}

	@Override
	public String owner() {
		return "fake:0:" + this.number;
	}

	@Override
	public long @Nullable [] tokens() {
		if (!this.fenced) {
			return null;
		}
		long[] tokens = new long[names().size()];
		Arrays.fill(tokens, this.number * 1_000L);
		return tokens;
	}

	@Override
	public int tokenCount() {
		return this.tokenCount;
	}

	@Override
	public CompletionStage<Boolean> moreTokens(int count) {
		this.store.note("take " + count + " more for " + this);
		return CompletableFuture.completedFuture(false);
	}

	@Override
	public int permit() {
		return this.permit;
	}

	@Override
	public LockMode mode() {
		return this.mode;
	}

	@Override
	public CompletionStage<Boolean> downgrade(int turn) {
		if (turn != this.passed) {
			return CompletableFuture.completedFuture(false);
		}
		this.mode = LockMode.SHARED;
		Runnable event = this.afterNextDowngrade;
		this.afterNextDowngrade = () -> {
		};
		event.run();
		return CompletableFuture.completedFuture(true);
	}

	@Override
	public @Nullable String loss() {
		Runnable event = this.beforeNextLook;
		this.beforeNextLook = () -> {
		};
		event.run();
		if (!this.valid) {
			lose(this.lossReason); // who looks first loses it
		}
		return this.valid ? null : this.lossReason;
	}

	@Override
	public long validUntilNanos() {
		return this.validUntilNanos;
	}

	@Override
	public boolean passOn() {
		Runnable event = this.beforeNextPass;
		this.beforeNextPass = () -> {
		};
		event.run();
		boolean passesOn = this.valid && this.passes;
		this.passed += passesOn ? 1 : 0;
		return passesOn;
	}

	@Override
	public CompletionStage<Boolean> extend(Duration lease, int turn) {
		this.store.note("extend " + this + " by " + lease);
		return CompletableFuture.completedFuture(this.extendable && turn == this.passed);
	}

	@Override
	public void stopRenewal(String reason, int turn) {
		if (turn == this.passed) {
			this.stops.add(reason);
		}
	}

	@Override
	public List<String> nodes() {
		return List.of("fake");
	}

	@Override
	public String toString() {
		return String.join(",", names());
	}

}
