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

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.time.LockClock;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * Takes a plain exclusive lock, and nothing else. {@link CountingLoader} loads it, so
 * that callers see only types of the JDK.
 */
public final class PlainPathWorkload implements Callable<AutoCloseable>, AutoCloseable {

	/** As long as such an id is in a cluster. */
	static final String INSTANCE = "orders-7d9c5b8f6-x2kzp@4711";

	private static final LockRequest REQUEST = LockRequest.of("order:4711");

	private final LockTemplate template;

	private final AutoCloseable engine;

	private PlainPathWorkload(LockTemplate template, AutoCloseable engine) {
		this.template = template;
		this.engine = engine;
	}

	/** Nodes in memory, whose replies the caller gets before its call returns. */
	public static PlainPathWorkload inMemory(int nodes) {
		SystemClock clock = new SystemClock();
		TimerThread timer = new TimerThread("plain-timer");
		LockEngine engine = TestEngines.create(TestSettings.patient(INSTANCE),
				IntStream.range(0, nodes)
					.mapToObj((i) -> new InMemoryLockNode("node-" + i, new ServerClock()))
					.toList(),
				clock, timer, Runnable::run, List.of(), List.of());
		engine.start();
		return new PlainPathWorkload(new DefaultLockTemplate(engine), () -> {
			engine.stop();
			timer.close();
		});
	}

	/** Real servers. */
	public static PlainPathWorkload over(List<String> uris) {
		RealEngine engine = RealEngine.start(RealEngine.settings(INSTANCE), uris);
		return new PlainPathWorkload(engine.template, engine);
	}

	@Override
	public AutoCloseable call() {
		return this.template.acquire(REQUEST);
	}

	@Override
	public void close() throws Exception {
		this.engine.close();
	}

	/** Of servers, so that it is not counted how often they look at it. */
	private static final class ServerClock implements LockClock {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public long wallMicros() {
			return System.currentTimeMillis() * 1_000;
		}

	}

}
