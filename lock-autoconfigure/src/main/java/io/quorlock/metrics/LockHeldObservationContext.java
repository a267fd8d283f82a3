package io.quorlock.metrics;

import io.micrometer.observation.Observation;

import io.quorlock.LockHandle;

/**
 * What is known while a lock is held.
 *
 * @since 0.1.0
 */
public class LockHeldObservationContext extends Observation.Context {

	private final LockHandle handle;

	private final String lock;

	/**
	 * Creates the context.
	 * @param handle the lock
	 * @param lock the value for the tag {@code lock}
	 */
	public LockHeldObservationContext(LockHandle handle, String lock) {
		this.handle = handle;
		this.lock = lock;
	}

	/**
	 * The lock.
	 * @return the handle that its user was given; it is closed by the time the
	 * observation stops
	 */
	public LockHandle getHandle() {
		return this.handle;
	}

	/**
	 * The name without the key, limited to values that are fit for a tag.
	 * @return the group, or {@link LockTags#OTHER}
	 */
	public String getLock() {
		return this.lock;
	}

}
