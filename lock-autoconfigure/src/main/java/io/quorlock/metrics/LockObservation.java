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
	ACQUIRE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultLockAcquireObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { LowCardinality.LOCK, LowCardinality.MODE, LowCardinality.OUTCOME };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinality.values();
		}

	},

	/**
	 * From the grant to the release or the loss. The error of the observation is the
	 * loss.
	 */
	HELD {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultLockHeldObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return new KeyName[] { LowCardinality.LOCK, LowCardinality.MODE };
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinality.NAME };
		}

	};

	/**
	 * Keys that are tags of the timers, too.
	 */
	public enum LowCardinality implements KeyName {

		/**
		 * The name without the key; at most 100 values.
		 */
		LOCK {

			@Override
			public String asString() {
				return "lock";
			}

		},

		/**
		 * How the lock excludes others: {@code exclusive}, {@code shared} or
		 * {@code permit}.
		 */
		MODE {

			@Override
			public String asString() {
				return "mode";
			}

		},

		/**
		 * The outcome of the request, as {@link LockOutcome#tag()}.
		 */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

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
		NAME {

			@Override
			public String asString() {
				return "lock.name";
			}

		},

		/**
		 * How often the nodes were asked.
		 */
		ATTEMPTS {

			@Override
			public String asString() {
				return "lock.attempts";
			}

		}

	}

}
