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

package io.quorlock.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.engine.LockInspector;
import io.quorlock.memory.InMemoryLeases;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.LeaseStore;

/**
 * Simulates events around locks in memory that are hard to cause in a test. On other
 * backends it can only make the application {@linkplain #lose lose} a lock. It belongs to
 * the application, so tests that run in parallel need an application each.
 *
 * <pre class="code">
 * locks.heldElsewhere("order:42");
 * assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -&gt; this.orders.place(42));
 * </pre>
 *
 * @since 0.1.0
 * @see AutoConfigureTestLocks
 */
public class LockSimulator {

	private static final String ELSEWHERE = "elsewhere@test:0";

	private static final long LEASE_NANOS = Duration.ofDays(1).toNanos();

	private static final long RELEASE_NANOS = 10_000_000_000L;

	private static final long POLL_NANOS = 1_000_000;

	private final Supplier<LockInspector> inspector;

	private final Supplier<@Nullable InMemoryLeases> leases;

	private final Map<String, List<Grant>> heldElsewhere = new ConcurrentHashMap<>();

	LockSimulator(Supplier<LockInspector> inspector, Supplier<@Nullable InMemoryLeases> leases) {
		this.inspector = inspector;
		this.leases = leases;
	}

	/**
	 * Simulate that another instance holds a lock, until {@link #free} or the end of the
	 * test method. A lease that the application retains, but does not use, is taken.
	 * @param name the lock
	 * @throws IllegalStateException if it is held already
	 */
	public void heldElsewhere(String name) {
		hold(name, LockMode.EXCLUSIVE, 0);
	}

	/**
	 * Simulate that another instance shares a lock, until {@link #free} or the end of the
	 * test method.
	 * @param name the lock
	 * @throws IllegalStateException if it is held exclusively
	 */
	public void sharedElsewhere(String name) {
		hold(name, LockMode.SHARED, 0);
	}

	/**
	 * Simulate that another instance holds one of several permits, until {@link #free} or
	 * the end of the test method. Call it again for each further permit.
	 * @param name the lock
	 * @param permits how many permits the lock has
	 * @throws IllegalStateException if none is free
	 */
	public void permitElsewhere(String name, int permits) {
		hold(name, LockMode.EXCLUSIVE, permits);
	}

	private void hold(String name, LockMode mode, int permits) {
		LeaseStore elsewhere = elsewhere();
		takeRetained(name);
		Claim claim = new Claim(LockRequest.of(name).names(), mode, permits, false, LEASE_NANOS, true, 1, 0, 0,
				Integer.MAX_VALUE, false, false);
		elsewhere.contend(claim, new Contender.Listener() {

			@Override
			public void onWaiting() {
				// It does not wait.
			}

			@Override
			public void onGranted(Grant grant) {
				LockSimulator.this.heldElsewhere.computeIfAbsent(name, (key) -> new CopyOnWriteArrayList<>())
					.add(grant);
			}

			@Override
			public void onFailed(ClaimFailure failure) {
				throw new IllegalStateException("Lock '" + name + "' is held already");
			}

		}).start();
	}

	/** It needs no timer, since what it holds ends when it is released. */
	private LeaseStore elsewhere() {
		LeaseStore elsewhere = leases().store(ELSEWHERE, true, (delay, task) -> () -> {
		});
		elsewhere.start();
		return elsewhere;
	}

	/** On other servers, a test would look at locks that nothing has happened to. */
	private InMemoryLeases leases() {
		InMemoryLeases leases = this.leases.get();
		if (leases == null) {
			throw new IllegalStateException("Only locks in memory can be simulated elsewhere or unavailable");
		}
		return leases;
	}

	/** As another instance would: the application does not use the lock. */
	private void takeRetained(String name) {
		LockInspector inspector = this.inspector.get();
		long begin = System.nanoTime();
		while (inspector.retained().stream().anyMatch((lease) -> lease.name().equals(name))
				&& System.nanoTime() - begin < RELEASE_NANOS) {
			inspector.requestRelease(name, Duration.ofNanos(RELEASE_NANOS)).join();
			LockSupport.parkNanos(POLL_NANOS);
		}
	}

	/**
	 * Simulate that the other instance releases a lock, and all permits that it holds.
	 * @param name the lock
	 */
	public void free(String name) {
		List<Grant> held = this.heldElsewhere.remove(name);
		if (held != null) {
			LeaseStore elsewhere = elsewhere();
			held.forEach((grant) -> elsewhere.release(grant, Duration.ZERO, null));
		}
	}

	/**
	 * Simulate that locks are unavailable to the application, until {@link #available} or
	 * the end of the test method. It loses what it holds when the leases end.
	 */
	public void unavailable() {
		leases().simulateOutage(this.inspector.get().instanceId(), "simulated as unavailable");
	}

	/**
	 * Simulate that locks are available again.
	 */
	public void available() {
		InMemoryLeases leases = this.leases.get();
		if (leases != null) {
			leases.simulateOutage(this.inspector.get().instanceId(), null);
		}
	}

	/**
	 * Simulate that the application loses a lock that it holds. Its holder is notified at
	 * once. What another instance shares, or holds permits of, stays in memory.
	 * @param name the lock
	 * @throws IllegalStateException if the application does not hold it
	 */
	public void lose(String name) {
		LockInspector inspector = this.inspector.get();
		InMemoryLeases leases = this.leases.get();
		if (inspector.held().stream().noneMatch((hold) -> hold.names().contains(name))) {
			throw new IllegalStateException("Lock '" + name + "' is not held, so that it cannot be lost");
		}
		if (leases != null) {
			leases.simulateLoss(inspector.instanceId(), name);
		}
		else {
			inspector.forceRelease(name).join();
		}
	}

	/**
	 * End all simulations.
	 */
	public void reset() {
		available();
		List.copyOf(this.heldElsewhere.keySet()).forEach(this::free);
	}

}
