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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

import io.quorlock.benchmarks.subject.Subject;

/**
 * Creates tables (Markdown) and charts (SVG) from {@code results.csv}.
 */
final class Report {

	private final Results results;

	private Report(Results results) {
		this.results = results;
	}

	static void write(Path directory) throws IOException {
		Report report = new Report(new Results(Measurement.read(directory.resolve("results.csv"))));
		Files.writeString(directory.resolve("tables.md"), report.tables());
		System.out.print(Target.table(report.results));
		CrowdReport crowd = new CrowdReport(report.results);
		System.out.print(crowd.tables());
		Files.writeString(directory.resolve("crowd.svg"), crowd.chart());
	}

	private String tables() {
		return Stream
			.of("## Ratios\n", Comparison.table(this.results), "## Own keys: cycles per second\n", uncontended(),
					"## Own keys: cost of a cycle, 1 thread\n", costs("threads=1"),
					"## Own keys: cost of a cycle, 64 threads\n", costs("threads=64"),
					"## One key, 8 threads in one JVM\n", hotKey("jvms=1"), "## One key, 2 JVMs with 4 threads\n",
					hotKey("jvms=2"), "## One key, 2 JVMs with 4 threads, 2 ms away\n", hotKey("jvms=2 distance=2ms"),
					"## 10,000 locks held\n", held(), "## Start\n", firstLock(),
					"## Distance: acquire, in round trips\n", distance("acquire"),
					"## Distance: release, in round trips\n", distance("release"), "## A node hangs, 64 threads work\n",
					hang(), "## Cost of observability\n", observability(),
					"## One key, 2 JVMs with 4 threads, held for 1 ms\n",
					table("waits", WaitStudy.CONDITION, waits(WaitStudy::metric)), "## Kinds of locks\n", kinds(),
					"## ZooKeeper: cycles per second\n", zooKeeper(), "## ZooKeeper: 10,000 locks held\n",
					table("zookeeper", ZooKeeperStudy.held("1 server"), "heap bytes/lock", "client % of a core",
							"requests/s"),
					"## Wanted and measured\n", Target.table(this.results),
					"## Retained leases: the own key again, 1 thread\n", retained(),
					"## Retained leases: taken by another instance at 2 ms distance\n",
					table("retained", RetainedStudy.TAKEOVER, "p50 rtt", "p99 rtt", "p50 ms", "p99 ms"),
					"## Groups of three nodes, own keys, 64 threads\n", groups(64),
					"## Groups of three nodes, own keys, 256 threads\n", groups(256),
					"## Release mode, 2 ms distance, in round trips\n",
					table("release-mode", Fault.NONE.label(), "acquire p50 rtt", "release p50 rtt", "cycle p50 rtt",
							"cycle p99 rtt"),
					"## Growth\n", growth(), "## Crowds\n", new CrowdReport(this.results).tables())
			.reduce("", (text, part) -> text + part + "\n");
	}

	private String groups(int threads) {
		return table("groups", "threads=" + threads, "cycles/s", "client us/cycle", "nodes us/cycle", "commands/cycle",
				"commands/node/cycle");
	}

	private String kinds() {
		StringBuilder text = new StringBuilder();
		for (String condition : KindsStudy.conditions()) {
			text.append(condition)
				.append(":\n\n")
				.append(table("kinds", condition, "cycles/s", "client us/cycle", "wait p50 ms", "wait p99 ms",
						"wait max ms", "fairness"))
				.append('\n');
		}
		return text.toString();
	}

	private String zooKeeper() {
		List<String> conditions = Stream.of("1 server", "3 servers")
			.flatMap((servers) -> Stream.of(ZooKeeperStudy.own(servers, 1), ZooKeeperStudy.own(servers, 8),
					ZooKeeperStudy.own(servers, 64), ZooKeeperStudy.hot(servers)))
			.toList();
		MarkdownTable table = new MarkdownTable(
				Stream.concat(Stream.of(""), conditions.stream()).toArray(String[]::new));
		for (Subject subject : measured("zookeeper", conditions.get(0), "cycles/s")) {
			table.row(subject.title(),
					conditions.stream()
						.mapToDouble(
								(condition) -> this.results.median("zookeeper", condition, "cycles/s", subject.id()))
						.toArray());
		}
		return table.toString();
	}

	private String retained() {
		MarkdownTable table = new MarkdownTable("", "cycles/s, 0 ms", "client us/cycle", "cycles/s, 2 ms",
				"client us/cycle");
		for (Subject subject : measured("retained", RetainedStudy.NEAR, "cycles/s")) {
			table.row(subject.title(),
					Stream.of(RetainedStudy.NEAR, RetainedStudy.FAR)
						.flatMap((condition) -> Stream.of("cycles/s", "client us/cycle")
							.map((metric) -> this.results.median("retained", condition, metric, subject.id())))
						.mapToDouble(Double::doubleValue)
						.toArray());
		}
		return table.toString();
	}

	private String growth() {
		String[] metrics = { "names", "heap bytes/name", "node bytes/name", "client us/name", "client ms/s/1000 names",
				"nodes ms/s/1000 names", "commands/s/1000 names" };
		MarkdownTable table = new MarkdownTable(
				Stream.concat(Stream.of(""), Arrays.stream(metrics)).toArray(String[]::new));
		for (GrowthStudy.State state : GrowthStudy.State.values()) {
			for (int names : GrowthStudy.SIZES) {
				String condition = GrowthStudy.condition(state, names);
				for (Subject subject : measured("growth", condition, "names")) {
					table.row(condition + ", " + subject.title(),
							Arrays.stream(metrics)
								.mapToDouble((metric) -> this.results.median("growth", condition, metric, subject.id()))
								.toArray());
				}
			}
		}
		return table.toString();
	}

	private String uncontended() {
		MarkdownTable table = new MarkdownTable("", "1 thread", "8 threads", "64 threads");
		for (Subject subject : measured("uncontended", "threads=1", "cycles/s")) {
			table.row(subject.title(), rate(subject, 1), rate(subject, 8), rate(subject, 64));
		}
		return table.toString();
	}

	private double rate(Subject subject, int threads) {
		return this.results.median("uncontended", "threads=" + threads, "cycles/s", subject.id());
	}

	private String costs(String condition) {
		return table("uncontended", condition, "client us/cycle", "nodes us/cycle", "commands/cycle", "reads/cycle");
	}

	private String hotKey(String condition) {
		return table("hot-key", condition, "cycles/s", "client us/cycle", "handover p50 us", "handover p99 us",
				"handover across p50 us", "fairness", "overlaps");
	}

	private String held() {
		return table("held", "earlier cycles=0", "heap bytes/lock", "client % of a core", "nodes % of a core",
				"commands/s", "reads/s", "locks lost") + "\nAfter 1,000 cycles of other locks in the same JVM:\n\n"
				+ table("held", "earlier cycles=1000", "heap bytes/lock", "client % of a core", "nodes % of a core",
						"commands/s", "reads/s", "locks lost");
	}

	private String firstLock() {
		MarkdownTable table = new MarkdownTable("", "connect to lock, ms", "JVM start to lock, ms", "client CPU, ms",
				"connections per node, 64 threads");
		for (Subject subject : measured("first-lock", "first", "start to lock ms")) {
			table.row(subject.title(), first(subject, "connect to lock ms"), first(subject, "start to lock ms"),
					first(subject, "client cpu ms"),
					this.results.median("first-lock", "threads=64", "connections/node", subject.id()));
		}
		return table.toString();
	}

	private double first(Subject subject, String metric) {
		return this.results.median("first-lock", "first", metric, subject.id());
	}

	private String distance(String what) {
		List<Subject> subjects = measured("distance", Fault.NONE.label(), "acquire p50 rtt");
		MarkdownTable table = new MarkdownTable(
				Stream.concat(Stream.of("median / p99", "bare PING"), subjects.stream().map(Subject::title))
					.toArray(String[]::new));
		for (Fault fault : Fault.values()) {
			Stream<String> cells = subjects.stream()
				.map((subject) -> distance(fault, what + " p50 rtt", subject.id()) + " / "
						+ distance(fault, what + " p99 rtt", subject.id()));
			table.row(Stream.concat(Stream.of(fault.label(), "1 / " + distance(fault, "p99 rtt", "ping")), cells)
				.toArray(String[]::new));
		}
		return table.toString();
	}

	private String distance(Fault fault, String metric, String subject) {
		return MarkdownTable.number(this.results.median("distance", fault.label(), metric, subject));
	}

	private String hang() {
		return table("hang", "before", "cycles/s", "heap MB") + "\nAfter 10 s of hanging:\n\n"
				+ table("hang", "after 10 s", "cycles/s", "heap MB") + "\nAfter 20 s:\n\n"
				+ table("hang", "after 20 s", "cycles/s", "heap MB");
	}

	private String observability() {
		MarkdownTable table = new MarkdownTable("", "cycles/s, 1 thread", "8 threads", "64 threads",
				"client us/cycle, 1 thread", "8 threads", "64 threads");
		for (Subject subject : measured("observability", "threads=1", "cycles/s")) {
			String reference = Subject.unobserved(subject).id();
			table.row(Stream
				.concat(Stream.of(subject.title()),
						Stream.of("cycles/s", "client us/cycle")
							.flatMap((metric) -> Stream.of(1, 8, 64)
								.map((threads) -> observability("threads=" + threads, metric, subject, reference))))
				.toArray(String[]::new));
		}
		return table.toString();
	}

	private String observability(String condition, String metric, Subject subject, String reference) {
		return subject.id().equals(reference)
				? MarkdownTable.number(this.results.median("observability", condition, metric, reference))
				: this.results.ratio("observability", condition, metric, subject.id(), reference).toString();
	}

	private String table(String study, String condition, String... metrics) {
		MarkdownTable table = new MarkdownTable(
				Stream.concat(Stream.of(""), Arrays.stream(metrics)).toArray(String[]::new));
		for (Subject subject : measured(study, condition, metrics[0])) {
			table.row(subject.title(),
					Arrays.stream(metrics)
						.mapToDouble((metric) -> this.results.median(study, condition, metric, subject.id()))
						.toArray());
		}
		return table.toString();
	}

	private static String[] waits(DoubleFunction<String> text) {
		return Arrays.stream(WaitStudy.SHARES).mapToObj(text).toArray(String[]::new);
	}

	private List<Subject> measured(String study, String condition, String metric) {
		return Arrays.stream(Subject.values())
			.filter((subject) -> this.results.has(study, condition, metric, subject.id()))
			.toList();
	}

}
