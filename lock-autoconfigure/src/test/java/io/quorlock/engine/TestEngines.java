package io.quorlock.engine;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;

/**
 * Engines over a quorum of the nodes of a test.
 */
public final class TestEngines {

	private TestEngines() {
	}

	public static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, EngineClock clock,
			EngineTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers) {
		return create(settings, nodes, clock, timer, callbacks, listeners, observers, List.of());
	}

	public static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, EngineClock clock,
			EngineTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers, LongSupplier random) {
		return create(settings, nodes, clock, timer, callbacks, listeners, observers, List.of(), random);
	}

	public static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, EngineClock clock,
			EngineTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers, List<? extends RequestObserver> requestObservers) {
		return create(settings, nodes, clock, timer, callbacks, listeners, observers, requestObservers,
				() -> ThreadLocalRandom.current().nextLong());
	}

	/** The settings of one of several quorums. */
	public static QuorumSettings quorum(TestSettings settings, LongSupplier random) {
		return settings.quorum(random);
	}

	/** An engine over a store that is no quorum. */
	public static LockEngine over(LeaseStore store, TestSettings settings, EngineClock clock, EngineTimer timer,
			Executor callbacks) {
		return LockEngine.builder(settings.engine(), store, clock, timer).callbacks(callbacks).build();
	}

	private static LockEngine create(TestSettings settings, List<? extends LockNode> nodes, EngineClock clock,
			EngineTimer timer, Executor callbacks, List<? extends LockListener> listeners,
			List<? extends StoreObserver> observers, List<? extends RequestObserver> requestObservers,
			LongSupplier random) {
		QuorumStore store = new QuorumStore(settings.quorum(random), nodes, clock, timer, observers);
		return LockEngine.builder(settings.engine(), store, clock, timer)
			.callbacks(callbacks)
			.listeners(listeners)
			.requestObservers(requestObservers)
			.build();
	}

}
