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

package io.quorlock.system;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What the clients of a chaos run report, and what must not be found in it. All times are
 * {@link System#nanoTime()}, which on Linux is one clock for all processes.
 *
 * @param visits what became of every request for a lock
 */
record ChaosHistory(List<Visit> visits) {

	/**
	 * Pairs of holders that exclude each other and were both sure to hold at one time.
	 */
	List<String> overlaps() {
		List<String> overlaps = new ArrayList<>();
		holds().forEach((resource, holds) -> {
			Visit latest = null;
			Visit latestWriter = null;
			for (Visit hold : holds) {
				Visit other = hold.reads() ? latestWriter : latest;
				if (other != null && hold.granted <= other.heldUntil) {
					overlaps.add(other + " and " + hold);
				}
				latest = later(latest, hold);
				latestWriter = hold.reads() ? latestWriter : later(latestWriter, hold);
			}
		});
		return overlaps;
	}

	private static Visit later(@Nullable Visit one, Visit other) {
		return (one == null || other.heldUntil > one.heldUntil) ? other : one;
	}

	/** The most permits of one name that were held at one instant. */
	int maxPermits() {
		return sure().filter((visit) -> visit.permit > 0)
			.collect(Collectors.groupingBy(Visit::name))
			.values()
			.stream()
			.mapToInt(ChaosHistory::maxAtOnce)
			.max()
			.orElse(0);
	}

	private static int maxAtOnce(List<Visit> holds) {
		long[] granted = holds.stream().mapToLong(Visit::granted).sorted().toArray();
		long[] heldUntil = holds.stream().mapToLong(Visit::heldUntil).sorted().toArray();
		int max = 0;
		int ended = 0;
		for (int i = 0; i < granted.length; i++) {
			while (heldUntil[ended] < granted[i]) {
				ended++;
			}
			max = Math.max(max, i + 1 - ended);
		}
		return max;
	}

	/**
	 * Pairs of holders in a row of which the later one has too small a token: a writer
	 * needs a greater one than all before, a reader none smaller than that of any writer
	 * before (R9, R19, R20).
	 */
	List<String> tokensThatDoNotIncrease() {
		List<String> wrong = new ArrayList<>();
		holds().forEach((resource, holds) -> {
			Visit greatest = null;
			Visit greatestWriter = null;
			for (Visit hold : holds) {
				if (hold.reads() ? (greatestWriter != null && hold.token < greatestWriter.token)
						: (greatest != null && hold.token <= greatest.token)) {
					wrong.add((hold.reads() ? greatestWriter : greatest) + " before " + hold);
				}
				greatest = greater(greatest, hold);
				greatestWriter = hold.reads() ? greatestWriter : greater(greatestWriter, hold);
			}
		});
		return wrong;
	}

	private static Visit greater(@Nullable Visit one, Visit other) {
		return (one == null || other.token > one.token) ? other : one;
	}

	long grants() {
		return this.visits.stream().filter(Visit::isGrant).count();
	}

	long count(Outcome outcome) {
		return this.visits.stream().filter((visit) -> visit.outcome == outcome).count();
	}

	/** The requests that began and ended in one of the phases. */
	ChaosHistory during(List<Phase> phases) {
		Predicate<Visit> inside = (visit) -> phases.stream()
			.anyMatch((phase) -> visit.called >= phase.from && visit.granted <= phase.to);
		return new ChaosHistory(this.visits.stream().filter(inside).toList());
	}

	/** Milliseconds from the call to the grant. */
	double percentile(double share) {
		long[] waits = this.visits.stream()
			.filter(Visit::isGrant)
			.mapToLong((visit) -> visit.granted - visit.called)
			.sorted()
			.toArray();
		return (waits.length == 0) ? Double.NaN : waits[(int) (share * (waits.length - 1))] / 1e6;
	}

	/** By what is protected: permits of one name are locks of their own. */
	private Map<Integer, List<Visit>> holds() {
		return sure().sorted(Comparator.comparingLong(Visit::granted))
			.collect(Collectors.groupingBy(Visit::resource, TreeMap::new, Collectors.toList()));
	}

	/** A hold whose handle never said that it is held proves nothing and is left out. */
	private Stream<Visit> sure() {
		return this.visits.stream().filter((visit) -> visit.outcome.holds && visit.heldUntil >= visit.granted);
	}

	enum Outcome {

		WRITER(true), READER(true), PERMIT(true),

		/** A writer that became a reader. */
		DOWNGRADED(true),

		CONTENDED(false), UNAVAILABLE(false);

		private final boolean holds;

		Outcome(boolean holds) {
			this.holds = holds;
		}

	}

	/**
	 * One request.
	 *
	 * @param outcome what became of it
	 * @param name of the lock
	 * @param permit the number of the permit, 0 for a plain lock
	 * @param token the fencing token
	 * @param called when it was made
	 * @param granted when the reply came: the holder holds the lock from here at least
	 * @param heldUntil the last instant at which the handle was sure to be held
	 */
	record Visit(Outcome outcome, int name, int permit, long token, long called, long granted, long heldUntil) {

		/** More names than this could not be distinguished from permits. */
		private static final int NAMES = 16;

		static int resource(int name, int permit) {
			return name + NAMES * permit;
		}

		int resource() {
			return resource(this.name, this.permit);
		}

		boolean reads() {
			return this.outcome == Outcome.READER || this.outcome == Outcome.DOWNGRADED;
		}

		/** Whether a request was granted. */
		boolean isGrant() {
			return this.outcome.holds && this.outcome != Outcome.DOWNGRADED;
		}

	}

	/**
	 * A time in which things of one kind went wrong.
	 *
	 * @param name of the kind
	 * @param from its beginning
	 * @param to its end
	 */
	record Phase(String name, long from, long to) {

	}

}
