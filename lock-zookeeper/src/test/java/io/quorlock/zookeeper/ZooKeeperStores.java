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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.awaitility.Awaitility;

import io.quorlock.Settings;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockTimer;
import io.quorlock.time.ManualTime;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * Stores for tests, on one clock and one timer.
 */
final class ZooKeeperStores {

	static final SystemClock CLOCK = new SystemClock();

	static final LockTimer TIMER = new TimerThread("zookeeper-tests");

	private ZooKeeperStores() {
	}

	static ZooKeeperLeaseStore start(String connectString, String instanceId) {
		return start(connectString, instanceId, (settings) -> {
		});
	}

	static ZooKeeperLeaseStore start(String connectString, String instanceId,
			Consumer<Settings<ZooKeeperSettings>> customizer) {
		ZooKeeperLeaseStore store = create(connectString, instanceId, customizer);
		store.start();
		awaitAvailable(store);
		return store;
	}

	static ZooKeeperLeaseStore create(String connectString, String instanceId,
			Consumer<Settings<ZooKeeperSettings>> customizer, StoreObserver... observers) {
		Settings<ZooKeeperSettings> settings = TestZooKeeperSettings.with(connectString, instanceId)
			.set(ZooKeeperSettings::sessionTimeout, Duration.ofSeconds(6))
			.set(ZooKeeperSettings::operationTimeout, Duration.ofSeconds(5));
		customizer.accept(settings);
		return new ZooKeeperLeaseStore(settings.build(), CLOCK, TIMER, List.of(observers));
	}

	/** What the sessions and claims of a store share that is not there. */
	static StoreContext context(ManualTime time) {
		return context(TestZooKeeperSettings.with("127.0.0.1:1", "app").build(), time);
	}

	static StoreContext context(ZooKeeperSettings settings, ManualTime time) {
		return new StoreContext(settings, time, time, List.of());
	}

	static void awaitAvailable(ZooKeeperLeaseStore store) {
		Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> store.status().available());
	}

}
