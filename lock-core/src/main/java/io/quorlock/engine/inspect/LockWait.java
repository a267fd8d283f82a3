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

package io.quorlock.engine.inspect;

import java.time.Duration;
import java.util.List;

import io.quorlock.Api;
import io.quorlock.LockMode;

/**
 * A request of this instance that is on its way to a lock, at one moment.
 *
 * @param names the names that are wanted together, sorted
 * @param baseName the name without the key
 * @param thread the thread that asked
 * @param waitedFor since when it waits
 * @param attempts how often the nodes were asked so far; 0 while another thread of this
 * instance is before it
 * @param mode how it wants to exclude others
 * @param permits how many permits the lock has, 0 for a lock without permits
 * @param fair whether it is to be served in the order of asking
 * @since 0.1.0
 * @see io.quorlock.engine.LockInspector#waiting()
 */
@Api(Api.Status.EXTENSION)
public record LockWait(List<String> names, String baseName, String thread, Duration waitedFor, int attempts,
		LockMode mode, int permits, boolean fair) {
}
