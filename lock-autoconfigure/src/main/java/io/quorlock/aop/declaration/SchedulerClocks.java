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

package io.quorlock.aop.declaration;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * The clocks of the schedulers that run {@code @Scheduled} methods. A scheduler shows its
 * clock to triggers alone, so each is asked with one that never fires. Has no order, so
 * that it comes after the application's own configurers.
 *
 * @since 0.1.0
 */
public class SchedulerClocks implements SchedulingConfigurer {

	private final Map<String, Clock> clocks = new ConcurrentHashMap<>();

	private final Map<String, InvalidLockDeclarationException> unknown = new ConcurrentHashMap<>();

	private volatile @Nullable TaskScheduler scheduler;

	@Override
	public void configureTasks(ScheduledTaskRegistrar registrar) {
		this.scheduler = registrar.getScheduler();
		this.unknown.keySet().forEach(this::get);
	}

	/**
	 * Return the clock of a scheduler. Until methods are scheduled, it is that of the
	 * system.
	 * @param qualifier names the scheduler, empty for the one of all methods
	 * @param unknown thrown at start, or by the supplier, if the scheduler does not tell
	 * its clock; {@code null} to use that of the system then
	 * @return the clock
	 */
	Supplier<Clock> of(String qualifier, @Nullable InvalidLockDeclarationException unknown) {
		if (unknown != null) {
			this.unknown.putIfAbsent(qualifier, unknown);
		}
		return () -> get(qualifier);
	}

	private Clock get(String qualifier) {
		TaskScheduler scheduler = this.scheduler;
		if (scheduler == null) {
			return Clock.systemDefaultZone();
		}
		return this.clocks.computeIfAbsent(qualifier, (key) -> {
			Probe probe = new Probe(qualifier);
			scheduler.schedule(probe, probe);
			InvalidLockDeclarationException unknown = this.unknown.get(qualifier);
			if (probe.clock == null && unknown != null) {
				throw unknown;
			}
			return (probe.clock != null) ? probe.clock : Clock.systemDefaultZone();
		});
	}

	private static final class Probe implements SchedulingAwareRunnable, Trigger {

		private final String qualifier;

		private volatile @Nullable Clock clock;

		Probe(String qualifier) {
			this.qualifier = qualifier;
		}

		@Override
		public String getQualifier() {
			return this.qualifier;
		}

		@Override
		public @Nullable Instant nextExecution(TriggerContext context) {
			this.clock = context.getClock();
			return null;
		}

		@Override
		public void run() {
		}

	}

}
