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

package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The claims for one name at one moment. Nothing but arithmetic.
 */
final class ClaimQueue {

	private final List<QueueNode> nodes = new ArrayList<>();

	private final boolean coolingDown;

	ClaimQueue(List<String> children) {
		for (String child : children) {
			QueueNode node = QueueNode.parse(child);
			if (node != null) {
				this.nodes.add(node);
			}
		}
		this.coolingDown = children.contains(LockPaths.COOLDOWN);
	}

	boolean isCoolingDown() {
		return this.coolingDown;
	}

	/** The claims, first in the queue first. */
	List<QueueNode> inOrder() {
		List<QueueNode> sorted = new ArrayList<>(this.nodes);
		sorted.sort(QueueNode::compare);
		return sorted;
	}

	/** Return the first claim, which holds the name. */
	@Nullable QueueNode head() {
		return this.nodes.stream().min(QueueNode::compare).orElse(null);
	}

	/** The nearest claim in front that keeps this one from holding the name. */
	@Nullable QueueNode obstacle(QueueNode own) {
		return this.nodes.stream().filter((node) -> node.excludes(own)).max(QueueNode::compare).orElse(null);
	}

	/** The first of the claims that keep this one from holding the name, if any does. */
	QueueNode firstObstacle(QueueNode own) {
		return this.nodes.stream().filter((node) -> node.excludes(own)).min(QueueNode::compare).orElseThrow();
	}

	/** How many claims there are. */
	int size() {
		return this.nodes.size();
	}

	/** The least number that no permit has. */
	int leastFreePermit() {
		Set<Integer> taken = this.nodes.stream().map(QueueNode::permit).collect(Collectors.toSet());
		int number = 1;
		while (taken.contains(number)) {
			number++;
		}
		return number;
	}

	boolean contains(String name) {
		return this.nodes.stream().anyMatch((node) -> node.name().equals(name));
	}

	/** The node of the claim with this prefix, if there is one. */
	@Nullable QueueNode find(String idPrefix) {
		return this.nodes.stream().filter((node) -> node.name().startsWith(idPrefix)).findFirst().orElse(null);
	}

}
