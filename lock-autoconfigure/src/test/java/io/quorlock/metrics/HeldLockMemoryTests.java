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

package io.quorlock.metrics;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.ObservedEngine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures what observing a lock adds to the memory that it takes while it is held. The
 * figure is in the section on capacity of {@code docs/setup.md}.
 */
class HeldLockMemoryTests {

	private static final int LOCKS = 10_000;

	@Test
	@Tag("long")
	void observationOfAHeldLockTakesLittleMoreThanTheLock() throws InterruptedException {
		double unobserved = bytesPerLock((engine) -> {
		});
		double observed = bytesPerLock((engine) -> {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig()
				.observationHandler(new DefaultMeterObservationHandler(new SimpleMeterRegistry()));
			engine.requestObservers.add(new LockObservations(registry, new LockTags(), null, null));
		});
		assertThat(observed - unobserved).isLessThan(1_700);
	}

	private static double bytesPerLock(Consumer<ObservedEngine> observers) throws InterruptedException {
		ObservedEngine engine = new ObservedEngine(3);
		observers.accept(engine);
		try (engine) {
			engine.start();
			List<LockHandle> first = hold(engine, "first", 100);
			long before = usedHeap();
			List<LockHandle> held = hold(engine, "held", LOCKS);
			long after = usedHeap();
			first.forEach(LockHandle::close);
			held.forEach(LockHandle::close);
			return (double) (after - before) / LOCKS;
		}
	}

	private static List<LockHandle> hold(ObservedEngine engine, String name, int count) {
		List<LockHandle> held = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			held.add(engine.template().acquire(LockRequest.of(name).key(i)));
		}
		return held;
	}

	private static long usedHeap() throws InterruptedException {
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(50);
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
