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

import io.quorlock.benchmarks.Results.Ratio;
import io.quorlock.benchmarks.subject.Subject;

/**
 * A comparison that readers look for first: the ratio of two subjects' throughput.
 *
 * @param what in words
 * @param study where it is measured
 * @param condition under which condition
 * @param subject whose figure it is
 * @param reference the subject that it is compared with
 */
record Comparison(String what, String study, String condition, Subject subject, Subject reference) {

	private static final String UNCONTENDED = "uncontended";

	static final List<Comparison> ALL = List.of(uncontended(1, Subject.QUORLOCK_1, Subject.RAW_CONNECTION),
			uncontended(1, Subject.QUORLOCK_1, Subject.REDISSON), uncontended(64, Subject.QUORLOCK_1, Subject.RAW_POOL),
			uncontended(64, Subject.QUORLOCK_1, Subject.REDISSON),
			uncontended(1, Subject.QUORLOCK_5, Subject.CANONICAL_5),
			uncontended(1, Subject.QUORLOCK_5, Subject.REDISSON_MULTI_5),
			uncontended(64, Subject.QUORLOCK_5, Subject.CANONICAL_5),
			uncontended(64, Subject.QUORLOCK_5, Subject.REDISSON_MULTI_5),
			new Comparison("hot key, 8 threads, 1 JVM", "hot-key", "jvms=1", Subject.QUORLOCK_1, Subject.REDISSON),
			new Comparison("hot key, 8 threads, 1 JVM", "hot-key", "jvms=1", Subject.QUORLOCK_5, Subject.REDISSON),
			kind("90 % readers, 64 threads, 1 JVM", KindsStudy.READERS.formatted(64), Subject.QUORLOCK_5),
			kind("3 permits, 16 threads, 1 JVM", KindsStudy.PERMITS, Subject.QUORLOCK_1),
			kind("fair, 2 JVMs with 4 threads", KindsStudy.FAIR, Subject.QUORLOCK_1),
			retained(RetainedStudy.NEAR, Subject.SYNCHRONIZED), retained(RetainedStudy.NEAR, Subject.REENTRANT),
			retained(RetainedStudy.NEAR, Subject.REDISSON), retained(RetainedStudy.FAR, Subject.REDISSON),
			zooKeeper("own keys, 1 thread", ZooKeeperStudy.own("1 server", 1)),
			zooKeeper("own keys, 64 threads", ZooKeeperStudy.own("1 server", 64)),
			zooKeeper("one key, 8 threads, 1 JVM", ZooKeeperStudy.hot("1 server")),
			zooKeeper("own keys, 1 thread, 3 servers", ZooKeeperStudy.own("3 servers", 1)),
			zooKeeper("own keys, 64 threads, 3 servers", ZooKeeperStudy.own("3 servers", 64)),
			zooKeeper("one key, 8 threads, 1 JVM, 3 servers", ZooKeeperStudy.hot("3 servers")));

	private static Comparison kind(String what, String condition, Subject subject) {
		return new Comparison(what, "kinds", condition, subject, Subject.REDISSON);
	}

	private static Comparison retained(String condition, Subject reference) {
		return new Comparison("own key again, 1 thread, " + condition, "retained", condition,
				Subject.QUORLOCK_5_RETAINED, reference);
	}

	private static Comparison zooKeeper(String what, String condition) {
		return new Comparison(what, "zookeeper", condition, Subject.QUORLOCK_ZOOKEEPER, Subject.CURATOR);
	}

	private static Comparison uncontended(int threads, Subject subject, Subject reference) {
		return new Comparison("own keys, %d thread%s".formatted(threads, (threads == 1) ? "" : "s"), UNCONTENDED,
				"threads=" + threads, subject, reference);
	}

	static String table(Results results) {
		MarkdownTable table = new MarkdownTable("lock + unlock, cycles/s", "against", "fencing on", "fencing off");
		for (Comparison each : ALL) {
			table.row(each.what + ", " + each.subject.title(), each.reference.title(),
					each.ratio(results, each.subject).toString(), each.unfenced(results));
		}
		return table.toString();
	}

	private String unfenced(Results results) {
		return Arrays.stream(Subject.values())
			.filter((candidate) -> candidate.id().equals(this.subject.id() + "-unfenced"))
			.map((candidate) -> ratio(results, candidate).toString())
			.findFirst()
			.orElse("–");
	}

	private Ratio ratio(Results results, Subject subject) {
		return results.ratio(this.study, this.condition, "cycles/s", subject.id(), this.reference.id());
	}

}
