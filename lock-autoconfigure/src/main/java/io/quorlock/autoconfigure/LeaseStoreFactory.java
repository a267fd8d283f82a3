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

package io.quorlock.autoconfigure;

import java.util.List;

import io.quorlock.Api;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.LockTimer;

/**
 * Creates the store of a {@link LockBackend}.
 *
 * @since 0.1.0
 */
@Api(Api.Status.EXTENSION)
@FunctionalInterface
public interface LeaseStoreFactory {

	/**
	 * Create the store.
	 * @param clock the clock that it shares with the engine
	 * @param timer the timer that it shares with the engine
	 * @param observers observe the replies of its nodes
	 * @return the store, not started
	 */
	LeaseStore create(LockClock clock, LockTimer timer, List<StoreObserver> observers);

}
