package io.quorlock.sample.demo;

import java.time.Duration;
import java.util.List;

import io.quorlock.sample.watch.Visit;
import io.quorlock.sample.watch.VisitLog;

/**
 * How long buyers waited for the lock.
 *
 * @param sorted the waits, shortest first
 */
record Waits(List<Duration> sorted) {

	/** Of visits that ended after a moment, as of {@link System#nanoTime()}. */
	static Waits since(VisitLog log, long nanos) {
		return new Waits(log.ended()
			.stream()
			.filter((visit) -> visit.enteredNanos() != 0 && visit.leftNanos() > nanos)
			.map(Visit::waited)
			.sorted()
			.toList());
	}

	String percentile(int percent) {
		if (this.sorted.isEmpty()) {
			return "-";
		}
		int index = (int) Math.ceil(this.sorted.size() * percent / 100.0) - 1;
		return Report.millis(this.sorted.get(Math.max(0, index)));
	}

	String longest() {
		return percentile(100);
	}

}
