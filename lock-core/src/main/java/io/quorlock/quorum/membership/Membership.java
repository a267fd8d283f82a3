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
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Which nodes belong together: whether two of them are one server, whether a node without
 * a record of the node list is new to it or the list itself is new, and what another list
 * has in common with ours.
 * <p>
 * A list is <em>founded</em> when a majority of its nodes was read and none has a record:
 * no lock of it can exist yet, so nothing can have been forgotten. The founder waits for
 * the other nodes for a moment first, and then writes the record to the nodes that it
 * read. An instance that meets some nodes with and some without a record waits longer
 * than that before it takes those without for newcomers, so that instances that start
 * together agree. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Membership {

	/** How long a founder waits for the nodes that were not read yet. */
	static final Duration FOUNDING = Duration.ofSeconds(2);

	/** How long a node without a record may still be waiting for a founder's. */
	static final Duration JOINING = Duration.ofSeconds(6);

	/**
	 * How long a list may turn out to name our servers otherwise: its instance connects
	 * to one node after the other.
	 */
	private static final Duration COMPARING = Duration.ofSeconds(5);

	/** A record tells so many characters of a list. */
	private static final int LONGEST = 4_096;

	private final List<String> names;

	private final String layout;

	private final ClockSteps steps;

	private final @Nullable String[] runIds;

	private final boolean[] empty;

	private final boolean[] founding;

	/** The other lists that the nodes' records name. */
	private final Map<String, Listing> listings = new HashMap<>();

	/** Asked for with each vote while there are other lists. */
	private final Map<String, Set<String>> commons = new HashMap<>();

	/** How many lists turned up. */
	private volatile int listingsSeen;

	/** Nodes that are in use. */
	private final BitSet started = new BitSet();

	/** Nodes of which it is not known yet whether they can be reached. */
	private final BitSet untried = new BitSet();

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
	 * Create the membership of a list of nodes.
	 * @param names the names of all configured nodes
	 * @param layout how they share the names with others (R23), alike on all instances;
	 * without a semicolon, empty for nodes that share them with none
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
				forgetListings(node);
				return this.names.get(i);
			}
		}
		if (!runId.equals(this.runIds[node])) {
			this.runIds[node] = runId;
			this.empty[node] = false;
			this.founding[node] = false;
			this.steps.forget(node);
			forgetListings(node);
		}
		return null;
	}

	private void forgetListings(int node) {
		this.commons.clear();
		this.listings.values().forEach((listing) -> listing.nodes.clear(node));
	}

	/**
	 * The record of a node names another list: an instance that uses it reached this very
	 * server, under whatever name.
	 * @param node its index
	 * @param identity the other's {@link #identity()}
	 * @param untilNanos when it is forgotten
	 * @param nowNanos a lower bound of the monotonic time
	 */
	synchronized void onListed(int node, String identity, long untilNanos, long nowNanos) {
		if (this.listings.values().removeIf((listing) -> listing.untilNanos - nowNanos <= 0)) {
			this.commons.clear();
		}
		Listing listing = this.listings.get(identity);
		if (listing == null) {
			listing = new Listing(new BitSet(), nowNanos, untilNanos);
			this.listingsSeen++;
		}
		if (!listing.nodes.get(node)) {
			listing.nodes.set(node);
			this.commons.clear();
		}
		this.listings.put(identity,
				new Listing(listing.nodes, listing.sinceNanos, Math.max(listing.untilNanos, untilNanos)));
	}

	/**
	 * Return how many other lists turned up. When one does, the records of all nodes are
	 * to be read, which tell the servers that it has in common with ours.
	 * @return a number that grows
	 */
	public int listingsSeen() {
		return this.listingsSeen;
	}

	/**
	 * Return whether another list has the same servers under other names: all of its
	 * nodes are known, since the record of each of ours names it.
	 * @param identity the other's {@link #identity()}
	 * @return whether a majority of the one is a majority of the other
	 */
	public synchronized boolean isSameServers(String identity) {
		return size(identity) == this.names.size() && common(identity).size() == this.names.size();
	}

	/**
	 * Return whether it is not known yet if another list has the same servers.
	 * @param identity the other's {@link #identity()}
	 * @param nowNanos the monotonic time
	 * @return whether not all nodes had the time to tell
	 */
	public synchronized boolean isComparing(String identity, long nowNanos) {
		Listing listing = this.listings.get(identity);
		return listing != null && nowNanos - listing.sinceNanos < COMPARING.toNanos()
				&& size(identity) == this.names.size() && !isSameServers(identity);
	}

	/**
	 * Return whether another list may turn out to have the same servers, so that the
	 * records are to be read again soon.
	 * @param nowNanos the monotonic time
	 * @return whether one is being compared with ours
	 */
	public synchronized boolean isComparing(long nowNanos) {
		return this.listings.keySet().stream().anyMatch((identity) -> isComparing(identity, nowNanos));
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
	 * Return how many nodes another list has.
	 * @param identity the other's {@link #identity()}
	 * @return the number of nodes
	 */
	int size(String identity) {
		return nodesOf(identity).size();
	}

	/**
	 * Return those of our nodes on which a majority of another list may stand. Names
	 * decide, unless a record shows that the other has a name of its own for one of our
	 * servers: then only records do.
	 * @param identity the other's {@link #identity()}
	 * @return the names of the nodes, without databases; none if the other's instances
	 * look for locks in other groups
	 */
	synchronized Set<String> common(String identity) {
		return this.commons.computeIfAbsent(identity, this::findCommon);
	}

	private Set<String> findCommon(String identity) {
		boolean alike = this.layout.equals(identity.contains(";") ? identity.replaceFirst("^[^;]*;", "") : "");
		if (!alike || identity.length() >= LONGEST) {
			return Set.of(); // the rest of such a text is not known
		}
		Set<String> named = new TreeSet<>(nodesOf(identity));
		named.retainAll(this.names);
		Listing listing = this.listings.get(identity);
		Set<String> listed = (listing != null)
				? listing.nodes.stream().mapToObj(this.names::get).collect(Collectors.toSet()) : Set.of();
		return (named.containsAll(listed) ? named : listed).stream()
			.map((node) -> node.replaceFirst("/.*", ""))
			.collect(Collectors.toUnmodifiableSet());
	}

	private static Set<String> nodesOf(String identity) {
		return Set.copyOf(Arrays.asList(identity.replaceFirst(";.*", "").split(",")));
	}

	/**
	 * A node is started. With the first one, all of them become untried.
	 * @param node its index
	 */
	public synchronized void onStart(int node) {
		if (this.started.isEmpty()) {
			this.untried.set(0, this.names.size());
		}
		this.started.set(node);
	}

	/**
	 * A node is stopped.
	 * @param node its index
	 */
	public synchronized void onStop(int node) {
		this.started.clear(node);
		onTried(node);
	}

	/**
	 * A node was connected and its record was read, or it cannot be reached.
	 * @param node its index
	 */
	public synchronized void onTried(int node) {
		this.untried.clear(node);
		notifyAll();
	}

	/**
	 * Return whether all nodes were tried since they were started: before that, a vote of
	 * one must not count, since another one may tell of a list that excludes it.
	 * @return whether votes count
	 */
	public synchronized boolean isTried() {
		return this.untried.isEmpty();
	}

	/**
	 * Wait until all nodes were tried.
	 * @param nanos how long at most; a node that does not reply until then is down
	 * @throws InterruptedException if the thread is interrupted
	 */
	public synchronized void awaitTried(long nanos) throws InterruptedException {
		long end = System.nanoTime() + nanos;
		for (long left = nanos; left > 0 && !isTried(); left = end - System.nanoTime()) {
			TimeUnit.NANOSECONDS.timedWait(this, left);
		}
	}

	/**
	 * Another list of nodes.
	 *
	 * @param nodes those of ours whose records name it
	 * @param sinceNanos when it turned up
	 * @param untilNanos when no record is to name it any more
	 */
	private record Listing(BitSet nodes, long sinceNanos, long untilNanos) {

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
		 * Write that the node has been on the list since its beginning.
		 */
		FOUND,

		/**
		 * Write that the node is on the list from now on.
		 */
		JOIN

	}

}
