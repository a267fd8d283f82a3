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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.quorlock.benchmarks.subject.LockSubject;
import io.quorlock.benchmarks.subject.Subject;

/**
 * The times of each lock and unlock of one subject.
 */
final class RoundTrips {

	private final Subject subject;

	private final LockSubject locks;

	private final List<Double> acquireMicros = new ArrayList<>();

	private final List<Double> releaseMicros = new ArrayList<>();

	private final List<Double> cycleMicros = new ArrayList<>();

	private int failures;

	RoundTrips(Subject subject, LockSubject locks) {
		this.subject = subject;
		this.locks = locks;
	}

	void measure(int millis) throws InterruptedException {
		String name = this.subject.id() + ":far";
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		do {
			try {
				cycle(name);
			}
			catch (InterruptedException ex) {
				throw ex;
			}
			catch (Exception ex) {
				if (this.failures++ == 0) {
					ex.printStackTrace();
				}
				Thread.sleep(1);
			}
		}
		while (System.nanoTime() < deadline);
	}

	private void cycle(String name) throws Exception {
		long begin = System.nanoTime();
		LockSubject.Hold hold = this.locks.lock(name);
		long locked = System.nanoTime();
		hold.unlock();
		long unlocked = System.nanoTime();
		this.acquireMicros.add((locked - begin) / 1e3);
		this.releaseMicros.add((unlocked - locked) / 1e3);
		this.cycleMicros.add((unlocked - begin) / 1e3);
	}

	void forget() {
		this.acquireMicros.clear();
		this.releaseMicros.clear();
		this.cycleMicros.clear();
		this.failures = 0;
	}

	List<Measurement> evaluate(ForkTask task, String condition, double roundTripMicros) {
		List<Measurement> measured = new ArrayList<>();
		measured.add(task.measured(this.subject.id(), condition, 0, "failures", this.failures));
		if (!this.acquireMicros.isEmpty()) {
			measured.addAll(evaluate(task, condition, "acquire", this.acquireMicros, roundTripMicros));
			measured.addAll(evaluate(task, condition, "release", this.releaseMicros, roundTripMicros));
			measured.addAll(evaluate(task, condition, "cycle", this.cycleMicros, roundTripMicros));
		}
		return measured;
	}

	private List<Measurement> evaluate(ForkTask task, String condition, String what, List<Double> micros,
			double roundTripMicros) {
		double[] trips = micros.stream().mapToDouble((value) -> value / roundTripMicros).toArray();
		return List.of(
				task.measured(this.subject.id(), condition, 0, what + " p50 rtt", Statistics.quantile(0.5, trips)),
				task.measured(this.subject.id(), condition, 0, what + " p99 rtt", Statistics.quantile(0.99, trips)));
	}

	void close() {
		this.locks.close();
	}

}
