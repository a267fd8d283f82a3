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

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All measurements of a run, by study, condition, metric and subject.
 */
final class Results {

	private final Map<String, List<Measurement>> byKey;

	Results(Collection<Measurement> measurements) {
		this.byKey = measurements.stream()
			.collect(Collectors
				.groupingBy((value) -> key(value.study(), value.condition(), value.metric(), value.subject())));
	}

	boolean has(String study, String condition, String metric, String subject) {
		return this.byKey.containsKey(key(study, condition, metric, subject));
	}

	/**
	 * Return the median over all forks and rounds, or NaN if nothing was measured.
	 */
	double median(String study, String condition, String metric, String subject) {
		return Statistics.median(values(study, condition, metric, subject));
	}

	double min(String study, String condition, String metric, String subject) {
		return Statistics.quantile(0, values(study, condition, metric, subject));
	}

	double max(String study, String condition, String metric, String subject) {
		return Statistics.quantile(1, values(study, condition, metric, subject));
	}

	/**
	 * Return the ratio of two subjects.
	 */
	Ratio ratio(String study, String condition, String metric, String subject, String reference) {
		Map<String, Double> references = byRound(study, condition, metric, reference);
		double[] paired = byRound(study, condition, metric, subject).entrySet()
			.stream()
			.mapToDouble((entry) -> entry.getValue() / references.getOrDefault(entry.getKey(), Double.NaN))
			.filter((ratio) -> !Double.isNaN(ratio))
			.toArray();
		return new Ratio(median(study, condition, metric, subject) / median(study, condition, metric, reference),
				Statistics.quantile(0.25, paired), Statistics.quantile(0.75, paired));
	}

	private Map<String, Double> byRound(String study, String condition, String metric, String subject) {
		return this.byKey.getOrDefault(key(study, condition, metric, subject), List.of())
			.stream()
			.collect(Collectors.toMap((value) -> value.fork() + "/" + value.round(), Measurement::value, Math::max,
					TreeMap::new));
	}

	private double[] values(String study, String condition, String metric, String subject) {
		return this.byKey.getOrDefault(key(study, condition, metric, subject), List.of())
			.stream()
			.mapToDouble(Measurement::value)
			.toArray();
	}

	private static String key(String study, String condition, String metric, String subject) {
		return String.join("|", study, condition, metric, subject);
	}

	/**
	 * A ratio of medians, and the quartiles of the ratios of adjacent slices.
	 *
	 * @param value the ratio
	 * @param low the lower quartile
	 * @param high the upper quartile
	 */
	record Ratio(double value, double low, double high) {

		static final Function<Double, String> TWO_DIGITS = (value) -> String.format(Locale.ROOT,
				(value < 10) ? "%.2f" : "%.0f", value);

		@Override
		public String toString() {
			return Double.isNaN(this.value) ? "–" : "%s (%s to %s)".formatted(TWO_DIGITS.apply(this.value),
					TWO_DIGITS.apply(this.low), TWO_DIGITS.apply(this.high));
		}

	}

}
