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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.ReleaseRequest;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure.Held;
import io.quorlock.store.NodeReport;
import io.quorlock.time.LockClock;

/**
 * What is held of each name in the memory of this process, and which claims wait for it.
 * It changes under one lock; listeners are notified behind it.
 *
 * @since 0.1.0
 */
public final class InMemoryLeases {

	/**
	 * One name.
	 *
	 * @param leases what is held of it, or cools down
	 * @param waiting those that wait for it, in the order of asking
	 */
	private record Entry(List<InMemoryGrant> leases, Set<InMemoryContender> waiting) {
	}

	private static final Entry FREE = new Entry(List.of(), Set.of());

	private final LockClock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Entry> entries = new HashMap<>();

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
	 * Simulate that an instance cannot reach the map: nothing is granted to it or renewed
	 * for it.
	 * @param instanceId the instance
	 * @param reason why, or {@code null} if it reaches the map again
	 */
	public void simulateOutage(String instanceId, @Nullable String reason) {
		change(() -> {
			this.outages.compute(instanceId, (id, before) -> reason);
			List<String> names = List.copyOf(this.entries.keySet());
			names.forEach((name) -> leases(name).forEach(InMemoryGrant::look));
			this.changed.addAll(names);
		});
	}

	/**
	 * Simulate that an instance loses what it holds of a name. What others hold stays.
	 * @param instanceId the instance
	 * @param name the lock
	 */
	public void simulateLoss(String instanceId, String name) {
		lose(name, (lease) -> lease.isOf(instanceId));
	}

	@Nullable String outage(String instanceId) {
		return this.outages.get(instanceId);
	}

	long now() {
		return this.clock.nanoTime();
	}

	boolean change(BooleanSupplier change) {
		boolean changed;
		List<Runnable> behind;
		this.lock.lock();
		try {
			changed = change.getAsBoolean();
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
		return changed;
	}

	void change(Runnable change) {
		change(() -> {
			change.run();
			return true;
		});
	}

	/** Notify a listener behind the change. */
	void report(Runnable report) {
		this.reports.add(report);
	}

	/**
	 * Take what is free, or stand in the queues of the names that are not.
	 * @return who is in the way, or null if the names belong to the contender now
	 */
	@Nullable Held take(InMemoryContender contender) {
		Held first = null;
		for (String name : contender.claim.names()) {
			Entry entry = this.entries.get(name);
			Held blocker = (entry != null) ? blocker(entry, contender) : null;
			if (blocker != null && !contender.claim.isImmediate()) {
				entry(name).waiting().add(contender);
			}
			else if (entry != null) {
				entry.waiting().remove(contender);
			}
			first = (first != null) ? first : blocker;
		}
		if (first == null) {
			InMemoryGrant grant = new InMemoryGrant(this, contender, permit(contender.claim), tokens(contender.claim));
			grant.names().forEach((name) -> entry(name).leases().add(grant));
			contender.granted(grant);
		}
		return first;
	}

	/** R21: what is held, or an older claim that excludes this one. */
	private static @Nullable Held blocker(Entry entry, InMemoryContender contender) {
		Claim claim = contender.claim;
		int free = Math.max(1, claim.permits());
		for (InMemoryGrant lease : entry.leases()) {
			if (excludes(lease.mode(), claim) && --free == 0) {
				return lease.describe(claim.permits());
			}
		}
		for (InMemoryContender older : entry.waiting()) {
			if (older == contender) {
				break;
			}
			if (excludes(older.claim.mode(), claim) && --free == 0) {
				return new Held(older.store.instanceId(), older.store.instanceId() + " has waited for it for longer");
			}
		}
		return null;
	}

	private static boolean excludes(LockMode mode, Claim other) {
		return mode == LockMode.EXCLUSIVE || other.mode() == LockMode.EXCLUSIVE;
	}

	private int permit(Claim claim) {
		List<Integer> taken = leases(claim.names().get(0)).stream().map(InMemoryGrant::permit).toList();
		return IntStream.rangeClosed(1, claim.permits())
			.filter((permit) -> !taken.contains(permit))
			.findFirst()
			.orElse(0);
	}

	/** R9; a reader takes no token of its own (R19). */
	private long[] tokens(Claim claim) {
		int taken = (claim.mode() == LockMode.SHARED) ? 0 : claim.tokens();
		this.lastToken = Math.max(this.lastToken + taken, this.clock.wallMicros());
		long[] tokens = new long[claim.names().size()];
		Arrays.fill(tokens, this.lastToken - Math.max(1, taken) + 1);
		return tokens;
	}

	private Entry entry(String name) {
		return this.entries.computeIfAbsent(name, (key) -> new Entry(new ArrayList<>(1), new LinkedHashSet<>(2)));
	}

	private List<InMemoryGrant> leases(String name) {
		return List.copyOf(this.entries.getOrDefault(name, FREE).leases());
	}

	void queue(InMemoryContender contender) {
		contender.claim.names().forEach((name) -> entry(name).waiting().add(contender));
	}

	/** Those that wait may get what they were refused. */
	void changed(List<String> names) {
		this.changed.addAll(names);
	}

	/** A lease ended, and does not cool down any more. */
	void remove(InMemoryGrant lease) {
		lease.names().forEach((name) -> entry(name).leases().remove(lease));
		changed(lease.names());
	}

	/** A contender does not wait any more. */
	void remove(InMemoryContender contender) {
		contender.claim.names().forEach((name) -> entry(name).waiting().remove(contender));
		changed(contender.claim.names());
	}

	/** Let those that wait ask again, in their order. */
	private void serve(String name) {
		Set<InMemoryContender> waiting = entry(name).waiting();
		List.copyOf(waiting).stream().filter(waiting::contains).forEach(InMemoryContender::ask);
		if (waiting.isEmpty() && entry(name).leases().isEmpty()) {
			this.entries.remove(name);
		}
	}

	void lose(String name, Predicate<InMemoryGrant> which) {
		change(() -> leases(name).stream()
			.filter(which)
			.forEach((lease) -> lease.lose("an operator released it by force")));
	}

	boolean requestRelease(String name, Duration deadline) {
		return change(() -> leases(name).stream()
			.filter((lease) -> lease.requestRelease(new ReleaseRequest(lease.names(), deadline)))
			.count() > 0);
	}

	NodeReport inspect(String name) {
		this.lock.lock();
		try {
			Entry entry = this.entries.getOrDefault(name, FREE);
			return new NodeReport(InMemoryLeaseStore.NODE, true,
					entry.leases().stream().map(InMemoryGrant::report).toList(),
					entry.waiting().stream().map(InMemoryContender::report).toList(),
					entry.leases().stream().mapToLong(InMemoryGrant::lastToken).max().orElse(0), null);
		}
		finally {
			this.lock.unlock();
		}
	}

}
