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

package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.OtherList;

/**
 * The nodes that vote, in an order that all instances share, and how many of them decide:
 * N/2+1 of the <em>configured</em> nodes (R1), and a majority of each other list that is
 * in use (R10). Sets of nodes are the bits of a long.
 */
final class Voters {

	static final int MAX_NODES = 63;

	/** All nodes. */
	final long all;

	final List<LockNode> nodes;

	final int majority;

	/** The other lists that are in use. */
	final KnownLists lists;

	Voters(List<? extends LockNode> nodes) {
		if (nodes.isEmpty() || nodes.size() > MAX_NODES) {
			throw new IllegalArgumentException(
					"A quorum needs 1 to " + MAX_NODES + " nodes, not " + nodes.size() + ": " + nodes);
		}
		List<LockNode> sorted = new ArrayList<>(nodes);
		sorted.sort(Comparator.comparing(LockNode::name));
		this.nodes = List.copyOf(sorted);
		this.all = (1L << this.nodes.size()) - 1;
		this.majority = this.nodes.size() / 2 + 1;
		this.lists = new KnownLists(sorted.stream().map(LockNode::name).toList());
	}

	int size() {
		return this.nodes.size();
	}

	int slotOf(LockNode node) {
		for (int slot = 0; slot < this.nodes.size(); slot++) {
			if (this.nodes.get(slot) == node) {
				return slot;
			}
		}
		throw new IllegalArgumentException("Not a node of this quorum: " + node.name());
	}

	static long bit(int slot) {
		return 1L << slot;
	}

	List<String> names(long slots) {
		List<String> names = new ArrayList<>(size());
		for (int slot = 0; slot < size(); slot++) {
			if ((slots & bit(slot)) != 0) {
				names.add(this.nodes.get(slot).name());
			}
		}
		return names;
	}

	boolean isMajority(long slots) {
		return Long.bitCount(slots) >= this.majority && (this.lists.isEmpty() || this.lists.isMajorityOfEach(slots));
	}

	/**
	 * The lists of nodes that other instances use with nodes of ours. While there are
	 * some, a majority of each of them is needed, as Raft changes its configuration
	 * (R10): whoever has a majority of its own list has one node in common with it.
	 */
	static final class KnownLists {

		private final String own;

		private final List<String> names;

		/** What each of our nodes reported last. */
		private final List<List<OtherList>> reports;

		private volatile List<Needed> needed = List.of();

		KnownLists(List<String> names) {
			this.own = String.join(",", names);
			this.names = names;
			this.reports = new ArrayList<>(names.stream().map((name) -> List.<OtherList>of()).toList());
		}

		/**
		 * A node told which other lists are in use, instead of those that it told before.
		 */
		synchronized void report(int slot, List<OtherList> lists, long nowNanos) {
			this.reports.set(slot, List.copyOf(lists));
			this.reports
				.replaceAll((each) -> each.stream().filter((list) -> list.untilNanos() - nowNanos > 0).toList());
			Map<String, List<OtherList>> byText = this.reports.stream()
				.flatMap(Collection::stream)
				.collect(Collectors.groupingBy(OtherList::text, TreeMap::new, Collectors.toList()));
			this.needed = byText.values().stream().map(this::needed).toList();
		}

		private Needed needed(List<OtherList> same) {
			return new Needed(same.get(0), same.stream().map(OtherList::user).distinct().sorted().toList());
		}

		boolean isEmpty() {
			return this.needed.isEmpty();
		}

		/** Return whether nodes are a majority of each other list. */
		boolean isMajorityOfEach(long slots) {
			for (Needed each : this.needed) {
				if (count(each.list, slots) < each.list.majority()) {
					return false;
				}
			}
			return true;
		}

		private int count(OtherList list, long slots) {
			Set<String> common = list.common().get();
			return (int) IntStream.range(0, this.names.size())
				.filter((slot) -> (slots & 1L << slot) != 0 && common.contains(this.names.get(slot)))
				.count();
		}

		private boolean isSameServers(OtherList list) {
			return list.size() == this.names.size() && list.common().get().size() == list.size();
		}

		/**
		 * Describe the lists and who uses them.
		 * @param self this instance
		 * @param voting the nodes that vote
		 * @return a text for people; empty if all instances use the same list
		 */
		String describe(String self, long voting) {
			List<Needed> needed = this.needed.stream().filter((each) -> !isSameServers(each.list)).toList();
			if (needed.isEmpty()) {
				return "";
			}
			return Stream
				.concat(Stream.of("instances use different node lists, and a majority of each is needed: " + self
						+ " uses " + this.own), needed.stream().map((each) -> each.describe(count(each.list, voting))))
				.collect(Collectors.joining("; "));
		}

		/**
		 * A list of which a majority is needed.
		 *
		 * @param list the list
		 * @param users who used it last, as our nodes tell
		 */
		private record Needed(OtherList list, List<String> users) {

			String describe(int count) {
				return "%s uses %s, of which %d of %d nodes %s needed and %d %s here".formatted(
						String.join(" and ", this.users), this.list.text(), this.list.majority(), this.list.size(),
						(this.list.majority() == 1) ? "is" : "are", count, (count == 1) ? "votes" : "vote");
			}

		}

	}

}
