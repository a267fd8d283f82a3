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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.TestEngines;
import io.quorlock.engine.TestSettings;
import io.quorlock.memory.InMemoryLockNode;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * The kinds of locks in memory, where there is but one instance.
 */
class InMemoryLockKindsTests extends LockKindsContract {

	private static final ExecutorService callbacks = Executors.newCachedThreadPool();

	private static TimerThread timer;

	private static LockEngine engine;

	@BeforeAll
	static void start() {
		timer = new TimerThread("test-timer");
		engine = TestEngines.create(TestSettings.patient("app@host:1"),
				List.of(new InMemoryLockNode("memory", new SystemClock())), new SystemClock(), timer, callbacks,
				List.of(), List.of());
		engine.start();
	}

	@AfterAll
	static void stop() {
		engine.stop();
		timer.close();
		callbacks.shutdownNow();
	}

	@Override
	DefaultLockTemplate instance(int number) {
		return new DefaultLockTemplate(engine);
	}

}
