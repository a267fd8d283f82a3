package io.quorlock.benchmarks;

import java.util.Arrays;
import java.util.List;

/**
 * Runs all studies and writes the report. See {@code benchmarks/README.md}.
 */
public final class Benchmarks {

	private static final List<Study> STUDIES = List.of(UncontendedStudy.ofAll(), new HotKeyStudy(),
			new HeldLocksStudy(), new FirstLockStudy(), DistanceStudy.ofFaults(), new HangStudy(),
			UncontendedStudy.ofObservability(), new WaitStudy(), new KindsStudy(), new ZooKeeperStudy(),
			new RetainedStudy(), UncontendedStudy.ofGroups(), DistanceStudy.ofReleaseModes(), new GrowthStudy());

	private Benchmarks() {
	}

	/**
	 * The main program.
	 * @param args see {@code benchmarks/README.md}
	 * @throws Exception if a study fails
	 */
	public static void main(String[] args) throws Exception {
		Plan plan = Plan.parse(Arrays.asList(args));
		if (plan.measures()) {
			plan.prepare();
		}
		for (Study study : STUDIES) {
			if (plan.includes(study.name())) {
				long begin = System.nanoTime();
				study.conduct(plan);
				System.out.printf("%s: %d s%n", study.name(), (System.nanoTime() - begin) / 1_000_000_000);
			}
		}
		Report.write(plan.results());
	}

	static Study study(String name) {
		return STUDIES.stream().filter((study) -> study.name().equals(name)).findFirst().orElseThrow();
	}

}
