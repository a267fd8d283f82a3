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

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

import io.quorlock.quorum.node.LockTarget;

/**
 * Proposes fencing tokens (R9): the median of the nodes' clocks in microseconds, and more
 * than any fence seen for the name; not less than it for a reader (R19).
 */
final class FenceProposals {

	/** The memory of fences helps, but is not needed: it may be dropped when it grows. */
	private static final int MAX_REMEMBERED = 1_024;

	/** Tokens that are taken ahead do not run away from the clock (R24). */
	private static final long MAX_AHEAD_MICROS = 1_000_000;

	private final NodeClocks clocks;

	private final long floor;

	/** The steps in which the tokens of readers follow the clock. */
	private final long stepMicros;

	private final ConcurrentHashMap<String, Long> greatestSeen = new ConcurrentHashMap<>();

	/**
	 * Create the proposals of a store.
	 * @param clocks the clocks of the nodes
	 * @param floor the least token that is ever proposed, 0 for none
	 * @param stepMicros the steps in which the tokens of readers follow the clock
	 */
	FenceProposals(NodeClocks clocks, long floor, long stepMicros) {
		this.clocks = clocks;
		this.floor = floor;
		this.stepMicros = stepMicros;
	}

	/**
	 * Tokens are taken from below the proposal, so that the whole range must be new. A
	 * name whose tokens run ahead of the clock gets one at a time.
	 */
	Proposal propose(LockTarget target, int range, long nowNanos) {
		long clock = this.clocks.micros(nowNanos);
		if (target.kind() == LockTarget.Kind.SHARED) {
			return new Proposal(propose(target.names(), minOfReaders(clock), 0), range);
		}
		long[] proposed = propose(target.names(), Math.max(clock, this.floor + range), range);
		if (range > 1 && isFarAhead(proposed, clock)) {
			return new Proposal(propose(target.names(), Math.max(clock, this.floor + 1), 1), 1);
		}
		return new Proposal(proposed, range);
	}

	private long[] propose(List<String> names, long min, int range) {
		long[] proposed = new long[names.size()];
		for (int i = 0; i < proposed.length; i++) {
			Long seen = this.greatestSeen.get(names.get(i));
			proposed[i] = (seen != null) ? Math.max(min, seen + range) : min;
		}
		return proposed;
	}

	/** Return whether fences are too great to be taken in advance. */
	boolean isFarAhead(long[] fences) {
		return isFarAhead(fences, this.clocks.micros());
	}

	private boolean isFarAhead(long[] fences, long clock) {
		long max = Math.max(clock, this.floor) + MAX_AHEAD_MICROS;
		for (long fence : fences) {
			if (fence > max) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the token below which a stored fence may be out of date (R19). The fence of
	 * a later writer can expire or be lost with its node, and a command that was late can
	 * leave an older one in its place, which readers would keep alive. All that takes
	 * longer than two steps. Within a step readers take the same token, and right behind
	 * a writer they take the writer's.
	 */
	private long minOfReaders(long clock) {
		return Math.max(this.floor, (clock / this.stepMicros - 1) * this.stepMicros);
	}

	/** Return the time on which all instances agree, in microseconds. */
	long micros() {
		return this.clocks.micros();
	}

	/**
	 * What a grant asks for.
	 *
	 * @param tokens the greatest token of each name, if nodes have not stored greater
	 * ones
	 * @param range how many tokens the grant takes, up to that one
	 */
	record Proposal(long[] tokens, int range) {
	}

	/** Remember fences that nodes reported. */
	void seen(List<String> names, long[] fences) {
		if (this.greatestSeen.size() >= MAX_REMEMBERED) {
			this.greatestSeen.clear();
		}
		for (int i = 0; i < fences.length; i++) {
			// Known, as a rule, since all nodes report the same.
			Long seen = this.greatestSeen.get(names.get(i));
			if (seen == null || seen < fences[i]) {
				this.greatestSeen.merge(names.get(i), fences[i], Math::max);
			}
		}
	}

}
