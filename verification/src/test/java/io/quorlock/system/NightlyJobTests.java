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

package io.quorlock.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.quorlock.LockTemplate;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.DistributedLock.OnContention;
import io.quorlock.aop.DistributedLockAdvisor;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that every instance triggers at about the same time, and that one of them runs
 * (R4, R18). {@code -Dnightly.ticks=10000} runs more ticks.
 */
class NightlyJobTests {

	private static final int TICKS = Integer.getInteger("nightly.ticks", 150);

	/** A tick takes some milliseconds, and many times that on a busy machine. */
	private static final Duration TIMEOUT = Duration.ofMinutes(2).plusMillis(500L * TICKS);

	/** The triggers of a tick are no further apart. */
	private static final long SPREAD_NANOS = Duration.ofMillis(5).toNanos();

	private final AtomicIntegerArray runs = new AtomicIntegerArray(TICKS);

	@Test
	void jobThatSkipsAndCoolsDownRunsOnceATick() throws Exception {
		ExecutorService schedulers = Executors.newCachedThreadPool();
		try (EmbeddedRedis redis = EmbeddedRedis.start(3); Zones zones = Zones.start(redis)) {
			CyclicBarrier tick = new CyclicBarrier(zones.instances().size());
			List<Future<?>> finished = new ArrayList<>();
			for (LockTemplate instance : zones.instances()) {
				Job job = locked(new NightlyJob(this.runs), instance);
				finished.add(schedulers.submit(() -> trigger(job, tick)));
			}
			for (Future<?> instance : finished) {
				instance.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
			}
		}
		finally {
			schedulers.shutdownNow();
		}
		List<Integer> notOnce = new ArrayList<>();
		for (int at = 0; at < TICKS; at++) {
			if (this.runs.get(at) != 1) {
				notOnce.add(at);
			}
		}
		assertThat(notOnce).as("ticks that did not run exactly once").isEmpty();
	}

	private static @Nullable Void trigger(Job job, CyclicBarrier tick) throws Exception {
		for (int at = 0; at < TICKS; at++) {
			tick.await(1, TimeUnit.MINUTES);
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SPREAD_NANOS));
			job.run(at);
		}
		return null;
	}

	private static Job locked(Job job, LockTemplate template) {
		ProxyFactory proxy = new ProxyFactory(job);
		proxy.addAdvisor(
				new DistributedLockAdvisor(new DefaultListableBeanFactory(), LeaseBounds.NONE, () -> template, 0));
		return (Job) proxy.getProxy();
	}

	interface Job {

		void run(int tick);

	}

	static class NightlyJob implements Job {

		private final AtomicIntegerArray runs;

		NightlyJob(AtomicIntegerArray runs) {
			this.runs = runs;
		}

		/** The tick is part of the name, so that nothing waits for a cool-down to end. */
		@Override
		@DistributedLock(name = "nightly", key = "#tick", waitTime = "0s", holdAtLeast = "60s",
				onContention = OnContention.SKIP)
		public void run(int tick) {
			this.runs.incrementAndGet(tick);
		}

	}

}
