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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Selects the entries of a page from all that there are, of which only those on the page
 * are described: a hundred thousand locks cost a reader a walk, and no memory. What began
 * at the same time stays together, so that a position needs nothing but the time.
 *
 * @param <T> what is listed
 */
final class PageSelection<T> {

	private final LockPageRequest request;

	/** Times count from here, so that they can be compared. */
	private final long originNanos;

	private final NavigableMap<Long, List<Supplier<T>>> selected = new TreeMap<>();

	private int size;

	private int total;

	private boolean more;

	PageSelection(LockPageRequest request, long originNanos) {
		this.request = request;
		this.originNanos = originNanos;
	}

	boolean matches(String baseName, List<String> names) {
		return this.request.filter().test(baseName, names);
	}

	/**
	 * Add an entry that matches.
	 * @param sinceNanos when it began
	 * @param description creates the entry if it is on the page
	 */
	void add(long sinceNanos, Supplier<T> description) {
		this.total++;
		Long after = this.request.after();
		long since = sinceNanos - this.originNanos;
		if (after != null && since <= after - this.originNanos) {
			return;
		}
		if (this.size >= this.request.limit() && since > this.selected.lastKey()) {
			this.more = true;
			return;
		}
		this.selected.computeIfAbsent(since, (key) -> new ArrayList<>(1)).add(description);
		this.size++;
		Map.Entry<Long, List<Supplier<T>>> last = this.selected.lastEntry();
		if (this.size - last.getValue().size() >= this.request.limit()) {
			this.selected.remove(last.getKey());
			this.size -= last.getValue().size();
			this.more = true;
		}
	}

	LockPage<T> page() {
		List<T> entries = new ArrayList<>(this.size);
		this.selected.values().forEach((together) -> together.forEach((entry) -> entries.add(entry.get())));
		@Nullable Long position = this.selected.isEmpty() ? this.request.after()
				: Long.valueOf(this.selected.lastKey() + this.originNanos);
		return new LockPage<>(entries, this.total, position, this.more);
	}

}
