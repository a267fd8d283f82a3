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
import java.util.List;

import redis.clients.jedis.Jedis;

import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * Measures how long one thread takes to lock and unlock if the nodes are 1 ms away in
 * each direction, without faults and with faults of a minority, in round trips of a bare
 * {@code PING} to a healthy node through the same kind of proxy.
 */
final class DistanceStudy implements Study {

	private final String name;

	private final Fault[] faults;

	private DistanceStudy(String name, Fault... faults) {
		this.name = name;
		this.faults = faults;
	}

	/** This library and its peers, with all faults. */
	static DistanceStudy ofFaults() {
		return new DistanceStudy("distance", Fault.values());
	}

	/**
	 * Releases whose confirmation is awaited or not, without faults, beside raw sockets:
	 * what one question to five nodes takes on this machine.
	 */
	static DistanceStudy ofReleaseModes() {
		return new DistanceStudy("release-mode", Fault.NONE);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < plan.forks(); fork++) {
			try (EmbeddedRedis redis = EmbeddedRedis.start(5); Proxies proxies = Proxies.before(redis)) {
				ForkTask task = new ForkTask(name(), fork, 0, "all", proxies.ports(), Nodes.ports(redis));
				Fork.run(plan, List.of(task), (barrier) -> {
					if (barrier % 2 == 0) {
						this.faults[barrier / 2].strike(proxies);
					}
					else {
						proxies.heal();
					}
				});
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		Workers.warmUp(subjects(plan, Fault.NONE));
		for (Fault fault : this.faults) {
			List<RoundTrips> all = new ArrayList<>();
			for (Subject subject : subjects(plan, fault)) {
				RoundTrips trips = new RoundTrips(subject, subject.connect(task.ports()));
				trips.measure(plan.quick() ? 200 : 1_000);
				trips.forget();
				all.add(trips);
			}
			Fork.awaitOthers();
			// Measure the fault, not its beginning.
			Thread.sleep(500);
			try (Jedis well = new Jedis("127.0.0.1", task.ports().get(4), 10_000)) {
				measure(plan, task, fault, all, well);
			}
			all.forEach(RoundTrips::close);
			Fork.awaitOthers();
			Thread.sleep(200);
		}
	}

	private static void measure(Plan plan, ForkTask task, Fault fault, List<RoundTrips> all, Jedis well)
			throws Exception {
		List<Double> pings = new ArrayList<>();
		for (int round = 0; round < plan.rounds(); round++) {
			for (RoundTrips trips : all) {
				ping(well, pings);
				trips.measure(plan.quick() ? 250 : 400);
			}
		}
		double unit = Statistics.median(pings);
		List<Measurement> measured = new ArrayList<>();
		measured.add(task.measured("ping", fault.label(), 0, "p50 us", unit));
		measured.add(task.measured("ping", fault.label(), 0, "p99 rtt",
				Statistics.quantile(0.99, pings.stream().mapToDouble(Double::doubleValue).toArray()) / unit));
		all.forEach((trips) -> measured.addAll(trips.evaluate(task, fault.label(), unit)));
		Measurement.append(plan.csv(), measured);
	}

	private static void ping(Jedis node, List<Double> micros) {
		for (int i = 0; i < 20; i++) {
			micros.add(Nodes.pingMicros(node));
		}
	}

	private List<Subject> subjects(Plan plan, Fault fault) {
		if (this.faults.length == 1) {
			return plan.subjects(Subject.QUORLOCK_5, Subject.QUORLOCK_5_SENT, Subject.RAW_QUORUM_5);
		}
		// Redisson's MultiLock needs all nodes, and retries for ever without a limit.
		return (fault == Fault.NONE || fault == Fault.ONE_SLOW)
				? plan.subjects(Subject.QUORLOCK_5, Subject.QUORLOCK_5_UNFENCED, Subject.RAW_QUORUM_5,
						Subject.CANONICAL_5, Subject.REDISSON_MULTI_5)
				: plan.subjects(Subject.QUORLOCK_5, Subject.QUORLOCK_5_UNFENCED, Subject.RAW_QUORUM_5,
						Subject.CANONICAL_5);
	}

}
