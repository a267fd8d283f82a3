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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.quorlock.store.Claim;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockTimer;

/**
 * Leases in the memory of this process, which exclude no other process. There is nobody
 * who could fail to reply: a renewed lease ends when it is released, however long the
 * process pauses.
 *
 * @since 0.1.0
 */
public final class InMemoryLeaseStore implements LeaseStore {

	static final String NODE = "memory";

	private final InMemoryLeases leases;

	private final String instanceId;

	private final boolean fencing;

	private final LockTimer timer;

	private final String tokenPrefix;

	private final AtomicLong counter = new AtomicLong();

	private volatile boolean started;

	/**
	 * Create a store.
	 * @param leases the leases, which stores of several instances may share
	 * @param instanceId the instance that uses it
	 * @param fencing whether its leases have fencing tokens
	 * @param timer ends waits, leases and cool-downs
	 */
	public InMemoryLeaseStore(InMemoryLeases leases, String instanceId, boolean fencing, LockTimer timer) {
		this.leases = leases;
		this.instanceId = instanceId;
		this.fencing = fencing;
		this.timer = timer;
		this.tokenPrefix = instanceId + ":" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ":";
	}

	InMemoryLeases leases() {
		return this.leases;
	}

	LockTimer timer() {
		return this.timer;
	}

	String instanceId() {
		return this.instanceId;
	}

	boolean fencing() {
		return this.fencing;
	}

	String newOwner() {
		return this.tokenPrefix + this.counter.incrementAndGet();
	}

	/** Return why the leases cannot be reached, or null if they can. */
	@Nullable String outage() {
		return this.started ? this.leases.outage(this.instanceId) : "stopped";
	}

	@Override
	public void start() {
		this.started = true;
	}

	@Override
	public CompletionStage<@Nullable Void> stop() {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public void close() {
		this.started = false;
	}

	@Override
	public void check(Claim claim) {
		// Every claim can be served.
	}

	@Override
	public Contender contend(Claim claim, Contender.Listener listener) {
		return new InMemoryContender(this, claim, listener);
	}

	@Override
	public CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next) {
		this.leases.change(() -> {
			((InMemoryGrant) grant).end("it was released", cooldown);
			if (next != null) {
				((InMemoryContender) next).begin();
			}
		});
		return CompletableFuture.completedFuture(ReleaseResult.CONFIRMED);
	}

	@Override
	public StoreStatus status() {
		String outage = outage();
		return new StoreStatus(outage == null, 1,
				List.of(new NodeState(NODE, outage == null, (outage != null) ? "down" : "voting",
						(outage != null) ? outage : "", Duration.ZERO, null, null, null)));
	}

	@Override
	public CompletionStage<List<NodeReport>> inspect(String name) {
		return CompletableFuture.completedFuture(List.of(this.leases.inspect(name)));
	}

	@Override
	public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
		this.leases.lose(name, (lease) -> permit == 0 || permit == lease.permit());
		return inspect(name);
	}

	@Override
	public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
		return CompletableFuture.completedFuture(this.leases.requestRelease(name, deadline));
	}

}
