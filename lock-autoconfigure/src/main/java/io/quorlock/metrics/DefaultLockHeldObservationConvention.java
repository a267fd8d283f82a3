package io.quorlock.metrics;

import io.micrometer.common.KeyValues;

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
		return context.keyValues().heldName();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockHeldObservationContext context) {
		return context.keyValues().held();
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockHeldObservationContext context) {
		return context.name();
	}

}
