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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.store.Grant;

/**
 * How many nodes each owner holds, according to the replies to one attempt. An owner with
 * a majority holds the lock; if there is none, the vote is divided (R4). Each reader
 * counts for itself, and with permits the vote is divided unless all of them are held.
 */
final class Standings {

	/** A node names no more readers than so many. */
	private static final int MAX_READERS = 64;

	private static final String MANY_READERS = "~many";

	private final Voters voters;

	private final boolean permits;

	private final String self;

	private final int ownVotes;

	/** Per name or permit: how many nodes each owner has. */
	private final List<Map<String, Integer>> votes;

	/** Per name or permit: how many nodes let it cool down. */
	private final int[] cooling;

	private final Map<String, Integer> waiting = new HashMap<>(0);

	private @Nullable String majorityOwner;

	private @Nullable String majorityTicket;

	private boolean byReaders;

	private final long[] remainingMillis;

	Standings(Voters voters, LockTarget target, String self, int ownVotes, @Nullable NodeReply[] replies) {
		this.voters = voters;
		this.permits = target.kind() == LockTarget.Kind.PERMIT;
		this.self = self;
		this.ownVotes = ownVotes;
		int places = this.permits ? target.permits() : target.names().size();
		this.votes = new ArrayList<>(places);
		this.cooling = new int[places];
		for (int place = 0; place < places; place++) {
			this.votes.add(new HashMap<>(2));
		}
		this.remainingMillis = Arrays.stream(replies)
			.filter(NodeReply.Refused.class::isInstance)
			.mapToLong((reply) -> ((NodeReply.Refused) reply).remainingMillis())
			.map((millis) -> (millis == NodeReply.Refused.NO_EXPIRY) ? Long.MAX_VALUE : millis)
			.sorted()
			.toArray();
		for (NodeReply reply : replies) {
			if (reply instanceof NodeReply.Refused refused) {
				count(refused);
			}
		}
	}

	private void count(NodeReply.Refused refused) {
		String ticket = null;
		for (int place = 0; place < this.votes.size(); place++) {
			Blocker blocker = refused.blockers().get(place);
			if (blocker instanceof Blocker.Owner owner) {
				count(place, owner.value(), false);
			}
			else if (blocker instanceof Blocker.Readers readers) {
				int at = place;
				readers.owners().forEach((reader) -> count(at, reader, true));
				if (readers.owners().size() >= MAX_READERS) {
					count(place, MANY_READERS, true);
				}
			}
			else if (blocker instanceof Blocker.Cooldown) {
				this.cooling[place]++;
			}
			else if (blocker instanceof Blocker.Waiting other) {
				ticket = other.ticket();
			}
		}
		if (ticket != null && this.waiting.merge(ticket, 1, Integer::sum) == this.voters.majority) {
			this.majorityTicket = ticket;
		}
	}

	private void count(int place, String owner, boolean reader) {
		if (this.votes.get(place).merge(owner, 1, Integer::sum) == this.voters.majority) {
			this.majorityOwner = owner;
			this.byReaders = reader;
		}
	}

	/**
	 * Return the owner of a majority of the nodes, or null if none is known. Of several
	 * readers or permits it is any.
	 */
	@Nullable String majorityOwner() {
		return MANY_READERS.equals(this.majorityOwner) ? "many readers" : this.majorityOwner;
	}

	/** Return whether the owner with the majority is a reader. */
	boolean isHeldByReaders() {
		return this.byReaders;
	}

	/**
	 * Return the older ticket that stands in front on a majority of the nodes, or null.
	 */
	@Nullable String majorityTicket() {
		return this.majorityTicket;
	}

	/** Return whether a majority of the nodes keeps a name locked after its release. */
	boolean isCoolingDown() {
		for (int nodes : this.cooling) {
			if (nodes >= this.voters.majority) {
				return true;
			}
		}
		return false;
	}

	/** Return whether another is known to hold the lock, or to stand in front. */
	boolean isHeld() {
		if (this.majorityTicket != null) {
			return true;
		}
		return this.permits ? areAllHeld() : (this.majorityOwner != null || isCoolingDown());
	}

	/** Return whether each permit is known to be held, or to cool down. */
	boolean areAllHeld() {
		for (int place = 0; place < this.votes.size(); place++) {
			boolean held = this.cooling[place] >= this.voters.majority
					|| this.votes.get(place).values().stream().anyMatch((nodes) -> nodes >= this.voters.majority);
			if (!held) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Return how long a majority of the nodes keeps the keys seen if nothing renews them:
	 * {@link Long#MAX_VALUE} for keys without an expiry.
	 */
	long remainingMillis() {
		int index = this.remainingMillis.length - this.voters.majority;
		return (index >= 0) ? this.remainingMillis[index] : 0;
	}

	/** Describe which owners have how many nodes. */
	String division() {
		Map<String, Integer> nodes = new TreeMap<>();
		this.votes.forEach(
				(owners) -> owners.forEach((owner, count) -> nodes.merge(Grant.instanceOf(owner), count, Math::max)));
		return Stream
			.concat(nodes.entrySet().stream().map((other) -> "%s had %d".formatted(other.getKey(), other.getValue())),
					Stream.of("this request " + this.ownVotes))
			.collect(Collectors.joining(", ", "", " of %d nodes".formatted(this.voters.size())));
	}

	/**
	 * Return whether this attempt comes first in the order on which all contenders agree:
	 * most nodes first, then by a hash of the owner, which differs from attempt to
	 * attempt.
	 * @param passedOver owners that have shown no majority for too long
	 */
	boolean isFirst(Predicate<String> passedOver) {
		if (this.ownVotes == 0 || this.permits) {
			return false; // of permits any will do: another attempt finds one sooner
		}
		for (Map<String, Integer> owners : this.votes) {
			for (Map.Entry<String, Integer> other : owners.entrySet()) {
				if (!passedOver.test(other.getKey()) && precedes(other.getKey(), other.getValue())) {
					return false;
				}
			}
		}
		return true;
	}

	/**
	 * Return whether this attempt can still get a majority without the nodes of owners
	 * that are passed over.
	 */
	boolean canWin(Predicate<String> passedOver) {
		for (int place = 0; place < this.votes.size(); place++) {
			int lost = this.cooling[place];
			for (Map.Entry<String, Integer> other : this.votes.get(place).entrySet()) {
				lost += passedOver.test(other.getKey()) ? other.getValue() : 0;
			}
			if (this.voters.size() - lost < this.voters.majority) {
				return false;
			}
		}
		return true;
	}

	private boolean precedes(String other, int otherVotes) {
		if (otherVotes != this.ownVotes) {
			return otherVotes > this.ownVotes;
		}
		int byHash = Integer.compareUnsigned(spread(other.hashCode()), spread(this.self.hashCode()));
		return (byHash != 0) ? byHash < 0 : other.compareTo(this.self) < 0;
	}

	/** The finalizer of MurmurHash3: owners differ in their last characters only. */
	private static int spread(int hash) {
		int h = hash;
		h = (h ^ (h >>> 16)) * 0x85ebca6b;
		h = (h ^ (h >>> 13)) * 0xc2b2ae35;
		return h ^ (h >>> 16);
	}

}
