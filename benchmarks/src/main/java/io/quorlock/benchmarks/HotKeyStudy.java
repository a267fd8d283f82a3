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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.quorlock.benchmarks.GrantLog.Grant;
import io.quorlock.benchmarks.Workers.Slice;
import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * All threads compete for the same lock: eight threads in one JVM, or four in each of
 * two, also with nodes that are 1 ms away in each direction.
 */
final class HotKeyStudy implements Study {

	private static final int THREADS = 8;

	/** Rounds that are not recorded, for the compiler; all JVMs take part in each. */
	private static final int WARM_UP_ROUNDS = 8;

	@Override
	public String name() {
		return "hot-key";
	}

	@Override
	public void conduct(Plan plan) throws IOException {
		for (int fork = 0; fork < plan.forks(); fork++) {
			try (EmbeddedRedis redis = EmbeddedRedis.start(5); Proxies proxies = Proxies.before(redis)) {
				conduct(plan, fork, "jvms=1", 1, Nodes.ports(redis));
				conduct(plan, fork, "jvms=2", 2, Nodes.ports(redis));
				conduct(plan, fork, "jvms=2 distance=2ms", 2, proxies.ports());
			}
		}
	}

	private void conduct(Plan plan, int fork, String condition, int processes, List<Integer> ports) throws IOException {
		List<ForkTask> tasks = IntStream.range(0, processes)
			.mapToObj((process) -> new ForkTask(name(), fork, process, condition, ports, ports))
			.toList();
		Fork.run(plan, tasks);
		for (Subject subject : subjects(plan, condition)) {
			for (int round = 0; round < plan.rounds(); round++) {
				List<GrantLog> logs = new ArrayList<>();
				for (int process = 0; process < processes; process++) {
					Path file = file(plan, subject, round, process);
					logs.add(GrantLog.read(file));
					Files.delete(file);
				}
				Measurement.append(plan.csv(), evaluate(tasks.get(0), subject, round, logs));
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		int threads = THREADS / (task.detail().startsWith("jvms=2") ? 2 : 1);
		List<Subject> subjects = subjects(plan, task.detail());
		List<LockSubject> locks = new ArrayList<>();
		for (Subject subject : subjects) {
			locks.add(subject.connect(task.ports()));
		}
		try (Workers workers = new Workers(threads)) {
			for (int round = -WARM_UP_ROUNDS; round < plan.rounds(); round++) {
				for (int i = 0; i < subjects.size(); i++) {
					Fork.awaitOthers();
					GrantLog log = slice(workers, threads, plan.quick() ? 500 : 800, subjects.get(i), locks.get(i));
					if (round >= 0) {
						log.write(file(plan, subjects.get(i), round, task.process()));
					}
				}
			}
		}
	}

	private static GrantLog slice(Workers workers, int threads, int millis, Subject subject, LockSubject locks)
			throws InterruptedException {
		GrantLog log = new GrantLog(threads);
		String name = subject.id() + ":hot";
		Slice slice = workers.run(threads, millis, (thread) -> {
			LockSubject.Hold hold = locks.lock(name);
			long granted = System.nanoTime();
			log.add(thread, granted, System.nanoTime());
			hold.unlock();
		});
		log.cpuMicros(slice.cpuNanos() / 1e3);
		return log;
	}

	private static List<Measurement> evaluate(ForkTask task, Subject subject, int round, List<GrantLog> logs) {
		List<Grant> grants = IntStream.range(0, logs.size())
			.boxed()
			.flatMap((process) -> logs.get(process).grants(process).stream())
			.sorted(Comparator.comparingLong(Grant::begin))
			.toList();
		if (grants.size() < 2) {
			return List.of(task.measured(subject.id(), task.detail(), round, "cycles/s", 0));
		}
		double[] all = handovers(grants, false);
		double[] across = handovers(grants, true);
		double seconds = (grants.get(grants.size() - 1).end() - grants.get(0).begin()) / 1e9;
		double cpu = logs.stream().mapToDouble(GrantLog::cpuMicros).sum();
		int[] shares = logs.stream().flatMapToInt((log) -> Arrays.stream(log.grantsByThread())).toArray();
		return Stream.of(task.measured(subject.id(), task.detail(), round, "cycles/s", grants.size() / seconds),
				task.measured(subject.id(), task.detail(), round, "client us/cycle", cpu / grants.size()),
				task.measured(subject.id(), task.detail(), round, "handover p50 us", Statistics.median(all)),
				task.measured(subject.id(), task.detail(), round, "handover p99 us", Statistics.quantile(0.99, all)),
				task.measured(subject.id(), task.detail(), round, "handover across p50 us", Statistics.median(across)),
				task.measured(subject.id(), task.detail(), round, "handovers across", across.length),
				task.measured(subject.id(), task.detail(), round, "fairness", Statistics.fairness(shares)),
				task.measured(subject.id(), task.detail(), round, "overlaps",
						Arrays.stream(all).filter((nanos) -> nanos < 0).count()))
			.filter((measurement) -> !Double.isNaN(measurement.value()))
			.toList();
	}

	/**
	 * Return the times from the beginning of each release to the next grant, in
	 * microseconds.
	 */
	private static double[] handovers(List<Grant> grants, boolean acrossOnly) {
		return IntStream.range(1, grants.size())
			.filter((i) -> !acrossOnly || grants.get(i).process() != grants.get(i - 1).process())
			.mapToDouble((i) -> (grants.get(i).begin() - grants.get(i - 1).end()) / 1e3)
			.toArray();
	}

	private static List<Subject> subjects(Plan plan, String condition) {
		List<Subject> near = plan.subjects(Subject.QUORLOCK_1, Subject.QUORLOCK_5, Subject.QUORLOCK_5_NO_HANDOVER,
				Subject.QUORLOCK_LETTUCE, Subject.QUORLOCK_JEDIS, Subject.CANONICAL_5, Subject.REDISSON,
				Subject.REDISSON_MULTI_5, Subject.SPRING_SPIN_LETTUCE, Subject.SPRING_PUBSUB_LETTUCE,
				Subject.SPRING_SPIN_JEDIS, Subject.SPRING_PUBSUB_JEDIS, Subject.LOCK4J);
		List<Subject> far = plan.subjects(Subject.QUORLOCK_1, Subject.QUORLOCK_5, Subject.QUORLOCK_5_NO_HANDOVER,
				Subject.CANONICAL_5, Subject.REDISSON, Subject.REDISSON_MULTI_5);
		return condition.contains("distance") ? far : near;
	}

	private static Path file(Plan plan, Subject subject, int round, int process) {
		return plan.results().resolve("grants-" + subject.id() + "-" + round + "-" + process + ".bin");
	}

}
