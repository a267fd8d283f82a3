package io.quorlock.quorum;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply;

/**
 * Who holds how many nodes, as the replies to one attempt tell it. An owner with a
 * majority holds the lock; if there is none, the vote is divided (R4).
 */
final class Standings {

	private final Voters voters;

	private final String self;

	private final int ownVotes;

	/** Per name: how many nodes each owner has. */
	private final List<Map<String, Integer>> votes;

	private @Nullable String majorityOwner;

	private long remainingMillis;

	private int coolingDown;

	Standings(Voters voters, int names, String self, int ownVotes, @Nullable NodeReply[] replies) {
		this.voters = voters;
		this.self = self;
		this.ownVotes = ownVotes;
		this.votes = new ArrayList<>(names);
		for (int name = 0; name < names; name++) {
			this.votes.add(new HashMap<>(2));
		}
		for (NodeReply reply : replies) {
			if (reply instanceof NodeReply.Refused refused) {
				count(refused);
			}
		}
	}

	private void count(NodeReply.Refused refused) {
		this.remainingMillis = Math.max(this.remainingMillis, refused.remainingMillis());
		this.coolingDown += refused.owners().contains(NodeReply.COOLDOWN) ? 1 : 0;
		for (int name = 0; name < refused.owners().size(); name++) {
			String owner = refused.owners().get(name);
			if (owner != null && !owner.equals(NodeReply.COOLDOWN)
					&& this.votes.get(name).merge(owner, 1, Integer::sum) == this.voters.majority()) {
				this.majorityOwner = owner;
			}
		}
	}

	/** Return who has a majority of the nodes, or null if nobody is known to. */
	@Nullable String majorityOwner() {
		return this.majorityOwner;
	}

	/** Return whether a majority of the nodes keeps a name locked after its release. */
	boolean isCoolingDown() {
		return this.coolingDown >= this.voters.majority();
	}

	/** Return whether somebody is known to hold the lock. */
	boolean isHeld() {
		return this.majorityOwner != null || isCoolingDown();
	}

	/** Return how long the longest of the keys seen lives if nothing renews it. */
	long remainingMillis() {
		return this.remainingMillis;
	}

	/**
	 * Return whether this attempt comes first in the order on which all contenders agree:
	 * most nodes first, then by a hash of the token, which differs from attempt to
	 * attempt.
	 * @param passedOver owners that have shown no majority for too long
	 */
	boolean isFirst(Predicate<String> passedOver) {
		if (this.ownVotes == 0) {
			return false;
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
		for (Map<String, Integer> owners : this.votes) {
			int lost = this.coolingDown;
			for (Map.Entry<String, Integer> other : owners.entrySet()) {
				lost += passedOver.test(other.getKey()) ? other.getValue() : 0;
			}
			if (this.voters.size() - lost < this.voters.majority()) {
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

	/** The finalizer of MurmurHash3: tokens differ in their last characters only. */
	private static int spread(int hash) {
		int h = hash;
		h = (h ^ (h >>> 16)) * 0x85ebca6b;
		h = (h ^ (h >>> 13)) * 0xc2b2ae35;
		return h ^ (h >>> 16);
	}

}
