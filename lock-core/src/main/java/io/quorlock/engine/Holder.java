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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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

	private static final Log logger = LogFactory.getLog(Holder.class);

	/**
	 * The call that asked.
	 *
	 * @param request what was asked for
	 * @param thread the name of the thread that asked
	 * @param stack the stack of that thread, if it was recorded
	 * @param observed notifies the observers of the request
	 */
	record Caller(LockRequest request, String thread, @Nullable Throwable stack, ObservedRequest observed) {
	}

	private final Caller caller;

	private final ObservedRequest observed;

	private final int generation;

	private final long sinceNanos;

	private final Callbacks callbacks;

	private final AtomicInteger handles = new AtomicInteger(1);

	/** Not made before the first is registered. */
	private volatile @Nullable Registered registered;

	private volatile @Nullable LockLostEvent lost;

	/** Whether it was reported as released or lost. */
	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile boolean handedOut;

	/** How long it holds the lock at least, counted from the grant (R18). */
	private volatile long holdAtLeastNanos;

	/** It was a writer, and is a reader. */
	private volatile boolean downgraded;

	Holder(Caller caller, int generation, long sinceNanos, Callbacks callbacks) {
		this.caller = caller;
		this.observed = caller.observed().hold();
		this.generation = generation;
		this.sinceNanos = sinceNanos;
		this.callbacks = callbacks;
		this.holdAtLeastNanos = Nanos.of(caller.request().holdAtLeast());
	}

	/** Return whether it has not been reported yet that it released or lost the lease. */
	boolean end() {
		return this.ended.compareAndSet(false, true);
	}

	/** The user got the handle: only now there is something to cool down from (R18). */
	void handedOut() {
		this.handedOut = true;
	}

	void downgraded(boolean downgraded) {
		this.downgraded = downgraded;
	}

	LockMode mode() {
		return this.downgraded ? LockMode.SHARED : request().mode();
	}

	/** R18: only what was really held cools down. */
	boolean coolsDown() {
		return this.handedOut && this.holdAtLeastNanos > 0;
	}

	/** Return what is left of the time for which it keeps the lock at least. */
	Duration cooldown(long heldNanos) {
		return coolsDown() ? Duration.ofNanos(Math.max(0, this.holdAtLeastNanos - heldNanos)) : Duration.ZERO;
	}

	/** Hold the lock at least for some time from now on. */
	void holdAtLeast(Duration time, long heldNanos) {
		this.holdAtLeastNanos = time.isZero() ? 0 : heldNanos + Nanos.of(time);
	}

	/** Add a handle, unless the last one was closed. */
	boolean retain() {
		return this.handles.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/** Take a handle away. Return whether it was the last. */
	boolean release() {
		return this.handles.decrementAndGet() == 0;
	}

	void onLost(LockHandle handle, Consumer<LockLostEvent> callback) {
		LostCallback added = new LostCallback(handle, callback);
		Registered registered = registered();
		registered.lost.add(added);
		LockLostEvent event = this.lost;
		if (event != null && registered.lost.remove(added)) {
			run(added, event);
		}
	}

	void forgetCallbacks(LockHandle handle) {
		Registered registered = this.registered;
		if (registered != null) {
			registered.requests.removeIf((callback) -> callback.handle() == handle);
			registered.lost.removeIf((callback) -> callback.handle() == handle);
		}
	}

	void onReleaseRequested(LockHandle handle, Consumer<ReleaseRequest> callback) {
		registered().requests.add(new RequestCallback(handle, callback));
	}

	private synchronized Registered registered() {
		Registered registered = this.registered;
		if (registered == null) {
			registered = new Registered();
			this.registered = registered;
		}
		return registered;
	}

	/**
	 * Return whether it is notified of requests to release the lock, as a leader is,
	 * which may hold it until it is asked.
	 */
	boolean releasesOnRequest() {
		Registered registered = this.registered;
		return registered != null && !registered.requests.isEmpty();
	}

	void releaseRequested(ReleaseRequest request) {
		Registered registered = this.registered;
		if (registered != null) {
			registered.requests.forEach((callback) -> run(callback, request));
		}
	}

	void lost(LockLostEvent event) {
		this.lost = event; // before the callbacks are read: one that comes later sees it
		this.callbacks.run(() -> this.observed.ended((observation) -> observation.onLost(event)));
		Registered registered = this.registered;
		if (registered == null) {
			return;
		}
		for (LostCallback next = registered.lost.poll(); next != null; next = registered.lost.poll()) {
			run(next, event);
		}
	}

	private void run(RequestCallback registered, ReleaseRequest request) {
		this.callbacks.run(() -> {
			try {
				registered.callback().accept(request);
			}
			catch (RuntimeException | Error ex) {
				logger.error("A callback on a request to release lock '%s' failed; mend it: it must not throw"
					.formatted(LogText.names(request.names())), ex);
			}
		});
	}

	private void run(LostCallback registered, LockLostEvent event) {
		this.callbacks.run(() -> {
			try {
				registered.callback().accept(event);
			}
			catch (RuntimeException | Error ex) {
				logger.error("A callback on the loss of lock '%s' failed; mend it: it must not throw"
					.formatted(LogText.names(event.names())), ex);
			}
		});
	}

	LockRequest request() {
		return this.caller.request();
	}

	Caller caller() {
		return this.caller;
	}

	/** Return what reports the hold to the observers of the request. */
	ObservedRequest observed() {
		return this.observed;
	}

	/** Return how often the lease had been handed over when this holder got it. */
	int generation() {
		return this.generation;
	}

	long sinceNanos() {
		return this.sinceNanos;
	}

	/** The callbacks of its handles. */
	private static final class Registered {

		private final ConcurrentLinkedQueue<LostCallback> lost = new ConcurrentLinkedQueue<>();

		private final ConcurrentLinkedQueue<RequestCallback> requests = new ConcurrentLinkedQueue<>();

	}

	private record RequestCallback(LockHandle handle, Consumer<ReleaseRequest> callback) {
	}

	private record LostCallback(LockHandle handle, Consumer<LockLostEvent> callback) {
	}

}
