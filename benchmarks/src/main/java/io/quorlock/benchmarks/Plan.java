package io.quorlock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import io.quorlock.benchmarks.subject.Subject;

/**
 * The extent of the measurement, and the directory for the results.
 *
 * @param quick whether to measure for a few minutes only
 * @param forks how many JVMs, one after another, repeat a study
 * @param results the directory for results
 * @param studies which studies, by name
 * @param subjects which subjects, by id
 */
record Plan(boolean quick, int forks, Path results, Pattern studies, Pattern subjects) {

	private static final String NONE = "none";

	private static final Pattern ALL = Pattern.compile(".*");

	/**
	 * Read the command line. A fork gets the same arguments as the main program.
	 */
	static Plan parse(List<String> arguments) {
		Plan plan = new Plan(false, 3, Path.of("target", "benchmarks"), ALL, ALL);
		for (int i = 0; i < arguments.size(); i++) {
			plan = switch (arguments.get(i)) {
				case "--quick" -> new Plan(true, 1, plan.results, plan.studies, plan.subjects);
				case "--forks" -> new Plan(plan.quick, Integer.parseInt(arguments.get(++i)), plan.results, plan.studies,
						plan.subjects);
				case "--out" ->
					new Plan(plan.quick, plan.forks, Path.of(arguments.get(++i)), plan.studies, plan.subjects);
				case "--studies" ->
					new Plan(plan.quick, plan.forks, plan.results, Pattern.compile(arguments.get(++i)), plan.subjects);
				case "--subjects" ->
					new Plan(plan.quick, plan.forks, plan.results, plan.studies, Pattern.compile(arguments.get(++i)));
				default -> throw new IllegalArgumentException("Unknown argument: " + arguments.get(i));
			};
		}
		return plan;
	}

	List<String> arguments() {
		List<String> common = List.of("--forks", Integer.toString(this.forks), "--out", this.results.toString(),
				"--studies", this.studies.pattern(), "--subjects", this.subjects.pattern());
		return this.quick ? concat(List.of("--quick"), common) : common;
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
