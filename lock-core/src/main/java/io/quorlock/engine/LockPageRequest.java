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

import java.util.List;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.Api;

/**
 * Which part of a list of locks or requests is wanted: those that began after a position,
 * oldest first. What goes on from one page to the next is on exactly one of them,
 * whatever comes and goes in the meantime.
 *
 * @param after the position, from {@link LockPage#position()}; {@code null} for the first
 * page
 * @param limit how many entries are wanted at most, at least 1
 * @param filter takes the name without the key, and the names with it; entries that do
 * not match are left out
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
public record LockPageRequest(@Nullable Long after, int limit, BiPredicate<String, List<String>> filter) {

	/**
	 * Create a request.
	 * @param after the position
	 * @param limit how many entries are wanted at most
	 * @param filter selects entries
	 * @throws IllegalArgumentException if the limit is below 1
	 */
	public LockPageRequest {
		if (limit < 1) {
			throw new IllegalArgumentException("A page has at least 1 entry, not " + limit);
		}
	}

}
