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
import java.util.stream.IntStream;

import redis.clients.jedis.Jedis;

import io.quorlock.benchmarks.Workers.Cycle;
import io.quorlock.benchmarks.Workers.Slice;
import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures leases that are kept while they are unused: one thread takes its own key again
 * and again, beside locks inside the JVM and those that ask a server each time, with near
 * and with distant nodes; then for many seconds without a pause. And two JVMs take the
 * same key in turn, each while the other has kept it and does not use it.
 */
final class RetainedStudy implements Study {

	static final String NEAR = "distance=0ms";

	static final String FAR = "distance=2ms";

	static final String SUSTAINED = "sustained ";

	static final String TAKEOVER = "takeover " + FAR;

	/** Reading the clock after each of them would cost as much as a local lock. */
	private static final int LOCAL_CYCLES = 100;

	/** Until the lease that the other JVM just left is kept and not used. */
	private static final int SETTLE_MILLIS = 5;

	private static final int WARM_UP_TURNS = 400;

	@Override
	public String name() {
		return "retained";
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < plan.forks(); fork++) {
			int number = fork;
			try (EmbeddedRedis redis = EmbeddedRedis.start(5); Proxies proxies = Proxies.before(redis)) {
				List<Integer> nodes = Nodes.ports(redis);
				Fork.run(plan, List.of(new ForkTask(name(), fork, 0, NEAR, nodes, nodes)));
				Fork.run(plan, List.of(new ForkTask(name(), fork, 0, FAR, proxies.ports(), nodes)));
				if (!plan.subjects(Subject.QUORLOCK_5_RETAINED).isEmpty()) {
					Fork.run(plan, IntStream.range(0, 2)
						.mapToObj((process) -> new ForkTask(name(), number, process, TAKEOVER, proxies.ports(), nodes))
						.toList());
				}
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		if (task.detail().equals(TAKEOVER)) {
			takeOver(plan, task);
			return;
		}
		Map<Subject, LockSubject> subjects = new EnumMap<>(Subject.class);
		for (Subject subject : plan.subjects(Subject.SYNCHRONIZED, Subject.REENTRANT, Subject.QUORLOCK_5_RETAINED,
				Subject.QUORLOCK_5, Subject.REDISSON)) {
			subjects.put(subject, subject.connect(task.ports()));
		}
		try (Workers workers = new Workers(1)) {
			for (int round = -1; round < plan.rounds(); round++) {
				for (Map.Entry<Subject, LockSubject> entry : subjects.entrySet()) {
					Subject subject = entry.getKey();
					int millis = plan.quick() ? 300 : 1_000;
					Slice slice = slice(workers, (round < 0) ? 4 * millis : millis, subject, entry.getValue());
					if (round >= 0) {
						Measurement.append(plan.csv(), measured(task, subject, task.detail(), round, slice));
					}
				}
			}
			LockSubject retained = subjects.get(Subject.QUORLOCK_5_RETAINED);
			if (retained != null) {
				sustain(plan, task, workers, retained);
			}
		}
		finally {
			// What they keep would be in the way of the next JVM.
			subjects.values().forEach(LockSubject::close);
		}
	}

	private static void sustain(Plan plan, ForkTask task, Workers workers, LockSubject locks) throws Exception {
		Subject subject = Subject.QUORLOCK_5_RETAINED;
		String condition = SUSTAINED + task.detail();
		locks.lock(key(subject)).unlock();
		try (FenceWatch fence = new FenceWatch(task.nodePorts(), key(subject))) {
			for (int second = 0; second < plan.seconds(); second++) {
				Slice slice = slice(workers, 1_000, subject, locks);
				List<Measurement> measured = new ArrayList<>(measured(task, subject, condition, second, slice));
				measured.add(task.measured(subject.id(), condition, second, "fence ahead ms", fence.takeMostMillis()));
				Measurement.append(plan.csv(), measured);
			}
		}
	}

	private static Slice slice(Workers workers, int millis, Subject subject, LockSubject locks)
			throws InterruptedException {
		String key = key(subject);
		Cycle once = (thread) -> locks.lock(key).unlock();
		Cycle often = (thread) -> {
			for (int i = 0; i < LOCAL_CYCLES; i++) {
				locks.lock(key).unlock();
			}
		};
		return subject.isLocal() ? workers.run(1, millis, often).times(LOCAL_CYCLES) : workers.run(1, millis, once);
	}

	private static String key(Subject subject) {
		return subject.id() + ":again";
	}

	private static List<Measurement> measured(ForkTask task, Subject subject, String condition, int round,
			Slice slice) {
		return List.of(task.measured(subject.id(), condition, round, "cycles/s", slice.perSecond()),
				task.measured(subject.id(), condition, round, "client us/cycle", slice.cpuMicrosPerCycle()),
				task.measured(subject.id(), condition, round, "failures", slice.failures()));
	}

	/** The two processes take turns: in each, one asks for what the other has kept. */
	private static void takeOver(Plan plan, ForkTask task) throws Exception {
		Subject subject = Subject.QUORLOCK_5_RETAINED;
		Workers.warmUp(List.of(subject));
		int turns = WARM_UP_TURNS + (plan.quick() ? 200 : 1_000);
		List<Double> pings = new ArrayList<>();
		List<Double> waits = new ArrayList<>();
		try (LockSubject locks = subject.connect(task.ports());
				Jedis node = new Jedis("127.0.0.1", task.ports().get(0), 10_000)) {
			for (int turn = 0; turn < turns; turn++) {
				Fork.awaitOthers();
				Thread.sleep(SETTLE_MILLIS);
				if (turn % 2 != task.process()) {
					continue;
				}
				long begin = System.nanoTime();
				LockSubject.Hold hold = locks.lock(subject.id() + ":wanted");
				double micros = (System.nanoTime() - begin) / 1e3;
				hold.unlock();
				if (turn >= WARM_UP_TURNS) {
					waits.add(micros);
					pings.add(Nodes.pingMicros(node));
				}
			}
			Fork.awaitOthers(); // the other one may still ask for what this one has kept
		}
		double[] micros = waits.stream().mapToDouble(Double::doubleValue).toArray();
		double unit = Statistics.median(pings);
		Measurement.append(plan.csv(),
				List.of(task.measured("ping", TAKEOVER, task.process(), "p50 ms", unit / 1e3),
						measured(task, subject, "p50 rtt", Statistics.quantile(0.5, micros) / unit),
						measured(task, subject, "p99 rtt", Statistics.quantile(0.99, micros) / unit),
						measured(task, subject, "p50 ms", Statistics.quantile(0.5, micros) / 1e3),
						measured(task, subject, "p99 ms", Statistics.quantile(0.99, micros) / 1e3)));
	}

	private static Measurement measured(ForkTask task, Subject subject, String metric, double value) {
		return task.measured(subject.id(), TAKEOVER, task.process(), metric, value);
	}

}
