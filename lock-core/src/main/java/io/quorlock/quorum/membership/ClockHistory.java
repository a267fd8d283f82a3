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

package io.quorlock.quorum.membership;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What one run of a server reported of its wall clock lately (R27). Not safe for use by
 * several threads.
 */
final class ClockHistory {

	/** A minute and more at one a second. */
	private static final int MAX_SAMPLES = 100;

	private final long windowNanos;

	private final double driftFactor;

	private final Deque<Sample> samples = new ArrayDeque<>();

	/** Those before it have been judged. */
	private @Nullable Sample comparedSince;

	ClockHistory(long windowNanos, double driftFactor) {
		this.windowNanos = windowNanos;
		this.driftFactor = driftFactor;
	}

	void clear() {
		this.samples.clear();
		this.comparedSince = null;
	}

	/** Do not compare later ones with those before this one. */
	void compareSince(Sample sample) {
		this.comparedSince = sample;
	}

	/**
	 * Add the time that the node has just reported.
	 * @return by how much its clock has advanced since an earlier one, the one for which
	 * that is most; {@code null} if there is none
	 */
	@Nullable Advance add(Sample sample) {
		Advance greatest = null;
		for (Iterator<Sample> newest = this.samples.descendingIterator(); newest.hasNext();) {
			Sample before = newest.next();
			if (sample.receivedNanos() - before.sentNanos() > this.windowNanos) {
				break;
			}
			Advance advance = between(before, sample);
			greatest = (greatest == null || isClearer(advance, greatest)) ? advance : greatest;
			if (before == this.comparedSince) {
				break;
			}
		}
		if (this.samples.size() == MAX_SAMPLES) {
			this.samples.removeFirst();
		}
		this.samples.addLast(sample);
		return greatest;
	}

	/**
	 * Whether the longer of two intervals shows a step better. If it does so by no more
	 * than replies differ, the shorter one is better compared with other nodes, of which
	 * less may be known from long ago.
	 */
	private static boolean isClearer(Advance longer, Advance shorter) {
		boolean suffices = shorter.minMicros() > ClockSteps.TOLERANCE_MICROS;
		return longer.minMicros() > shorter.minMicros() + (suffices ? ClockSteps.TOLERANCE_MICROS : 0);
	}

	/**
	 * Return by how much the clock advanced while that of another node was stepped: from
	 * a reply before the other's first one to a question behind its second.
	 * @return {@code null} if that is not known
	 */
	@Nullable Advance advanceDuring(Advance other) {
		Sample before = null;
		Sample after = null;
		for (Iterator<Sample> newest = this.samples.descendingIterator(); newest.hasNext() && before == null;) {
			Sample sample = newest.next();
			if (sample.sentNanos() - other.after().receivedNanos() >= 0) {
				after = (after == null || sample.roundTripNanos() <= after.roundTripNanos()) ? sample : after;
			}
			else if (sample.receivedNanos() - other.before().sentNanos() <= 0) {
				before = sample;
			}
		}
		return (before != null && after != null) ? between(before, after) : null;
	}

	private Advance between(Sample before, Sample after) {
		long advanced = after.timeMicros() - before.timeMicros();
		long max = (after.receivedNanos() - before.sentNanos()) / 1_000 + 1;
		long min = (after.sentNanos() - before.receivedNanos()) / 1_000 - 1;
		return new Advance(before, after, advanced - (long) (max * (1 + this.driftFactor)),
				advanced - (long) (min * (1 - this.driftFactor)));
	}

	/**
	 * The time that a node reported.
	 *
	 * @param sentNanos a monotonic time before it was asked
	 * @param receivedNanos the monotonic time after its reply
	 * @param timeMicros its wall clock
	 */
	record Sample(long sentNanos, long receivedNanos, long timeMicros) {

		long roundTripNanos() {
			return this.receivedNanos - this.sentNanos;
		}

	}

	/**
	 * By how much a node's clock advanced more than ours between two replies, within two
	 * bounds.
	 *
	 * @param before the first reply
	 * @param after the second
	 * @param minMicros the lower bound
	 * @param maxMicros the upper bound
	 */
	record Advance(Sample before, Sample after, long minMicros, long maxMicros) {

		Duration min() {
			return Duration.ofMillis(TimeUnit.MICROSECONDS.toMillis(this.minMicros));
		}

	}

}
