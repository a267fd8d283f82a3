package io.quorlock.engine;

import java.time.Duration;
import java.util.List;

import io.quorlock.LockContext;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.store.Claim;
import io.quorlock.store.LeaseStore;

/**
 * Translates what a caller asks for into what the store is asked for.
 */
final class Requests {

	private final Object engine;

	private final EngineSettings settings;

	private final LeaseStore store;

	private final EngineClock clock;

	private final List<RequestObserver> observers;

	Requests(Object engine, EngineSettings settings, LeaseStore store, EngineClock clock,
			List<RequestObserver> observers) {
		this.engine = engine;
		this.settings = settings;
		this.store = store;
		this.clock = clock;
		this.observers = observers;
	}

	Claim claim(LockRequest request, Patience patience) {
		Duration wait = (request.waitTime() != null) ? request.waitTime() : patience.defaultWait();
		Duration lease = (request.leaseTime() != null) ? request.leaseTime() : this.settings.leaseTime();
		boolean limited = patience.limited() && !LockRequest.UNLIMITED_WAIT.equals(request.waitTime());
		return new Claim(request.names(), request.mode(), request.permits(), 0, request.isFair(), Nanos.of(lease),
				request.leaseTime() == null, HandOvers.range(this.settings, request), this.clock.nanoTime(),
				Nanos.of(wait), limited ? this.settings.maxAttempts() : Integer.MAX_VALUE,
				limited && this.settings.unavailableFailFast(), !HandOvers.retainTime(this.settings, request).isZero());
	}

	/** Check a request before anything is queued or sent. */
	void check(LockRequest request, Claim claim) {
		if (request.leaseTime() != null) {
			Leases.check(this.settings, request.leaseTime(), claim.toString());
		}
		this.store.check(claim);
	}

	Holder.Caller caller(LockRequest request) {
		Throwable stack = this.settings.recordingCallers() ? new Throwable("Acquired here") : null;
		return new Holder.Caller(request, Thread.currentThread().getName(), stack,
				ObservedRequest.start(this.observers, request));
	}

	/** Whether the call that asks holds a lock of this engine already (R13). */
	boolean isNested(LockRequest request) {
		LockContext context = (request.context() != null) ? request.context() : LockContext.capture();
		for (LockContext outer = context; outer != null; outer = outer.outer()) {
			if (outer.handle().isGrantedBy(this.engine)) {
				return true;
			}
		}
		return false;
	}

}
