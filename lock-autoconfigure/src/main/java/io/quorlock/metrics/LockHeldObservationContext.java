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

import io.quorlock.Api;
import io.quorlock.LockHandle;

/**
 * What is known while a lock is held.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public class LockHeldObservationContext extends LockObservationContext {

	private final LockHandle handle;

	/**
	 * Create the context.
	 * @param handle the lock
	 * @param lock the value for the tag {@code lock}
	 */
	public LockHeldObservationContext(LockHandle handle, String lock) {
		this(handle, LockKeyValues.of(lock, LockKeyValues.mode(handle.mode(), handle.permit())));
	}

	LockHeldObservationContext(LockHandle handle, LockKeyValues keyValues) {
		super(keyValues, handle.names());
		this.handle = handle;
	}

	/**
	 * Return the lock, whose handle is closed by the time the observation stops.
	 * @return the handle
	 */
	public LockHandle getHandle() {
		return this.handle;
	}

}
