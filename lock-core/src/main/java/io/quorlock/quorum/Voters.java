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
import java.util.Comparator;
import java.util.List;

import io.quorlock.quorum.node.LockNode;

/**
 * The nodes that vote, in an order that all instances share, and how many of them decide:
 * N/2+1 of the <em>configured</em> nodes (R1), and a majority of each other list that is
 * in use (R10). Sets of nodes are the bits of a long.
 */
final class Voters {

	static final int MAX_NODES = 63;

	private final LockNode[] nodes;

	private final int majority;

	private final KnownLists lists;

	Voters(List<? extends LockNode> nodes) {
		if (nodes.isEmpty() || nodes.size() > MAX_NODES) {
			throw new IllegalArgumentException(
					"A quorum needs 1 to " + MAX_NODES + " nodes, not " + nodes.size() + ": " + nodes);
		}
		List<LockNode> sorted = new ArrayList<>(nodes);
		sorted.sort(Comparator.comparing(LockNode::name));
		this.nodes = sorted.toArray(LockNode[]::new);
		this.majority = this.nodes.length / 2 + 1;
		this.lists = new KnownLists(sorted.stream().map(LockNode::name).toList());
	}

	int size() {
		return this.nodes.length;
	}

	int majority() {
		return this.majority;
	}

	LockNode node(int slot) {
		return this.nodes[slot];
	}

	List<LockNode> nodes() {
		return List.of(this.nodes);
	}

	int slotOf(LockNode node) {
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if (this.nodes[slot] == node) {
				return slot;
			}
		}
		throw new IllegalArgumentException("Not a node of this quorum: " + node.name());
	}

	static long bit(int slot) {
		return 1L << slot;
	}

	List<String> names(long slots) {
		List<String> names = new ArrayList<>(this.nodes.length);
		for (int slot = 0; slot < this.nodes.length; slot++) {
			if ((slots & bit(slot)) != 0) {
				names.add(this.nodes[slot].name());
			}
		}
		return names;
	}

	long all() {
		return (1L << this.nodes.length) - 1;
	}

	/** Return the other lists that are in use. */
	KnownLists lists() {
		return this.lists;
	}

	boolean isMajority(long slots) {
		return Long.bitCount(slots) >= this.majority && (this.lists.isEmpty() || this.lists.isMajorityOfEach(slots));
	}

}
