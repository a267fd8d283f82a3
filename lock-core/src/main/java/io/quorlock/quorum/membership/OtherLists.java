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

package io.quorlock.quorum.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.quorlock.LogText;
import io.quorlock.quorum.node.OtherList;

/**
 * The lists of nodes that others use with ours, as the record of one node tells (R10).
 * Every instance writes its list to a node <em>before</em> it reads there those of
 * others, so that of two at least one sees the other before its votes on that node count.
 * Not thread-safe.
 *
 * @since 0.1.0
 */
public final class OtherLists {

	private final Membership membership;

	private final int node;

	private final Duration remembered;

	private final Map<String, OtherList> lists = new TreeMap<>();

	private @Nullable Long since;

	/**
	 * Create the lists of a node.
	 * @param membership our list
	 * @param node the index of the node
	 * @param remembered for how long a list counts that nobody uses any more, at least
	 * the longest lease
	 */
	public OtherLists(Membership membership, int node, Duration remembered) {
		this.membership = membership;
		this.node = node;
		this.remembered = remembered;
	}

	/**
	 * The record was read.
	 * @param since which record it is, {@code null} if the node has none: lists that are
	 * missing in a new one may be lost, rather than out of use
	 * @param uses what it tells
	 * @param nowNanos a lower bound of the monotonic time of the reply
	 * @return the lists that count
	 */
	public List<OtherList> onRecord(@Nullable Long since, List<Use> uses, long nowNanos) {
		if (since != null && since.equals(this.since)) {
			this.lists.clear();
		}
		this.since = since;
		this.lists.values().removeIf((list) -> list.untilNanos() - nowNanos <= 0);
		for (Use use : uses) {
			if (!use.text().equals(this.membership.identity())) {
				long until = nowNanos + this.remembered.minusSeconds(use.ageSeconds()).toNanos();
				this.membership.onListed(this.node, use.text(), until, nowNanos);
				this.lists.put(use.text(), new OtherList(LogText.bounded(use.text()), this.membership.size(use.text()),
						() -> this.membership.common(use.text()), use.instance(), until));
			}
		}
		return new ArrayList<>(this.lists.values());
	}

	/**
	 * A list that is in use.
	 *
	 * @param text its {@link Membership#identity()}
	 * @param ageSeconds how long ago an instance confirmed it last
	 * @param user that instance
	 */
	public record Use(String text, long ageSeconds, String user) {

		/**
		 * Return the instance without what distinguishes its runs.
		 * @return its id
		 */
		public String instance() {
			return LogText.bounded(this.user.replaceFirst("#[0-9a-f]+$", ""));
		}

	}

}
