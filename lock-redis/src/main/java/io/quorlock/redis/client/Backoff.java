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

package io.quorlock.redis.client;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between attempts to connect: growing, and random so that the instances of a
 * fleet do not all come back at once.
 */
final class Backoff {

	private static final long MIN_MILLIS = 50;

	private static final long MAX_MILLIS = 2_000;

	private long limit = MIN_MILLIS;

	void reset() {
		this.limit = MIN_MILLIS;
	}

	long nextMillis() {
		long millis = ThreadLocalRandom.current().nextLong(this.limit / 2, this.limit + 1);
		this.limit = Math.min(2 * this.limit, MAX_MILLIS);
		return millis;
	}

}
