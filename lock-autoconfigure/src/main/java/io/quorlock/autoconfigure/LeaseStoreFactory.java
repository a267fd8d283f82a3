package io.quorlock.autoconfigure;

import java.util.List;

import io.quorlock.engine.EngineClock;
import io.quorlock.engine.EngineTimer;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;

/**
 * Creates the store of a {@link LockBackend}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LeaseStoreFactory {

	/**
	 * Create the store.
	 * @param clock the clock that it shares with the engine
	 * @param timer the timer that it shares with the engine
	 * @param observers observe the replies of its nodes
	 * @return the store, not started
	 */
	LeaseStore create(EngineClock clock, EngineTimer timer, List<StoreObserver> observers);

}
