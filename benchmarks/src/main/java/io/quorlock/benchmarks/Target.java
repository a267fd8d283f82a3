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

package io.quorlock.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

import io.quorlock.benchmarks.subject.Subject;

/**
 * A figure that is wanted, beside the measured one.
 *
 * @param study where it is measured
 * @param what in words
 * @param wanted in words
 * @param measured reads it from the results, NaN if it was not measured
 */
record Target(String study, String what, String wanted, ToDoubleFunction<Results> measured) {

	private static final String RETAINED = "retained";

	private static final String GROUPS = "groups";

	private static final String RELEASE_MODE = "release-mode";

	private static final String SENT = "lock plus unlock at 2 ms distance, release-mode %s, round trips, %s";

	private static final List<Target> ALL = List.of(
			sustained("own key again, cycles/s, median", "≥ 500,000", RetainedStudy.NEAR, "cycles/s", Results::median),
			sustained("the same, worst second", "≥ 500,000", RetainedStudy.NEAR, "cycles/s", Results::min),
			sustained("own key again, cycles/s, median", "≥ 500,000", RetainedStudy.FAR, "cycles/s", Results::median),
			sustained("the same, worst second", "≥ 500,000", RetainedStudy.FAR, "cycles/s", Results::min),
			sustained("stored fence ahead of its node's clock, ms, at most", "≤ 1,000", RetainedStudy.NEAR,
					"fence ahead ms", Results::max),
			sustained("stored fence ahead of its node's clock, ms, at most", "≤ 1,000", RetainedStudy.FAR,
					"fence ahead ms", Results::max),
			takeOver("median, round trips of a bare PING", "≤ 3", "p50 rtt"),
			takeOver("p99, round trips of a bare PING", "≤ 4", "p99 rtt"), takeOver("median, ms", "≤ 6", "p50 ms"),
			takeOver("p99, ms", "≤ 8", "p99 ms"),
			groups("client CPU per cycle, 4 groups against 1", "≤ 1.1", 4, "client us/cycle"),
			new Target(GROUPS, "the same, 4 groups with 256 threads against 1 with 64", "≤ 1.1",
					(results) -> cpuPerCycle(results, Subject.QUORLOCK_3_GROUPS_4, 256)
							/ cpuPerCycle(results, Subject.QUORLOCK_3_GROUPS_1, 64)),
			groups("commands per node and cycle, 4 groups against 1", "0.25", 4, "commands/node/cycle"),
			groups("commands per node and cycle, 2 groups against 1", "0.5", 2, "commands/node/cycle"),
			releaseMode("sent", "median", "≤ 1.2", "cycle p50 rtt", Subject.QUORLOCK_5_SENT),
			releaseMode("sent", "p99", "–", "cycle p99 rtt", Subject.QUORLOCK_5_SENT),
			releaseMode("confirmed", "median", "–", "cycle p50 rtt", Subject.QUORLOCK_5),
			new Target(RELEASE_MODE, "one question to five nodes over raw sockets, round trips, median", "–",
					(results) -> results.median(RELEASE_MODE, Fault.NONE.label(), "acquire p50 rtt",
							Subject.RAW_QUORUM_5.id())));

	private static Target sustained(String what, String wanted, String distance, String metric, Statistic statistic) {
		return new Target(RETAINED, what + ", " + distance, wanted, (results) -> statistic.of(results, RETAINED,
				RetainedStudy.SUSTAINED + distance, metric, Subject.QUORLOCK_5_RETAINED.id()));
	}

	private static Target takeOver(String what, String wanted, String metric) {
		return new Target(RETAINED, "another instance gets what is kept, 2 ms distance, " + what, wanted,
				(results) -> results.median(RETAINED, RetainedStudy.TAKEOVER, metric,
						Subject.QUORLOCK_5_RETAINED.id()));
	}

	private static Target groups(String what, String wanted, int groups, String metric) {
		Subject subject = (groups == 2) ? Subject.QUORLOCK_3_GROUPS_2 : Subject.QUORLOCK_3_GROUPS_4;
		return new Target(GROUPS, what, wanted,
				(results) -> results.ratio(GROUPS, "threads=64", metric, subject.id(), Subject.QUORLOCK_3_GROUPS_1.id())
					.value());
	}

	private static double cpuPerCycle(Results results, Subject subject, int threads) {
		return results.median(GROUPS, "threads=" + threads, "client us/cycle", subject.id());
	}

	private static Target releaseMode(String mode, String statistic, String wanted, String metric, Subject subject) {
		return new Target(RELEASE_MODE, SENT.formatted(mode, statistic), wanted,
				(results) -> results.median(RELEASE_MODE, Fault.NONE.label(), metric, subject.id()));
	}

	/** Return the figures that were measured, or an empty text. */
	static String table(Results results) {
		MarkdownTable table = new MarkdownTable("study", "what", "wanted", "measured");
		boolean empty = true;
		for (Target each : ALL) {
			double value = each.measured.applyAsDouble(results);
			if (!Double.isNaN(value)) {
				table.row(each.study, each.what, each.wanted, MarkdownTable.number(value));
				empty = false;
			}
		}
		return empty ? "" : table.toString();
	}

	/**
	 * What is taken of the values of all rounds and forks.
	 */
	@FunctionalInterface
	private interface Statistic {

		double of(Results results, String study, String condition, String metric, String subject);

	}

}
