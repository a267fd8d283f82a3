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

package io.quorlock.memory;

import org.junit.jupiter.api.AfterEach;

import io.quorlock.store.LeaseStore;
import io.quorlock.store.LeaseStoreContract;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * What every store must do, done by instances that share a map.
 */
class InMemoryLeaseStoreTests extends LeaseStoreContract {

	private final TimerThread timer = new TimerThread("test-timer");

	private final InMemoryLeases leases = new InMemoryLeases(new SystemClock(), 0);

	@Override
	protected LeaseStore startStore(String instanceId) {
		LeaseStore store = this.leases.store(instanceId, true, this.timer);
		store.start();
		return store;
	}

	@AfterEach
	void closeTimer() {
		this.timer.close();
	}

}
