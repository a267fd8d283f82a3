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

package io.quorlock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A lock that was acquired. It belongs to the code that has the handle and is bound to no
 * thread: any thread may use, extend or close it.
 * <p>
 * Whether the lock is held is computed at each call, from the validity that was granted
 * and the monotonic clock. The result is therefore correct even if no timer could run,
 * for example after a pause of the process or a long garbage collection.
 *
 * @since 0.1.0
 * @see LockTemplate#acquire(LockRequest)
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * Return the name of the lock, or several names joined by commas.
	 * @return the name
	 */
	default String name() {
		List<String> names = names();
		return (names.size() == 1) ? names.get(0) : String.join(",", names);
	}

	/**
	 * Return all names that this handle holds.
	 * @return the names, sorted, without duplicates
	 */
	List<String> names();

	/**
	 * Return the fencing token of the only name. It is strictly greater than the token of
	 * every earlier grant of the name. Pass it to the resource, and let the resource
	 * refuse tokens that are smaller than the greatest it has seen. The token of a shared
	 * holder is not less than that of any earlier exclusive one, and less than that of
	 * any later one. Two shared holders may have different tokens, so that a resource
	 * which both write cannot distinguish a valid one from a stale one in this way.
	 * @return the token, at least 1
	 * @throws IllegalStateException if several names are held, or fencing is switched off
	 */
	default long fencingToken() {
		if (names().size() != 1) {
			throw new IllegalStateException(
					"Lock '" + name() + "' has a fencing token per name: ask for one with fencingToken(name)");
		}
		return fencingToken(names().get(0));
	}

	/**
	 * Return the fencing token of one of the names.
	 * @param name one of {@link #names()}
	 * @return the token, at least 1
	 * @throws IllegalArgumentException if the handle does not hold the name
	 * @throws IllegalStateException if fencing is switched off
	 */
	long fencingToken(String name);

	/**
	 * Return how the lock excludes others.
	 * @return the requested mode, or {@link LockMode#SHARED} after a downgrade
	 */
	default LockMode mode() {
		return LockMode.EXCLUSIVE;
	}

	/**
	 * Return the number of the permit. Permits are numbered so that a resource can
	 * compare the fencing tokens of each permit.
	 * @return 1 to the number of permits, or 0 for a lock without permits
	 */
	default int permit() {
		return 0;
	}

	/**
	 * Turn an exclusive lock into a shared one without a gap: no other writer gets it in
	 * between. Stop writing before the call, since others may read while it runs. The
	 * fencing token remains, and so does the end of a fixed lease. All handles of a
	 * re-entered lock are shared from then on. If no quorum confirms in time, the lock is
	 * shared all the same, and other readers are admitted as the nodes learn of it. If
	 * the handle stands for several locks, those that are still exclusive are turned.
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if this handle was closed, or is shared or a permit
	 * @throws UnsupportedOperationException if the backend cannot do it
	 */
	default void downgrade() {
		throw new UnsupportedOperationException("Lock '" + name() + "' cannot be downgraded");
	}

	/**
	 * Return the time for which the lock is certainly held if it is not renewed. Clock
	 * drift is subtracted already.
	 * @return the time, {@link Duration#ZERO} if the lock is no longer held
	 */
	Duration remaining();

	/**
	 * Return whether the lock is held at this instant.
	 * @return {@code false} once the handle is closed or the lock is lost
	 */
	boolean isHeld();

	/**
	 * Check that the lock is held at this instant.
	 * @throws LockLostException if it was lost
	 * @throws IllegalStateException if this handle was closed
	 */
	void ensureHeld();

	/**
	 * Return the loss of this lock.
	 * @return the exception that {@link #ensureHeld()} would throw; empty while the lock
	 * is held, and once the handle was closed
	 */
	default Optional<LockLostException> loss() {
		try {
			ensureHeld();
			return Optional.empty();
		}
		catch (LockLostException ex) {
			return Optional.of(ex);
		}
		catch (IllegalStateException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Register a callback that runs once if the lock is lost, or at once if it was lost
	 * already. The callback runs on a thread of its own, may block, and is removed when
	 * the handle is closed.
	 * @param callback receives the loss
	 */
	void onLost(Consumer<LockLostEvent> callback);

	/**
	 * Register a callback that runs when the lock is at risk, so that work can stop
	 * cleanly while the lock is still held, and again when it is safe. It runs once for
	 * each, or at once if the lock is at risk already. A lock with a fixed lease, or one
	 * that is no longer renewed, is never at risk. Once the validity has ended, for
	 * example during a pause of the process, only {@link #onLost} callbacks run. The
	 * callback runs on a thread of its own, may block, and is removed when the handle is
	 * closed.
	 * @param callback receives the event, one after another
	 */
	default void onAtRisk(Consumer<LockAtRiskEvent> callback) {
	}

	/**
	 * Register a callback that runs whenever the release of the lock is requested. A
	 * holder without a callback is not disturbed. Once the release was requested, the
	 * lock is not handed over to another thread of this instance. The callback runs on a
	 * thread of its own, may block, and is removed when the handle is closed.
	 * @param callback receives the request
	 * @throws UnsupportedOperationException if the backend cannot pass requests on
	 * @see LockTemplate#requestRelease
	 */
	void onReleaseRequested(Consumer<ReleaseRequest> callback);

	/**
	 * Request a new lease that begins now and may be longer or shorter than the present
	 * one. A shorter lease reduces the validity before the nodes are asked. If the lock
	 * is renewed automatically, it is renewed with the new lease from now on. A quorum
	 * has to confirm the lease. A lease that other readers of this instance share is not
	 * made shorter than {@code distributed-lock.lease-time}.
	 * @param lease the new lease, at most {@code distributed-lock.max-lease-time}
	 * @throws IllegalArgumentException if the lease is longer than
	 * {@code distributed-lock.max-lease-time}, or not longer than the margin for clock
	 * drift, so that the lock would be lost at once; nothing is changed then
	 * @throws LockLostException if the lock was lost
	 * @throws LockUnavailableException if no quorum confirmed in time; the lock is still
	 * held for {@link #remaining()}
	 * @throws IllegalStateException if this handle was closed
	 */
	void extend(Duration lease);

	/**
	 * Keep others out for some time from now on, even if the lock is released earlier.
	 * Replaces {@link LockRequest#holdAtLeast}, and the lease is not retained. This is a
	 * cool-down and does not guarantee exclusion.
	 * @param time the time, not negative, at most ten years; zero ends an earlier hold
	 * @throws IllegalArgumentException if it is negative, or longer than ten years
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if this handle was closed, or is shared
	 */
	default void holdAtLeast(Duration time) {
		throw new UnsupportedOperationException("Lock '" + name() + "' cannot be held at least for some time");
	}

	/**
	 * Release the lock; a lock that was re-entered is released with its last handle.
	 * Returns when a quorum has confirmed the release, or after one operation timeout;
	 * the release then continues in the background. Closing a handle again has no effect.
	 * Never throws, and also works if the thread is interrupted.
	 */
	@Override
	void close();

	/**
	 * Release the lock as {@link #close()} does, without blocking the thread.
	 * @return completes, never with an error, when {@code close()} would have returned
	 */
	default CompletionStage<@Nullable Void> closeAsync() {
		close();
		return CompletableFuture.completedFuture(null);
	}

}
