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

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.ChaosHistory.Visit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a run of {@link NetworkChaos} found.
 */
record NetworkReport(ChaosReport report, List<Cut> cuts, List<Status> statuses, List<Usage> usages,
		List<String> failures) {

	/** Exclusive locks that are wanted all the time, and held for 20 ms at most. */
	private static final int WANTED = 2;

	/**
	 * Checks. The bounds leave room for a busy machine; docs/safety.md has the figures
	 * that are printed.
	 * @param lockedMillis within how long processes lock again, but for one in a hundred
	 * @param usedMillis within how long they use every server again
	 * @param restartedMillis the same where a server was started again
	 * @param logLines how many they may write in a minute
	 */
	void check(long lockedMillis, long usedMillis, long restartedMillis, int logLines) {
		this.report.check();
		assertThat(blind(this.cuts).toArray()).as("milliseconds to the first lock after a cut").isNotEmpty();
		assertThat(percentile(blind(this.cuts), 99)).as("milliseconds to the first lock, p99")
			.isLessThanOrEqualTo(lockedMillis);
		assertThat(this.cuts).as("milliseconds until all is used")
			.allMatch((cut) -> percentile(used(List.of(cut)),
					100) <= (cut.name.contains("killed") ? restartedMillis : usedMillis));
		assertThat(wrongFailures()).as("failures while all is well").isEmpty();
		assertThat(this.failures)
			.noneMatch((failure) -> failure.contains(" 5 of 5 nodes vote") && failure.contains("yet after 0 ms"));
		assertThat(latestLoss()).as("milliseconds from the end of a validity to its report").isLessThan(1_000);
		assertThat(percentile(handovers(), 50)).as("milliseconds from one holder to the next").isLessThan(60);
		assertThat(this.usages).allMatch((usage) -> usage.files <= 10 && usage.threads <= 4 && usage.heap <= 20);
		assertThat(this.usages).allMatch((usage) -> usage.logLines <= logLines);
	}

	/**
	 * Milliseconds from the end of the cut to the first lock of each process that had not
	 * got any at the end of it.
	 */
	private LongStream blind(Collection<Cut> cuts) {
		return cuts.stream()
			.flatMapToLong((cut) -> IntStream.rangeClosed(1, this.statuses.size())
				.filter((process) -> granted(process, cut.healed - 400_000_000, cut.healed).isEmpty())
				.mapToObj((process) -> granted(process, cut.healed, Long.MAX_VALUE))
				.flatMapToLong(OptionalLong::stream)
				.map((granted) -> (granted - cut.healed) / 1_000_000));
	}

	private OptionalLong granted(int process, long from, long to) {
		int name = ChaosClient.nameAlone(process);
		return this.report.history()
			.visits()
			.stream()
			.filter((visit) -> visit.name() == name && visit.isGrant())
			.mapToLong(Visit::granted)
			.filter((granted) -> granted >= from && granted < to)
			.min();
	}

	private static LongStream used(Collection<Cut> cuts) {
		return cuts.stream().flatMap((cut) -> cut.used.stream()).mapToLong(Long::longValue);
	}

	private List<Visit> wrongFailures() {
		return well().visits()
			.stream()
			.filter((visit) -> visit.outcome() == Outcome.UNAVAILABLE
					|| (visit.outcome() == Outcome.CONTENDED && visit.name() >= ChaosClient.nameAlone(1)))
			.toList();
	}

	private ChaosHistory well() {
		return this.report.during("all well");
	}

	/** Who waits is granted by an offer long before the end of a pause. */
	private LongStream handovers() {
		List<Visit> holds = well().visits()
			.stream()
			.filter((visit) -> visit.name() == WANTED && visit.isGrant())
			.sorted((one, other) -> Long.compare(one.granted(), other.granted()))
			.toList();
		return IntStream.range(1, holds.size())
			.filter((next) -> holds.get(next).called() < holds.get(next - 1).heldUntil())
			.mapToLong((next) -> (holds.get(next).granted() - holds.get(next - 1).heldUntil()) / 1_000_000);
	}

	private long latestLoss() {
		return this.statuses.stream().mapToLong(Status::latestLoss).max().orElse(0);
	}

	private static long percentile(LongStream values, int percent) {
		long[] sorted = values.sorted().toArray();
		return (sorted.length == 0) ? -1 : sorted[(sorted.length * percent - 1) / 100];
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder(this.report.toString());
		text.append("%n%-36s %8s %8s %8s %8s %8s %8s %8s%n".formatted("milliseconds after a cut", "cuts", "blind",
				"lock p50", "p99", "max", "all p50", "max"));
		Stream.concat(this.cuts.stream().map(Cut::name).distinct(), Stream.of("")).forEach((name) -> {
			List<Cut> cuts = this.cuts.stream().filter((cut) -> cut.name.startsWith(name)).toList();
			text.append("%-36s %8d %8d %8d %8d %8d %8d %8d%n".formatted(name.isEmpty() ? "all" : name, cuts.size(),
					blind(cuts).count(), percentile(blind(cuts), 50), percentile(blind(cuts), 99),
					percentile(blind(cuts), 100), percentile(used(cuts), 50), percentile(used(cuts), 100)));
		});
		text.append("""

				%8d locks lost, reported %d ms after the end of the validity at most
				%8d ms from one holder to the next in the median, %d ms at p99
				%8d failures while all is well
				""".formatted(this.statuses.stream().mapToLong(Status::losses).sum(), latestLoss(),
				percentile(handovers(), 50), percentile(handovers(), 99), wrongFailures().size()));
		this.usages.forEach((usage) -> text.append("in a long cut, more than after 2 s: ").append(usage).append('\n'));
		wrongFailures().stream().limit(5).forEach((visit) -> text.append(visit).append('\n'));
		return text.toString();
	}

	/**
	 * A cut.
	 *
	 * @param name what was cut
	 * @param from its beginning
	 * @param healed its end
	 * @param used how long each process took until it could use all servers, in
	 * milliseconds
	 */
	record Cut(String name, long from, long healed, List<Long> used) {

	}

	/**
	 * What a process says.
	 *
	 * @param usable how many servers it can use
	 * @param lockedAt when it was granted the lock that nobody else wants
	 * @param losses how many locks it lost
	 * @param latestLoss the longest time until it knew, in milliseconds
	 * @param heap what is used of it, in MB
	 */
	record Status(int usable, long lockedAt, long losses, long latestLoss, int heap) {

		static Status parse(String line) {
			String[] fields = line.split(" ");
			return new Status(Integer.parseInt(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]),
					Long.parseLong(fields[3]), Integer.parseInt(fields[4]));
		}

	}

	/**
	 * What a process uses, or uses more than before.
	 *
	 * @param files sockets and other files that are open
	 * @param threads of the process
	 * @param heap in MB
	 * @param logLines written, or written in a minute
	 */
	record Usage(int files, int threads, int heap, long logLines) {

		Usage since(Usage before, Duration time) {
			return new Usage(this.files - before.files, this.threads - before.threads, this.heap - before.heap,
					(this.logLines - before.logLines) * 60_000 / time.toMillis());
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%d files, %d threads, %d MB of heap, %d lines of log a minute",
					this.files, this.threads, this.heap, this.logLines);
		}

	}

}
