package io.quorlock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A lock that was acquired. It belongs to whoever has the handle and is bound to no
 * thread: any thread may ask, extend or close it.
 * <p>
 * A handle answers from the validity that the quorum granted, computed against the
 * monotonic clock at each call, so the answer is right also when no timer had a chance to
 * run (a paused process, a long garbage collection).
 *
 * @since 0.1.0
 * @see LockTemplate#acquire(LockRequest)
 */
public interface LockHandle extends AutoCloseable {

	/**
	 * The lock's name; of several, all of them joined by a comma.
	 * @return the name
	 */
	String name();

	/**
	 * All names that this handle holds.
	 * @return the names, sorted, without duplicates
	 */
	List<String> names();

	/**
	 * The fencing token of the only name: strictly greater than the token of every
	 * earlier grant of the name. Give it to the resource, and let the resource refuse
	 * what is smaller than the greatest it has seen.
	 * @return the token, at least 1
	 * @throws IllegalStateException if several names are held, or fencing is switched off
	 */
	long fencingToken();

	/**
	 * The fencing token of one of the names.
	 * @param name one of {@link #names()}
	 * @return the token, at least 1
	 * @throws IllegalArgumentException if the handle does not hold the name
	 * @throws IllegalStateException if fencing is switched off
	 */
	long fencingToken(String name);

	/**
	 * How the lock excludes others.
	 * @return the mode that was asked for, or {@link LockMode#SHARED} after a downgrade
	 */
	default LockMode mode() {
		return LockMode.EXCLUSIVE;
	}

	/**
	 * The number of the permit. Permits are numbered so that a resource can compare the
	 * fencing tokens of each permit.
	 * @return 1 to the number of permits, or 0 for a lock without permits
	 */
	default int permit() {
		return 0;
	}

	/**
	 * Turns an exclusive lock into a shared one without a gap: no other writer gets it in
	 * between. Stop writing before the call; readers may come while it runs. The fencing
	 * token stays.
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalStateException if this handle was closed, or is shared or a permit
	 * @throws UnsupportedOperationException if the backend cannot do it
	 */
	default void downgrade() {
		throw new UnsupportedOperationException("Lock '" + name() + "' cannot be downgraded");
	}

	/**
	 * The time for which the lock is certainly still held, if nothing renews it. Clock
	 * drift is subtracted already.
	 * @return the time, {@link Duration#ZERO} if the lock is held no longer
	 */
	Duration remaining();

	/**
	 * Whether the lock is held at this instant.
	 * @return {@code false} once the handle is closed or the lock is lost
	 */
	boolean isHeld();

	/**
	 * Checks that the lock is held at this instant.
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
	 * Registers code to run once if the lock is lost; if it was lost already, the code
	 * runs now. It runs on a thread of its own, may block, and is forgotten when the
	 * handle is closed.
	 * @param callback receives the loss
	 */
	void onLost(Consumer<LockLostEvent> callback);

	/**
	 * Asks the nodes for a new lease that begins now, longer or shorter than the one
	 * held. A shorter one lowers the validity before the nodes are asked. A lock with a
	 * watchdog is renewed with the new lease from now on. A quorum must confirm.
	 * @param lease the new lease, at most {@code distributed-lock.max-lease-time}
	 * @throws LockLostException if the lock was lost
	 * @throws LockUnavailableException if no quorum confirmed in time; the lock is still
	 * held for {@link #remaining()}
	 * @throws IllegalStateException if this handle was closed
	 */
	void extend(Duration lease);

	/**
	 * Return whether an engine granted this lock. A lock is re-entered only through a
	 * template of the engine that granted it (R13).
	 * @param engine the engine
	 * @return whether it granted this lock; {@code false} if nothing is known of it
	 */
	default boolean isGrantedBy(Object engine) {
		return false;
	}

	/**
	 * Re-enters the lock: a new handle on the same lease and fencing token, without
	 * asking the nodes. It has to be closed too; the last one closed releases.
	 * @param names those of {@link #names()} that the new handle is about
	 * @return the new handle
	 * @throws LockLostException if the lock was lost
	 * @throws IllegalArgumentException if the handle does not hold one of the names
	 * @throws IllegalStateException if this handle was closed
	 */
	LockHandle reenter(Collection<String> names);

	/**
	 * Releases the lock; of re-entered locks, the last handle does. Returns when a quorum
	 * confirmed, or after one operation timeout (the rest goes on behind it). Closing
	 * twice does nothing. Never throws, and works also when the thread is interrupted.
	 */
	@Override
	void close();

	/**
	 * Releases the lock as {@link #close()} does, without blocking the thread.
	 * @return completes, never with an error, when {@code close()} would have returned
	 */
	default CompletionStage<@Nullable Void> closeAsync() {
		close();
		return CompletableFuture.completedFuture(null);
	}

}
