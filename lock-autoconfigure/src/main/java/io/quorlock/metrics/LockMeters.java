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
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

/**
 * Counters of renewals, risks and losses, and timers of the replies of each node. The
 * counters of a name are registered with zero when it is first used, so that the first
 * loss is an increase.
 *
 * @since 0.1.0
 */
public final class LockMeters implements LockListener, StoreObserver {

	private static final String TAG = "lock";

	private static final String OUTCOME = "outcome";

	private final MeterRegistry registry;

	private final LockTags tags;

	private final MeterProvider<Counter> renewals;

	private final MeterProvider<Counter> risks;

	private final MeterProvider<Counter> losses;

	/** Kept, since it runs on the threads that receive the replies. */
	private final ConcurrentHashMap<Reply, Timer> replies = new ConcurrentHashMap<>();

	/**
	 * Create the listener.
	 * @param registry holds the meters
	 * @param tags limits the values of the tag {@code lock}
	 */
	public LockMeters(MeterRegistry registry, LockTags tags) {
		this.registry = registry;
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

	@Override
	public void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos) {
		Reply reply = new Reply(node, operation, outcome);
		Timer known = this.replies.get(reply);
		Timer timer = (known != null) ? known : this.replies.computeIfAbsent(reply, this::register);
		timer.record(nanos, TimeUnit.NANOSECONDS);
	}

	/** Most outcomes never occur: a timer is registered when it is first used. */
	private Timer register(Reply reply) {
		return Timer.builder("distributed.lock.node.requests")
			.description("From the beginning of a round to a node's reply")
			.tag("node", reply.node())
			.tag("operation", reply.operation())
			.tag(OUTCOME, reply.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.register(this.registry);
	}

	private record Reply(String node, String operation, ReplyOutcome outcome) {
	}

}
