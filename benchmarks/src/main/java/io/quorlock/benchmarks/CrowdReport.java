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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.quorlock.benchmarks.subject.CrowdVariant;

/**
 * Tables of the study of crowds: each condition, and what is wanted.
 */
final class CrowdReport {

	static final int[] INSTANCES = { 2, 5, 10, 20, 40, 100 };

	static final int[] WORKS = { 1, 50 };

	private static final List<String> METRICS = Stream.concat(Stream.of(CrowdSlice.METRICS), Stream.of(CrowdStudy.IDLE))
		.toList();

	private static final String STUDY = "crowd";

	private static final int FEW = 5;

	private static final int MANY = 100;

	private final Results results;

	CrowdReport(Results results) {
		this.results = results;
	}

	/** Return the tables, or an empty text if nothing was measured. */
	String tables() {
		StringBuilder text = new StringBuilder();
		for (int work : WORKS) {
			for (int instances : INSTANCES) {
				text.append(table(CrowdStudy.condition(instances, work)));
			}
		}
		return text.isEmpty() ? "" : text + criteria() + "\n";
	}

	private String table(String condition) {
		List<CrowdVariant> variants = Arrays.stream(CrowdVariant.values())
			.filter((variant) -> this.results.has(STUDY, condition, CrowdSlice.GRANTS, variant.id()))
			.toList();
		if (variants.isEmpty()) {
			return "";
		}
		MarkdownTable table = new MarkdownTable(
				Stream.concat(Stream.of(condition), METRICS.stream()).toArray(String[]::new));
		for (CrowdVariant variant : variants) {
			table.row(variant.title(),
					METRICS.stream().mapToDouble((metric) -> value(variant, condition, metric)).toArray());
		}
		return table + "\n";
	}

	/** Of counts of what must not be, and of waits, the worst counts. */
	private double value(CrowdVariant variant, String condition, String metric) {
		boolean worst = metric.startsWith("longest") || metric.equals(CrowdSlice.PASSED) || metric.contains("Exception")
				|| metric.contains("failures") || metric.equals("overlaps");
		return worst ? this.results.max(STUDY, condition, metric, variant.id())
				: this.results.median(STUDY, condition, metric, variant.id());
	}

	private String criteria() {
		MarkdownTable table = new MarkdownTable("wanted", "lock", "measured", "");
		for (Criterion criterion : criteria(Stream.of(CrowdVariant.values()).filter(CrowdVariant::isOurs).toList())) {
			if (!Double.isNaN(criterion.measured())) {
				table.row(criterion.wanted(), criterion.variant().title(), MarkdownTable.number(criterion.measured()),
						criterion.isMet() ? "PASS" : "FAIL");
			}
		}
		return table.toString();
	}

	private List<Criterion> criteria(List<CrowdVariant> variants) {
		String few = CrowdStudy.condition(FEW, 1);
		String many = CrowdStudy.condition(MANY, 1);
		String working = CrowdStudy.condition(MANY, 50);
		List<Criterion> all = new ArrayList<>();
		for (CrowdVariant variant : variants) {
			double cost = value(variant, many, CrowdSlice.COMMANDS);
			all.add(Criterion.atMost("commands/node/grant, 100 instances against 5, ≤ 1.3", variant,
					cost / value(variant, few, CrowdSlice.COMMANDS), 1.3));
			all.add(Criterion.atMost("commands/node/grant, 100 instances, ≤ 25", variant, cost, 25));
			all.add(Criterion.atLeast("grants/s, 100 instances against 5, ≥ 0.6", variant,
					value(variant, many, CrowdSlice.GRANTS) / value(variant, few, CrowdSlice.GRANTS), 0.6));
			all.add(Criterion.atLeast("grants/s, 100 instances, 50 ms of work, ≥ 19", variant,
					value(variant, working, CrowdSlice.GRANTS), 19));
			all.add(Criterion.atMost("commands/node/grant, 100 instances, 50 ms of work, ≤ 40", variant,
					value(variant, working, CrowdSlice.COMMANDS), 40));
			for (int instances : (variant.nodes() > 1) ? new int[] { 40, MANY } : new int[0]) {
				String condition = CrowdStudy.condition(instances, 1);
				all.add(Criterion.atLeast(
						"grants/s, %d instances, against Redisson's RLock on one node, > 1".formatted(instances),
						variant, value(variant, condition, CrowdSlice.GRANTS)
								/ value(CrowdVariant.REDISSON, condition, CrowdSlice.GRANTS),
						Math.nextUp(1.0)));
			}
			all.add(Criterion.atMost("longest wait of all, less the longest stall, in cycles of all instances, ≤ 5",
					variant, worst(variant, CrowdSlice.UNSTALLED), 5));
			all.add(Criterion.atMost("others served meanwhile, in grants to all instances, ≤ 5", variant,
					worst(variant, CrowdSlice.PASSED), 5));
			all.add(Criterion.atMost("LockUnavailableException, of all, 0", variant,
					worst(variant, CrowdSlice.UNAVAILABLE), 0));
			all.add(Criterion.atMost("more than one has the lock, of all, 0", variant, worst(variant, "overlaps"), 0));
		}
		return all;
	}

	/** Return the worst value of all conditions that were measured, or NaN. */
	private double worst(CrowdVariant variant, String metric) {
		return Arrays.stream(WORKS)
			.boxed()
			.flatMap((work) -> Arrays.stream(INSTANCES)
				.mapToObj((instances) -> value(variant, CrowdStudy.condition(instances, work), metric)))
			.filter((value) -> !Double.isNaN(value))
			.max(Double::compare)
			.orElse(Double.NaN);
	}

	String chart() {
		BarChart chart = new BarChart("grants per second: one lock, 100 instances that hold it for 1 ms");
		String condition = CrowdStudy.condition(MANY, 1);
		for (CrowdVariant variant : CrowdVariant.values()) {
			chart.add(variant.title(), value(variant, condition, CrowdSlice.GRANTS),
					variant.isOurs() ? BarChart.Kind.OURS : BarChart.Kind.PEER);
		}
		return chart.svg();
	}

	/**
	 * What is wanted of a lock.
	 *
	 * @param wanted in words
	 * @param variant the lock
	 * @param measured the value, NaN if it was not measured
	 * @param isMet whether it is as wanted
	 */
	private record Criterion(String wanted, CrowdVariant variant, double measured, boolean isMet) {

		static Criterion atMost(String wanted, CrowdVariant variant, double measured, double limit) {
			return new Criterion(wanted, variant, measured, measured <= limit);
		}

		static Criterion atLeast(String wanted, CrowdVariant variant, double measured, double limit) {
			return new Criterion(wanted, variant, measured, measured >= limit);
		}

	}

}
