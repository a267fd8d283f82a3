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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A store that does what a test says: no claim has an outcome before the test gives it
 * one, and what the engine asks of the store is written down. For one thread.
 */
public final class FakeLeaseStore implements LeaseStore {

	/** In the order in which the engine called it. */
	private final List<String> calls = new ArrayList<>();

	private final List<FakeContender> contenders = new ArrayList<>();

	private final List<Released> releases = new ArrayList<>();

	private ReleaseResult result = ReleaseResult.CONFIRMED;

	private boolean available = true;

	private boolean reachesHolder;

	private final List<FakeGrant> grants = new ArrayList<>();

	private Runnable beforeNextClaim = () -> {
	};

	private Consumer<Claim> check = (claim) -> {
	};

	private Consumer<FakeContender> afterEachStart = (contender) -> {
	};

	/**
	 * A release that the engine asked for.
	 *
	 * @param grant the lease
	 * @param cooldown for how long its names stay taken
	 * @param next is to ask behind the release
	 */
	public record Released(FakeGrant grant, Duration cooldown, @Nullable FakeContender next) {

	}

	/** Return what the engine did, such as {@code start a} or {@code release a}. */
	public List<String> calls() {
		return this.calls;
	}

	/** Return the contender that was made last. */
	public FakeContender contender() {
		return this.contenders.get(this.contenders.size() - 1);
	}

	public List<FakeContender> contenders() {
		return this.contenders;
	}

	public List<Released> releases() {
		return this.releases;
	}

	/** What releases come to from now on. */
	public void releasesAre(ReleaseResult result) {
		this.result = result;
	}

	/** Requests to release a lock reach its holder from now on. */
	public void reachesHolder() {
		this.reachesHolder = true;
	}

	/** Something happens just before the next claim. */
	public void beforeNextClaim(Runnable event) {
		this.beforeNextClaim = event;
	}

	/** The store may refuse claims that it cannot make. */
	public void onCheck(Consumer<Claim> check) {
		this.check = check;
	}

	/** Something happens as soon as a claim asks, such as its outcome. */
	public void afterEachStart(Consumer<FakeContender> event) {
		this.afterEachStart = event;
	}

	/** Return what was granted, in the order of the grants. */
	public List<FakeGrant> grants() {
		return this.grants;
	}

	void note(String call) {
		this.calls.add(call);
	}

	/** A lease that nobody waits for, so that the next has a greater number. */
	public FakeGrant newGrant(Claim claim) {
		FakeGrant grant = new FakeGrant(this, claim, this.grants.size() + 1);
		this.grants.add(grant);
		return grant;
	}

	void started(FakeContender contender) {
		this.afterEachStart.accept(contender);
	}

	@Override
	public void start() {
		this.available = true;
		note("start");
	}

	@Override
	public CompletionStage<@Nullable Void> stop() {
		note("stop");
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void close() {
		this.available = false;
		note("close");
	}

	@Override
	public void check(Claim claim) {
		this.check.accept(claim);
	}

	@Override
	public Contender contend(Claim claim, Contender.Listener listener) {
		Runnable event = this.beforeNextClaim;
		this.beforeNextClaim = () -> {
		};
		event.run();
		FakeContender contender = new FakeContender(this, claim, listener);
		this.contenders.add(contender);
		return contender;
	}

	@Override
	public CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next) {
		FakeGrant released = (FakeGrant) grant;
		note("release " + released);
		released.end();
		this.releases.add(new Released(released, cooldown, (FakeContender) next));
		if (next != null) {
			next.start();
		}
		return CompletableFuture.completedFuture(this.result);
	}

	@Override
	public StoreStatus status() {
		return new StoreStatus(this.available, 1, List.of());
	}

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		note("inspect " + name);
		return CompletableFuture.completedFuture(List.of());
	}

	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		note("force " + name + ((permit > 0) ? "#" + permit : ""));
		return CompletableFuture.completedFuture(List.of());
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		note("request " + name + " within " + deadline);
		return CompletableFuture.completedFuture(this.reachesHolder);
	}

}
