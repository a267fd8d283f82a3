package io.quorlock.quorum;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * The cool-downs that this instance left behind (R18). A node that is connected again may
 * have been restarted without its keys: the cool-down is put back there, as long as this
 * instance lives.
 */
final class Cooldowns {

	private static final int MAX_REMEMBERED = 10_000;

	private final Rounds rounds;

	private final ConcurrentLinkedQueue<Cooldown> cooldowns = new ConcurrentLinkedQueue<>();

	Cooldowns(Rounds rounds) {
		this.rounds = rounds;
	}

	void add(List<String> names, long cooldownNanos) {
		long now = this.rounds.clock().nanoTime();
		this.cooldowns.removeIf((cooldown) -> cooldown.untilNanos() - now <= 0);
		if (this.cooldowns.size() < MAX_REMEMBERED) {
			this.cooldowns.add(new Cooldown(names, now + cooldownNanos));
		}
	}

	/** A node was connected. */
	void restore(int slot) {
		long now = this.rounds.clock().nanoTime();
		for (Iterator<Cooldown> all = this.cooldowns.iterator(); all.hasNext();) {
			Cooldown cooldown = all.next();
			long leftMillis = (cooldown.untilNanos() - now) / 1_000_000;
			if (leftMillis <= 0) {
				all.remove();
			}
			else {
				restore(slot, cooldown.names(), leftMillis, now);
			}
		}
	}

	/**
	 * A lock of its own, turned into a cool-down at once, unless another has the names.
	 */
	private void restore(int slot, List<String> names, long leftMillis, long now) {
		Attempt attempt = this.rounds.newAttempt();
		NodeCommand acquire = new NodeCommand.Acquire(names, attempt, leftMillis, null, 1, 0);
		new Ignored(acquire, now).enqueue(Voters.bit(slot));
		attempt.releasing();
		new Ignored(new NodeCommand.Release(names, attempt, leftMillis), now).submit(Voters.bit(slot));
	}

	private record Cooldown(List<String> names, long untilNanos) {
	}

	private final class Ignored extends NodeRequest {

		private Ignored(NodeCommand command, long sentNanos) {
			super(Cooldowns.this.rounds.messenger(), command, sentNanos);
		}

		@Override
		void received(int slot, NodeReply reply) {
		}

	}

}
