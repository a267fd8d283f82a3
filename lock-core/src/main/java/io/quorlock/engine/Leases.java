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

import io.quorlock.LogText;

/**
 * Checks the leases that users ask for.
 */
final class Leases {

	private Leases() {
	}

	static void check(EngineSettings settings, Duration lease, String name) {
		if (lease.compareTo(settings.maxLeaseTime()) > 0) {
			throw new IllegalArgumentException("Lease time %s of lock '%s' is longer than %s (%s)".formatted(lease,
					LogText.escape(name), settings.nameOf("max-lease-time"), settings.maxLeaseTime()));
		}
		if (lease.toMillis() <= 0) {
			throw new IllegalArgumentException(
					"Lease time %s of lock '%s' is shorter than 1 ms".formatted(lease, LogText.escape(name)));
		}
	}

}
