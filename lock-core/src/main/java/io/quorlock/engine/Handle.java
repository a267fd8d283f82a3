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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockLostEvent;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.LogText;
import io.quorlock.ReleaseRequest;
import io.quorlock.spi.ReentrantLockHandle;

/**
 * A user's hold on a lease, or on some of its names. Held by the thousands, with what the
 * request says already.
 */
class Handle implements ReentrantLockHandle {

	private static final AtomicIntegerFieldUpdater<Handle> CLOSED = AtomicIntegerFieldUpdater.newUpdater(Handle.class,
			"closed");

	private final HeldLease lease;

	final Holder holder;

	/** 1 once it is. */
	private volatile int closed;

	Handle(HeldLease lease, Holder holder) {
		this.lease = lease;
		this.holder = holder;
	}

	@Override
	public List<String> names() {
		// A reader may share a lease of more names than it asks for (R19).
		return this.holder.request.names();
	}

	@Override
	public long fencingToken(String name) {
		if (!names().contains(name)) {
			throw new IllegalArgumentException("Lock '" + name() + "' does not hold '" + name + "'");
		}
		long[] tokens = this.lease.grant.tokens();
		if (tokens == null) {
			throw new IllegalStateException("Lock '%s' has no fencing token: %s is false".formatted(name(),
					this.lease.engine.settings.nameOf("fencing.enabled")));
		}
		// A hand-over takes them from the bottom (R9).
		return tokens[this.lease.names().indexOf(name)] + this.holder.turnNumber;
	}

	@Override
	public LockMode mode() {
		return this.holder.mode();
	}

	@Override
	public int permit() {
		return this.lease.grant.permit();
	}

	@Override
	public void downgrade() {
		ensureHeld();
		if (mode() == LockMode.SHARED || permit() > 0) {
			throw new IllegalStateException(
					"Lock '" + name() + "' is not held exclusively, so that it cannot be downgraded");
		}
		downgradeAsync().toCompletableFuture().join();
		ensureHeld();
	}

	/** As {@link #downgrade()}, without waiting for the replies. */
	CompletionStage<Boolean> downgradeAsync() {
		return this.lease.downgrade(this.holder);
	}

	@Override
	public Duration remaining() {
		return isClosed() ? Duration.ZERO : this.lease.remaining();
	}

	private boolean isClosed() {
		return this.closed != 0;
	}

	@Override
	public boolean isHeld() {
		return !isClosed() && this.lease.isHeld();
	}

	@Override
	public void ensureHeld() {
		checkOpen();
		if (!this.lease.isHeld()) {
			checkOpen(); // by another thread meanwhile
			throw this.lease.lostException();
		}
	}

	private void checkOpen() {
		if (isClosed()) {
			throw new IllegalStateException("Lock '" + name() + "' was released: its handle is closed");
		}
	}

	@Override
	public void onLost(Consumer<LockLostEvent> callback) {
		if (!isClosed()) {
			this.holder.onLost(this, callback);
		}
	}

	@Override
	public void onAtRisk(Consumer<LockAtRiskEvent> callback) {
		if (!isClosed()) {
			this.lease.risk().add(this, callback);
		}
	}

	@Override
	public void onReleaseRequested(Consumer<ReleaseRequest> callback) {
		if (!isClosed()) {
			this.lease.listen();
			this.holder.onReleaseRequested(this, callback);
		}
	}

	@Override
	public boolean isGrantedBy(Object engine) {
		return this.lease.engine == engine;
	}

	@Override
	public void extend(Duration lease) {
		if (!extendAsync(lease).toCompletableFuture().join()) {
			ensureHeld();
			throw new LockUnavailableException(
					("Lock '%s' could not be extended by %d ms and is held for another %d ms: no quorum confirmed that in "
							+ "time, or the lease was shortened meanwhile")
						.formatted(name(), lease.toMillis(), remaining().toMillis()));
		}
	}

	/** As {@link #extend}, without waiting for the replies. */
	CompletionStage<Boolean> extendAsync(Duration lease) {
		this.lease.engine.settings.checkLease(lease, name());
		ensureHeld();
		return this.lease.extend(this.holder, lease);
	}

	@Override
	public void holdAtLeast(Duration time) {
		// Refuses what no request may ask for.
		LockRequest.ofAll(names()).holdAtLeast(time);
		ensureHeld();
		if (mode() == LockMode.SHARED) {
			throw new IllegalStateException("Lock '" + name() + "' is shared: others hold it all the same");
		}
		this.holder.holdAtLeast(time);
	}

	@Override
	public Handle reenter(Collection<String> names) {
		if (!names().containsAll(names)) {
			throw new IllegalArgumentException("Lock '" + name() + "' does not hold all of " + names);
		}
		ensureHeld();
		if (!this.holder.retain()) {
			checkOpen();
			throw new IllegalStateException("Lock '" + name() + "' was released");
		}
		return new Reentry(this.lease, this.holder, names.stream().sorted().distinct().toList());
	}

	@Override
	public void close() {
		closeNow().toCompletableFuture().join();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return this.lease.engine.events.completeOnThread(closeNow().thenApply((result) -> null));
	}

	private CompletionStage<?> closeNow() {
		if (!CLOSED.compareAndSet(this, 0, 1)) {
			return CompletableFuture.completedFuture(null);
		}
		this.holder.forgetCallbacks(this);
		this.lease.forgetRisk(this);
		return this.holder.release() ? this.lease.holderLeft(this.holder) : CompletableFuture.completedFuture(null);
	}

	/**
	 * Give the handle to its user, if the lease is still valid (R1).
	 * @return whether it is; otherwise the handle was closed
	 */
	boolean handOut() {
		if (!isHeld()) {
			closeNow();
			return false;
		}
		this.holder.handedOut = true;
		return true;
	}

	@Override
	public String toString() {
		return "LockHandle[" + LogText.escape(name()) + (isClosed() ? ", closed]" : ", " + remaining() + "]");
	}

	/** Perhaps on some of the names only. */
	private static final class Reentry extends Handle {

		private final List<String> names;

		private Reentry(HeldLease lease, Holder holder, List<String> names) {
			super(lease, holder);
			this.names = names;
		}

		@Override
		public List<String> names() {
			return this.names;
		}

	}

}
