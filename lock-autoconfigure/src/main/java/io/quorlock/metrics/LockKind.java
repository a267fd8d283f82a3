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

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;

/**
 * The values of the tag {@code mode}.
 */
enum LockKind {

	EXCLUSIVE, SHARED, PERMIT;

	private final String tag = name().toLowerCase(Locale.ROOT);

	String tag() {
		return this.tag;
	}

	static LockKind of(LockRequest request) {
		return of(request.mode(), request.permits());
	}

	static LockKind of(LockHandle handle) {
		return of(handle.mode(), handle.permit());
	}

	private static LockKind of(LockMode mode, int permits) {
		if (permits > 0) {
			return PERMIT;
		}
		return (mode == LockMode.SHARED) ? SHARED : EXCLUSIVE;
	}

}
