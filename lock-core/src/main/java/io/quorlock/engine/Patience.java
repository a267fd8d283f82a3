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

import io.quorlock.LockRequest;

/**
 * How a caller waits.
 *
 * @param defaultWait how long, if the request does not say
 * @param interruptible whether an interrupt ends the wait
 * @param limited whether the limit of attempts and failing fast apply
 */
record Patience(Duration defaultWait, boolean interruptible, boolean limited) {

	/** Wait for a time, until interrupted. */
	static Patience of(Duration defaultWait) {
		return new Patience(defaultWait, true, true);
	}

	/** Wait without any limit. */
	static Patience unlimited(boolean interruptible) {
		return new Patience(LockRequest.UNLIMITED_WAIT, interruptible, false);
	}

	/** Ask once; an interrupt changes nothing. */
	static Patience none() {
		return new Patience(Duration.ZERO, false, true);
	}

}
