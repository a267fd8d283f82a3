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

import java.lang.management.ManagementFactory;
import java.util.List;

import io.quorlock.benchmarks.Workers.Slice;
import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Lets one of five nodes hang while 64 threads work. The work must continue, and no queue
 * may grow without bounds.
 */
final class HangStudy implements Study {

	private static final int THREADS = 64;

	private static final int SECONDS = 5;

	@Override
	public String name() {
		return "hang";
	}

	@Override
	public void conduct(Plan plan) {
		for (Subject subject : plan.subjects(Subject.QUORLOCK_5)) {
			try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
				List<Integer> ports = Nodes.ports(redis);
				Fork.run(plan, List.of(new ForkTask(name(), 0, 0, subject.id(), ports, ports)),
						(barrier) -> redis.node(0).pause());
				redis.node(0).resume();
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		Subject subject = Subject.of(task.detail());
		try (LockSubject locks = subject.connect(task.ports()); Workers workers = new Workers(THREADS)) {
			work(workers, locks);
			work(plan, task, subject, "before", workers, locks);
			Fork.awaitOthers();
			for (int seconds = SECONDS; seconds <= 4 * SECONDS; seconds += SECONDS) {
				work(plan, task, subject, "after " + seconds + " s", workers, locks);
			}
		}
	}

	private static void work(Plan plan, ForkTask task, Subject subject, String condition, Workers workers,
			LockSubject locks) throws InterruptedException {
		Slice slice = work(workers, locks);
		System.gc();
		double megabytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
		Measurement.append(plan.csv(),
				List.of(task.measured(subject.id(), condition, 0, "cycles/s", slice.perSecond()),
						task.measured(subject.id(), condition, 0, "failures", slice.failures()),
						task.measured(subject.id(), condition, 0, "heap MB", megabytes)));
	}

	private static Slice work(Workers workers, LockSubject locks) throws InterruptedException {
		return workers.run(THREADS, SECONDS * 1_000, (thread) -> locks.lock("hang:" + thread).unlock());
	}

}
