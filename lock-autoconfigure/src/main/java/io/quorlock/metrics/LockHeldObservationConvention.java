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

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

import io.quorlock.Api;

/**
 * The names and keys of the observation from a grant to the release or the loss, which is
 * its error. The keys {@code lock} and {@code mode} are tags of the timer, too; spans
 * also have {@code lock.name}. A bean of this type, a subclass, replaces them.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public class LockHeldObservationConvention implements ObservationConvention<LockHeldObservationContext> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof LockHeldObservationContext;
	}

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
		return KeyValues.of(context.name());
	}

}
