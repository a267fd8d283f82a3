package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
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

	private final int generation;

	private final long sinceNanos;

	private final Callbacks callbacks;

	private final AtomicInteger handles = new AtomicInteger(1);

	private final ConcurrentLinkedQueue<LostCallback> lostCallbacks = new ConcurrentLinkedQueue<>();

	private final ConcurrentLinkedQueue<RequestCallback> requestCallbacks = new ConcurrentLinkedQueue<>();

	private volatile @Nullable LockLostEvent lost;

	/** Whether it was reported as released or lost. */
	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile boolean handedOut;

	/** It was a writer, and is a reader. */
	private volatile boolean downgraded;

	Holder(Caller caller, int generation, long sinceNanos, Callbacks callbacks) {
		this.caller = caller;
		this.generation = generation;
		this.sinceNanos = sinceNanos;
		this.callbacks = callbacks;
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
	Duration cooldown(long heldNanos) {
		Duration least = request().holdAtLeast();
		return (least.isZero() || !this.handedOut) ? Duration.ZERO
				: Duration.ofNanos(Math.max(0, Nanos.of(least) - heldNanos));
	}

	/** Add a handle, unless the last one was closed. */
	boolean retain() {
		return this.handles.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/**
	 * Take a handle away.
	 * @param last ends the hold, if this was the last handle
	 */
	CompletionStage<@Nullable Void> release(Function<Holder, CompletionStage<@Nullable Void>> last) {
		return (this.handles.decrementAndGet() == 0) ? last.apply(this)
				: java.util.concurrent.CompletableFuture.completedFuture(null);
	}

	void onLost(LockHandle handle, Consumer<LockLostEvent> callback) {
		LostCallback registered = new LostCallback(handle, callback);
		this.lostCallbacks.add(registered);
		LockLostEvent event = this.lost;
		if (event != null && this.lostCallbacks.remove(registered)) {
			run(registered, event);
		}
	}

	void forgetCallbacks(LockHandle handle) {
		if (!this.requestCallbacks.isEmpty()) {
			this.requestCallbacks.removeIf((callback) -> callback.handle() == handle);
		}
		if (!this.lostCallbacks.isEmpty()) {
			this.lostCallbacks.removeIf((callback) -> callback.handle() == handle);
		}
	}

	void onReleaseRequested(LockHandle handle, Consumer<ReleaseRequest> callback) {
		this.requestCallbacks.add(new RequestCallback(handle, callback));
	}

	/**
	 * Return whether it is notified of requests to release the lock, as a leader is,
	 * which may hold it until it is asked.
	 */
	boolean releasesOnRequest() {
		return !this.requestCallbacks.isEmpty();
	}

	void releaseRequested(ReleaseRequest request) {
		this.requestCallbacks.forEach((registered) -> run(registered, request));
	}

	void lost(LockLostEvent event) {
		this.lost = event;
		this.callbacks.run(() -> this.caller.observed().ended((observation) -> observation.onLost(event)));
		for (LostCallback next = this.lostCallbacks.poll(); next != null; next = this.lostCallbacks.poll()) {
			run(next, event);
		}
	}

	private void run(RequestCallback registered, ReleaseRequest request) {
		this.callbacks.run(() -> {
			try {
				registered.callback().accept(request);
			}
			catch (RuntimeException | Error ex) {
				logger.error("A callback on a request to release lock '%s' failed"
					.formatted(LogText.escape(String.join(",", request.names()))), ex);
			}
		});
	}

	private void run(LostCallback registered, LockLostEvent event) {
		this.callbacks.run(() -> {
			try {
				registered.callback().accept(event);
			}
			catch (RuntimeException | Error ex) {
				logger.error("A callback on the loss of lock '%s' failed".formatted(LogText.escape(event.name())), ex);
			}
		});
	}

	LockRequest request() {
		return this.caller.request();
	}

	Caller caller() {
		return this.caller;
	}

	/** Return how often the lease had been handed over when this holder got it. */
	int generation() {
		return this.generation;
	}

	long sinceNanos() {
		return this.sinceNanos;
	}

	private record RequestCallback(LockHandle handle, Consumer<ReleaseRequest> callback) {
	}

	private record LostCallback(LockHandle handle, Consumer<LockLostEvent> callback) {
	}

}
