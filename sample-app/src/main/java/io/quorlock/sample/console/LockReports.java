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

package io.quorlock.sample.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.stereotype.Component;

import io.quorlock.engine.LockInspector;
import io.quorlock.store.NodeReport;

/**
 * What the nodes reported lately of names. They are asked in the background, for each
 * name at most once at a time.
 */
@Component
class LockReports {

	private static final long PERIOD_NANOS = Duration.ofMillis(300).toNanos();

	private static final Duration KEPT = Duration.ofSeconds(2);

	private final Map<String, Question> questions = new ConcurrentHashMap<>();

	private final LockInspector inspector;

	LockReports(LockInspector inspector) {
		this.inspector = inspector;
	}

	/**
	 * Return the latest reports of a name, and ask again if they are not fresh.
	 * @param name the name
	 * @return the reports, without any if there are none of the last two seconds
	 */
	Reports of(String name) {
		Question question = this.questions.computeIfAbsent(name, (key) -> new Question());
		question.askAgain(name);
		Reports latest = question.latest;
		return (latest.age().compareTo(KEPT) <= 0) ? latest : Reports.NONE;
	}

	/** Forget the reports that no reader waits for any more. */
	void retain(List<String> names) {
		this.questions.keySet().retainAll(names);
	}

	private final class Question {

		private final AtomicBoolean open = new AtomicBoolean();

		private volatile long askedNanos = System.nanoTime() - PERIOD_NANOS;

		private volatile Reports latest = Reports.NONE;

		void askAgain(String name) {
			long now = System.nanoTime();
			if (now - this.askedNanos < PERIOD_NANOS || !this.open.compareAndSet(false, true)) {
				return;
			}
			this.askedNanos = now;
			LockReports.this.inspector.inspect(name).whenComplete((reports, failure) -> {
				if (reports != null) {
					this.latest = new Reports(reports, now);
				}
				this.open.set(false);
			});
		}

	}

	/**
	 * The reports of all nodes.
	 *
	 * @param nodes one for each node
	 * @param askedNanos when they were asked, as of {@link System#nanoTime()}
	 */
	record Reports(List<NodeReport> nodes, long askedNanos) {

		static final Reports NONE = new Reports(List.of(), 0);

		/** The tickets of the node that knows most. */
		List<NodeReport.Waiter> tickets() {
			List<NodeReport.Waiter> max = List.of();
			for (NodeReport report : this.nodes) {
				if (report.voting() && report.waiters().size() > max.size()) {
					max = report.waiters();
				}
			}
			return max;
		}

		Duration age() {
			return this.nodes.isEmpty() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - this.askedNanos);
		}

	}

}
