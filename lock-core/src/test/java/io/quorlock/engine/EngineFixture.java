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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * An engine over nodes in memory, with the clocks, the timer and the threads that it has
 * in production.
 */
final class EngineFixture implements AutoCloseable {

	private static final AtomicInteger instances = new AtomicInteger();

	private final TimerThread timer = new TimerThread("test-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "test-callback");
		thread.setDaemon(true);
		return thread;
	});

	final LockEngine engine;

	final DefaultLockTemplate template;

	EngineFixture(TestSettings settings, List<? extends LockNode> nodes, LockListener... listeners) {
		this.engine = TestEngines.create(settings, nodes, new SystemClock(), this.timer, this.callbacks,
				List.of(listeners), List.of());
		this.template = new DefaultLockTemplate(this.engine);
		this.engine.start();
	}

	static EngineFixture of(int nodes) {
		return new EngineFixture(settings(), nodes(nodes));
	}

	static TestSettings settings() {
		return TestSettings.patient("app@host:" + instances.incrementAndGet());
	}

	static TestSettings settings(Duration lease, Duration operationTimeout) {
		TestSettings settings = settings();
		return new TestSettings(settings.instanceId(), settings.waitTime(), lease, settings.maxLeaseTime(),
				settings.maxHoldTime(), operationTimeout, settings.retryMinDelay(), settings.retryMaxDelay(),
				settings.maxAttempts(), settings.clockDriftFactor(), settings.fencing(), settings.fencingRetention(),
				settings.handoverMax(), settings.handoverMaxDuration());
	}

	static List<InMemoryLockNode> nodes(int count) {
		List<InMemoryLockNode> nodes = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			nodes.add(new InMemoryLockNode("node" + i + ":6379", new SystemClock()));
		}
		return nodes;
	}

	@Override
	public void close() {
		this.engine.stop();
		this.timer.close();
		this.callbacks.shutdownNow();
	}

}
