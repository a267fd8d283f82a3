package io.quorlock.benchmarks;

import java.util.Arrays;
import java.util.List;

import io.quorlock.benchmarks.Results.Ratio;
import io.quorlock.benchmarks.subject.Subject;

/**
 * A figure that was promised, as a ratio of two subjects' throughput.
 *
 * @param what in words
 * @param study where it is measured
 * @param condition under which condition
 * @param subject whose figure it is
 * @param reference compared with whom
 * @param required the least ratio
 * @param aim the ratio that is aimed at
 */
record Target(String what, String study, String condition, Subject subject, Subject reference, double required,
		double aim) {

	private static final String UNCONTENDED = "uncontended";

	static final List<Target> ALL = List.of(uncontended(1, Subject.QUORLOCK_1, Subject.RAW_CONNECTION, 0.70, 0.95),
			uncontended(1, Subject.QUORLOCK_1, Subject.REDISSON, 1.3, 1.9),
			uncontended(64, Subject.QUORLOCK_1, Subject.RAW_POOL, 1.0, 1.5),
			uncontended(64, Subject.QUORLOCK_1, Subject.REDISSON, 5, 10),
			uncontended(1, Subject.QUORLOCK_5, Subject.CANONICAL_5, 1.8, 3.3),
			uncontended(1, Subject.QUORLOCK_5, Subject.REDISSON_MULTI_5, 5, 10),
			uncontended(64, Subject.QUORLOCK_5, Subject.CANONICAL_5, 3.5, 6),
			uncontended(64, Subject.QUORLOCK_5, Subject.REDISSON_MULTI_5, 20, 45),
			new Target("hot key, 8 threads, 1 JVM", "hot-key", "jvms=1", Subject.QUORLOCK_1, Subject.REDISSON, 10, 50),
			new Target("hot key, 8 threads, 1 JVM", "hot-key", "jvms=1", Subject.QUORLOCK_5, Subject.REDISSON, 10, 50),
			kind("90 % readers, 64 threads, 1 JVM", KindsStudy.READERS.formatted(64), Subject.QUORLOCK_5, 5),
			kind("3 permits, 16 threads, 1 JVM", KindsStudy.PERMITS, Subject.QUORLOCK_1, 1),
			kind("fair, 2 JVMs with 4 threads", KindsStudy.FAIR, Subject.QUORLOCK_1, 1),
			zooKeeper("own keys, 1 thread", ZooKeeperStudy.own("1 server", 1), 1.4),
			zooKeeper("own keys, 64 threads", ZooKeeperStudy.own("1 server", 64), 1),
			zooKeeper("one key, 8 threads, 1 JVM", ZooKeeperStudy.hot("1 server"), 5),
			zooKeeper("own keys, 1 thread, 3 servers", ZooKeeperStudy.own("3 servers", 1), 1.4),
			zooKeeper("own keys, 64 threads, 3 servers", ZooKeeperStudy.own("3 servers", 64), 1),
			zooKeeper("one key, 8 threads, 1 JVM, 3 servers", ZooKeeperStudy.hot("3 servers"), 5));

	private static Target kind(String what, String condition, Subject subject, double required) {
		return new Target(what, "kinds", condition, subject, Subject.REDISSON, required, required);
	}

	private static Target zooKeeper(String what, String condition, double required) {
		return new Target(what, "zookeeper", condition, Subject.QUORLOCK_ZOOKEEPER, Subject.CURATOR, required,
				required);
	}

	private static Target uncontended(int threads, Subject subject, Subject reference, double required, double aim) {
		return new Target("own keys, %d thread%s".formatted(threads, (threads == 1) ? "" : "s"), UNCONTENDED,
				"threads=" + threads, subject, reference, required, aim);
	}

	static String table(Results results) {
		MarkdownTable table = new MarkdownTable("lock + unlock, cycles/s", "against", "required", "aim", "fencing on",
				"fencing off");
		for (Target target : ALL) {
			table.row(target.what + ", " + target.subject.title(), target.reference.title(),
					MarkdownTable.number(target.required), MarkdownTable.number(target.aim),
					target.ratio(results, target.subject).toString(), target.unfenced(results));
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
