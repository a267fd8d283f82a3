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

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.observation.ObservationRegistry;

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

	private static final String TAG = "lock";

	private static final String OUTCOME = "outcome";

	private final LockTags tags;

	private final MeterProvider<Counter> renewals;

	private final MeterProvider<Counter> risks;

	private final MeterProvider<Counter> losses;

	/**
	 * Create the listener.
	 * @param registry holds the meters
	 * @param tags limits the values of the tag {@code lock}
	 */
	public LockMeters(MeterRegistry registry, LockTags tags) {
		this.tags = tags;
		this.renewals = Counter.builder("distributed.lock.renewals")
			.description("Renewals by the watchdog")
			.withRegistry(registry);
		this.risks = Counter.builder("distributed.lock.at.risk")
			.description("Locks with a third of their validity left and no renewal confirmed by a quorum")
			.withRegistry(registry);
		this.losses = Counter.builder("distributed.lock.lost")
			.description("Locks whose validity ended before their holder released them")
			.withRegistry(registry);
		// A counter that appeared with the first loss would show no increase.
		tags.forEach((lock) -> {
			this.risks.withTag(TAG, lock);
			this.losses.withTag(TAG, lock);
		});
	}

	/**
	 * Time each wait for a lock and each hold of it, where nothing times the
	 * application's observations.
	 * @param registry holds the timers
	 * @param tags limits the values of the tag {@code lock}
	 * @return observations whose only handler records the timers
	 */
	public static LockObservations timers(MeterRegistry registry, LockTags tags) {
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig()
			.observationHandler(new DefaultMeterObservationHandler(registry, IgnoredMeters.LONG_TASK_TIMER));
		return new LockObservations(observations, tags, null, null);
	}

	/** Not grants and releases, behind which a loss would wait. */
	@Override
	public Set<Event> events() {
		return EnumSet.of(Event.RENEWED, Event.AT_RISK, Event.LOST);
	}

	@Override
	public void onRenewed(LockRequest request, boolean success) {
		String lock = this.tags.valueOf(request.baseName());
		Counter confirmed = this.renewals.withTags(TAG, lock, OUTCOME, "success");
		Counter failed = this.renewals.withTags(TAG, lock, OUTCOME, "failure");
		(success ? confirmed : failed).increment();
	}

	@Override
	public void onLost(LockRequest request, LockLostEvent event) {
		this.losses.withTag(TAG, this.tags.valueOf(request.baseName())).increment();
	}

	@Override
	public void onAtRisk(LockRequest request, LockAtRiskEvent event) {
		if (event.atRisk()) {
			this.risks.withTag(TAG, this.tags.valueOf(request.baseName())).increment();
		}
	}

}
