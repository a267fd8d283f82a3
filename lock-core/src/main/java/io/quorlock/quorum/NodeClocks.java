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

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.NodeState;
import io.quorlock.time.LockClock;

/**
 * The median of the nodes' clocks (R9). Each node's clock is known as an offset to the
 * monotonic clock of this process, which every reply that contains a node's time
 * refreshes, so that a step of this machine's own wall clock changes nothing.
 */
final class NodeClocks {

	private static final Log logger = LogFactory.getLog(NodeClocks.class);

	private static final long REFRESH_NANOS = 1_000_000_000;

	private final LockClock clock;

	private final Voters voters;

	/** The median of the nodes' clocks less the monotonic clock. */
	private volatile OptionalLong offsetMicros = OptionalLong.empty();

	private volatile long refreshedNanos;

	private volatile boolean warned;

	/** The nodes whose clocks are far from the median. */
	private final Set<LockNode> farNodes = ConcurrentHashMap.newKeySet();

	NodeClocks(LockClock clock, Voters voters) {
		this.clock = clock;
		this.voters = voters;
		this.refreshedNanos = clock.nanoTime() - REFRESH_NANOS - 1;
	}

	/** Return the median of the nodes' clocks, or the wall clock while none is known. */
	long micros() {
		return micros(this.clock.nanoTime());
	}

	/** As of a time of this process's monotonic clock. */
	long micros(long now) {
		OptionalLong offset = this.offsetMicros;
		if (now - this.refreshedNanos > REFRESH_NANOS) {
			offset = refresh(now);
		}
		return offset.isPresent() ? now / 1_000 + offset.getAsLong() : this.clock.wallMicros();
	}

	/** Return the wall clock while no node's clock is known, 0 afterwards. */
	long unconfirmedMicros() {
		return this.offsetMicros.isPresent() ? 0 : this.clock.wallMicros();
	}

	/** Read the nodes' clocks again, since a node was connected. */
	void refresh() {
		refresh(this.clock.nanoTime());
	}

	private OptionalLong refresh(long now) {
		Map<LockNode, Long> offsets = new LinkedHashMap<>();
		for (LockNode node : this.voters.nodes) {
			node.status().clockOffsetMicros().ifPresent((offset) -> offsets.put(node, offset));
		}
		this.refreshedNanos = now;
		if (offsets.isEmpty()) {
			return this.offsetMicros;
		}
		long own = this.clock.wallMicros() - now / 1_000;
		long median = median(offsets.values(), own);
		this.offsetMicros = OptionalLong.of(median);
		warnOfThisMachine(median - own, offsets.size());
		offsets.forEach((node, offset) -> warnOfNode(node, offset - median));
		return this.offsetMicros;
	}

	/**
	 * Of an even number of nodes two are in the middle, and one of them may be far off:
	 * then the clock of this machine decides between them.
	 */
	private static long median(Collection<Long> offsets, long own) {
		LongStream clocks = offsets.stream().mapToLong(Long::longValue);
		boolean even = offsets.size() % 2 == 0;
		long[] sorted = (even ? LongStream.concat(clocks, LongStream.of(own)) : clocks).sorted().toArray();
		return sorted[sorted.length / 2];
	}

	private void warnOfThisMachine(long aheadMicros, int known) {
		boolean large = Math.abs(aheadMicros) > NodeState.LARGE_CLOCK_OFFSET;
		if (large && !this.warned) {
			logger.warn(("The clock of this machine is %,d ms %s the median of %d lock node clock%s. "
					+ "Fencing tokens follow the nodes; synchronize the clocks, for example with NTP")
				.formatted(Math.abs(aheadMicros) / 1_000, (aheadMicros > 0) ? "behind" : "ahead of", known,
						(known == 1) ? "" : "s"));
		}
		this.warned = large;
	}

	private void warnOfNode(LockNode node, long aheadMicros) {
		if (Math.abs(aheadMicros) <= NodeState.LARGE_CLOCK_OFFSET) {
			this.farNodes.remove(node);
		}
		else if (this.farNodes.add(node)) {
			logger.warn(("The clock of lock node %s is %,d ms %s the median of the lock nodes' clocks. "
					+ "Fencing tokens do not follow it; synchronize the clocks, for example with NTP")
				.formatted(node.name(), Math.abs(aheadMicros) / 1_000, (aheadMicros > 0) ? "ahead of" : "behind"));
		}
	}

}
