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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.Settings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.time.ManualTime;

/**
 * An engine over nodes that reply as they are told, with time that stands still.
 */
final class ScriptedCluster {

	static final LockRequest ORDER = LockRequest.of("order");

	final ManualTime time = new ManualTime();

	final List<ScriptedNode> nodes = new ArrayList<>();

	final LockEngine engine;

	ScriptedCluster(int count, LockListener... listeners) {
		this(count, UnaryOperator.identity(), listeners);
	}

	ScriptedCluster(int count, UnaryOperator<TestSettings> settings, LockListener... listeners) {
		for (int i = 0; i < count; i++) {
			this.nodes.add(new ScriptedNode("node" + i).granting());
		}
		this.engine = TestEngines.create(settings.apply(TestSettings.defaults("app@host:1")), this.nodes, this.time,
				this.time, Runnable::run, List.of(listeners), List.of(), () -> 42);
		this.engine.start();
	}

	/** An engine whose settings go beyond {@link TestSettings}. */
	ScriptedCluster(int count, Consumer<Settings<EngineSettings>> engine, Consumer<Settings<QuorumSettings>> quorum) {
		for (int i = 0; i < count; i++) {
			this.nodes.add(new ScriptedNode("node" + i).granting());
		}
		TestSettings defaults = TestSettings.defaults("app@host:1");
		Settings<EngineSettings> engineSettings = defaults.engineBuilder();
		engine.accept(engineSettings);
		Settings<QuorumSettings> quorumSettings = defaults.quorumBuilder(() -> 42);
		quorum.accept(quorumSettings);
		QuorumStore store = new QuorumStore(quorumSettings.build(), this.nodes, this.time, this.time, List.of());
		this.engine = new LockEngine(engineSettings.build(), store, this.time, this.time, Runnable::run);
		this.engine.start();
	}

	/** Asks without a wait. */
	CompletableFuture<LockHandle> acquire(LockRequest request) {
		return this.engine.acquireAsync(request, Duration.ZERO);
	}

	CompletableFuture<LockHandle> acquire(LockRequest request, Duration waitTime) {
		return this.engine.acquireAsync(request, waitTime);
	}

	/**
	 * These nodes offer "order" to the claim whose ticket came to the first node last.
	 */
	void offer(int... slots) {
		String ticket = this.nodes.get(0).lastTicket();
		for (int slot : slots) {
			this.nodes.get(slot).offer(ticket, "order");
		}
	}

	void silence() {
		this.nodes.forEach(ScriptedNode::silent);
	}

	void grant() {
		this.nodes.forEach(ScriptedNode::granting);
	}

}
