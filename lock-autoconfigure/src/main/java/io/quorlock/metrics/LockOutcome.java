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

import io.quorlock.Api;
import io.quorlock.LockCancelledException;
import io.quorlock.LockException;
import io.quorlock.LockInterruptedException;
import io.quorlock.LockNotAcquiredException;

/**
 * Outcomes of requests, the values of the tag {@code outcome}.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public enum LockOutcome {

	/**
	 * The lock was granted.
	 */
	ACQUIRED,

	/**
	 * Another owner held the lock for the whole wait, or the wait was interrupted or
	 * cancelled.
	 */
	CONTENDED,

	/**
	 * No quorum of nodes replied.
	 */
	UNAVAILABLE;

	static LockOutcome of(LockException failure) {
		boolean replied = failure instanceof LockNotAcquiredException || failure instanceof LockInterruptedException
				|| failure instanceof LockCancelledException;
		return replied ? CONTENDED : UNAVAILABLE;
	}

	private final String tag = name().toLowerCase(Locale.ROOT);

	/**
	 * Return the value of the tag.
	 * @return the name in lower case
	 */
	public String tag() {
		return this.tag;
	}

}
