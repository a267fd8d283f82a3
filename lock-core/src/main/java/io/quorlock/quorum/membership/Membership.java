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
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Which nodes belong together: whether two of them are one server, whether a node without
 * a record of the node list is new to it or the list itself is new, and whether the
 * instances of the fleet agree on their list of nodes.
 * <p>
 * A list is <em>founded</em> when a majority of its nodes was read and none has a record:
 * no lock of it can exist yet, so nothing can have been forgotten. The founder waits for
 * the other nodes for a moment first, and then writes the record to the nodes that it
 * read. An instance that meets some nodes with and some without a record waits longer
 * than that before it takes those without for newcomers, so that instances that start
 * together agree. Pure and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Membership {

	/** How long a founder waits for the nodes that were not read yet. */
	static final Duration FOUNDING = Duration.ofSeconds(2);

	/** How long a node without a record may still be waiting for a founder's. */
	static final Duration JOINING = Duration.ofSeconds(6);

	private final List<String> names;

	private final String layout;

	private final ClockSteps steps;

	private final @Nullable String[] runIds;

	private final boolean[] empty;

	private final boolean[] founding;

	private long firstReadNanos;

	private boolean read;

	private long knownSinceNanos;

	private boolean known;

	/**
	 * Create the membership of a list of nodes.
	 * @param names the names of all configured nodes
	 */
	public Membership(List<String> names) {
		this(names, "", new ClockSteps(names.size(), Duration.ZERO, 0));
	}

	/**
	 * Create the membership of the nodes of a group.
	 * @param names the names of all configured nodes of the group
	 * @param layout how the group shares the names with others (R23), alike on all
	 * instances; without a semicolon, empty for nodes that share them with none
	 * @param steps finds the nodes whose clocks were stepped
	 */
	public Membership(List<String> names, String layout, ClockSteps steps) {
		this.layout = layout;
		this.steps = steps;
		this.names = List.copyOf(names);
		this.runIds = new String[names.size()];
		this.empty = new boolean[names.size()];
		this.founding = new boolean[names.size()];
	}

	/**
	 * The identity of the list of nodes, the same for every order of them.
	 * @return the sorted names, with commas between them, and the layout if there is one
	 */
	public String identity() {
		return String.join(",", new TreeSet<>(this.names)) + (this.layout.isEmpty() ? "" : ";" + this.layout);
	}

	/**
	 * A node reports its run id.
	 * @param node its index
	 * @param runId identifies the server process
	 * @return the name of the node that is this very server, or {@code null}
	 */
	public synchronized @Nullable String claim(int node, String runId) {
		for (int i = 0; i < this.runIds.length; i++) {
			if (i != node && runId.equals(this.runIds[i])) {
				this.runIds[node] = null;
				return this.names.get(i);
			}
		}
		if (!runId.equals(this.runIds[node])) {
			this.runIds[node] = runId;
			this.empty[node] = false;
			this.founding[node] = false;
			this.steps.forget(node);
		}
		return null;
	}

	/**
	 * Decide what becomes of a node's record. Asked again and again until the record is
	 * there.
	 * @param node its index
	 * @param recorded whether the node has a record
	 * @param nowNanos the monotonic time
	 * @return what to do
	 */
	public synchronized RecordAction examine(int node, boolean recorded, long nowNanos) {
		if (!this.read) {
			this.read = true;
			this.firstReadNanos = nowNanos;
		}
		this.empty[node] = !recorded;
		if (recorded) {
			this.founding[node] = false;
			know(nowNanos);
			return RecordAction.NONE;
		}
		if (this.known) {
			return (this.founding[node]) ? RecordAction.FOUND : joinOrWait(nowNanos);
		}
		if (!foundable(nowNanos)) {
			return RecordAction.WAIT;
		}
		know(nowNanos);
		System.arraycopy(this.empty, 0, this.founding, 0, this.empty.length);
		return RecordAction.FOUND;
	}

	private RecordAction joinOrWait(long nowNanos) {
		boolean over = nowNanos - this.knownSinceNanos >= JOINING.toNanos();
		return over ? RecordAction.JOIN : RecordAction.WAIT;
	}

	private boolean foundable(long nowNanos) {
		int count = 0;
		for (boolean node : this.empty) {
			count += node ? 1 : 0;
		}
		if (count == this.empty.length) {
			return true;
		}
		return count > this.empty.length / 2 && nowNanos - this.firstReadNanos >= FOUNDING.toNanos();
	}

	private void know(long nowNanos) {
		if (!this.known) {
			this.known = true;
			this.knownSinceNanos = nowNanos;
		}
	}

	/**
	 * Return what finds the nodes whose clocks were stepped.
	 * @return the detection
	 */
	public ClockSteps steps() {
		return this.steps;
	}

	/**
	 * Compare the list of nodes that another instance left on a node with ours. If one
	 * list is the other and one node more, any two majorities have a common node: of N
	 * and N + 1 nodes they are N + 2 together. Lists of one length with one difference
	 * still have one, if the replaced node is stopped for good.
	 * @param identity the other's {@link #identity()}
	 * @return how they differ
	 */
	public Agreement compare(String identity) {
		if (identity.equals(identity())) {
			return Agreement.SAME;
		}
		String[] parts = identity.split(";", 2);
		List<String> theirs = Arrays.asList(parts[0].split(","));
		if (!this.layout.equals((parts.length > 1) ? parts[1] : "")) {
			return Agreement.DIFFERENT;
		}
		int size = this.names.size();
		long common = theirs.stream().distinct().filter(this.names::contains).count();
		if (common == theirs.size() && theirs.size() == size - 1) {
			return Agreement.ONE_FEWER;
		}
		if (common == size && theirs.size() == size + 1) {
			return Agreement.ONE_MORE;
		}
		return (theirs.size() == size && common == size - 1) ? Agreement.ONE_REPLACED : Agreement.DIFFERENT;
	}

	/**
	 * What to do about the record of a node.
	 */
	public enum RecordAction {

		/**
		 * It is there.
		 */
		NONE,

		/**
		 * Read it again soon.
		 */
		WAIT,

		/**
		 * Write that the node has been of the group since its beginning.
		 */
		FOUND,

		/**
		 * Write that the node is of the group from now on.
		 */
		JOIN

	}

	/**
	 * How two lists of nodes differ.
	 */
	public enum Agreement {

		/**
		 * Not at all.
		 */
		SAME,

		/**
		 * In one node: a replacement is under way.
		 */
		ONE_REPLACED,

		/**
		 * The other one lacks one node of ours: the list grows, or shrinks.
		 */
		ONE_FEWER,

		/**
		 * The other one has all our nodes and one more.
		 */
		ONE_MORE,

		/**
		 * In more, or in the layout: their holders may not exclude each other.
		 */
		DIFFERENT

	}

}
