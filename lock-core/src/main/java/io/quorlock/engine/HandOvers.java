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

package io.quorlock.engine;

import java.time.Duration;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;

/**
 * Which leases may pass from one request of this process to another (R17, R19).
 */
final class HandOvers {

	private HandOvers() {
	}

	/**
	 * Only what is kept alive is handed over or shared: a fixed lease belongs to its
	 * holder. A fair lock goes to the first claim of all instances (R21).
	 */
	static boolean suits(LockRequest request) {
		return request.names().size() == 1 && request.leaseTime() == null && request.holdAtLeast().isZero()
				&& !request.isFair();
	}

	/** How long the lease of a request is kept behind its release, zero if it is not. */
	static Duration retainTime(EngineSettings settings, LockRequest request) {
		if (!request.isRetainable()) {
			return Duration.ZERO;
		}
		return (request.retainTime() != null) ? request.retainTime() : settings.retainTime();
	}

	/** How many tokens a request takes: as many as holders may follow each other. */
	static int range(EngineSettings settings, LockRequest request, boolean retained) {
		if (retained) {
			return TokenRange.FIRST_RETAINED;
		}
		boolean follow = settings.handoverMax() > 1 && suits(request) && request.mode() == LockMode.EXCLUSIVE;
		return follow ? settings.handoverMax() : 1;
	}

}
