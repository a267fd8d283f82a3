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

import java.util.Arrays;
import java.util.Collection;

/**
 * Statistics of measured values.
 */
final class Statistics {

	private Statistics() {
	}

	static double median(double... values) {
		return quantile(0.5, values);
	}

	static double median(Collection<Double> values) {
		return median(values.stream().mapToDouble(Double::doubleValue).toArray());
	}

	/**
	 * Return the value below which a share of all values lies, interpolated.
	 */
	static double quantile(double share, double... values) {
		if (values.length == 0) {
			return Double.NaN;
		}
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		double position = share * (sorted.length - 1);
		int below = (int) position;
		int above = Math.min(below + 1, sorted.length - 1);
		return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
	}

	/**
	 * Return Jain's index: 1 if all got the same, 1/n if one got all.
	 */
	static double fairness(int... shares) {
		double sum = Arrays.stream(shares).asDoubleStream().sum();
		double squares = Arrays.stream(shares).asDoubleStream().map((share) -> share * share).sum();
		return (squares == 0) ? Double.NaN : sum * sum / (shares.length * squares);
	}

}
