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

package io.quorlock.sample.demo;

import java.time.Duration;
import java.util.List;

import io.quorlock.sample.watch.Visit;
import io.quorlock.sample.watch.VisitLog;

/**
 * How long buyers waited for the lock.
 *
 * @param sorted the waits, shortest first
 */
record Waits(List<Duration> sorted) {

	/** Of visits that ended after a moment, as of {@link System#nanoTime()}. */
	static Waits since(VisitLog log, long nanos) {
		return new Waits(log.ended()
			.stream()
			.filter((visit) -> visit.enteredNanos() != 0 && visit.leftNanos() > nanos)
			.map(Visit::waited)
			.sorted()
			.toList());
	}

	String percentile(int percent) {
		if (this.sorted.isEmpty()) {
			return "-";
		}
		int index = (int) Math.ceil(this.sorted.size() * percent / 100.0) - 1;
		return Report.millis(this.sorted.get(Math.max(0, index)));
	}

	String longest() {
		return percentile(100);
	}

}
