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

package io.quorlock.quorum.node;

import java.util.Set;
import java.util.function.Supplier;

/**
 * A list of nodes that other instances use, as the record of a node tells.
 *
 * @param text the list, for people
 * @param size how many nodes it has
 * @param common the names of our nodes on which a majority of that list may stand, as it
 * is known at the time; none if its instances lock other names on these nodes
 * @param user the instance that used it last
 * @param untilNanos when it is forgotten unless it is seen again, by the monotonic clock
 * @since 0.1.0
 */
public record OtherList(String text, int size, Supplier<Set<String>> common, String user, long untilNanos) {

	/**
	 * Return how many of its nodes a lock needs.
	 * @return more than half of them
	 */
	public int majority() {
		return this.size / 2 + 1;
	}

}
