package io.quorlock.metrics;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

import io.quorlock.metrics.LockObservation.LowCardinality;

/**
 * The key values that all observations with one value of the tag {@code lock} share.
 */
final class LockKeyValues {

	private final String lock;

	private final String acquireName;

	private final String heldName;

	private final KeyValues undecided;

	private final KeyValues[] acquire = new KeyValues[LockOutcome.values().length];

	private final KeyValues held;

	LockKeyValues(String lock, LockKind kind) {
		KeyValues key = KeyValues.of(KeyValue.of(LowCardinality.LOCK, lock),
				KeyValue.of(LowCardinality.MODE, kind.tag()));
		this.lock = lock;
		this.acquireName = "acquire " + lock;
		this.heldName = "hold " + lock;
		this.undecided = key.and(KeyValue.of(LowCardinality.OUTCOME, KeyValue.NONE_VALUE));
		for (LockOutcome outcome : LockOutcome.values()) {
			this.acquire[outcome.ordinal()] = key.and(KeyValue.of(LowCardinality.OUTCOME, outcome.tag()));
		}
		this.held = key;
	}

	String lock() {
		return this.lock;
	}

	String acquireName() {
		return this.acquireName;
	}

	String heldName() {
		return this.heldName;
	}

	KeyValues acquire(@Nullable LockOutcome outcome) {
		return (outcome != null) ? this.acquire[outcome.ordinal()] : this.undecided;
	}

	KeyValues held() {
		return this.held;
	}

}
