package io.quorlock.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Convention for the name and the keys of {@link LockObservation#HELD}. A bean of this
 * type replaces the default.
 *
 * @since 0.1.0
 */
public interface LockHeldObservationConvention extends ObservationConvention<LockHeldObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof LockHeldObservationContext;
	}

}
