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

package io.quorlock.engine;

import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.util.ClassUtils;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.annotation.DistributedLock;
import io.quorlock.annotation.ScheduledLock;
import io.quorlock.aop.declaration.LeaseBounds;
import io.quorlock.aop.declaration.LockDeclaration;
import io.quorlock.aop.declaration.LockSpecification;
import io.quorlock.aop.declaration.LockSpecificationParser;
import io.quorlock.aop.declaration.SchedulerClocks;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.ManualTime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ten thousand ticks of a job with {@link ScheduledLock} on three instances whose
 * triggers are up to half a second apart, in simulated time. The job takes 1 ms.
 */
@Timeout(120)
class R18ScheduledTicksTests {

	private static final int TICKS = 10_000;

	private static final long SPREAD_MILLIS = 500;

	private final ManualTime time = new ManualTime();

	private final List<InMemoryLockNode> nodes = new ArrayList<>();

	private final List<LockEngine> instances = new ArrayList<>();

	private final Random random = new Random(42);

	R18ScheduledTicksTests() {
		for (int i = 0; i < 3; i++) {
			this.nodes.add(new InMemoryLockNode("node" + i, this.time, Runnable::run));
		}
		for (int i = 0; i < 3; i++) {
			LockEngine engine = TestEngines.create(TestSettings.defaults("zone" + i + "@host:1"), this.nodes, this.time,
					this.time, Runnable::run, List.of(), List.of(), () -> 42);
			engine.start();
			this.instances.add(engine);
		}
	}

	private record Trigger(long atMillis, int instance, int tick) {
	}

	@ParameterizedTest
	@Tag("long")
	@CsvSource({ "everySecond, 1000, true", "everySecond, 1000, false", "everyFiveSeconds, 5000, true",
			"everyMinute, 60000, false", "atARate, 1000, true" })
	void eachTickRunsOnce(String method, long periodMillis, boolean fixedOffsets) {
		LockSpecification job = job(method);
		long[] offsets = { 0, this.random.nextLong(SPREAD_MILLIS), SPREAD_MILLIS };
		int[] runs = new int[TICKS];
		long startMillis = this.time.nanoTime() / 1_000_000 / 60_000 * 60_000 + 60_000;
		for (int tick = 0; tick < TICKS; tick++) {
			List<Trigger> triggers = new ArrayList<>();
			for (int instance = 0; instance < 3; instance++) {
				long late = fixedOffsets ? offsets[instance] : this.random.nextLong(SPREAD_MILLIS + 1);
				triggers.add(new Trigger(startMillis + tick * periodMillis + late, instance, tick));
			}
			triggers.sort((one, other) -> Long.compare(one.atMillis(), other.atMillis()));
			triggers.forEach((trigger) -> run(job, trigger, runs));
		}
		assertThat(runs).containsOnly(1);
	}

	private void run(LockSpecification job, Trigger trigger, int[] runs) {
		this.time.advance(Duration.ofNanos(Math.max(0, trigger.atMillis() * 1_000_000 - this.time.nanoTime())));
		LockRequest request = job.held(job.request());
		CompletableFuture<LockHandle> lock = this.instances.get(trigger.instance())
			.acquireAsync(request, Duration.ZERO);
		for (int i = 0; i < 100 && !lock.isDone(); i++) {
			this.time.advance(Duration.ofMillis(1));
		}
		assertThat(lock).isDone();
		if (!lock.isCompletedExceptionally()) {
			runs[trigger.tick()]++;
			this.time.advance(Duration.ofMillis(1));
			lock.join().closeAsync();
		}
	}

	private LockSpecification job(String name) {
		ConcurrentTaskScheduler scheduler = new ConcurrentTaskScheduler(new ScheduledThreadPoolExecutor(0));
		scheduler.setClock(new SimulatedClock());
		ScheduledTaskRegistrar registrar = new ScheduledTaskRegistrar();
		registrar.setTaskScheduler(scheduler);
		SchedulerClocks clocks = new SchedulerClocks();
		clocks.configureTasks(registrar);
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerSingleton("schedulerClocks", clocks);
		Method method = ClassUtils.getMethod(Jobs.class, name);
		DistributedLock annotation = requireNonNull(LockDeclaration.find(DistributedLock.class, method, Jobs.class));
		return new LockSpecificationParser(beanFactory, LeaseBounds.NONE).parse(annotation, method, Jobs.class);
	}

	private final class SimulatedClock extends Clock {

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Instant instant() {
			return Instant.ofEpochMilli(R18ScheduledTicksTests.this.time.nanoTime() / 1_000_000);
		}

	}

	static class Jobs {

		@ScheduledLock("job")
		@Scheduled(cron = "* * * * * *", zone = "UTC")
		public void everySecond() {
		}

		@ScheduledLock("job")
		@Scheduled(cron = "*/5 * * * * *", zone = "UTC")
		public void everyFiveSeconds() {
		}

		@ScheduledLock("job")
		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		public void everyMinute() {
		}

		@ScheduledLock("job")
		@Scheduled(fixedRate = 1_000)
		public void atARate() {
		}

	}

}
