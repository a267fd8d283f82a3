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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.quorlock.Settings;
import io.quorlock.engine.DefaultLockTemplate;
import io.quorlock.engine.LockEngine;
import io.quorlock.memory.InMemoryLeases;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TimerThread;

/**
 * The kinds of locks of two instances that share a map.
 */
class InMemoryLockKindsTests extends LockKindsContract {

	private static final ExecutorService callbacks = Executors.newCachedThreadPool();

	private static final List<LockEngine> engines = new ArrayList<>();

	private static TimerThread timer;

	@BeforeAll
	static void start() {
		timer = new TimerThread("test-timer");
		SystemClock clock = new SystemClock();
		InMemoryLeases leases = new InMemoryLeases(clock, 0);
		for (String instance : List.of("app@host:1", "app@host:2")) {
			LockEngine engine = new LockEngine(Settings.engine(instance).build(), leases.store(instance, true, timer),
					clock, timer, callbacks);
			engine.start();
			engines.add(engine);
		}
	}

	@AfterAll
	static void stop() {
		engines.forEach(LockEngine::stop);
		timer.close();
		callbacks.shutdownNow();
	}

	@Override
	DefaultLockTemplate instance(int number) {
		return new DefaultLockTemplate(engines.get(number));
	}

}
