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

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

/**
 * Times the replies of each node. It runs on the threads that receive the replies, so it
 * looks up its timers without allocation.
 *
 * @since 0.1.0
 */
public final class NodeMeters implements StoreObserver {

	private static final int OUTCOMES = ReplyOutcome.values().length;

	private final MeterRegistry registry;

	private final ConcurrentHashMap<String, ConcurrentHashMap<String, AtomicReferenceArray<@Nullable Timer>>> timers = new ConcurrentHashMap<>();

	/**
	 * Create the observer.
	 * @param registry holds the timers
	 */
	public NodeMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos) {
		AtomicReferenceArray<@Nullable Timer> byOutcome = timersOf(node, operation);
		Timer timer = byOutcome.get(outcome.ordinal());
		if (timer == null) {
			timer = register(node, operation, outcome);
			byOutcome.set(outcome.ordinal(), timer);
		}
		timer.record(nanos, TimeUnit.NANOSECONDS);
	}

	private AtomicReferenceArray<@Nullable Timer> timersOf(String node, String operation) {
		ConcurrentHashMap<String, AtomicReferenceArray<@Nullable Timer>> operations = this.timers.get(node);
		if (operations == null) {
			operations = this.timers.computeIfAbsent(node, (key) -> new ConcurrentHashMap<>());
		}
		AtomicReferenceArray<@Nullable Timer> known = operations.get(operation);
		return (known != null) ? known
				: operations.computeIfAbsent(operation, (key) -> new AtomicReferenceArray<>(OUTCOMES));
	}

	/** Most outcomes never occur: a timer is registered when it is first used. */
	private Timer register(String node, String operation, ReplyOutcome outcome) {
		return Timer.builder("distributed.lock.node.requests")
			.description("From the beginning of a round to a node's reply")
			.tag("node", node)
			.tag("operation", operation)
			.tag("outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.register(this.registry);
	}

}
