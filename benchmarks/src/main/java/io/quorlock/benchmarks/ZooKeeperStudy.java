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
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;

import io.quorlock.benchmarks.Workers.Slice;
import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.LockSubject.Hold;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedZooKeeper;
import io.quorlock.embedded.EmbeddedZooKeeperEnsemble;

/**
 * Measures locks on one ZooKeeper server and on an ensemble of three, all in the main
 * program: own keys with 1, 8 and 64 threads, one key for eight threads of one JVM, and
 * what 10,000 held locks cost. The subjects alternate in short slices of time.
 */
final class ZooKeeperStudy implements Study {

	private static final int[] THREADS = { 1, 8, 64 };

	private static final int HOT_THREADS = 8;

	private static final int LOCKS = 10_000;

	private static final Subject[] SUBJECTS = { Subject.QUORLOCK_ZOOKEEPER, Subject.CURATOR, Subject.SPRING_ZOOKEEPER,
			Subject.SHEDLOCK_ZOOKEEPER };

	private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");

	@Override
	public String name() {
		return "zookeeper";
	}

	static String own(String servers, int threads) {
		return "%s own keys threads=%d".formatted(servers, threads);
	}

	static String hot(String servers) {
		return "%s one key threads=%d".formatted(servers, HOT_THREADS);
	}

	static String held(String servers) {
		return servers + " held";
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < plan.forks(); fork++) {
			try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
				conduct(plan, fork, "1 server", List.of(server.port()));
				for (Subject subject : plan.subjects(Subject.QUORLOCK_ZOOKEEPER, Subject.CURATOR)) {
					List<Integer> ports = List.of(server.port());
					Fork.run(plan, List.of(new ForkTask(name(), fork, 0, "held " + subject.id(), ports, ports)));
				}
			}
			try (EmbeddedZooKeeperEnsemble ensemble = EmbeddedZooKeeperEnsemble.start(3)) {
				ensemble.awaitServing();
				conduct(plan, fork, "3 servers", ensemble.servers().stream().map(EmbeddedZooKeeper::port).toList());
			}
		}
	}

	private void conduct(Plan plan, int fork, String servers, List<Integer> ports) {
		Fork.run(plan, List.of(new ForkTask(name(), fork, 0, servers, ports, ports)));
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		if (task.detail().startsWith("held ")) {
			hold(plan, task, Subject.of(task.detail().substring("held ".length())));
			return;
		}
		Map<Subject, LockSubject> subjects = new EnumMap<>(Subject.class);
		for (Subject subject : plan.subjects(SUBJECTS)) {
			subjects.put(subject, subject.connect(task.ports()));
		}
		try (Workers workers = new Workers(64)) {
			warmUp(plan, workers, subjects);
			for (int threads : THREADS) {
				alternate(plan, task, workers, subjects, own(task.detail(), threads), threads, ":own:");
			}
			subjects.keySet().removeIf((subject) -> !subject.waits());
			alternate(plan, task, workers, subjects, hot(task.detail()), HOT_THREADS, ":hot");
		}
	}

	/** Three of the subjects share the code of Curator, and would warm it up together. */
	private static void warmUp(Plan plan, Workers workers, Map<Subject, LockSubject> subjects)
			throws InterruptedException {
		for (Map.Entry<Subject, LockSubject> entry : subjects.entrySet()) {
			String prefix = entry.getKey().id() + ":warm-up:";
			workers.run(64, plan.quick() ? 3_000 : 6_000, (thread) -> entry.getValue().lock(prefix + thread).unlock());
		}
	}

	private static void alternate(Plan plan, ForkTask task, Workers workers, Map<Subject, LockSubject> subjects,
			String condition, int threads, String key) throws InterruptedException {
		for (int round = -1; round < plan.rounds(); round++) {
			for (Map.Entry<Subject, LockSubject> entry : subjects.entrySet()) {
				String prefix = entry.getKey().id() + key;
				Slice slice = workers.run(threads, plan.quick() ? 500 : 1_000,
						(thread) -> entry.getValue().lock(key.endsWith(":") ? prefix + thread : prefix).unlock());
				if (round >= 0) {
					String subject = entry.getKey().id();
					Measurement.append(plan.csv(),
							List.of(task.measured(subject, condition, round, "cycles/s", slice.perSecond()),
									task.measured(subject, condition, round, "client us/cycle",
											slice.cpuMicrosPerCycle()),
									task.measured(subject, condition, round, "failures", slice.failures())));
				}
			}
		}
	}

	private static void hold(Plan plan, ForkTask task, Subject subject) throws Exception {
		String condition = held("1 server");
		try (LockSubject locks = subject.connect(task.ports())) {
			locks.lock("first").unlock();
			long heapBefore = HeldLocksStudy.usedHeap();
			List<Hold> held = lockAll(locks);
			double heap = (double) (HeldLocksStudy.usedHeap() - heapBefore) / LOCKS;
			OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
			long requests = received(task.nodePorts().get(0));
			long cpu = process.getProcessCpuTime();
			long begin = System.nanoTime();
			Thread.sleep(plan.quick() ? 10_000 : 30_000);
			double seconds = (System.nanoTime() - begin) / 1e9;
			Measurement.append(plan.csv(),
					List.of(task.measured(subject.id(), condition, 0, "heap bytes/lock", heap),
							task.measured(subject.id(), condition, 0, "client % of a core",
									(process.getProcessCpuTime() - cpu) / 1e7 / seconds),
							task.measured(subject.id(), condition, 0, "requests/s",
									(received(task.nodePorts().get(0)) - requests) / seconds),
							task.measured(subject.id(), condition, 0, "locks", held.size())));
			// The end of the session releases them.
		}
	}

	/** By many threads, since each lock waits for the disk of the server. */
	private static List<Hold> lockAll(LockSubject locks) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(64);
		try {
			List<Callable<Hold>> tasks = IntStream.range(0, LOCKS)
				.<Callable<Hold>>mapToObj((i) -> () -> locks.lock("held:" + i))
				.toList();
			List<Hold> held = new ArrayList<>(LOCKS);
			for (Future<Hold> hold : threads.invokeAll(tasks)) {
				held.add(hold.get());
			}
			return held;
		}
		finally {
			threads.shutdown();
		}
	}

	/** The requests that the server got so far, pings among them. */
	static long received(int port) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
			String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			Matcher matcher = RECEIVED.matcher(reply);
			if (!matcher.find()) {
				throw new IOException("The server does not report its requests: " + reply);
			}
			return Long.parseLong(matcher.group(1));
		}
	}

}
