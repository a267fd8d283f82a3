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

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of a lock, and their keys.
 *
 * @since 0.1.0
 */
public enum LockObservation implements ObservationDocumentation {

	/**
	 * From the request to the grant or the failure.
	 */
	ACQUIRE(LockAcquireObservationConvention.class, LowCardinality.values(), HighCardinality.values()),

	/**
	 * From the grant to the release or the loss. The error of the observation is the
	 * loss.
	 */
	HELD(LockHeldObservationConvention.class, new KeyName[] { LowCardinality.LOCK, LowCardinality.MODE },
			new KeyName[] { HighCardinality.NAME });

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	private final KeyName[] lowCardinality;

	private final KeyName[] highCardinality;

	LockObservation(Class<? extends ObservationConvention<? extends Observation.Context>> convention,
			KeyName[] lowCardinality, KeyName[] highCardinality) {
		this.convention = convention;
		this.lowCardinality = lowCardinality;
		this.highCardinality = highCardinality;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return this.lowCardinality.clone();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return this.highCardinality.clone();
	}

	/**
	 * Keys that are tags of the timers, too.
	 */
	public enum LowCardinality implements KeyName {

		/**
		 * The name without the key; at most 100 values.
		 */
		LOCK,

		/**
		 * How the lock excludes others: {@code exclusive}, {@code shared} or
		 * {@code permit}.
		 */
		MODE,

		/**
		 * The outcome of the request, as {@link LockOutcome#tag()}.
		 */
		OUTCOME;

		private final String key = name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Keys for spans only.
	 */
	public enum HighCardinality implements KeyName {

		/**
		 * The name with the key, or several names joined by commas; the first five of
		 * more.
		 */
		NAME,

		/**
		 * How often the nodes were asked.
		 */
		ATTEMPTS;

		private final String key = "lock." + name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.key;
		}

	}

}
