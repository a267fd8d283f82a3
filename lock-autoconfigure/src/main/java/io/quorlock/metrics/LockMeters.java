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

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;

/**
 * Counters of renewals, risks and losses. The counters of a name are registered with zero
 * when it is first used, so that the first loss is an increase.
 *
 * @since 0.1.0
 */
public final class LockMeters implements LockListener {

	private final MeterRegistry registry;

	private final LockTags tags;

	private final ConcurrentHashMap<String, Meters> meters = new ConcurrentHashMap<>();

	/**
	 * Create the listener.
	 * @param registry holds the meters
	 * @param tags limits the values of the tag {@code lock}
	 */
	public LockMeters(MeterRegistry registry, LockTags tags) {
		this.registry = registry;
		this.tags = tags;
		tags.forEach(this::metersOf);
	}

	/** Not grants and releases, behind which a loss would wait. */
	@Override
	public Set<Event> events() {
		return EnumSet.of(Event.RENEWED, Event.AT_RISK, Event.LOST);
	}

	@Override
	public void onRenewed(LockRequest request, boolean success) {
		Renewals renewals = metersOf(this.tags.valueOf(request.baseName())).renewals();
		(success ? renewals.confirmed() : renewals.failed()).increment();
	}

	@Override
	public void onLost(LockRequest request, LockLostEvent event) {
		metersOf(this.tags.valueOf(request.baseName())).lost.increment();
	}

	@Override
	public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
		if (event.atRisk()) {
			metersOf(this.tags.valueOf(request.baseName())).atRisk.increment();
		}
	}

	private Meters metersOf(String lock) {
		return this.meters.computeIfAbsent(lock, (key) -> new Meters(this.registry, Tags.of("lock", key)));
	}

	/** The meters with one value of the tag {@code lock}. */
	private static final class Meters {

		private final MeterRegistry registry;

		private final Tags tags;

		private final Counter atRisk;

		private final Counter lost;

		private volatile @Nullable Renewals renewals;

		private Meters(MeterRegistry registry, Tags tags) {
			this.registry = registry;
			this.tags = tags;
			this.atRisk = Counter.builder("distributed.lock.at.risk")
				.description("Locks with a third of their validity left and no renewal confirmed by a quorum")
				.tags(tags)
				.register(registry);
			// A counter that appeared with the first loss would show no increase.
			this.lost = Counter.builder("distributed.lock.lost")
				.description("Locks whose validity ended before their holder released them")
				.tags(tags)
				.register(registry);
		}

		/** Most locks are released before their first renewal. */
		private Renewals renewals() {
			Renewals renewals = this.renewals;
			if (renewals == null) {
				renewals = new Renewals(register("success"), register("failure"));
				this.renewals = renewals;
			}
			return renewals;
		}

		private Counter register(String outcome) {
			return Counter.builder("distributed.lock.renewals")
				.description("Renewals by the watchdog")
				.tags(this.tags)
				.tag("outcome", outcome)
				.register(this.registry);
		}

	}

	/** Both together, so that the first failure is an increase from zero. */
	private record Renewals(Counter confirmed, Counter failed) {
	}

}
