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

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import io.quorlock.store.ReplyOutcome;
import io.quorlock.store.StoreObserver;

/**
 * Times the replies of each node. It runs on the threads that receive the replies, so it
 * keeps its timers.
 *
 * @since 0.1.0
 */
public final class NodeMeters implements StoreObserver {

	private final MeterRegistry registry;

	private final ConcurrentHashMap<Key, Timer> timers = new ConcurrentHashMap<>();

	/**
	 * Create the observer.
	 * @param registry holds the timers
	 */
	public NodeMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos) {
		Key key = new Key(node, operation, outcome);
		Timer known = this.timers.get(key);
		Timer timer = (known != null) ? known : this.timers.computeIfAbsent(key, this::register);
		timer.record(nanos, TimeUnit.NANOSECONDS);
	}

	/** Most outcomes never occur: a timer is registered when it is first used. */
	private Timer register(Key key) {
		return Timer.builder("distributed.lock.node.requests")
			.description("From the beginning of a round to a node's reply")
			.tag("node", key.node())
			.tag("operation", key.operation())
			.tag("outcome", key.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.register(this.registry);
	}

	private record Key(String node, String operation, ReplyOutcome outcome) {
	}

}
