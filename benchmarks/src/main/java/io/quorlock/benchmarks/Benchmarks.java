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
import java.util.List;

/**
 * Runs all studies and writes the report. See {@code benchmarks/README.md}.
 */
public final class Benchmarks {

	private static final List<Study> STUDIES = List.of(UncontendedStudy.ofAll(), new HotKeyStudy(),
			new HeldLocksStudy(), new FirstLockStudy(), DistanceStudy.ofFaults(), new HangStudy(),
			UncontendedStudy.ofObservability(), new WaitStudy(), new KindsStudy(), new ZooKeeperStudy(),
			new RetainedStudy(), UncontendedStudy.ofGroups(), DistanceStudy.ofReleaseModes(), new GrowthStudy(),
			new CrowdStudy());

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
