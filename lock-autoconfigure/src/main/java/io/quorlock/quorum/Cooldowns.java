package io.quorlock.quorum;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

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
				Leftovers.restoreCooldown(this.rounds, cooldown.names(), leftMillis, slot);
			}
		}
	}

	private record Cooldown(List<String> names, long untilNanos) {
	}

}
