package io.quorlock.system;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the clients of a chaos run report, and what must not be found in it. All times are
 * {@link System#nanoTime()}, which on Linux is one clock for all processes.
 *
 * @param visits what became of every request for a lock
 */
record ChaosHistory(List<Visit> visits) {

	/** Pairs of holders of one name that were both sure to hold it at one instant. */
	List<String> overlaps() {
		List<String> overlaps = new ArrayList<>();
		holdsByName().forEach((name, holds) -> {
			Visit latest = holds.get(0);
			for (Visit hold : holds.subList(1, holds.size())) {
				if (hold.granted <= latest.heldUntil) {
					overlaps.add(latest + " and " + hold);
				}
				latest = (hold.heldUntil > latest.heldUntil) ? hold : latest;
			}
		});
		return overlaps;
	}

	/** Pairs of holders in a row of which the later one has no greater token. */
	List<String> tokensThatDoNotIncrease() {
		List<String> wrong = new ArrayList<>();
		holdsByName().forEach((name, holds) -> {
			for (int i = 1; i < holds.size(); i++) {
				if (holds.get(i).token <= holds.get(i - 1).token) {
					wrong.add(holds.get(i - 1) + " before " + holds.get(i));
				}
			}
		});
		return wrong;
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
			.filter((visit) -> visit.outcome == Outcome.GRANTED)
			.mapToLong((visit) -> visit.granted - visit.called)
			.sorted()
			.toArray();
		return (waits.length == 0) ? Double.NaN : waits[(int) (share * (waits.length - 1))] / 1e6;
	}

	/** A hold whose handle never said that it is held proves nothing and is left out. */
	private Map<Integer, List<Visit>> holdsByName() {
		return this.visits.stream()
			.filter((visit) -> visit.outcome == Outcome.GRANTED && visit.heldUntil >= visit.granted)
			.sorted(Comparator.comparingLong(Visit::granted))
			.collect(Collectors.groupingBy(Visit::name, TreeMap::new, Collectors.toList()));
	}

	enum Outcome {

		GRANTED, CONTENDED, UNAVAILABLE

	}

	/**
	 * One request.
	 *
	 * @param outcome what became of it
	 * @param name of the lock
	 * @param token the fencing token
	 * @param called when it was made
	 * @param granted when it was answered: the holder holds the lock from here at least
	 * @param heldUntil the last instant at which the handle was sure to be held
	 */
	record Visit(Outcome outcome, int name, long token, long called, long granted, long heldUntil) {

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
