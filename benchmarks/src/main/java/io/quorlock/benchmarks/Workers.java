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

package io.quorlock.benchmarks;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import com.sun.management.OperatingSystemMXBean;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;
import io.quorlock.embedded.EmbeddedRedis;

/**
 * The threads that run the cycles. They are the same in every slice, so that state which
 * a subject keeps per thread (such as connections) remains.
 */
final class Workers implements AutoCloseable {

	private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory
		.getOperatingSystemMXBean();

	private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

	/** For how long the compiler may work in a second that counts as quiet. */
	private static final long QUIET_COMPILER_MILLIS = 50;

	private static final int MAX_WARM_UP_SECONDS = 20;

	private final ExecutorService[] threads;

	Workers(int count) {
		this.threads = new ExecutorService[count];
		for (int i = 0; i < count; i++) {
			this.threads[i] = Executors.newSingleThreadExecutor();
		}
	}

	/**
	 * Let the first {@code count} threads repeat a cycle until the time is over.
	 */
	Slice run(int count, int millis, Cycle cycle) throws InterruptedException {
		LongAdder cycles = new LongAdder();
		LongAdder failures = new LongAdder();
		CountDownLatch start = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(count);
		for (int i = 0; i < count; i++) {
			int thread = i;
			this.threads[i].execute(() -> {
				try {
					start.await();
					long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
					do {
						once(cycle, thread, cycles, failures);
					}
					while (System.nanoTime() < deadline);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				finally {
					end.countDown();
				}
			});
		}
		long cpu = PROCESS.getProcessCpuTime();
		long begin = System.nanoTime();
		start.countDown();
		end.await();
		return new Slice(cycles.sum(), failures.sum(), System.nanoTime() - begin, PROCESS.getProcessCpuTime() - cpu);
	}

	/**
	 * Let the first {@code count} threads repeat a cycle until the compiler has hardly
	 * any work left: for some subjects that takes two seconds, for others twenty.
	 */
	void warmUp(int count, Cycle cycle) throws InterruptedException {
		long compiled = QUIET_COMPILER_MILLIS;
		for (int second = 0; second < MAX_WARM_UP_SECONDS && compiled >= QUIET_COMPILER_MILLIS; second++) {
			long before = COMPILER.getTotalCompilationTime();
			run(count, 1_000, cycle);
			compiled = COMPILER.getTotalCompilationTime() - before;
		}
	}

	/**
	 * Warm up for subjects that are measured at a distance, on nodes that are near: far
	 * ones reply too seldom for the compiler. One instance has a lock again and again,
	 * then two of them in turn.
	 */
	static void warmUp(List<Subject> subjects) throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(5); Workers workers = new Workers(1)) {
			for (Subject subject : subjects) {
				try (LockSubject one = subject.connect(Nodes.ports(redis));
						LockSubject other = subject.connect(Nodes.ports(redis))) {
					workers.warmUp(1, (thread) -> one.lock(subject.id()).unlock());
					workers.warmUp(1, (thread) -> {
						one.lock(subject.id()).unlock();
						other.lock(subject.id()).unlock();
					});
				}
			}
		}
	}

	private static void once(Cycle cycle, int thread, LongAdder cycles, LongAdder failures)
			throws InterruptedException {
		try {
			cycle.run(thread);
			cycles.increment();
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			if (failures.sum() == 0) {
				ex.printStackTrace();
			}
			failures.increment();
			Thread.sleep(1);
		}
	}

	@Override
	public void close() {
		for (ExecutorService thread : this.threads) {
			thread.shutdownNow();
		}
	}

	/**
	 * One cycle of work: lock, unlock.
	 */
	@FunctionalInterface
	interface Cycle {

		void run(int thread) throws Exception;

	}

	/**
	 * The result of a slice of time.
	 *
	 * @param cycles how many cycles succeeded
	 * @param failures how many failed
	 * @param elapsedNanos how long it took
	 * @param cpuNanos CPU time of this whole process meanwhile
	 */
	record Slice(long cycles, long failures, long elapsedNanos, long cpuNanos) {

		/** Each cycle consisted of several. */
		Slice times(int cyclesPerCycle) {
			return new Slice(this.cycles * cyclesPerCycle, this.failures, this.elapsedNanos, this.cpuNanos);
		}

		double perSecond() {
			return this.cycles * 1e9 / this.elapsedNanos;
		}

		double cpuMicrosPerCycle() {
			return this.cpuNanos / 1e3 / Math.max(1, this.cycles);
		}

	}

}
