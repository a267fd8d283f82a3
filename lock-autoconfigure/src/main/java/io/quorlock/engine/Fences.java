package io.quorlock.engine;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeStatus;

/**
 * Proposes fencing tokens (R9): the wall clock in microseconds, corrected by its offset
 * to the median of the nodes' clocks, and more than any fence seen for the name.
 */
final class Fences {

	private static final Log logger = LogFactory.getLog(Fences.class);

	private static final long LARGE_OFFSET_MICROS = 5_000_000;

	/** The memory of fences is a help, not a need: it may be forgotten when it grows. */
	private static final int MAX_REMEMBERED = 16_384;

	private final EngineClock clock;

	private final Quorum quorum;

	private final ConcurrentHashMap<String, Long> greatestSeen = new ConcurrentHashMap<>();

	private volatile long offsetMicros;

	Fences(EngineClock clock, Quorum quorum) {
		this.clock = clock;
		this.quorum = quorum;
	}

	/** Looks at the nodes' clocks again; called when one of them was (re)connected. */
	void updateOffset() {
		long[] offsets = new long[this.quorum.size()];
		int known = 0;
		for (LockNode node : this.quorum.nodes()) {
			NodeStatus status = node.status();
			if (status.runId() != null) {
				offsets[known++] = status.clockOffsetMicros();
			}
		}
		if (known == 0) {
			return;
		}
		Arrays.sort(offsets, 0, known);
		long median = offsets[(known - 1) / 2];
		if (Math.abs(median) > LARGE_OFFSET_MICROS && Math.abs(this.offsetMicros) <= LARGE_OFFSET_MICROS) {
			logger
				.warn(("The clock of this machine is %,d ms %s the median of the %d lock nodes' clocks. Fencing tokens "
						+ "are corrected by it; let NTP set the clocks")
					.formatted(Math.abs(median) / 1_000, (median > 0) ? "behind" : "ahead of", known));
		}
		this.offsetMicros = median;
	}

	/** Tokens are taken from below the proposal: the whole range must be new. */
	long[] propose(List<String> keys, int range) {
		long wall = this.clock.wallMicros() + this.offsetMicros;
		long[] proposed = new long[keys.size()];
		for (int i = 0; i < proposed.length; i++) {
			Long seen = this.greatestSeen.get(keys.get(i));
			proposed[i] = (seen != null) ? Math.max(wall, seen + range) : wall;
		}
		return proposed;
	}

	void seen(List<String> keys, long[] fences) {
		if (this.greatestSeen.size() >= MAX_REMEMBERED) {
			this.greatestSeen.clear();
		}
		for (int i = 0; i < fences.length; i++) {
			this.greatestSeen.merge(keys.get(i), fences[i], Math::max);
		}
	}

}
