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
import java.util.Map;

import io.quorlock.Api;
import io.quorlock.LockMode;

/**
 * A lock that this instance holds, at one moment.
 *
 * @param names the names that are locked together, sorted
 * @param baseName the name without the key
 * @param owner the value of its keys: the instance id and a part that is unique
 * @param fencingTokens the token of each name; empty without fencing
 * @param remaining for how long it is certainly held if nothing renews it
 * @param nodes the nodes that confirmed it when they were last asked
 * @param thread the thread that asked for it
 * @param heldFor since when it is held
 * @param mode how it excludes others
 * @param permit the number of its permit, 0 for a lock without permits
 * @param permits how many permits the lock has, 0 for a lock without permits
 * @param fair whether it was requested in the order of asking
 * @param atRisk whether no quorum confirms its renewal, and a third of its validity or
 * less is left
 * @since 0.1.0
 * @see io.quorlock.engine.LockInspector#held()
 */
@Api(Api.Status.EXTENSION)
public record LockHold(List<String> names, String baseName, String owner, Map<String, Long> fencingTokens,
		Duration remaining, List<String> nodes, String thread, Duration heldFor, LockMode mode, int permit, int permits,
		boolean fair, boolean atRisk) {
}
