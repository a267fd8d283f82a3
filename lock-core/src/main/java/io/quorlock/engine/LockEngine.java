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

package io.quorlock.engine;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.NameLocks;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * The entry to the locks of this process, and their life cycle. The engine decides which
 * request of this process gets a lock; a {@link LeaseStore} decides whether this process
 * gets it. It has no thread of its own and blocks none: callers, the store and the timer
 * drive it, so that one thread can run it under a simulated clock.
 *
 * @since 0.1.0
 * @see DefaultLockTemplate
 */
public final class LockEngine {

	/** About 73 years. */
	private static final Duration MAX = Duration.ofNanos(Long.MAX_VALUE / 4);

	/** A store that does not stop within this time is left alone. */
	private static final long STOP_SECONDS = 10;

	final EngineSettings settings;

	final LeaseStore store;

	final LockClock clock;

	final LockTimer timer;

	final List<RequestObserver> observers;

	final LockEvents events;

	final LocalQueues<Acquisition> queues = new LocalQueues<>();

	final NameLocks requestLocks = new NameLocks();

	final Succession succession = new Succession(this);

	final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();

	private volatile boolean running;

	/**
	 * Create an engine without listeners and observers; {@link #start()} starts it.
	 * @param settings the settings
	 * @param store grants the leases; it uses the same clock and timer
	 * @param clock the clock
	 * @param timer runs the time-outs
	 * @param callbacks runs the code of users: an executor whose threads may be blocked,
	 * without a bound
	 */
	public LockEngine(EngineSettings settings, LeaseStore store, LockClock clock, LockTimer timer, Executor callbacks) {
		this(settings, store, clock, timer, callbacks, List.of(), List.of());
	}

	/**
	 * Create an engine; {@link #start()} starts it.
	 * @param settings the settings
	 * @param store grants the leases; it uses the same clock and timer
	 * @param clock the clock
	 * @param timer runs the time-outs
	 * @param callbacks runs the code of users: an executor whose threads may be blocked,
	 * without a bound
	 * @param listeners are notified of what happens to locks
	 * @param observers accompany single requests
	 */
	public LockEngine(EngineSettings settings, LeaseStore store, LockClock clock, LockTimer timer, Executor callbacks,
			List<? extends LockListener> listeners, List<? extends RequestObserver> observers) {
		this.settings = settings;
		this.store = store;
		this.clock = clock;
		this.timer = timer;
		this.observers = List.copyOf(observers);
		this.events = new LockEvents(listeners, callbacks);
	}

	/**
	 * Start the store. Does not wait for its connections.
	 */
	public void start() {
		this.store.start();
		this.running = true;
	}

	/**
	 * Fail the requests that wait, release what is held and notify the holders, then
	 * disconnect the store. Returns when the releases were confirmed, or after two
	 * operation timeouts. The engine can be started again.
	 */
	public void stop() {
		this.running = false;
		// In an order that does not depend on hash codes (R16).
		this.acquisitions.stream()
			.sorted(Comparator.comparing((acquisition) -> acquisition.call.claim.queuedAtNanos()))
			.forEach((acquisition) -> acquisition.cancel(acquisition.call.stopped()));
		LockEvents.logStopped(leases().stream()
			.sorted(Comparator.comparing((lease) -> lease.grant.owner()))
			.filter(HeldLease::stop)
			.map(HeldLease::toString)
			.toList());
		try {
			this.store.stop().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			// What could not be confirmed expires with its lease.
		}
		this.store.close();
	}

	/**
	 * Return whether the engine takes requests.
	 * @return whether it was started and not stopped
	 */
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Return whether no lock is held, or about to be released by its last holder.
	 * @return whether a stop takes no lock away
	 */
	public boolean isIdle() {
		return leases().stream().noneMatch(HeldLease::isHeld);
	}

	/** Return the leases that have not ended: they occupy their queues. */
	Set<HeldLease> leases() {
		Set<HeldLease> leases = new LinkedHashSet<>();
		this.queues.occupants().forEach((occupant) -> {
			if (occupant instanceof HeldLease lease && lease.isKept()) {
				leases.add(lease);
			}
		});
		return leases;
	}

	/**
	 * Acquire a lock without blocking.
	 * @param request what to lock; its context is not re-entered
	 * @param defaultWait how long to wait if the request does not say
	 * @return completes on a thread that users may block, with the lock or a
	 * {@link LockException}; cancelling it gives up
	 */
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request, Duration defaultWait) {
		return new LockCall(this, request, defaultWait).acquireAsync();
	}

	/**
	 * Acquire a lock, blocking the caller.
	 * @param request what to lock; its context is not re-entered
	 * @return the lock
	 * @throws LockException if it was not acquired
	 */
	LockHandle acquire(LockRequest request) {
		return new LockCall(this, request, this.settings.waitTime()).acquire();
	}

	/**
	 * Return the settings that the engine was given.
	 * @return the settings
	 */
	public EngineSettings settings() {
		return this.settings;
	}

	/** A duration in nanoseconds, which can be added to a clock without an overflow. */
	static long nanos(Duration duration) {
		return (duration.compareTo(MAX) < 0) ? duration.toNanos() : MAX.toNanos();
	}

}
