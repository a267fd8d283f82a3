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

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.quorlock.sample.watch.Visit;

/**
 * One visit, as the page shows it. Times are milliseconds since the process started; 0
 * stands for "not yet" or "never".
 *
 * @param id identifies the visit
 * @param lock the lock's name
 * @param instance the instance that requested it
 * @param buyer the buyer
 * @param token the fencing token, as text, since it exceeds the precision of JavaScript
 * numbers
 * @param locked whether a lock protects the visit
 * @param called when the wait began
 * @param entered when it was held
 * @param left when it was held no longer
 * @param lost when it was lost
 * @param renewals when it was renewed
 * @param remaining for how long it is certainly held from now on
 * @param overlapped whether another buyer was inside at the same time
 * @param outcome how it ended, {@code null} before
 */
record VisitView(long id, String lock, String instance, String buyer, String token, boolean locked, double called,
		double entered, double left, double lost, List<Double> renewals, double remaining, boolean overlapped,
		@Nullable String outcome) {

	static VisitView of(Visit visit) {
		Visit.Outcome outcome = visit.outcome();
		return new VisitView(visit.id(), "stock:" + visit.sku(), visit.instance(), visit.buyer(),
				String.valueOf(visit.token()), visit.isLocked(), Ticks.millis(visit.calledNanos()),
				Ticks.millis(visit.enteredNanos()), Ticks.millis(visit.leftNanos()), Ticks.millis(visit.lostNanos()),
				visit.renewals().stream().map(Ticks::millis).toList(), visit.remaining().toNanos() / 1e6,
				visit.isOverlapped(), (outcome != null) ? outcome.name().toLowerCase(Locale.ROOT) : null);
	}

}
