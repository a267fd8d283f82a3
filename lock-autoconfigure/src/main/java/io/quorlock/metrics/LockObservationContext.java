package io.quorlock.metrics;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * What is known while a lock is being acquired or held. It keeps the keys as the
 * convention gave them: the maps of the superclass take more memory than all the rest of
 * an observation.
 *
 * @since 0.1.0
 */
public abstract class LockObservationContext extends Observation.Context {

	private static final AtomicReferenceFieldUpdater<LockObservationContext, KeyValues> LOW = AtomicReferenceFieldUpdater
		.newUpdater(LockObservationContext.class, KeyValues.class, "lowCardinality");

	private static final AtomicReferenceFieldUpdater<LockObservationContext, KeyValues> HIGH = AtomicReferenceFieldUpdater
		.newUpdater(LockObservationContext.class, KeyValues.class, "highCardinality");

	private final LockKeyValues keyValues;

	private volatile KeyValues lowCardinality = KeyValues.empty();

	private volatile KeyValues highCardinality = KeyValues.empty();

	private LockMeterObservationHandler.@Nullable Timing timing;

	LockObservationContext(LockKeyValues keyValues) {
		this.keyValues = keyValues;
	}

	LockKeyValues keyValues() {
		return this.keyValues;
	}

	/**
	 * The name without the key, limited to values that are fit for a tag.
	 * @return the base name, or {@link LockTags#OTHER}
	 */
	public String getLock() {
		return this.keyValues.lock();
	}

	/** What the handler that makes meters keeps from the start to the stop. */
	LockMeterObservationHandler.@Nullable Timing timing() {
		return this.timing;
	}

	void timing(LockMeterObservationHandler.Timing timing) {
		this.timing = timing;
	}

	@Override
	public Observation.Context addLowCardinalityKeyValues(KeyValues added) {
		LOW.accumulateAndGet(this, added, LockObservationContext::with);
		return this;
	}

	@Override
	public Observation.Context addHighCardinalityKeyValues(KeyValues added) {
		HIGH.accumulateAndGet(this, added, LockObservationContext::with);
		return this;
	}

	@Override
	public Observation.Context addLowCardinalityKeyValue(KeyValue added) {
		return addLowCardinalityKeyValues(KeyValues.of(added));
	}

	@Override
	public Observation.Context addHighCardinalityKeyValue(KeyValue added) {
		return addHighCardinalityKeyValues(KeyValues.of(added));
	}

	@Override
	public Observation.Context removeLowCardinalityKeyValue(String key) {
		LOW.updateAndGet(this, (known) -> without(known, key));
		return this;
	}

	@Override
	public Observation.Context removeHighCardinalityKeyValue(String key) {
		HIGH.updateAndGet(this, (known) -> without(known, key));
		return this;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues() {
		return this.lowCardinality;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues() {
		return this.highCardinality;
	}

	@Override
	public @Nullable KeyValue getLowCardinalityKeyValue(String key) {
		return find(this.lowCardinality, key);
	}

	@Override
	public @Nullable KeyValue getHighCardinalityKeyValue(String key) {
		return find(this.highCardinality, key);
	}

	/** A convention is asked twice, and its second answer replaces the first. */
	private static KeyValues with(KeyValues known, KeyValues added) {
		return (known == KeyValues.empty() || hasKeysOf(known, added)) ? added : known.and(added);
	}

	private static boolean hasKeysOf(KeyValues known, KeyValues added) {
		if (known == added) {
			return true;
		}
		Iterator<KeyValue> one = known.iterator();
		Iterator<KeyValue> other = added.iterator();
		while (one.hasNext() && other.hasNext()) {
			if (!one.next().getKey().equals(other.next().getKey())) {
				return false;
			}
		}
		return !one.hasNext() && !other.hasNext();
	}

	private static KeyValues without(KeyValues known, String key) {
		return KeyValues.of(known.stream().filter((each) -> !each.getKey().equals(key)).toList());
	}

	private static @Nullable KeyValue find(KeyValues known, String key) {
		for (KeyValue each : known) {
			if (each.getKey().equals(key)) {
				return each;
			}
		}
		return null;
	}

}
