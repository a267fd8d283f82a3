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

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import io.quorlock.Settings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Engines over a quorum of the nodes of a test.
 */
public final class TestEngines {

	private TestEngines() {
	}

	public static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, LockClock clock,
			LockTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers) {
		return create(settings, nodes, clock, timer, callbacks, listeners, observers, List.of());
	}

	public static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, LockClock clock,
			LockTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers, LongSupplier random) {
		return create(settings, nodes, clock, timer, callbacks, listeners, observers, List.of(), random);
	}

	public static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, LockClock clock,
			LockTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers, List<? extends RequestObserver> requestObservers) {
		return create(settings, nodes, clock, timer, callbacks, listeners, observers, requestObservers,
				() -> ThreadLocalRandom.current().nextLong());
	}

	/** With settings of the quorum that the settings of tests do not have. */
	public static LockEngine create(TestSettings settings, UnaryOperator<Settings<QuorumSettings>> quorum,
			List<? extends LockNode> nodes, LockClock clock, LockTimer timer, Executor callbacks, LongSupplier random) {
		QuorumStore store = new QuorumStore(quorum.apply(settings.quorumBuilder(random)).build(), nodes, clock, timer,
				List.of());
		return over(store, settings, clock, timer, callbacks);
	}

	/** The settings of one of several quorums. */
	public static QuorumSettings quorum(TestSettings settings, LongSupplier random) {
		return settings.quorum(random);
	}

	/** An engine over a store that is no quorum. */
	public static LockEngine over(LeaseStore store, TestSettings settings, LockClock clock, LockTimer timer,
			Executor callbacks) {
		return new LockEngine(settings.engine(), store, clock, timer, callbacks);
	}

	private static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, LockClock clock,
			LockTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers, List<? extends RequestObserver> requestObservers,
			LongSupplier random) {
		QuorumStore store = new QuorumStore(settings.quorum(random), nodes, clock, timer, observers);
		return new LockEngine(settings.engine(), store, clock, timer, callbacks, listeners, requestObservers);
	}

}
