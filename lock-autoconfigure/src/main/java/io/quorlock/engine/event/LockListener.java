package io.quorlock.engine.event;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;

/**
 * Hears what happens to the locks of this instance; the plug-in point of metrics. It is
 * called on a thread of its own, in the order of events, never on a thread of the engine
 * (R15): it may block, and what it cannot keep up with is dropped with a warning.
 *
 * @since 0.1.0
 */
public interface LockListener {

	/**
	 * The events of a lock.
	 */
	enum Event {

		/**
		 * A request waits: {@link LockListener#onWaiting}.
		 */
		WAITING,

		/**
		 * A lock was granted: {@link LockListener#onAcquired}.
		 */
		ACQUIRED,

		/**
		 * A lock was not granted: {@link LockListener#onNotAcquired}.
		 */
		NOT_ACQUIRED,

		/**
		 * A lock was renewed: {@link LockListener#onRenewed}.
		 */
		RENEWED,

		/**
		 * A lock was released: {@link LockListener#onReleased}.
		 */
		RELEASED,

		/**
		 * A lock was lost: {@link LockListener#onLost}.
		 */
		LOST

	}

	/**
	 * Return the events that this listener is interested in. It is asked once; a listener
	 * that wants few events costs less.
	 * @return the events, all by default
	 */
	default Set<Event> events() {
		return EnumSet.allOf(Event.class);
	}

	/**
	 * A request has to wait, since another holds the lock or asked for it first. Called
	 * once per request.
	 * @param request what was asked for
	 */
	default void onWaiting(LockRequest request) {
	}

	/**
	 * A lock was granted.
	 * @param request what was asked for
	 * @param handle the lock
	 * @param waited from the call to the grant
	 * @param attempts how often the nodes were asked
	 */
	default void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
	}

	/**
	 * A lock was not granted.
	 * @param request what was asked for
	 * @param unavailable {@code true} if no quorum replied, {@code false} if another held
	 * it
	 * @param waited from the call to the failure
	 * @param attempts how often the nodes were asked
	 */
	default void onNotAcquired(LockRequest request, boolean unavailable, Duration waited, int attempts) {
	}

	/**
	 * A lock was renewed, or a renewal failed and will be tried again.
	 * @param request what was asked for
	 * @param success whether a quorum confirmed in time
	 */
	default void onRenewed(LockRequest request, boolean success) {
	}

	/**
	 * A lock was released.
	 * @param request what was asked for
	 * @param held from the grant to the release
	 */
	default void onReleased(LockRequest request, Duration held) {
	}

	/**
	 * A lock was lost.
	 * @param request what was asked for
	 * @param event the loss
	 */
	default void onLost(LockRequest request, LockLostEvent event) {
	}

}
