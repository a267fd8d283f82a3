package io.quorlock.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockUnavailableException;

/**
 * A user's hold on a lease, or on some of its names.
 */
final class Handle implements LockHandle {

	private final Holder holder;

	private final Lease lease;

	private final List<String> names;

	private final AtomicBoolean closed = new AtomicBoolean();

	Handle(Holder holder) {
		this(holder, holder.lease().keys());
	}

	private Handle(Holder holder, List<String> names) {
		this.holder = holder;
		this.lease = holder.lease();
		this.names = names;
	}

	@Override
	public String name() {
		return (this.names.size() == 1) ? this.names.get(0) : String.join(",", this.names);
	}

	@Override
	public List<String> names() {
		return this.names;
	}

	@Override
	public long fencingToken() {
		if (this.names.size() != 1) {
			throw new IllegalStateException(
					"Lock '" + name() + "' has a fencing token per name: ask for one with fencingToken(name)");
		}
		return fencingToken(this.names.get(0));
	}

	@Override
	public long fencingToken(String name) {
		if (!this.names.contains(name)) {
			throw new IllegalArgumentException("Lock '" + name() + "' does not hold '" + name + "'");
		}
		return this.lease.fencingToken(this.lease.keys().indexOf(name), this.holder.generation());
	}

	@Override
	public Duration remaining() {
		return this.closed.get() ? Duration.ZERO : this.lease.remaining();
	}

	@Override
	public boolean isHeld() {
		return !this.closed.get() && this.lease.isHeld();
	}

	@Override
	public void ensureHeld() {
		checkOpen();
		if (!this.lease.isHeld()) {
			throw this.lease.lostException();
		}
	}

	private void checkOpen() {
		if (this.closed.get()) {
			throw new IllegalStateException("Lock '" + name() + "' was released: its handle is closed");
		}
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
		if (!this.closed.get()) {
			this.holder.onLost(this, callback);
		}
	}

	@Override
	public void extend(Duration lease) {
		this.lease.engine().checkLease(lease, name());
		ensureHeld();
		if (!this.lease.extend(lease).join()) {
			ensureHeld();
			throw new LockUnavailableException(
					"Lock '%s' could not be extended by %d ms and is held for another %d ms: %s".formatted(name(),
							lease.toMillis(), remaining().toMillis(), this.lease.engine().quorum().describe()));
		}
	}

	@Override
	public LockHandle reenter(Collection<String> names) {
		if (!this.names.containsAll(names)) {
			throw new IllegalArgumentException("Lock '" + name() + "' does not hold all of " + names);
		}
		ensureHeld();
		if (!this.holder.retain()) {
			checkOpen();
			throw new IllegalStateException("Lock '" + name() + "' was released");
		}
		return new Handle(this.holder, names.stream().sorted().distinct().toList());
	}

	@Override
	public void close() {
		closeNow().join();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return this.lease.engine().onCallbackThread(closeNow());
	}

	private CompletableFuture<@Nullable Void> closeNow() {
		if (!this.closed.compareAndSet(false, true)) {
			return CompletableFuture.completedFuture(null);
		}
		this.holder.forgetCallbacks(this);
		return this.holder.release();
	}

	/** Checks at the last moment: the validity may have ended on the way (R1). */
	Handle handOut() throws LockException {
		if (!isHeld()) {
			close();
			throw new LockUnavailableException("Lock '" + name()
					+ "' was granted, but its lease ended before the caller got it: the lease is too short for the "
					+ "pauses of this process");
		}
		return this;
	}

	@Override
	public String toString() {
		return "LockHandle[" + LogText.escape(name()) + (this.closed.get() ? ", closed]" : ", " + remaining() + "]");
	}

}
