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
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * An engine over nodes in memory that can be observed, for the tests of observers. It is
 * started by {@link #start()}.
 */
public final class ObservedEngine implements AutoCloseable {

	private static final AtomicInteger instances = new AtomicInteger();

	public final List<SwitchableNode> nodes = new ArrayList<>();

	public final List<LockListener> listeners = new ArrayList<>();

	public final List<StoreObserver> nodeObservers = new ArrayList<>();

	public final List<RequestObserver> requestObservers = new ArrayList<>();

	private final TimerThread timer = new TimerThread("observed-timer");

	private final ExecutorService callbacks = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "observed-callback");
		thread.setDaemon(true);
		return thread;
	});

	private final Duration lease;

	private @Nullable LockEngine engine;

	public ObservedEngine(int nodes) {
		this(nodes, Duration.ofSeconds(30));
	}

	public ObservedEngine(int nodes, Duration lease) {
		this.lease = lease;
		for (int i = 0; i < nodes; i++) {
			this.nodes.add(new SwitchableNode(new InMemoryLockNode("node" + i + ":6379", new SystemClock())));
		}
	}

	public ObservedEngine start() {
		LockEngine engine = TestEngines.create(settings(), this.nodes, new SystemClock(), this.timer, this.callbacks,
				this.listeners, this.nodeObservers, this.requestObservers);
		engine.start();
		this.engine = engine;
		return this;
	}

	/** Another instance over the same nodes, unobserved; stop it yourself. */
	public LockEngine startNeighbour() {
		LockEngine neighbour = TestEngines.create(settings(), this.nodes, new SystemClock(), this.timer, this.callbacks,
				List.of(), List.of());
		neighbour.start();
		return neighbour;
	}

	private TestSettings settings() {
		String instanceId = "app@host:" + instances.incrementAndGet();
		TestSettings settings = TestSettings.patient(instanceId);
		Duration tenth = this.lease.dividedBy(10);
		Duration timeout = (tenth.compareTo(settings.operationTimeout()) < 0) ? tenth : settings.operationTimeout();
		return new TestSettings(settings.instanceId(), settings.waitTime(), this.lease, settings.maxLeaseTime(),
				settings.maxHoldTime(), timeout, settings.retryMinDelay(), settings.retryMaxDelay(),
				settings.maxAttempts(), settings.clockDriftFactor(), settings.fencing(), settings.fencingRetention(),
				settings.handoverMax(), settings.handoverMaxDuration());
	}

	public LockEngine engine() {
		return Objects.requireNonNull(this.engine);
	}

	public DefaultLockTemplate template() {
		return new DefaultLockTemplate(engine());
	}

	public LockInspector inspector() {
		return new LockInspector(engine());
	}

	@Override
	public void close() {
		engine().stop();
		this.timer.close();
		this.callbacks.shutdownNow();
	}

}
