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

import org.jspecify.annotations.Nullable;

import io.quorlock.Api;

/**
 * A part of the locks that an instance holds, or of the requests that wait.
 *
 * @param <T> what is listed
 * @param entries the entries, oldest first. There may be more than were wanted if several
 * began in the same nanosecond
 * @param total how many entries match, on all pages
 * @param position where the next page begins; {@code null} if there was no entry yet
 * @param more whether there are entries after these
 * @since 0.1.0
 * @see LockInspector
 */
@Api(Api.Status.EXTENSION)
public record LockPage<T>(List<T> entries, int total, @Nullable Long position, boolean more) {

	/**
	 * Create a page.
	 * @param entries the entries
	 * @param total how many match
	 * @param position where the next page begins
	 * @param more whether there is a next page
	 */
	public LockPage {
		entries = List.copyOf(entries);
	}

}
