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
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

import io.quorlock.Api;

/**
 * The names and keys of the observation from a request to its grant or failure. The keys
 * {@code lock}, {@code mode} and {@code outcome} are tags of the timer, too; spans also
 * have {@code lock.name} and {@code lock.attempts}. A bean of this type, a subclass,
 * replaces them.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public class LockAcquireObservationConvention implements ObservationConvention<LockAcquireObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof LockAcquireObservationContext;
	}

	@Override
	public String getName() {
		return "distributed.lock.acquire";
	}

	@Override
	public String getContextualName(LockAcquireObservationContext context) {
		return context.keyValues().acquireName();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LockAcquireObservationContext context) {
		return context.keyValues().acquire(context.getOutcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(LockAcquireObservationContext context) {
		return KeyValues.of(context.name(), KeyValue.of("lock.attempts", Integer.toString(context.getAttempts())));
	}

}
