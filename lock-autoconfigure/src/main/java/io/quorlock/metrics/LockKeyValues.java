/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
