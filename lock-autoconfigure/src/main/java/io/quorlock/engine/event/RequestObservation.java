package io.quorlock.engine.event;

import io.quorlock.LockException;
import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;

/**
 * What becomes of one request. Either it fails, or it is granted and then released or
 * lost; the methods are called in this order and each at most once.
 *
 * @since 0.1.0
 * @see RequestObserver
 */
public interface RequestObservation {

	/**
	 * The lock was granted. Called just before the user gets it, on the same thread.
	 * @param handle the lock
	 * @param attempts how often the nodes were asked
	 */
	default void onGranted(LockHandle handle, int attempts) {
	}

	/**
	 * The lock was not granted. Called just before the user is notified, on the same
	 * thread.
	 * @param failure why
	 * @param attempts how often the nodes were asked
	 */
	default void onFailed(LockException failure, int attempts) {
	}

	/**
	 * The lock is being released. Called on the thread that closes the last handle,
	 * before the nodes are asked.
	 */
	default void onReleased() {
	}

	/**
	 * The lock was lost. Called on a thread of its own.
	 * @param event the loss
	 */
	default void onLost(LockLostEvent event) {
	}

}
