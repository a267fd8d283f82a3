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

import java.util.List;

import io.quorlock.benchmarks.subject.CrowdVariant;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedZooKeeper;

/**
 * Measures one lock that many instances want, each with one thread that locks, works for
 * 1 or 50 ms, unlocks, and begins again: how often it is granted, what that costs, and
 * how long the unluckiest instance waits.
 */
final class CrowdStudy implements Study {

	/** How long lock and unlock may take, in milliseconds, besides the work. */
	private static final int OVERHEAD = 3;

	private static final int LONG_WORK = 50;

	/** The subjects are warmed up with fewer instances first. */
	private static final int WARM_UP_INSTANCES = 5;

	/** What the instances send while none of them wants the lock. */
	static final String IDLE = "idle commands/node/s";

	private static final int IDLE_MILLIS = 2_000;

	@Override
	public String name() {
		return "crowd";
	}

	static String condition(int instances, int work) {
		return "instances=%d work=%dms".formatted(instances, work);
	}

	/** Many threads, which need memory beside the heap. */
	@Override
	public List<String> heap() {
		return List.of("-Xms1g", "-Xmx2g");
	}

	@Override
	public void conduct(Plan plan) {
		for (int fork = 0; fork < plan.forks(); fork++) {
			for (int instances : plan.crowd().instances()) {
				try (EmbeddedRedis redis = EmbeddedRedis.start(5);
						EmbeddedZooKeeper server = EmbeddedZooKeeper.start()) {
					Fork.run(plan, List.of(new ForkTask(name(), fork, 0, Integer.toString(instances),
							List.of(server.port()), Nodes.ports(redis))));
				}
			}
		}
	}

	@Override
	public void measure(Plan plan, ForkTask task) throws Exception {
		int instances = Integer.parseInt(task.detail());
		for (CrowdVariant variant : plan.crowd().variants()) {
			try (Crowd crowd = Crowd.connect(variant, Math.min(instances, WARM_UP_INSTANCES), task)) {
				crowd.run("warm-up", 0, plan.quick() ? 1_500 : 4_000, 0, 0);
			}
		}
		for (CrowdVariant variant : plan.crowd().variants()) {
			try (Crowd crowd = Crowd.connect(variant, instances, task)) {
				double idle = crowd.idleCommands(IDLE_MILLIS);
				for (int work : works(plan, instances)) {
					String condition = condition(instances, work);
					Measurement.append(plan.csv(), List.of(task.measured(variant.id(), condition, 0, IDLE, idle)));
					int min = plan.quick() ? 2_000 : 5_000;
					int millis = Math.max(min, Crowd.TURNS * instances * (work + OVERHEAD));
					int max = Math.max(millis, plan.quick() ? 15_000 : 45_000);
					Measurement.append(plan.csv(),
							crowd.run("work" + work, work, 1_000, millis, max).measured(task, variant, condition));
				}
			}
		}
	}

	private static List<Integer> works(Plan plan, int instances) {
		int max = plan.crowd().instances().stream().mapToInt(Integer::intValue).max().orElseThrow();
		return plan.crowd()
			.works()
			.stream()
			.filter((work) -> !plan.quick() || work < LONG_WORK || instances == max)
			.toList();
	}

}
