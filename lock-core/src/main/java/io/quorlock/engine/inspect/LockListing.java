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

import java.util.List;

import io.quorlock.Api;

/**
 * The first locks that an instance holds, or the first requests that wait.
 *
 * @param <T> what is listed
 * @param entries the entries in order
 * @param total how many there are, listed or not
 * @since 0.1.0
 * @see io.quorlock.engine.LockInspector
 */
@Api(Api.Status.EXTENSION)
public record LockListing<T>(List<T> entries, int total) {
}
