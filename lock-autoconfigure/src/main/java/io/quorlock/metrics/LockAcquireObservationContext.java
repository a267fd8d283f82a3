package io.quorlock.metrics;

import java.util.List;

import io.micrometer.common.KeyValue;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;
import io.quorlock.metrics.LockObservation.HighCardinality;

/**
 * What is known while a lock is being acquired.
 *
 * @since 0.1.0
 */
public class LockAcquireObservationContext extends LockObservationContext {

	private final LockRequest request;

	private final KeyValue name;

	private @Nullable LockOutcome outcome;

	private int attempts;

	/**
	 * Creates the context.
	 * @param request what is asked for
	 * @param lock the value for the tag {@code lock}
	 */
	public LockAcquireObservationContext(LockRequest request, String lock) {
		this(request, new LockKeyValues(lock));
	}

	LockAcquireObservationContext(LockRequest request, LockKeyValues keyValues) {
		super(keyValues);
		this.request = request;
		this.name = KeyValue.of(HighCardinality.NAME, joined(request.names()));
	}

	private static String joined(List<String> names) {
		return (names.size() == 1) ? names.get(0) : String.join(",", names);
	}

	/**
	 * What is asked for.
	 * @return the request
	 */
	public LockRequest getRequest() {
		return this.request;
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

	KeyValue name() {
		return this.name;
	}

	void end(LockOutcome outcome, int attempts) {
		this.outcome = outcome;
		this.attempts = attempts;
	}

}
