package io.quorlock.quorum;

import java.util.Arrays;
import java.util.OptionalLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.LockNode;

/**
 * The median of the nodes' clocks (R9). Each node's clock is known as an offset to the
 * monotonic clock of this process, which every reply that tells a node's time refreshes,
 * so that a step of this machine's own wall clock changes nothing.
 */
final class NodeClocks {

	private static final Log logger = LogFactory.getLog(NodeClocks.class);

	private static final long LARGE_OFFSET_MICROS = 5_000_000;

	private static final long REFRESH_NANOS = 1_000_000_000;

	private final EngineClock clock;

	private final Voters voters;

	/** The median of the nodes' clocks less the monotonic clock. */
	private volatile OptionalLong offsetMicros = OptionalLong.empty();

	private volatile long refreshedNanos;

	private volatile boolean warned;

	NodeClocks(EngineClock clock, Voters voters) {
		this.clock = clock;
		this.voters = voters;
	}

	/** Return the median of the nodes' clocks, or the wall clock while none is known. */
	long micros() {
		long now = this.clock.nanoTime();
		OptionalLong offset = this.offsetMicros;
		if (offset.isEmpty() || now - this.refreshedNanos > REFRESH_NANOS) {
			offset = refresh(now);
		}
		return offset.isPresent() ? now / 1_000 + offset.getAsLong() : this.clock.wallMicros();
	}

	/** Read the nodes' clocks again, since a node was connected. */
	void refresh() {
		refresh(this.clock.nanoTime());
	}

	private OptionalLong refresh(long now) {
		long[] offsets = new long[this.voters.size()];
		int known = 0;
		for (LockNode node : this.voters.nodes()) {
			OptionalLong offset = node.status().clockOffsetMicros();
			if (offset.isPresent()) {
				offsets[known++] = offset.getAsLong();
			}
		}
		this.refreshedNanos = now;
		if (known == 0) {
			return this.offsetMicros;
		}
		Arrays.sort(offsets, 0, known);
		OptionalLong median = OptionalLong.of(offsets[(known - 1) / 2]);
		this.offsetMicros = median;
		warnIfLarge(now / 1_000 + median.getAsLong() - this.clock.wallMicros(), known);
		return median;
	}

	private void warnIfLarge(long aheadMicros, int known) {
		boolean large = Math.abs(aheadMicros) > LARGE_OFFSET_MICROS;
		if (large && !this.warned) {
			logger.warn(("The clock of this machine is %,d ms %s the median of %d lock node clock%s. "
					+ "Fencing tokens follow the nodes; synchronize the clocks, for example with NTP")
				.formatted(Math.abs(aheadMicros) / 1_000, (aheadMicros > 0) ? "behind" : "ahead of", known,
						(known == 1) ? "" : "s"));
		}
		this.warned = large;
	}

}
