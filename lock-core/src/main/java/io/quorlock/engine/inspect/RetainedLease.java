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

/**
 * A lease that this instance keeps although it is unused, at one moment.
 *
 * @param name the lock
 * @param baseName the name without the key
 * @param owner the value of its key: the instance id and a part that is unique
 * @param remaining how long it is certainly kept if nothing renews it
 * @param nodes the nodes that confirmed it when they were last asked
 * @since 0.1.0
 * @see io.quorlock.engine.LockInspector#retained()
 */
@Api(Api.Status.EXTENSION)
public record RetainedLease(String name, String baseName, String owner, Duration remaining, List<String> nodes) {
}
