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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import io.quorlock.benchmarks.subject.CrowdVariant;
import io.quorlock.benchmarks.subject.LockSubject;

/**
 * One instance of a crowd and its thread.
 */
final class CrowdMember {

	private final LockSubject instance;

	private final Shared shared;

	private final GrantLog waits = new GrantLog(1);

	/** When it began to wait, if it waits. */
	private volatile long[] asked = {};

	CrowdMember(LockSubject instance, Shared shared) {
		this.instance = instance;
		this.shared = shared;
	}

	void run() {
		long pause = 0;
		while (!this.shared.ended && !Thread.currentThread().isInterrupted()) {
			try {
				cycle(pause);
				pause = 0;
			}
			catch (Exception ex) {
				this.shared.failed(ex);
				pause = 1;
			}
		}
	}

	private void cycle(long pause) throws Exception {
		Thread.sleep(pause); // after a failure
		long since = System.nanoTime();
		this.asked = new long[] { since };
		LockSubject.Hold hold = this.shared.variant.lock(this.instance, this.shared.name);
		long granted = System.nanoTime();
		this.asked = new long[0];
		try {
			this.shared.work();
		}
		finally {
			hold.unlock();
		}
		this.waits.add(0, since, granted);
		this.shared.grants.increment();
	}

	/** Return when it began to wait, or nothing if it does not wait. */
	long[] askedSince() {
		return this.asked;
	}

	/** Return its waits that ended with a grant. */
	GrantLog waits() {
		return this.waits;
	}

	/**
	 * What the instances have in common.
	 */
	static final class Shared {

		private final CrowdVariant variant;

		private final String name;

		private final int work;

		private final AtomicInteger inside = new AtomicInteger();

		private final LongAdder grants = new LongAdder();

		private final LongAdder overlaps = new LongAdder();

		private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

		private volatile boolean ended;

		private volatile boolean forgetful;

		Shared(CrowdVariant variant, String name, int work) {
			this.variant = variant;
			this.name = name;
			this.work = work;
		}

		private void work() throws InterruptedException {
			if (this.inside.incrementAndGet() > 1) {
				this.overlaps.increment();
			}
			try {
				if (this.work > 0 && !this.ended) {
					TimeUnit.MILLISECONDS.sleep(this.work);
				}
			}
			finally {
				this.inside.decrementAndGet();
			}
		}

		private void failed(Exception ex) {
			if (!this.forgetful) {
				LongAdder count = this.failures.computeIfAbsent(ex.getClass().getSimpleName(),
						(key) -> new LongAdder());
				count.increment();
				if (count.sum() == 1) {
					System.out.println(this.variant.id() + ": " + ex);
				}
			}
		}

		/** The measurement is over: no instance works or asks again. */
		void end() {
			this.ended = true;
		}

		/** Those that wait are interrupted now, which is no failure. */
		void forgetFailures() {
			this.forgetful = true;
		}

		Map<String, Long> failures() {
			return this.failures.entrySet()
				.stream()
				.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().sum()));
		}

		long grants() {
			return this.grants.sum();
		}

		long overlaps() {
			return this.overlaps.sum();
		}

	}

}
