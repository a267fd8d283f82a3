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

import com.sun.management.OperatingSystemMXBean;
import redis.clients.jedis.Jedis;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures the time from the start of a JVM to its first lock, then the number of
 * connections that 64 threads open.
 */
final class FirstLockStudy implements Study {

	@Override
	public String name() {
		return "first-lock";
	}

	/** Touching all of the heap would take longer than what is measured here. */
	@Override
	public List<String> heap() {
		return List.of("-Xmx2g");
	}

	@Override
	public void conduct(Plan plan) {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
			List<Integer> ports = Nodes.ports(redis);
			for (int fork = 0; fork < plan.forks(); fork++) {
				for (Subject subject : plan.subjects(Subject.values())) {
					if (subject.isGeneral()) {
						Fork.run(plan, List.of(new ForkTask(name(), fork, 0, subject.id(), ports, ports)));
					}
				}
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		long begin = System.nanoTime();
		Subject subject = Subject.of(task.detail());
		try (LockSubject locks = subject.connect(task.ports()); Workers workers = new Workers(64)) {
			locks.lock(subject.id() + ":first").unlock();
			double sinceConnect = (System.nanoTime() - begin) / 1e6;
			double sinceStart = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
			double cpu = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime()
					/ 1e6;
			Measurement.append(plan.csv(),
					List.of(task.measured(subject.id(), "first", 0, "connect to lock ms", sinceConnect),
							task.measured(subject.id(), "first", 0, "start to lock ms", sinceStart),
							task.measured(subject.id(), "first", 0, "client cpu ms", cpu)));
			if (subject != Subject.RAW_CONNECTION) {
				workers.run(64, 500, (thread) -> locks.lock(subject.id() + ":" + thread).unlock());
				Measurement.append(plan.csv(), List.of(task.measured(subject.id(), "threads=64", 0, "connections/node",
						connections(task.nodePorts().get(0)))));
			}
		}
	}

	private static double connections(int port) {
		try (Jedis jedis = new Jedis("127.0.0.1", port)) {
			return jedis.clientList().lines().count() - 1;
		}
	}

}
