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

package io.quorlock.lockorder;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.InstanceMessage;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.OtherList;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lock order of docs/architecture.md: which locks a thread holds together, and that
 * it holds none while a store, a node or a listener is called.
 */
@Tag("long")
@Timeout(180)
class LockOrderTests {

	private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.quorlock");

	private final TrackingLoader loader = new TrackingLoader();

	private final Level level = LOGGER.getEffectiveLevel();

	@BeforeEach
	void begin() {
		TrackedLock.forget();
		LOGGER.setLevel(Level.OFF);
	}

	@AfterEach
	void restoreLevel() {
		LOGGER.setLevel(this.level);
	}

	@Test
	void engineAndQuorumKeepTheLockOrder() throws Exception {
		runSimulation(150);
		for (String tests : List.of("R04WaitingTests", "R06RenewalTests", "R12SeveralNamesTests", "R13LocalQueueTests",
				"R14ShutDownTests", "R17HandOverTests", "R18CoolDownTests", "R19HandOverTests", "R24RetainedLeaseTests",
				"R24ReleaseRequestTests", "LockEngineTests", "LockInspectorTests")) {
			runTests("io.quorlock.engine." + tests);
		}
		assertThat(TrackedLock.violations()).isEmpty();
		assertThat(TrackedLock.order()).containsExactly("NameLocks > NameLocks");
	}

	private void runSimulation(long schedules) throws Exception {
		Method hunt = this.loader.loadClass("io.quorlock.simulation.Campaign")
			.getDeclaredMethod("hunt", long.class, long.class, long.class);
		hunt.setAccessible(true);
		String[] result = (String[]) hunt.invoke(null, 1L, schedules, TimeUnit.MINUTES.toNanos(2));
		assertThat(result).startsWith("", String.valueOf(schedules));
	}

	private void runTests(String type) throws Exception {
		Class<?> tests = this.loader.loadClass(type);
		Constructor<?> constructor = tests.getDeclaredConstructor();
		constructor.setAccessible(true);
		for (Method test : methods(tests, Test.class)) {
			// Reads what was logged, which is nothing here.
			if (test.getParameterCount() > 0) {
				continue;
			}
			Object instance = constructor.newInstance();
			test.invoke(instance);
			for (Method after : methods(tests, AfterEach.class)) {
				after.invoke(instance);
			}
		}
	}

	private static List<Method> methods(Class<?> type, Class<? extends Annotation> annotation) {
		List<Method> methods = Stream.of(type.getDeclaredMethods())
			.filter((method) -> method.isAnnotationPresent(annotation))
			.toList();
		methods.forEach((method) -> method.setAccessible(true));
		return methods;
	}

	@Test
	void violationsAreNoticed() throws Exception {
		Constructor<?> careless = this.loader.loadClass(Careless.class.getName()).getDeclaredConstructor();
		careless.setAccessible(true);
		((Runnable) careless.newInstance()).run();
		assertThat(TrackedLock.violations()).containsExactly(
				"LockOrderTests$Careless.onListening is called under the lock of LockOrderTests$Careless",
				"two locks of LockOrderTests$Careless are taken in both orders");
	}

	/** Calls itself under a lock, and takes two locks in both orders. */
	static final class Careless implements NodeListener, Runnable {

		private final LockNode node = new InMemoryLockNode("node", new SystemClock());

		private final ReentrantLock first = new ReentrantLock();

		private final ReentrantLock second = new ReentrantLock();

		@Override
		public void run() {
			lock(this.first, this.second);
			lock(this.second, this.first);
			onListening(this.node);
		}

		private void lock(ReentrantLock outer, ReentrantLock inner) {
			outer.lock();
			inner.lock();
			onListening(this.node);
			inner.unlock();
			outer.unlock();
		}

		@Override
		public void onConnected(LockNode node) {
		}

		@Override
		public void onLists(LockNode node, List<OtherList> lists) {
		}

		@Override
		public void onMessage(LockNode node, InstanceMessage message) {
		}

		@Override
		public void onListening(LockNode node) {
		}

	}

}
