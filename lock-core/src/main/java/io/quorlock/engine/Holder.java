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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LogText;
import io.quorlock.ReleaseRequest;

/**
 * A present holder of a lease: one call with one or, after re-entry, several handles
 * (R11). A lease that is handed over gets another holder with the next fencing token
 * (R17).
 */
final class Holder {

	private static final AtomicIntegerFieldUpdater<Holder> HANDLES = AtomicIntegerFieldUpdater.newUpdater(Holder.class,
			"handles");

	final LockRequest request;

	/** The name that the thread had which asked. */
	final String thread;

	/** The stack of that thread, if it is recorded. */
	final @Nullable Throwable stack;

	private final LockEngine engine;

	/** Reports the hold to the observers of the request. */
	final ObservedRequest observed;

	/** How often the lease had been handed over when this holder got it. */
	final int turnNumber;

	final long sinceNanos;

	@SuppressWarnings("unused") // read by its updater
	private volatile int handles = 1;

	/** Of its handles. Not made before the first is registered. */
	private volatile @Nullable Queue<Callback> callbacks;

	private volatile @Nullable LockLostEvent lost;

	/** Whether it was reported as released or lost. */
	private boolean ended;

	/** The user got the handle: only now there is something to cool down from (R18). */
	volatile boolean handedOut;

	/** How long it holds the lock at least, counted from the grant (R18). */
	private volatile Duration holdAtLeast;

	/** It was a writer, and is a reader. */
	volatile boolean downgraded;

	Holder(LockCall call, int turnNumber) {
		this.request = call.request;
		this.thread = call.thread;
		this.stack = call.stack;
		this.engine = call.engine;
		this.observed = call.observed.hold();
		this.turnNumber = turnNumber;
		this.sinceNanos = this.engine.clock.nanoTime();
		this.holdAtLeast = call.request.holdAtLeast();
	}

	/** Return whether it has not been reported yet that it released or lost the lease. */
	synchronized boolean end() {
		boolean first = !this.ended;
		this.ended = true;
		return first;
	}

	LockMode mode() {
		return this.downgraded ? LockMode.SHARED : this.request.mode();
	}

	Duration held() {
		return Duration.ofNanos(heldNanos());
	}

	long heldNanos() {
		return this.engine.clock.nanoTime() - this.sinceNanos;
	}

	/**
	 * Return what is left of the time for which it keeps the lock at least. Only what was
	 * really held cools down (R18).
	 */
	Duration cooldown() {
		return (this.handedOut && !this.holdAtLeast.isZero())
				? Duration.ofNanos(Math.max(0, LockEngine.nanos(this.holdAtLeast) - heldNanos())) : Duration.ZERO;
	}

	/** Hold the lock at least for some time from now on. */
	void holdAtLeast(Duration time) {
		this.holdAtLeast = time.isZero() ? Duration.ZERO : held().plus(time);
	}

	/** Add a handle, unless the last one was closed. */
	boolean retain() {
		return HANDLES.getAndUpdate(this, (count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/** Take a handle away. Return whether it was the last. */
	boolean release() {
		return HANDLES.decrementAndGet(this) == 0;
	}

	void onLost(LockHandle handle, Consumer<LockLostEvent> callback) {
		add(new Callback(handle, callback, null));
		LockLostEvent event = this.lost;
		if (event != null) {
			runLost(event);
		}
	}

	void onReleaseRequested(LockHandle handle, Consumer<ReleaseRequest> callback) {
		add(new Callback(handle, null, callback));
	}

	private synchronized void add(Callback callback) {
		Queue<Callback> registered = this.callbacks;
		if (registered == null) {
			registered = new ConcurrentLinkedQueue<>();
			this.callbacks = registered;
		}
		registered.add(callback);
	}

	void forgetCallbacks(LockHandle handle) {
		Queue<Callback> registered = this.callbacks;
		if (registered != null) {
			registered.removeIf((callback) -> callback.handle == handle);
		}
	}

	/**
	 * Return whether it is notified of requests to release the lock, as a leader is,
	 * which may hold it until it is asked.
	 */
	boolean releasesOnRequest() {
		Queue<Callback> registered = this.callbacks;
		return registered != null && registered.stream().anyMatch((callback) -> callback.onRequest != null);
	}

	void releaseRequested(ReleaseRequest request) {
		Queue<Callback> registered = this.callbacks;
		if (registered != null) {
			registered.forEach((callback) -> run(callback.onRequest, request,
					"A callback on a request to release lock '" + LogText.names(request.names()) + "'"));
		}
	}

	void lost(LockLostEvent event) {
		this.lost = event; // before the callbacks are read: one that comes later sees it
		this.engine.events.run(() -> this.observed.ended((observation) -> observation.onLost(event)));
		runLost(event);
	}

	private void runLost(LockLostEvent event) {
		Queue<Callback> registered = this.callbacks;
		if (registered != null) {
			for (Callback callback : List.copyOf(registered)) {
				if (callback.onLost != null && registered.remove(callback)) {
					run(callback.onLost, event,
							"A callback on the loss of lock '" + LogText.names(event.names()) + "'");
				}
			}
		}
	}

	private <E> void run(@Nullable Consumer<E> code, E event, String what) {
		if (code != null) {
			this.engine.events.run(() -> LockEvents.runHere(what, () -> code.accept(event)));
		}
	}

	private record Callback(LockHandle handle, @Nullable Consumer<LockLostEvent> onLost,
			@Nullable Consumer<ReleaseRequest> onRequest) {
	}

}
