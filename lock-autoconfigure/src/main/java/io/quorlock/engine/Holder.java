package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;

/**
 * Who holds a lease at present: one call with one or, after re-entry, several handles
 * (R11). A lease that is handed on gets another holder with the next fencing token (R17).
 */
final class Holder {

	private static final Log logger = LogFactory.getLog(Holder.class);

	private final Lease lease;

	private final LockRequest request;

	private final String thread;

	private final ObservedRequest observed;

	private final int generation;

	private final long sinceNanos;

	private final AtomicInteger handles = new AtomicInteger(1);

	private final ConcurrentLinkedQueue<LostCallback> callbacks = new ConcurrentLinkedQueue<>();

	private volatile @Nullable LockLostEvent lost;

	Holder(Lease lease, Acquisition acquisition, int generation, long sinceNanos) {
		this.lease = lease;
		this.request = acquisition.request();
		this.thread = acquisition.thread();
		this.observed = acquisition.observed();
		this.generation = generation;
		this.sinceNanos = sinceNanos;
	}

	/** Adds a handle, unless the last one was closed. */
	boolean retain() {
		return this.handles.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	/** Takes a handle away; the last one ends the hold. */
	CompletableFuture<@Nullable Void> release() {
		return (this.handles.decrementAndGet() == 0) ? this.lease.holderLeft(this)
				: CompletableFuture.completedFuture(null);
	}

	void onLost(Handle handle, Consumer<LockLostEvent> callback) {
		LostCallback registered = new LostCallback(handle, callback);
		this.callbacks.add(registered);
		LockLostEvent event = this.lost;
		if (event != null && this.callbacks.remove(registered)) {
			run(registered, event);
		}
	}

	void forgetCallbacks(Handle handle) {
		if (!this.callbacks.isEmpty()) {
			this.callbacks.removeIf((callback) -> callback.handle() == handle);
		}
	}

	void lost(LockLostEvent event) {
		this.lost = event;
		this.lease.engine().callback(() -> this.observed.ended((observation) -> observation.onLost(event)));
		for (LostCallback callback = this.callbacks.poll(); callback != null; callback = this.callbacks.poll()) {
			run(callback, event);
		}
	}

	private void run(LostCallback callback, LockLostEvent event) {
		this.lease.engine().callback(() -> {
			try {
				callback.callback().accept(event);
			}
			catch (RuntimeException | Error ex) {
				logger.error("A callback on the loss of lock '%s' failed".formatted(LogText.escape(event.name())), ex);
			}
		});
	}

	Lease lease() {
		return this.lease;
	}

	LockRequest request() {
		return this.request;
	}

	String thread() {
		return this.thread;
	}

	ObservedRequest observed() {
		return this.observed;
	}

	int generation() {
		return this.generation;
	}

	long sinceNanos() {
		return this.sinceNanos;
	}

	private record LostCallback(Handle handle, Consumer<LockLostEvent> callback) {
	}

}
