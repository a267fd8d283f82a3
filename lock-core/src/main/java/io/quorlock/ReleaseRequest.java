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

package io.quorlock;

import java.time.Duration;
import java.util.List;

/**
 * A request to the holder of a lock to release it. The holder decides: nothing happens to
 * the lock unless it closes its handle.
 *
 * @param names the names that the holder's lock has
 * @param deadline within which time the lock is wanted, as given with the request
 * @since 0.1.0
 * @see LockHandle#onReleaseRequested
 * @see LockTemplate#requestRelease
 */
public record ReleaseRequest(List<String> names, Duration deadline) {

	/**
	 * Create a new request.
	 * @param names the names that the holder's lock has
	 * @param deadline within which time the lock is wanted
	 */
	public ReleaseRequest {
		names = List.copyOf(names);
	}

}
