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

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A claim in the queue of a name, as the name of its node describes it:
 * {@code _c_<id>-lock-<sequence>}, the format of Curator's recipes.
 *
 * @param name the name of the node
 * @param kind what the claim wants
 * @param sequence its place, which counts up to {@link #LAST}
 */
record QueueNode(String name, Kind kind, int sequence) {

	/**
	 * A claim with this number or a greater one is not granted. The servers' counter ends
	 * at 2,147,483,647, and gives that number, or negative ones, to all who come then.
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
	 * Return the name of a permit's node without its sequence number. The number of the
	 * permit is part of it, so that the list of names tells which are free.
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
	static @Nullable QueueNode parse(String name) {
		for (Kind kind : Kind.values()) {
			int marker = name.lastIndexOf(kind.marker);
			if (marker >= 0) {
				try {
					return new QueueNode(name, kind, Integer.parseInt(name.substring(marker + kind.marker.length())));
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
	int compare(QueueNode other) {
		return Integer.compareUnsigned(this.sequence, other.sequence);
	}

	/** Whether the other claim cannot be granted while this one is there. */
	boolean excludes(QueueNode other) {
		return compare(other) <= 0 && !this.name.equals(other.name) && this.kind.excludes(other.kind);
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

		private final String marker;

		Kind(String marker) {
			this.marker = marker;
		}

		String marker() {
			return this.marker;
		}

		boolean excludes(Kind other) {
			return this != READ || other != READ;
		}

	}

}
