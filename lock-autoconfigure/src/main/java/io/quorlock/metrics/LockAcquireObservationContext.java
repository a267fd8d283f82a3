package io.quorlock.metrics;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;

/**
 * What is known while a lock is being acquired.
 *
 * @since 0.1.0
 */
public class LockAcquireObservationContext extends Observation.Context {

	private final LockRequest request;

	private final String lock;

	private @Nullable LockOutcome outcome;

	private int attempts;

	/**
	 * Creates the context.
	 * @param request what is asked for
	 * @param lock the value for the tag {@code lock}
	 */
	public LockAcquireObservationContext(LockRequest request, String lock) {
		this.request = request;
		this.lock = lock;
	}

	/**
	 * What is asked for.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
	}

	/**
	 * The name without the key, limited to values that are fit for a tag.
	 * @return the group, or {@link LockTags#OTHER}
	 */
	public String getLock() {
		return this.lock;
	}

	/**
	 * What came of it.
	 * @return the outcome, or {@code null} while it is not known
	 */
	public @Nullable LockOutcome getOutcome() {
		return this.outcome;
	}

	/**
	 * How often the nodes were asked.
	 * @return the attempts, 0 while the outcome is not known
	 */
	public int getAttempts() {
		return this.attempts;
	}

	void end(LockOutcome outcome, int attempts) {
		this.outcome = outcome;
		this.attempts = attempts;
	}

}
