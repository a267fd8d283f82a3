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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.params.SetParams;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.LockSubject.Hold;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures what names cost one instance and the nodes as they become more: names that it
 * waits for while another instance has them, names that it has with a lease of an hour,
 * and names that it keeps alive. Each number of names gets a JVM and servers of its own.
 */
final class GrowthStudy implements Study {

	static final int[] SIZES = { 1_000, 10_000, 100_000, 1_000_000 };

	/** Renewed every ten seconds, more of them would keep the machine busy. */
	private static final int MAX_RENEWED = 100_000;

	private static final int BATCH = 250;

	/** So many requests at once keep the nodes busy, and get their replies in time. */
	private static final int UNANSWERED = 250;

	private static final Duration LEASE = Duration.ofHours(1);

	private static final Duration MAX_FILLING = Duration.ofMinutes(10);

	private static final Pattern MEMORY = Pattern.compile("used_memory:(\\d+)");

	private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory
		.getOperatingSystemMXBean();

	@Override
	public String name() {
		return "growth";
	}

	/** Room for a million names. */
	@Override
	public List<String> heap() {
		return List.of("-Xms1g", "-Xmx10g");
	}

	static String condition(State state, int names) {
		return "%s names=%d".formatted(state.label, names);
	}

	@Override
	public void conduct(Plan plan) {
		for (State state : State.values()) {
			for (int names : SIZES) {
				if (names <= Math.min(plan.names(), state.max)) {
					for (Subject subject : plan.subjects(Subject.QUORLOCK_3_LONG)) {
						try (EmbeddedRedis redis = EmbeddedRedis.start(3)) {
							List<Integer> ports = Nodes.ports(redis);
							String detail = "%s/%d/%s".formatted(state, names, subject.id());
							Fork.run(plan, List.of(new ForkTask(name(), 0, 0, detail, ports, ports)));
						}
					}
				}
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		String[] detail = task.detail().split("/");
		State state = State.valueOf(detail[0]);
		int names = Integer.parseInt(detail[1]);
		Subject subject = Subject.of(detail[2]);
		List<Jedis> nodes = Nodes.connect(task.nodePorts());
		// Not closed: releasing a million names takes long, and the servers end as well.
		LockSubject locks = subject.connect(task.ports());
		for (int i = 0; i < BATCH; i++) {
			locks.lock("first").unlock();
		}
		if (state == State.WAITING) {
			String prefix = Nodes.keyPrefix(nodes, "first");
			nodes.forEach((node) -> take(node, prefix, names));
		}
		long heapBefore = HeldLocksStudy.usedHeap();
		double memoryBefore = memory(nodes);
		long cpuBefore = PROCESS.getProcessCpuTime();
		long begin = System.nanoTime();
		Filled filled = (state == State.WAITING) ? await(locks, nodes, names)
				: acquire(locks, names, (state == State.LEASE) ? LEASE : Duration.ZERO);
		double seconds = (System.nanoTime() - begin) / 1e9;
		double count = Math.max(1, filled.count());
		String condition = condition(state, names);
		Measurement.append(plan.csv(),
				List.of(task.measured(subject.id(), condition, 0, "names", filled.count()),
						task.measured(subject.id(), condition, 0, "names/s", filled.count() / seconds),
						task.measured(subject.id(), condition, 0, "client us/name",
								(PROCESS.getProcessCpuTime() - cpuBefore) / 1e3 / count),
						task.measured(subject.id(), condition, 0, "node bytes/name",
								(memory(nodes) - memoryBefore) / nodes.size() / count),
						task.measured(subject.id(), condition, 0, "heap bytes/name",
								(HeldLocksStudy.usedHeap() - heapBefore) / count)));
		// The first attempts and renewals run interpreted, and are compiled meanwhile.
		Thread.sleep((state == State.LEASE) ? 2_000 : plan.quick() ? 11_000 : 21_000);
		watch(plan, task, subject, condition, nodes, count);
		System.out.printf("%s, %s: %d names in %.1f s, %d failed%n", condition, subject.title(), filled.count(),
				seconds, filled.failures().get());
		Measurement.append(plan.csv(),
				List.of(task.measured(subject.id(), condition, 0, "failures", filled.failures().get())));
		// So that they are reachable until here.
		filled.all().clear();
	}

	private static void watch(Plan plan, ForkTask task, Subject subject, String condition, List<Jedis> nodes,
			double names) throws InterruptedException {
		NodeStats before = NodeStats.of(nodes);
		long cpu = PROCESS.getProcessCpuTime();
		long begin = System.nanoTime();
		// A multiple of the time between two renewals.
		Thread.sleep(plan.quick() ? 10_000 : 20_000);
		double seconds = (System.nanoTime() - begin) / 1e9;
		double cpuMillis = (PROCESS.getProcessCpuTime() - cpu) / 1e6;
		NodeStats spent = NodeStats.of(nodes).minus(before);
		double perThousand = seconds * names / 1_000;
		Measurement.append(plan.csv(), List.of(
				task.measured(subject.id(), condition, 0, "client ms/s/1000 names", cpuMillis / perThousand),
				task.measured(subject.id(), condition, 0, "nodes ms/s/1000 names",
						spent.cpuMicros() / 1e3 / perThousand),
				task.measured(subject.id(), condition, 0, "commands/s/1000 names", spent.commands() / perThousand)));
	}

	/** Another instance has all names, with leases of an hour. */
	private static void take(Jedis node, String prefix, int names) {
		SetParams lease = SetParams.setParams().px(LEASE.toMillis());
		for (int from = 0; from < names; from += BATCH) {
			try (Pipeline pipeline = node.pipelined()) {
				for (int i = from; i < from + BATCH; i++) {
					pipeline.set(prefix + "{" + lock(i) + "}", "other@host:1f2e3d4c5b6a7980:" + i, lease);
				}
			}
		}
	}

	private static String lock(int number) {
		return "growth:" + number;
	}

	/**
	 * A name is waited for when all nodes have its queue, which is two keys. Ends early
	 * if that takes too long.
	 */
	private static Filled await(LockSubject locks, List<Jedis> nodes, int names) throws InterruptedException {
		Filled filled = new Filled(new ArrayList<>(names), new AtomicInteger());
		long keys = keys(nodes);
		long deadline = System.nanoTime() + MAX_FILLING.toNanos();
		for (int from = 0; from < names; from += BATCH) {
			for (int i = from; i < from + BATCH; i++) {
				CompletionStage<Hold> waiting = locks.lockAsync(lock(i), Duration.ZERO);
				waiting.whenComplete((hold, ex) -> filled.failures().incrementAndGet());
				filled.all().add(waiting);
			}
			while (keys(nodes) < keys + 2L * (from + BATCH)) {
				if (System.nanoTime() > deadline) {
					return filled;
				}
				Thread.sleep(1);
			}
		}
		return filled;
	}

	private static Filled acquire(LockSubject locks, int names, Duration lease) throws InterruptedException {
		Filled filled = new Filled(new ArrayList<>(names), new AtomicInteger());
		Semaphore unanswered = new Semaphore(UNANSWERED);
		for (int i = 0; i < names; i++) {
			unanswered.acquire();
			locks.lockAsync(lock(i), lease).whenComplete((hold, ex) -> {
				if (ex != null && filled.failures().getAndIncrement() == 0) {
					ex.printStackTrace();
				}
				if (hold != null) {
					synchronized (filled) {
						filled.all().add(hold);
					}
				}
				unanswered.release();
			});
		}
		unanswered.acquire(UNANSWERED);
		return filled;
	}

	private static double memory(List<Jedis> nodes) {
		return nodes.stream().mapToDouble((node) -> number(node.info("memory"), MEMORY)).sum();
	}

	private static long keys(List<Jedis> nodes) {
		return nodes.stream().mapToLong(Jedis::dbSize).min().orElse(0);
	}

	private static double number(String info, Pattern pattern) {
		Matcher found = pattern.matcher(info);
		if (!found.find()) {
			throw new IllegalStateException("The node does not report " + pattern);
		}
		return Double.parseDouble(found.group(1));
	}

	/**
	 * What the names are doing.
	 */
	enum State {

		WAITING("waiting", Integer.MAX_VALUE), LEASE("lease", Integer.MAX_VALUE), RENEWED("renewed", MAX_RENEWED);

		private final String label;

		private final int max;

		State(String label, int max) {
			this.label = label;
			this.max = max;
		}

	}

	/**
	 * The names that there are now.
	 *
	 * @param all what the application keeps of them
	 * @param failures how many requests failed, or ended although they should wait
	 */
	private record Filled(List<Object> all, AtomicInteger failures) {

		int count() {
			return this.all.size();
		}

	}

}
