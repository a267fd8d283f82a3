package io.quorlock.zookeeper;

import java.util.ArrayList;
import java.util.List;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * What a claim sees when it looks at the queues of its names once: what they contained,
 * and the base of the fencing tokens, read after them. Nothing but decisions.
 */
final class Look {

	private final List<ClaimQueue> queues = new ArrayList<>();

	private Code code = Code.OK;

	private @Nullable Long base;

	/** Called once for each name, in their order. */
	void listed(Code reply, @Nullable List<String> children) {
		note(reply);
		this.queues.add(new ClaimQueue((children != null) ? children : List.of()));
	}

	void readBase(Code reply, Requests.@Nullable Content content) {
		note(reply);
		this.base = (content != null) ? FencingTokens.base(content.data()) : null;
	}

	/** Note what became of a request that belongs to this look. */
	void note(Code reply) {
		if (this.code == Code.OK) {
			this.code = reply;
		}
	}

	/** {@link Code#OK}, or the first that was not. */
	Code code() {
		return this.code;
	}

	/** What fencing tokens are counted from. */
	long base() {
		return (this.base != null) ? this.base : 0;
	}

	ClaimQueue queue(int index) {
		return this.queues.get(index);
	}

	/** What the claim has to do now. */
	Situation situation(QueueEntry entry) {
		for (int i = 0; i < this.queues.size(); i++) {
			QueueNode own = entry.node(i);
			if (own == null || !this.queues.get(i).contains(own.name())) {
				return new Situation.Evicted();
			}
		}
		for (int i = 0; i < this.queues.size(); i++) {
			QueueNode own = entry.node(i);
			QueueNode next = (own != null) ? this.queues.get(i).obstacle(own) : null;
			QueueNode first = (own != null) ? this.queues.get(i).firstObstacle(own) : null;
			if (next != null && first != null) {
				String container = entry.containers().get(i) + "/";
				return new Situation.Blocked(container + next.name(), container + first.name());
			}
		}
		for (int i = 0; i < this.queues.size(); i++) {
			if (this.queues.get(i).isCoolingDown()) {
				return new Situation.CoolingDown(entry.containers().get(i) + "/" + LockPaths.COOLDOWN);
			}
		}
		return new Situation.First(base());
	}

	/**
	 * Where a claim stands.
	 */
	sealed interface Situation {

		/**
		 * It holds its names.
		 *
		 * @param base what its fencing tokens are counted from
		 */
		record First(long base) implements Situation {
		}

		/**
		 * Others stand in front.
		 *
		 * @param next the nearest of them, which alone is watched
		 * @param first the first of them, which holds the name
		 */
		record Blocked(String next, String first) implements Situation {
		}

		/**
		 * It is first, but a name cools down (R18).
		 *
		 * @param path the node that says so
		 */
		record CoolingDown(String path) implements Situation {
		}

		/** Its node was deleted from outside. */
		record Evicted() implements Situation {
		}

	}

}
