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

package io.quorlock.zookeeper;

import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import io.quorlock.store.Grant;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * What the sessions and the claims of one store share.
 */
final class StoreContext {

	final ZooKeeperSettings settings;

	final LockPaths paths;

	final LockClock clock;

	final LockTimer timer;

	final List<StoreObserver> observers;

	final FencingTokens tokens;

	/** Within which the servers are expected to reply. */
	final long operationTimeoutNanos;

	/** The cool-downs that were seen. */
	final Cooldown.Sightings cooldowns;

	/** From which size on the servers would not take a request. */
	final int maxRequestBytes;

	private volatile String ownerPrefix;

	/** The half of the ids that no other process has. */
	private volatile long random;

	private final Set<CompletableFuture<?>> removals = ConcurrentHashMap.newKeySet();

	private final Set<Held> held = ConcurrentHashMap.newKeySet();

	private final AtomicLong counter = new AtomicLong();

	StoreContext(ZooKeeperSettings settings, LockClock clock, LockTimer timer, List<StoreObserver> observers) {
		this.settings = settings;
		this.paths = new LockPaths(settings.root());
		this.clock = clock;
		this.timer = timer;
		this.observers = List.copyOf(observers);
		this.tokens = new FencingTokens(settings, clock);
		this.operationTimeoutNanos = settings.operationTimeout().toNanos();
		this.cooldowns = new Cooldown.Sightings(clock::nanoTime);
		this.maxRequestBytes = SessionRequests.maxBytes(settings.clientProperties().get(SessionRequests.MAX_BYTES));
		this.ownerPrefix = newOwnerPrefix();
		this.random = UUID.randomUUID().getMostSignificantBits();
	}

	/**
	 * Copies of this process that are restored from one checkpoint are different owners.
	 */
	void restart() {
		this.ownerPrefix = newOwnerPrefix();
		this.random = UUID.randomUUID().getMostSignificantBits();
	}

	private String newOwnerPrefix() {
		String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
		return this.settings.instanceId() + ":" + random + ":";
	}

	long now() {
		return this.clock.nanoTime();
	}

	/** Whether work is done within the operation timeout. */
	CompletableFuture<Boolean> withinOperationTimeout(CompletionStage<Boolean> work) {
		CompletableFuture<Boolean> inTime = new CompletableFuture<>();
		LockTimer.Timeout timeout = this.timer.schedule(this.operationTimeoutNanos, () -> inTime.complete(false));
		work.whenComplete((value, error) -> {
			timeout.cancel();
			inTime.complete(Boolean.TRUE.equals(value));
		});
		return inTime;
	}

	void granted(Held lease) {
		this.held.add(lease);
	}

	void released(Held lease) {
		this.held.remove(lease);
	}

	/** What this process holds of a name. */
	List<Held> held(String name) {
		return this.held.stream().filter((lease) -> lease.names().contains(name)).toList();
	}

	/** Note that nodes are being removed, so that {@link #removals()} can wait for it. */
	@SuppressWarnings("CollectionUndefinedEquality") // Identity is meant.
	void removed(CompletionStage<?> removal) {
		CompletableFuture<?> future = removal.toCompletableFuture();
		if (!future.isDone()) {
			this.removals.add(future);
			future.whenComplete((gone, error) -> this.removals.remove(future));
		}
	}

	/** Completes when all nodes are gone that are being removed now. */
	CompletableFuture<Void> removals() {
		return CompletableFuture.allOf(this.removals.toArray(CompletableFuture[]::new));
	}

	/** A token that no other claim has: {@code <instance-id>:<random>:<counter>}. */
	String newOwner() {
		return this.ownerPrefix + this.counter.incrementAndGet();
	}

	/** An id that no other node has, without the price of 16 random bytes each time. */
	UUID newNodeId() {
		return new UUID(this.random, this.counter.incrementAndGet());
	}

	/**
	 * A lease that this process holds, for a forced release.
	 */
	interface Held extends Grant {

		/**
		 * Lose the lease, if it is held.
		 * @param reason why
		 * @return deletes its nodes
		 */
		Runnable revoke(String reason);

	}

}
