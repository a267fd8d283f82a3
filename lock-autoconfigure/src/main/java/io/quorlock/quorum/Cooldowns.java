package io.quorlock.quorum;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.quorlock.engine.EngineClock;

/**
 * The cool-downs that this instance left behind or met (R18). A node that is connected
 * again may have been restarted without its keys: the cool-downs are put back there, as
 * long as an instance lives that knows of them.
 */
final class Cooldowns {

	private static final int MAX_REMEMBERED = 10_000;

	private final EngineClock clock;

	/** When they end. */
	private final Map<List<String>, Long> ends = new ConcurrentHashMap<>();

	Cooldowns(EngineClock clock) {
		this.clock = clock;
	}

	/**
	 * Remember that names cool down together.
	 * @param names the names
	 * @param nanos for how long from now on
	 */
	void add(List<String> names, long nanos) {
		long now = this.clock.nanoTime();
		if (this.ends.size() >= MAX_REMEMBERED) {
			this.ends.values().removeIf((end) -> end - now <= 0);
		}
		if (this.ends.size() < MAX_REMEMBERED) {
			this.ends.merge(names, now + nanos, (before, end) -> (end - before > 0) ? end : before);
		}
	}

	/** The names were granted: their cool-down is over. */
	void remove(List<String> names) {
		this.ends.remove(names);
	}

	/** An operator released a name. */
	void removeAllOf(String name) {
		this.ends.keySet().removeIf((names) -> names.contains(name));
	}

	/**
	 * Return for how many milliseconds names go on cooling down, and forget what does not
	 * any more.
	 */
	Map<List<String>, Long> remainingMillis() {
		long now = this.clock.nanoTime();
		this.ends.values().removeIf((end) -> (end - now) / 1_000_000 <= 0);
		Map<List<String>, Long> remaining = new HashMap<>();
		this.ends.forEach((names, end) -> remaining.put(names, (end - now) / 1_000_000));
		return remaining;
	}

}
