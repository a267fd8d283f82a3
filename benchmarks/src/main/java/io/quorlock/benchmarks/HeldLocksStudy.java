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
import java.util.ArrayList;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;
import redis.clients.jedis.Jedis;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures the cost of the renewal of 10,000 locks that a JVM holds at once, and their
 * memory. All leases are 30 s, renewed every 10 s. Runs once in a fresh JVM, and once
 * after cycles of other locks.
 */
final class HeldLocksStudy implements Study {

	private static final int LOCKS = 10_000;

	@Override
	public String name() {
		return "held";
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < Math.min(2, plan.forks()); fork++) {
			for (Subject subject : subjects(plan)) {
				conduct(plan, fork, subject.id() + "/0");
				// After cycles of other locks, Redisson's MultiLock takes minutes.
				if (!plan.quick() && subject != Subject.REDISSON_MULTI_5) {
					conduct(plan, fork, subject.id() + "/1000");
				}
			}
		}
	}

	private static List<Subject> subjects(Plan plan) {
		return plan.quick() ? plan.subjects(Subject.QUORLOCK_5, Subject.REDISSON)
				: plan.subjects(Subject.QUORLOCK_1, Subject.QUORLOCK_5, Subject.REDISSON, Subject.REDISSON_MULTI_5);
	}

	private void conduct(Plan plan, int fork, String detail) {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
			List<Integer> ports = Nodes.ports(redis);
			Fork.run(plan, List.of(new ForkTask(name(), fork, 0, detail, ports, ports)));
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		String[] detail = task.detail().split("/");
		Subject subject = Subject.of(detail[0]);
		String condition = "earlier cycles=" + detail[1];
		try (LockSubject locks = subject.connect(task.ports())) {
			for (int i = 0; i < Integer.parseInt(detail[1]); i++) {
				locks.lock("earlier:" + i).unlock();
			}
			// What is made once, and what the start left behind, is none of a lock's.
			List<LockSubject.Hold> before = hold(locks, "before:", LOCKS / 10);
			long heapBefore = usedHeap();
			List<LockSubject.Hold> held = hold(locks, "held:", LOCKS);
			double heap = (double) (usedHeap() - heapBefore) / LOCKS;
			releaseAll(before);
			Measurement.append(plan.csv(), List.of(task.measured(subject.id(), condition, 0, "heap bytes/lock", heap)));
			// The first renewals run interpreted, and are compiled meanwhile.
			Thread.sleep(plan.quick() ? 11_000 : 21_000);
			Measurement.append(plan.csv(), watch(task, subject, condition));
			Measurement.append(plan.csv(),
					List.of(task.measured(subject.id(), condition, 0, "locks lost", releaseAll(held))));
		}
	}

	private static List<LockSubject.Hold> hold(LockSubject locks, String prefix, int count) throws Exception {
		List<LockSubject.Hold> held = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			held.add(locks.lock(prefix + i));
		}
		return held;
	}

	private static List<Measurement> watch(ForkTask task, Subject subject, String condition)
			throws InterruptedException {
		OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		List<Jedis> nodes = Nodes.connect(task.nodePorts());
		NodeStats before = NodeStats.of(nodes);
		long cpu = process.getProcessCpuTime();
		long begin = System.nanoTime();
		Thread.sleep(10_000);
		double seconds = (System.nanoTime() - begin) / 1e9;
		double cpuShare = (process.getProcessCpuTime() - cpu) / 1e9 / seconds * 100;
		NodeStats spent = NodeStats.of(nodes).minus(before);
		return List.of(task.measured(subject.id(), condition, 0, "client % of a core", cpuShare),
				task.measured(subject.id(), condition, 0, "nodes % of a core", spent.cpuMicros() / 1e4 / seconds),
				task.measured(subject.id(), condition, 0, "commands/s", spent.commands() / seconds),
				task.measured(subject.id(), condition, 0, "reads/s", spent.reads() / seconds));
	}

	private static int releaseAll(List<LockSubject.Hold> held) {
		int failures = 0;
		for (LockSubject.Hold hold : held) {
			try {
				hold.unlock();
			}
			catch (Exception ex) {
				failures++;
			}
		}
		return failures;
	}

	static long usedHeap() throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(100);
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
