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
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NodeReport;
import io.quorlock.store.NodeState;
import io.quorlock.store.ReleaseResult;
import io.quorlock.store.StoreStatus;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Leases in the memory of this process, which exclude no other process. There is nobody
 * who could fail to reply: a renewed lease ends when it is released, however long the
 * process pauses.
 * <p>
 * The map of names changes under one lock; listeners are notified behind it.
 *
 * @since 0.1.0
 */
public final class InMemoryLeases {

	static final String NODE = "memory";

	private static final String FORCED = "an operator released it by force";

	private final LockClock clock;

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Of each name what is held or cools down, then those that wait in the order of
	 * asking.
	 */
	private final Map<String, List<InMemoryLease>> queues = new HashMap<>();

	private final Map<String, String> outages = new ConcurrentHashMap<>();

	/** Those that wait for these names ask again, none of them from within another. */
	private final Set<String> changed = new LinkedHashSet<>();

	private List<Runnable> reports = new ArrayList<>();

	/** The last fencing token: one count serves all names, so that none is kept. */
	private long lastToken;

	/**
	 * Create an empty map.
	 * @param clock the clock
	 * @param fencingFloor the least fencing token
	 */
	public InMemoryLeases(LockClock clock, long fencingFloor) {
		this.clock = clock;
		this.lastToken = fencingFloor;
	}

	/**
	 * Create a store. Those of several instances exclude each other.
	 * @param instanceId the instance that uses it
	 * @param fencing whether its leases have fencing tokens
	 * @param timer ends waits, leases and cool-downs
	 * @return the store
	 */
	public LeaseStore store(String instanceId, boolean fencing, LockTimer timer) {
		return new Store(instanceId, fencing, timer);
	}

	/**
	 * Simulate that an instance cannot reach the map: nothing is granted to it or renewed
	 * for it.
	 * @param instanceId the instance
	 * @param reason why, or {@code null} if it reaches the map again
	 */
	public void simulateOutage(String instanceId, @Nullable String reason) {
		change(() -> {
			this.outages.compute(instanceId, (id, before) -> reason);
			List.copyOf(this.queues.values()).forEach((queue) -> taken(queue).forEach(InMemoryLease::look));
			this.changed.addAll(this.queues.keySet());
		});
	}

	/**
	 * Simulate that an instance loses what it holds of a name. What others hold stays.
	 * @param instanceId the instance
	 * @param name the lock
	 */
	public void simulateLoss(String instanceId, String name) {
		changeHeld(name, (lease) -> lease.store.instanceId.equals(instanceId), (lease) -> lease.lose(FORCED));
	}

	long now() {
		return this.clock.nanoTime();
	}

	void change(Runnable change) {
		locked(() -> {
			change.run();
			return true;
		});
	}

	<T> T locked(Supplier<T> change) {
		T result;
		List<Runnable> behind;
		this.lock.lock();
		try {
			result = change.get();
			while (!this.changed.isEmpty()) {
				String name = this.changed.iterator().next();
				this.changed.remove(name);
				serve(name);
			}
			behind = this.reports;
			this.reports = new ArrayList<>(2);
		}
		finally {
			this.lock.unlock();
		}
		behind.forEach(Runnable::run);
		return result;
	}

	/** Notify a listener behind the change. */
	void report(Runnable report) {
		this.reports.add(report);
	}

	/** Those that wait may get what they were refused. */
	void changed(List<String> names) {
		this.changed.addAll(names);
	}

	/** Let those that wait ask again, in their order. */
	private void serve(String name) {
		List<InMemoryLease> queue = queue(name);
		List.copyOf(queue).forEach(InMemoryLease::ask);
		if (queue.isEmpty()) {
			this.queues.remove(name);
		}
	}

	private List<InMemoryLease> queue(String name) {
		return this.queues.computeIfAbsent(name, (absent) -> new ArrayList<>(2));
	}

	private static List<InMemoryLease> taken(List<InMemoryLease> queue) {
		return queue.stream().takeWhile((lease) -> !lease.isWaiting()).toList();
	}

	/** Change those leases of a name that are held; {@code false} if there are none. */
	private boolean changeHeld(String name, Predicate<InMemoryLease> which, Consumer<InMemoryLease> change) {
		return locked(() -> {
			this.changed.add(name);
			List<InMemoryLease> leases = queue(name).stream().filter(InMemoryLease::isHeld).filter(which).toList();
			leases.forEach(change);
			return !leases.isEmpty();
		});
	}

	/**
	 * Take what is free, or stand in the queues of the names that are not.
	 * @return why the names do not belong to the claim, or null if they do now
	 */
	@Nullable ClaimFailure take(InMemoryLease asking) {
		Claim claim = asking.claim;
		String outage = asking.store.outage();
		ClaimFailure first = null;
		for (String name : claim.names()) {
			List<InMemoryLease> queue = queue(name);
			ClaimFailure failure = (outage != null) ? new ClaimFailure.Unavailable(asking.store.status().description())
					: refusal(queue, asking);
			if (failure == null) {
				queue.remove(asking);
			}
			else if (!claim.isImmediate() && !queue.contains(asking)) {
				queue.add(asking);
			}
			first = (first != null) ? first : failure;
		}
		if (first == null) {
			List<Integer> taken = queue(claim.names().get(0)).stream().map(InMemoryLease::permit).toList();
			asking.permit = IntStream.rangeClosed(1, claim.permits())
				.filter((permit) -> !taken.contains(permit))
				.findFirst()
				.orElse(0);
			// R9; a reader takes no token of its own (R19).
			int tokens = (claim.mode() == LockMode.SHARED) ? 0 : claim.tokens();
			this.lastToken = Math.max(this.lastToken + tokens, this.clock.wallMicros());
			Arrays.fill(asking.tokens, this.lastToken - Math.max(1, tokens) + 1);
			claim.names().forEach((name) -> queue(name).add(taken(queue(name)).size(), asking));
		}
		return first;
	}

	/** A claim waits no more, or its lease ended and does not cool down any more. */
	void remove(InMemoryLease lease) {
		lease.names().forEach((name) -> queue(name).remove(lease));
		changed(lease.names());
	}

	/** R21: what is held, or an older claim that excludes this one. */
	private static @Nullable ClaimFailure refusal(List<InMemoryLease> queue, InMemoryLease asking) {
		int free = Math.max(1, asking.claim.permits());
		for (InMemoryLease before : queue) {
			if (before == asking) {
				return null;
			}
			boolean exclusive = before.mode() == LockMode.EXCLUSIVE || asking.mode() == LockMode.EXCLUSIVE;
			if (exclusive && --free == 0) {
				return before.refuse(asking.claim.permits());
			}
		}
		return null;
	}

	private NodeReport report(String name) {
		List<InMemoryLease> queue = this.queues.getOrDefault(name, List.of());
		List<InMemoryLease> taken = taken(queue);
		long fence = taken.stream().mapToLong((lease) -> lease.tokens[0] + lease.tokenCount() - 1).max().orElse(0);
		return new NodeReport(NODE, true, taken.stream().map(InMemoryLease::holder).toList(),
				queue.stream().skip(taken.size()).map(InMemoryLease::waiter).toList(), fence, null);
	}

	/**
	 * What one instance uses.
	 */
	final class Store implements LeaseStore {

		final String instanceId;

		final boolean fencing;

		final LockTimer timer;

		private final String ownerPrefix;

		private long owners;

		private volatile boolean started;

		Store(String instanceId, boolean fencing, LockTimer timer) {
			this.instanceId = instanceId;
			this.fencing = fencing;
			this.timer = timer;
			this.ownerPrefix = instanceId + ":" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ":";
		}

		/** Return why the leases cannot be reached, or null if they can. */
		@Nullable String outage() {
			return this.started ? InMemoryLeases.this.outages.get(this.instanceId) : "stopped";
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
		public synchronized Contender contend(Claim claim, Contender.Listener listener) {
			return new InMemoryLease(InMemoryLeases.this, this, claim, listener, this.ownerPrefix + ++this.owners);
		}

		@Override
		public CompletionStage<ReleaseResult> release(Grant grant, Duration cooldown, @Nullable Contender next) {
			change(() -> {
				InMemoryLease lease = (InMemoryLease) grant;
				if (lease.isHeld()) {
					lease.end("it was released", cooldown);
				}
				if (next != null) {
					((InMemoryLease) next).begin();
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
			return CompletableFuture.completedFuture(List.of(locked(() -> InMemoryLeases.this.report(name))));
		}

		@Override
		public CompletionStage<List<NodeReport>> forceRelease(String name, int permit) {
			changeHeld(name, (lease) -> permit == 0 || permit == lease.permit, (lease) -> lease.lose(FORCED));
			return inspect(name);
		}

		@Override
		public CompletionStage<Boolean> requestRelease(String name, Duration deadline) {
			return CompletableFuture
				.completedFuture(changeHeld(name, (lease) -> true, (lease) -> lease.requestRelease(deadline)));
		}

	}

}
