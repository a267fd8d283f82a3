package io.quorlock.metrics;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.quorlock.metrics.LockObservation.HighCardinality;
import io.quorlock.metrics.LockObservation.LowCardinality;

/**
 * The documented names and keys of {@link LockObservation#HELD}.
 *
 * @since 0.1.0
 */
public class DefaultLockHeldObservationConvention implements LockHeldObservationConvention {

	@Override
	public String getName() {
		return "distributed.lock.held";
	}

	@Override
	public String getContextualName(LockHeldObservationContext context) {
		return "hold " + context.getLock();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockHeldObservationContext context) {
		return KeyValues.of(KeyValue.of(LowCardinality.LOCK, context.getLock()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockHeldObservationContext context) {
		return KeyValues.of(KeyValue.of(HighCardinality.NAME, context.getHandle().name()));
	}

}
