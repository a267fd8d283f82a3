package io.quorlock.quorum;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Proposes fencing tokens (R9): the median of the nodes' clocks in microseconds, and more
 * than any fence seen for the name.
 */
final class FenceProposals {

	/** The memory of fences helps, but is not needed: it may be dropped when it grows. */
	private static final int MAX_REMEMBERED = 16_384;

	/** Tokens that are taken ahead do not run away from the clock (R24). */
	private static final long MOST_AHEAD_MICROS = 1_000_000;

	private final NodeClocks clocks;

	private final long floor;

	private final LongSupplier grantedElsewhere;

	private final ConcurrentHashMap<String, Long> greatestSeen = new ConcurrentHashMap<>();

	/**
	 * Create the proposals of a store.
	 * @param clocks the clocks of the nodes
	 * @param floor the least token that is ever proposed, 0 for none
	 * @param grantedElsewhere the greatest token that other groups may have granted for
	 * names that moved here (R23), 0 for none
	 */
	FenceProposals(NodeClocks clocks, long floor, LongSupplier grantedElsewhere) {
		this.clocks = clocks;
		this.floor = floor;
		this.grantedElsewhere = grantedElsewhere;
	}

	/** Tokens are taken from below the proposal, so that the whole range must be new. */
	long[] propose(List<String> names, int range) {
		long least = Math.max(this.clocks.micros(), this.floor + range);
		long[] proposed = new long[names.size()];
		for (int i = 0; i < proposed.length; i++) {
			Long seen = this.greatestSeen.get(names.get(i));
			proposed[i] = (seen != null) ? Math.max(least, seen + range) : least;
		}
		return proposed;
	}

	/** Return whether a holder may not take fences in advance that are so great. */
	boolean isFarAhead(long[] fences) {
		long most = Math.max(this.clocks.micros(), this.floor) + MOST_AHEAD_MICROS;
		return Arrays.stream(fences).anyMatch((fence) -> fence > most);
	}

	/**
	 * Return the token below which a fence may be out of date. Nothing is granted here
	 * alone before the clock has passed what was granted elsewhere.
	 */
	long leastOfReaders() {
		long elsewhere = this.grantedElsewhere.getAsLong();
		return Math.max(this.floor, (elsewhere <= this.clocks.micros()) ? elsewhere : 0);
	}

	/** Return the time on which all instances agree, in microseconds. */
	long micros() {
		return this.clocks.micros();
	}

	/** Remember fences that nodes reported. */
	void seen(List<String> names, long[] fences) {
		if (this.greatestSeen.size() >= MAX_REMEMBERED) {
			this.greatestSeen.clear();
		}
		for (int i = 0; i < fences.length; i++) {
			this.greatestSeen.merge(names.get(i), fences[i], Math::max);
		}
	}

}
