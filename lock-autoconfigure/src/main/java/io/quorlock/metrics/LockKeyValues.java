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

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockMode;

/**
 * The key values that all observations with one value of the tag {@code lock} share.
 */
record LockKeyValues(String lock, String acquireName, String heldName, KeyValues held, KeyValues undecided,
		Map<LockOutcome, KeyValues> decided) {

	private static final String OUTCOME = "outcome";

	static LockKeyValues of(String lock, String mode) {
		KeyValues key = KeyValues.of("lock", lock, "mode", mode);
		Map<LockOutcome, KeyValues> decided = new EnumMap<>(LockOutcome.class);
		for (LockOutcome outcome : LockOutcome.values()) {
			decided.put(outcome, key.and(OUTCOME, outcome.tag()));
		}
		return new LockKeyValues(lock, "acquire " + lock, "hold " + lock, key, key.and(OUTCOME, KeyValue.NONE_VALUE),
				decided);
	}

	/**
	 * Return the value of the tag {@code mode}.
	 * @param permits the number of permits or of the permit, 0 for none
	 */
	static String mode(LockMode mode, int permits) {
		if (permits > 0) {
			return "permit";
		}
		return (mode == LockMode.SHARED) ? "shared" : "exclusive";
	}

	KeyValues acquire(@Nullable LockOutcome outcome) {
		return (outcome != null) ? Objects.requireNonNull(this.decided.get(outcome)) : this.undecided;
	}

}
