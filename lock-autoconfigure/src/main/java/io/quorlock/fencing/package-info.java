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

/**
 * Fencing on the side of the resource, which refuses the write of a holder that has lost
 * its lock without noticing it. For exclusive locks, and for each permit: shared holders
 * can have different tokens at the same time, so that one would be taken for stale after
 * another has written.
 */
@Api(Api.Status.STABLE)
@NullMarked
package io.quorlock.fencing;

import org.jspecify.annotations.NullMarked;

import io.quorlock.Api;
