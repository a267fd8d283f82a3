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

package io.quorlock.system;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;
import io.quorlock.zookeeper.TestZooKeeperSettings;
import io.quorlock.zookeeper.ZooKeeperLeaseStore;
import io.quorlock.zookeeper.ZooKeeperSettings;

/**
 * An engine over real ZooKeeper servers, as an application has it.
 */
final class RealZooKeeperEngine implements AutoCloseable {

	private final TimerThread timer = new TimerThread("quorlock-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "quorlock-callback");
		thread.setDaemon(true);
		return thread;
	});

	/** Those but the heartbeats. */
	final AtomicInteger requests = new AtomicInteger();

	final ZooKeeperLeaseStore store;

	private final LockEngine engine;

	final DefaultLockTemplate template;

	private RealZooKeeperEngine(TestSettings settings, String connectString, Duration sessionTimeout) {
		SystemClock clock = new SystemClock();
		this.store = new ZooKeeperLeaseStore(TestZooKeeperSettings.with(connectString, settings.instanceId())
			.set(ZooKeeperSettings::sessionTimeout, sessionTimeout)
			.set(ZooKeeperSettings::operationTimeout, settings.operationTimeout())
			.build(), clock, this.timer, List.of((node, operation, outcome, error, nanos) -> {
				if (!operation.equals("heartbeat")) {
					this.requests.incrementAndGet();
				}
			}));
		this.engine = TestEngines.over(this.store, settings, clock, this.timer, this.callbacks);
		this.template = new DefaultLockTemplate(this.engine);
		this.engine.start();
	}

	/** Starts an engine and waits until its session is proven. */
	static RealZooKeeperEngine start(TestSettings settings, String connectString, Duration sessionTimeout) {
		RealZooKeeperEngine engine = new RealZooKeeperEngine(settings, connectString, sessionTimeout);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> engine.store.status().available());
		return engine;
	}

	@Override
	public void close() {
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdownNow();
	}

}
