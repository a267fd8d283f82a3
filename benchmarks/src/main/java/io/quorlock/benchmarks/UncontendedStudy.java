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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import redis.clients.jedis.Jedis;

import io.quorlock.benchmarks.Workers.Slice;
import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures locks without contention: 1, 8 and 64 threads, each with a key of its own. The
 * subjects alternate in short slices of time, so that other load on the machine affects
 * all of them alike.
 */
final class UncontendedStudy implements Study {

	private static final int[] ALL_THREADS = { 1, 8, 64 };

	/** Subjects share code, and the next one may change what the compiler made of it. */
	private static final int WARM_UP_PASSES = 2;

	private static final List<Subject> OBSERVED = List.of(Subject.SPRING_BOOT_1, Subject.SPRING_BOOT_1_METERED,
			Subject.SPRING_BOOT_1_OBSERVED, Subject.SPRING_BOOT_5, Subject.SPRING_BOOT_5_METERED,
			Subject.SPRING_BOOT_5_OBSERVED);

	private static final List<Subject> GROUPED = List.of(Subject.QUORLOCK_3_GROUPS_1, Subject.QUORLOCK_3_GROUPS_2,
			Subject.QUORLOCK_3_GROUPS_4);

	private final String name;

	private final Subject[] candidates;

	private final int nodes;

	private final int[] threads;

	private final int roundsFactor;

	private UncontendedStudy(String name, List<Subject> candidates, int nodes, int[] threads, int roundsFactor) {
		this.name = name;
		this.candidates = candidates.toArray(Subject[]::new);
		this.nodes = nodes;
		this.threads = threads;
		this.roundsFactor = roundsFactor;
	}

	/** This library and its peers. */
	static UncontendedStudy ofAll() {
		List<Subject> candidates = new ArrayList<>(List.of(Subject.values()));
		candidates.removeAll(OBSERVED);
		candidates.removeIf((subject) -> !subject.isGeneral());
		return new UncontendedStudy("uncontended", candidates, 5, ALL_THREADS, 1);
	}

	/** Observability costs a few per cent, so that more slices are needed. */
	static UncontendedStudy ofObservability() {
		return new UncontendedStudy("observability", OBSERVED, 5, ALL_THREADS, 3);
	}

	/**
	 * One, two and four groups of nodes. All of them run, also those that are not used.
	 * Four groups with 256 threads have as many threads each as one group with 64.
	 */
	static UncontendedStudy ofGroups() {
		return new UncontendedStudy("groups", GROUPED, 12, new int[] { 64, 256 }, 3);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < plan.forks(); fork++) {
			try (EmbeddedRedis redis = EmbeddedRedis.start(this.nodes)) {
				List<Integer> ports = Nodes.ports(redis);
				Fork.run(plan, List.of(new ForkTask(name(), fork, 0, "all", ports, ports)));
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		List<Jedis> nodes = Nodes.connect(task.nodePorts());
		Map<Subject, LockSubject> subjects = new EnumMap<>(Subject.class);
		for (Subject subject : plan.subjects(this.candidates)) {
			subjects.put(subject, subject.connect(task.ports()));
		}
		try (Workers workers = new Workers(Arrays.stream(this.threads).max().orElseThrow())) {
			for (int threads : this.threads) {
				for (int pass = 0; pass < WARM_UP_PASSES; pass++) {
					for (Map.Entry<Subject, LockSubject> entry : subjects.entrySet()) {
						if (threads == 1 || entry.getKey() != Subject.RAW_CONNECTION) {
							warmUp(workers, threads, entry.getKey(), entry.getValue());
						}
					}
				}
				for (int round = 0; round < plan.rounds() * this.roundsFactor; round++) {
					for (Map.Entry<Subject, LockSubject> entry : subjects.entrySet()) {
						if (threads == 1 || entry.getKey() != Subject.RAW_CONNECTION) {
							measure(plan, task, nodes, workers, threads, round, entry.getKey(), entry.getValue());
						}
					}
				}
			}
		}
	}

	private void measure(Plan plan, ForkTask task, List<Jedis> nodes, Workers workers, int threads, int round,
			Subject subject, LockSubject locks) throws Exception {
		NodeStats before = NodeStats.of(nodes);
		Slice slice = slice(workers, threads, plan.quick() ? 150 : 300, subject, locks);
		NodeStats spent = NodeStats.of(nodes).minus(before);
		String condition = "threads=" + threads;
		double cycles = Math.max(1, slice.cycles());
		List<Measurement> measured = new ArrayList<>();
		measured.add(task.measured(subject.id(), condition, round, "cycles/s", slice.perSecond()));
		measured.add(task.measured(subject.id(), condition, round, "client us/cycle", slice.cpuMicrosPerCycle()));
		measured.add(task.measured(subject.id(), condition, round, "nodes us/cycle", spent.cpuMicros() / cycles));
		measured.add(task.measured(subject.id(), condition, round, "commands/cycle", spent.commands() / cycles));
		measured.add(task.measured(subject.id(), condition, round, "commands/node/cycle",
				spent.commands() / cycles / subject.nodes()));
		measured.add(task.measured(subject.id(), condition, round, "reads/cycle", spent.reads() / cycles));
		measured.add(task.measured(subject.id(), condition, round, "failures", slice.failures()));
		Measurement.append(plan.csv(), measured);
	}

	private static void warmUp(Workers workers, int threads, Subject subject, LockSubject locks)
			throws InterruptedException {
		String[] names = names(threads, subject);
		workers.warmUp(threads, (thread) -> locks.lock(names[thread]).unlock());
	}

	private static Slice slice(Workers workers, int threads, int millis, Subject subject, LockSubject locks)
			throws InterruptedException {
		String[] names = names(threads, subject);
		return workers.run(threads, millis, (thread) -> locks.lock(names[thread]).unlock());
	}

	private static String[] names(int threads, Subject subject) {
		String[] names = new String[threads];
		for (int i = 0; i < threads; i++) {
			names[i] = subject.id() + ":" + i;
		}
		return names;
	}

}
