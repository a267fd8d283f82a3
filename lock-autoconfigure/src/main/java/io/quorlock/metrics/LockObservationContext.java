package io.quorlock.metrics;

import io.micrometer.observation.Observation;

/**
 * What is known while a lock is being acquired or held.
 *
 * @since 0.1.0
 */
public abstract class LockObservationContext extends Observation.Context {

	private final LockKeyValues keyValues;

	LockObservationContext(LockKeyValues keyValues) {
		this.keyValues = keyValues;
	}

	LockKeyValues keyValues() {
		return this.keyValues;
	}

	/**
	 * Return the name without the key, limited to values that are fit for a tag.
	 * @return the base name, or {@link LockTags#OTHER}
	 */
	public String getLock() {
		return this.keyValues.lock();
	}

}
