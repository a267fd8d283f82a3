package io.quorlock.metrics;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.quorlock.metrics.LockObservation.HighCardinality;
import io.quorlock.metrics.LockObservation.LowCardinality;

/**
 * The documented names and keys of {@link LockObservation#ACQUIRE}.
 *
 * @since 0.1.0
 */
public class DefaultLockAcquireObservationConvention implements LockAcquireObservationConvention {

	@Override
	public String getName() {
		return "distributed.lock.acquire";
	}

	@Override
	public String getContextualName(LockAcquireObservationContext context) {
		return "acquire " + context.getLock();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockAcquireObservationContext context) {
		LockOutcome outcome = context.getOutcome();
		return KeyValues.of(KeyValue.of(LowCardinality.LOCK, context.getLock()),
				KeyValue.of(LowCardinality.OUTCOME, (outcome != null) ? outcome.tag() : KeyValue.NONE_VALUE));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockAcquireObservationContext context) {
		return KeyValues.of(KeyValue.of(HighCardinality.NAME, String.join(",", context.getRequest().names())),
				KeyValue.of(HighCardinality.ATTEMPTS, Integer.toString(context.getAttempts())));
	}

}
