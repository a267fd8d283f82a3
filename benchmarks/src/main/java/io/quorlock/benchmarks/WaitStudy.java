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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures how long four threads in each of two JVMs wait for the same lock, which each
 * holds for a millisecond.
 */
final class WaitStudy implements Study {

	static final String CONDITION = "jvms=2 hold=1ms";

	static final double[] SHARES = { 0.5, 0.75, 0.9, 0.95, 0.99, 0.999 };

	private static final int PROCESSES = 2;

	private static final int THREADS = 4;

	@Override
	public String name() {
		return "waits";
	}

	static String metric(double share) {
		return "wait p%s ms".formatted(percentile(share));
	}

	static String percentile(double share) {
		return MarkdownTable.number(share * 100).replaceAll("\\.0+$", "");
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < plan.forks(); fork++) {
			int number = fork;
			try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
				List<Integer> ports = Nodes.ports(redis);
				Fork.run(plan,
						IntStream.range(0, PROCESSES)
							.mapToObj((process) -> new ForkTask(name(), number, process, CONDITION, ports, ports))
							.toList());
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		Map<Subject, LockSubject> subjects = new EnumMap<>(Subject.class);
		Map<Subject, ConcurrentLinkedQueue<Long>> waits = new EnumMap<>(Subject.class);
		for (Subject subject : plan.subjects(Subject.QUORLOCK_1, Subject.QUORLOCK_5, Subject.CANONICAL_5,
				Subject.REDISSON, Subject.REDISSON_MULTI_5, Subject.SPRING_SPIN_LETTUCE, Subject.SPRING_PUBSUB_LETTUCE,
				Subject.LOCK4J)) {
			subjects.put(subject, subject.connect(task.ports()));
		}
		try (Workers workers = new Workers(THREADS)) {
			for (int round = 0; round <= plan.rounds(); round++) {
				for (Map.Entry<Subject, LockSubject> entry : subjects.entrySet()) {
					ConcurrentLinkedQueue<Long> waited = waits.computeIfAbsent(entry.getKey(),
							(subject) -> new ConcurrentLinkedQueue<>());
					if (round == 1) {
						waited.clear(); // the previous round was the warm-up
					}
					Fork.awaitOthers();
					String name = entry.getKey().id() + ":waits";
					workers.run(THREADS, plan.quick() ? 700 : 1_500, (thread) -> once(entry.getValue(), name, waited));
				}
			}
		}
		List<Measurement> measured = new ArrayList<>();
		waits.forEach((subject, all) -> {
			double[] millis = all.stream().mapToDouble((nanos) -> nanos / 1e6).toArray();
			for (double share : SHARES) {
				measured.add(task.measured(subject.id(), CONDITION, task.process(), metric(share),
						Statistics.quantile(share, millis)));
			}
		});
		Measurement.append(plan.csv(), measured);
	}

	private static void once(LockSubject locks, String name, ConcurrentLinkedQueue<Long> waits) throws Exception {
		long asked = System.nanoTime();
		LockSubject.Hold hold = locks.lock(name);
		waits.add(System.nanoTime() - asked);
		Thread.sleep(1);
		hold.unlock();
	}

}
