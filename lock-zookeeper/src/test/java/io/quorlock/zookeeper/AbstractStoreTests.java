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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;

import io.quorlock.Settings;
import io.quorlock.store.Grant;
import io.quorlock.store.StoreObserver;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

/**
 * For tests of stores by the real clock. What a test opens is closed behind it, the
 * latest first.
 */
abstract class AbstractStoreTests {

	static final Duration WAIT = Duration.ofSeconds(110);

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	/** Of the server of the test. */
	abstract String connectString();

	/** Changes the settings of all stores. */
	void customize(Settings<ZooKeeperSettings> settings) {
	}

	final <T extends AutoCloseable> T opened(T resource) {
		this.opened.push(resource);
		return resource;
	}

	@AfterEach
	final void closeWhatWasOpened() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	final ZooKeeperLeaseStore store(String instanceId, StoreObserver... observers) {
		return store(connectString(), instanceId, (settings) -> {
		}, observers);
	}

	final ZooKeeperLeaseStore store(String connectString, String instanceId,
			Consumer<Settings<ZooKeeperSettings>> customizer, StoreObserver... observers) {
		ZooKeeperLeaseStore store = starting(connectString, instanceId, customizer, observers);
		ZooKeeperStores.awaitAvailable(store);
		return store;
	}

	/** It may never be available. */
	final ZooKeeperLeaseStore starting(String connectString, String instanceId,
			Consumer<Settings<ZooKeeperSettings>> customizer, StoreObserver... observers) {
		ZooKeeperLeaseStore store = ZooKeeperStores.create(connectString, instanceId, (settings) -> {
			customize(settings);
			customizer.accept(settings);
		}, observers);
		opened(store::close);
		store.start();
		return store;
	}

	static TestContender contend(ZooKeeperLeaseStore store, TestClaim claim) {
		return TestContender.of(store, claim, ZooKeeperStores.CLOCK.nanoTime()).start();
	}

	/** A claim that is known to wait. */
	static TestContender waiting(ZooKeeperLeaseStore store, TestClaim claim) {
		return contend(store, claim.waiting(WAIT)).waits();
	}

	static long tokenOf(Grant grant) {
		return Objects.requireNonNull(grant.tokens())[0];
	}

}
