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
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * One measured value: a line of {@code results.csv}.
 *
 * @param study the study
 * @param subject the subject
 * @param condition the condition: threads, distance, faults
 * @param fork the JVM
 * @param round the slice of time in it
 * @param metric the metric, with its unit
 * @param value the value
 */
record Measurement(String study, String subject, String condition, int fork, int round, String metric, double value) {

	static final String HEADER = "study,subject,condition,fork,round,metric,value";

	static void append(Path file, List<Measurement> measurements) {
		try {
			Files.write(file, measurements.stream().map(Measurement::line).toList(), StandardOpenOption.CREATE,
					StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot write " + file, ex);
		}
	}

	static List<Measurement> read(Path file) throws IOException {
		return Files.readAllLines(file)
			.stream()
			.filter((line) -> !line.equals(HEADER))
			.map((line) -> line.split(",", -1))
			.map((field) -> new Measurement(field[0], field[1], field[2], Integer.parseInt(field[3]),
					Integer.parseInt(field[4]), field[5], Double.parseDouble(field[6])))
			.toList();
	}

	private String line() {
		return String.join(",", this.study, this.subject, this.condition, Integer.toString(this.fork),
				Integer.toString(this.round), this.metric, String.format(Locale.ROOT, "%.4f", this.value));
	}

}
