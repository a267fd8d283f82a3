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

import java.util.List;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

import io.quorlock.Api;

/**
 * What is known while a lock is being acquired or held.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public abstract class LockObservationContext extends Observation.Context {

	private static final int MAX_NAMES = 5;

	private final LockKeyValues keyValues;

	private final KeyValue name;

	LockObservationContext(LockKeyValues keyValues, List<String> names) {
		this.keyValues = keyValues;
		this.name = KeyValue.of("lock.name", joined(names));
	}

	/** A request may have 256 long names. */
	private static String joined(List<String> names) {
		int more = names.size() - MAX_NAMES;
		return (more <= 0) ? String.join(",", names)
				: "%s and %d more".formatted(String.join(",", names.subList(0, MAX_NAMES)), more);
	}

	LockKeyValues keyValues() {
		return this.keyValues;
	}

	KeyValue name() {
		return this.name;
	}

	/**
	 * Return the name without the key, limited to values that are fit for a tag.
	 * @return the base name, or {@link LockTags#OTHER}
	 */
	public String getLock() {
		return this.keyValues.lock();
	}

}
