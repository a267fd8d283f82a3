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

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The claims for one name at one moment. Nothing but arithmetic.
 */
final class ClaimQueue {

	private final List<Node> nodes;

	private final boolean coolingDown;

	ClaimQueue(List<String> children) {
		this.nodes = children.stream().flatMap((child) -> Stream.ofNullable(Node.parse(child))).toList();
		this.coolingDown = children.contains(LockPaths.COOLDOWN);
	}

	boolean isCoolingDown() {
		return this.coolingDown;
	}

	/** The claims, first in the queue first. */
	List<Node> inOrder() {
		return this.nodes.stream().sorted(Node::compare).toList();
	}

	/** Return the first claim, which holds the name. */
	@Nullable Node head() {
		return this.nodes.stream().min(Node::compare).orElse(null);
	}

	/** The nearest claim in front that keeps this one from holding the name. */
	@Nullable Node obstacle(Node own) {
		return this.nodes.stream().filter((node) -> node.excludes(own)).max(Node::compare).orElse(null);
	}

	/** The first of the claims that keep this one from holding the name, if any does. */
	Node firstObstacle(Node own) {
		return this.nodes.stream().filter((node) -> node.excludes(own)).min(Node::compare).orElseThrow();
	}

	/** How many claims there are. */
	int size() {
		return this.nodes.size();
	}

	/** The least number that no permit has. */
	int minFreePermit() {
		Set<Integer> taken = this.nodes.stream().map(Node::permit).collect(Collectors.toSet());
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
	@Nullable Node find(String idPrefix) {
		return this.nodes.stream().filter((node) -> node.name().startsWith(idPrefix)).findFirst().orElse(null);
	}

	/**
	 * A claim in the queue of a name, as the name of its node describes it:
	 * {@code _c_<id>-lock-<sequence>}, the format of Curator's recipes.
	 *
	 * @param name the name of the node
	 * @param kind what the claim wants
	 * @param sequence its place, which counts up to {@link #LAST}
	 */
	record Node(String name, Kind kind, int sequence) {

		/**
		 * A claim with this number or a greater one is not granted. The servers' counter
		 * ends at 2,147,483,647, and gives that number, or negative ones, to all who come
		 * then.
		 */
		static final int LAST = 2_000_000_000;

		/** Of what begins the name of a node, and identifies its claim. */
		static final int ID_PREFIX_LENGTH = "_c_-".length() + new UUID(0, 0).toString().length();

		/** Before the number of a permit; no digit of a UUID. */
		private static final String PERMIT = "p";

		/**
		 * Return the node's name without its sequence number, for a new claim.
		 * @param id identifies the claim
		 * @param kind what it wants
		 * @return the prefix that the server completes
		 */
		static String prefix(UUID id, Kind kind) {
			return idPrefix(id) + kind.marker;
		}

		/**
		 * Return the name of a permit's node without its sequence number. The number of
		 * the permit is part of it, so that the list of names tells which are free.
		 * @param id identifies the claim
		 * @param permit the number of the permit
		 * @return the prefix that the server completes
		 */
		static String prefix(UUID id, int permit) {
			return idPrefix(id) + PERMIT + permit + "-" + Kind.LEASE.marker;
		}

		/** The number of the permit that the node stands for, 0 if it has none. */
		int permit() {
			int end = this.name.lastIndexOf("-" + Kind.LEASE.marker);
			int begin = (end > 0) ? this.name.lastIndexOf("-" + PERMIT, end - 1) : -1;
			try {
				return (begin > 0) ? Integer.parseInt(this.name.substring(begin + 1 + PERMIT.length(), end)) : 0;
			}
			catch (NumberFormatException ex) {
				return 0;
			}
		}

		static String idPrefix(UUID id) {
			return "_c_" + id + "-";
		}

		/**
		 * Read a claim from the name of a node.
		 * @param name the name of the node
		 * @return the claim, or {@code null} if the node is something else
		 */
		static @Nullable Node parse(String name) {
			for (Kind kind : Kind.values()) {
				int marker = name.lastIndexOf(kind.marker);
				if (marker >= 0) {
					try {
						return new Node(name, kind, Integer.parseInt(name.substring(marker + kind.marker.length())));
					}
					catch (NumberFormatException ex) {
						return null;
					}
				}
			}
			return null;
		}

		/** Whether the number is one of those that the servers may give twice. */
		boolean isBeyondLast() {
			return Integer.compareUnsigned(this.sequence, LAST) >= 0;
		}

		/** Which claim was made first; 0 if the numbers do not tell. */
		int compare(Node other) {
			return Integer.compareUnsigned(this.sequence, other.sequence);
		}

		/** Whether the other claim cannot be granted while this one is there. */
		boolean excludes(Node other) {
			boolean readers = this.kind == Kind.READ && other.kind == Kind.READ;
			return compare(other) <= 0 && !this.name.equals(other.name) && !readers;
		}

	}

	/**
	 * What stands in the node of a claim. Curator writes the address of its host there.
	 *
	 * @param owner the owner
	 * @param number the number of a permit, or the fencing token of a writer's node that
	 * became a reader's, which does not follow from the transaction that created it; 0
	 * for none
	 */
	record NodeData(String owner, long number) {

		static NodeData parse(String text) {
			int space = text.lastIndexOf(' ');
			try {
				return (space > 0) ? new NodeData(text.substring(0, space), Long.parseLong(text.substring(space + 1)))
						: new NodeData(text, 0);
			}
			catch (NumberFormatException ex) {
				return new NodeData(text, 0);
			}
		}

		@Override
		public String toString() {
			return (this.number > 0) ? this.owner + " " + this.number : this.owner;
		}

	}

	/**
	 * What a claim wants, and the marker that says so in the name of its node.
	 */
	enum Kind {

		/** An exclusive lock: {@code InterProcessMutex}. */
		LOCK("lock-"),

		/** A shared lock: the reader of {@code InterProcessReadWriteLock}. */
		READ("__READ__"),

		/** An exclusive lock: the writer of {@code InterProcessReadWriteLock}. */
		WRITE("__WRIT__"),

		/** One of several permits: {@code InterProcessSemaphoreV2}. */
		LEASE("lease-");

		final String marker;

		Kind(String marker) {
			this.marker = marker;
		}

	}

}
