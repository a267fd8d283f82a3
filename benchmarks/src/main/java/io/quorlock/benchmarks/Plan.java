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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.quorlock.benchmarks.subject.Subject;

/**
 * The extent of the measurement, and the directory for the results.
 *
 * @param quick whether to measure for a few minutes only
 * @param forks how many JVMs, one after another, repeat a study
 * @param seconds for how long a retained lease is used without a pause
 * @param names how many names the study of growth uses at most
 * @param crowd what the study of crowds measures
 * @param results the directory for results
 * @param studies which studies, by name
 * @param subjects which subjects, by id
 */
record Plan(boolean quick, int forks, int seconds, int names, CrowdPlan crowd, Path results, Pattern studies,
		Pattern subjects) {

	private static final String QUICK = "--quick";

	private static final Set<String> OPTIONS = Set.of(QUICK, "--forks", "--seconds", "--names", "--instances", "--work",
			"--variants", "--out", "--studies", "--subjects");

	private static final String NONE = "none";

	private static final String ALL = ".*";

	/**
	 * Read the command line. A fork gets the same arguments as the main program.
	 */
	static Plan parse(List<String> arguments) {
		Map<String, String> options = new HashMap<>();
		for (Iterator<String> rest = arguments.iterator(); rest.hasNext();) {
			String option = rest.next();
			if (!OPTIONS.contains(option)) {
				throw new IllegalArgumentException("Unknown argument: " + option);
			}
			options.put(option, option.equals(QUICK) ? "" : rest.next());
		}
		boolean quick = options.containsKey(QUICK);
		return new Plan(quick, Integer.parseInt(options.getOrDefault("--forks", quick ? "1" : "3")),
				Integer.parseInt(options.getOrDefault("--seconds", quick ? "5" : "60")),
				Integer.parseInt(options.getOrDefault("--names", quick ? "100000" : "1000000")),
				CrowdPlan.of(options, quick), Path.of(options.getOrDefault("--out", "target/benchmarks")),
				Pattern.compile(options.getOrDefault("--studies", ALL)),
				Pattern.compile(options.getOrDefault("--subjects", ALL)));
	}

	List<String> arguments() {
		List<String> common = List.of("--forks", Integer.toString(this.forks), "--seconds",
				Integer.toString(this.seconds), "--names", Integer.toString(this.names), "--out",
				this.results.toString(), "--studies", this.studies.pattern(), "--subjects", this.subjects.pattern());
		List<String> all = concat(common, this.crowd.arguments());
		return this.quick ? concat(List.of(QUICK), all) : all;
	}

	static List<String> concat(List<String> first, List<String> second) {
		return java.util.stream.Stream.concat(first.stream(), second.stream()).toList();
	}

	Path csv() {
		return this.results.resolve("results.csv");
	}

	void prepare() {
		try {
			Files.createDirectories(this.results);
			Files.writeString(csv(), Measurement.HEADER + System.lineSeparator());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean measures() {
		return !this.studies.pattern().equals(NONE);
	}

	boolean includes(String study) {
		return this.studies.matcher(study).matches();
	}

	List<Subject> subjects(Subject... candidates) {
		return Arrays.stream(candidates).filter((subject) -> this.subjects.matcher(subject.id()).matches()).toList();
	}

	/**
	 * Return how many slices of time each subject gets in a fork, alternating with the
	 * others.
	 */
	int rounds() {
		return this.quick ? 3 : 6;
	}

}
