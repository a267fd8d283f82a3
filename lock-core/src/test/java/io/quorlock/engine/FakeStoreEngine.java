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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.Settings;
import io.quorlock.engine.event.LockListener;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.time.ManualTime;

/**
 * An engine over a store that does what a test says, with time that stands still.
 */
final class FakeStoreEngine {

	final FakeLeaseStore store = new FakeLeaseStore();

	final ManualTime time = new ManualTime();

	final LockEngine engine;

	FakeStoreEngine(LockListener... listeners) {
		this(UnaryOperator.identity(), listeners);
	}

	FakeStoreEngine(UnaryOperator<Settings<EngineSettings>> settings, LockListener... listeners) {
		Settings<EngineSettings> builder = settings.apply(TestSettings.defaults("app@host:1").engineBuilder());
		this.engine = new LockEngine(builder.build(), this.store, this.time, this.time, Runnable::run,
				List.of(listeners), List.of());
		this.engine.start();
	}

	/** Asks, and waits for 5 s unless the request says otherwise. */
	CompletableFuture<LockHandle> acquire(LockRequest request) {
		return this.engine.acquireAsync(request, Duration.ofSeconds(5));
	}

	/** Asks, and is granted what it asks for. */
	LockHandle held(LockRequest request) {
		CompletableFuture<LockHandle> lock = acquire(request);
		grant();
		return lock.join();
	}

	/** Grants the claim that was made last. */
	FakeGrant grant() {
		return this.store.contender().grant();
	}

}
