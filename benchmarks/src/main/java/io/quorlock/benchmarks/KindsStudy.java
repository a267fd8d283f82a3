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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.quorlock.benchmarks.GrantLog.Grant;
import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.LockSubject.Hold;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures shared locks, permits and fair locks: one name, for which all threads compete.
 */
final class KindsStudy implements Study {

	/** 90 % of the requests read. */
	static final String READERS = "90 %% readers threads=%d";

	static final String PERMITS = "3 permits threads=16";

	static final String FAIR = "fair jvms=2 threads=4";

	private static final Map<String, Kind> KINDS = Map.of(READERS.formatted(8), new Kind(1, 8, KindsStudy::readOrWrite),
			READERS.formatted(64), new Kind(1, 64, KindsStudy::readOrWrite), PERMITS,
			new Kind(1, 16, (locks, name) -> locks.permit(name, 3)), FAIR, new Kind(2, 4, LockSubject::fair));

	@Override
	public String name() {
		return "kinds";
	}

	static List<String> conditions() {
		return List.of(READERS.formatted(8), READERS.formatted(64), PERMITS, FAIR);
	}

	private static Kind kind(String condition) {
		return Objects.requireNonNull(KINDS.get(condition));
	}

	@Override
	public void conduct(Plan plan) throws IOException {
		for (int fork = 0; fork < plan.forks(); fork++) {
			try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
				for (String condition : conditions()) {
					conduct(plan, fork, condition, kind(condition).processes(), Nodes.ports(redis));
				}
			}
		}
	}

	private void conduct(Plan plan, int fork, String condition, int processes, List<Integer> ports) throws IOException {
		List<ForkTask> tasks = IntStream.range(0, processes)
			.mapToObj((process) -> new ForkTask(name(), fork, process, condition, ports, ports))
			.toList();
		Fork.run(plan, tasks);
		for (Subject subject : subjects(plan)) {
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
		Kind kind = kind(task.detail());
		List<Subject> subjects = subjects(plan);
		List<LockSubject> locks = new ArrayList<>();
		for (Subject subject : subjects) {
			locks.add(subject.connect(task.ports()));
		}
		try (Workers workers = new Workers(kind.threads())) {
			for (int round = -1; round < plan.rounds(); round++) {
				for (int i = 0; i < subjects.size(); i++) {
					Fork.awaitOthers();
					String name = subjects.get(i).id() + ":" + task.detail().replaceAll("\\W", "");
					GrantLog log = slice(workers, kind, plan.quick() ? 700 : 1_500, locks.get(i), name);
					if (round >= 0) {
						log.write(file(plan, subjects.get(i), round, task.process()));
					}
				}
			}
		}
	}

	private static GrantLog slice(Workers workers, Kind kind, int millis, LockSubject locks, String name)
			throws InterruptedException {
		GrantLog log = new GrantLog(kind.threads());
		double cpu = workers.run(kind.threads(), millis, (thread) -> {
			long asked = System.nanoTime();
			Hold hold = kind.request().lock(locks, name);
			log.add(thread, asked, System.nanoTime());
			hold.unlock();
		}).cpuNanos() / 1e3;
		log.cpuMicros(cpu);
		return log;
	}

	/** The log has when each request was made, and when it was granted. */
	private static List<Measurement> evaluate(ForkTask task, Subject subject, int round, List<GrantLog> logs) {
		String condition = task.detail();
		List<Grant> waits = logs.stream().flatMap((log) -> log.grants(0).stream()).toList();
		if (waits.size() < 2) {
			return List.of(task.measured(subject.id(), condition, round, "cycles/s", 0));
		}
		double[] millis = waits.stream().mapToDouble((wait) -> (wait.end() - wait.begin()) / 1e6).toArray();
		long from = waits.stream().mapToLong(Grant::begin).min().orElseThrow();
		long to = waits.stream().mapToLong(Grant::end).max().orElseThrow();
		double cpu = logs.stream().mapToDouble(GrantLog::cpuMicros).sum();
		int[] shares = logs.stream().flatMapToInt((log) -> Arrays.stream(log.grantsByThread())).toArray();
		return Stream
			.of(task.measured(subject.id(), condition, round, "cycles/s", waits.size() * 1e9 / (to - from)),
					task.measured(subject.id(), condition, round, "client us/cycle", cpu / waits.size()),
					task.measured(subject.id(), condition, round, "wait p50 ms", Statistics.median(millis)),
					task.measured(subject.id(), condition, round, "wait p99 ms", Statistics.quantile(0.99, millis)),
					task.measured(subject.id(), condition, round, "wait max ms", Statistics.quantile(1, millis)),
					task.measured(subject.id(), condition, round, "fairness", Statistics.fairness(shares)))
			.filter((measurement) -> !Double.isNaN(measurement.value()))
			.toList();
	}

	private static Hold readOrWrite(LockSubject locks, String name) throws Exception {
		return (ThreadLocalRandom.current().nextInt(10) > 0) ? locks.read(name) : locks.write(name);
	}

	private static List<Subject> subjects(Plan plan) {
		return plan.subjects(Subject.QUORLOCK_1, Subject.QUORLOCK_5, Subject.REDISSON);
	}

	private static Path file(Plan plan, Subject subject, int round, int process) {
		return plan.results().resolve("kinds-" + subject.id() + "-" + round + "-" + process + ".bin");
	}

	/**
	 * What is measured under one condition.
	 *
	 * @param processes how many JVMs
	 * @param threads how many threads in each of them
	 * @param request what each of them asks for, over and over
	 */
	private record Kind(int processes, int threads, Request request) {
	}

	@FunctionalInterface
	private interface Request {

		Hold lock(LockSubject locks, String name) throws Exception;

	}

}
