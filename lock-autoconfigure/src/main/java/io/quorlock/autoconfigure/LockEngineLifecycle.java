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

package io.quorlock.autoconfigure;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

import io.quorlock.engine.EngineSettings;
import io.quorlock.engine.LockEngine;
import io.quorlock.engine.event.LockListener;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.store.LeaseStore;
import io.quorlock.store.StoreObserver;
import io.quorlock.time.LockClock;
import io.quorlock.time.TimerThread;

/**
 * Runs the engine with the application context (R14). The engine's threads belong to this
 * object and are not beans.
 * <p>
 * The engine starts as soon as the bean is created, so that other beans can lock while
 * they are initialized. It stops in a phase below the ones in which the web server drains
 * its requests and stops, and in which executors wait for their running tasks, so that
 * code that uses locks has ended.
 */
final class LockEngineLifecycle implements SmartLifecycle, InitializingBean, DisposableBean {

	/**
	 * Below those of executors, which wait for their running tasks, and of pollers. The
	 * web server is far above them. What the engine may depend on, such as a Redis
	 * connection factory, is in phase 0.
	 */
	static final int PHASE = ExecutorConfigurationSupport.DEFAULT_PHASE - 4096;

	private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final TimerThread timer = new TimerThread("quorlock-timer");

	private final ExecutorService callbacks;

	private final LockEngine engine;

	LockEngineLifecycle(EngineSettings settings, LeaseStoreFactory store, LockClock clock, ExecutorService callbacks,
			List<LockListener> listeners, List<StoreObserver> storeObservers, List<RequestObserver> requestObservers) {
		this.callbacks = callbacks;
		try {
			LeaseStore leases = store.create(clock, this.timer, storeObservers);
			this.engine = new LockEngine(settings, leases, clock, this.timer, callbacks, listeners, requestObservers);
		}
		catch (RuntimeException | Error ex) {
			endThreads(); // what cannot be created is not destroyed
			throw ex;
		}
	}

	LockEngine engine() {
		return this.engine;
	}

	@Override
	public void afterPropertiesSet() {
		try {
			start();
		}
		catch (RuntimeException | Error ex) {
			this.engine.stop(); // some nodes may have been started
			endThreads();
			throw ex;
		}
	}

	@Override
	public void start() {
		if (!this.engine.isRunning()) {
			this.engine.start();
		}
	}

	@Override
	public void stop() {
		if (this.engine.isRunning()) {
			awaitReleases();
			this.engine.stop();
		}
	}

	/**
	 * Beans that stopped before may have interrupted threads without waiting for them, as
	 * Spring Integration's leader initiator does: their locks are about to be released.
	 */
	private void awaitReleases() {
		long start = System.nanoTime();
		while (!this.engine.isIdle() && System.nanoTime() - start < GRACE_NANOS
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(GRACE_NANOS / 100);
		}
	}

	@Override
	public boolean isRunning() {
		return this.engine.isRunning();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void destroy() {
		stop();
		endThreads();
	}

	private void endThreads() {
		this.timer.close();
		this.callbacks.shutdown();
	}

}
