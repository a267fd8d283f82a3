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

package io.quorlock.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.LockLostEvent;
import io.quorlock.LogText;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.store.Grant;
import io.quorlock.time.LockClock;

/**
 * Reports what happens to leases to the listeners and to their holders.
 */
final class LeaseReports {

	private static final Log logger = LogFactory.getLog(LeaseReports.class);

	private static final int MOST_NAMES = 10;

	private final Listeners listeners;

	private final LockClock clock;

	LeaseReports(Listeners listeners, LockClock clock) {
		this.listeners = listeners;
		this.clock = clock;
	}

	Listeners listeners() {
		return this.listeners;
	}

	long heldNanos(Holder holder) {
		return this.clock.nanoTime() - holder.sinceNanos();
	}

	void renewed(Holder holder, boolean confirmed) {
		this.listeners.renewed(holder.request(), confirmed);
	}

	void released(Holder left) {
		if (!left.end()) {
			return;
		}
		left.observed().ended(RequestObservation::onReleased);
		if (this.listeners.reportReleased()) {
			this.listeners.released(left.request(), Duration.ofNanos(heldNanos(left)));
		}
	}

	/**
	 * Report a loss to those of the holders whose end was not reported yet. The loss of
	 * an unused lease is not reported.
	 */
	void lost(Grant grant, Holder longest, Collection<Holder> holders, String reason) {
		List<Holder> losers = holders.stream().filter(Holder::end).toList();
		if (losers.isEmpty()) {
			return;
		}
		logger.warn("Lock '%s' was lost after %d ms: %s. The integrity of what it protects may be compromised: check it"
			.formatted(LogText.names(grant.names()), heldNanos(longest) / 1_000_000, reason));
		notify(grant, losers, reason);
	}

	/**
	 * Report the end of a lease at the end of the engine, which logs all of them at once.
	 * @return whether there was a holder
	 */
	boolean stopped(Grant grant, Collection<Holder> holders, String reason) {
		List<Holder> losers = holders.stream().filter(Holder::end).toList();
		notify(grant, losers, reason);
		return !losers.isEmpty();
	}

	/** Log which leases ended with the engine. */
	static void logStopped(List<Grant> grants) {
		if (grants.isEmpty()) {
			return;
		}
		String names = grants.stream()
			.limit(MOST_NAMES)
			.map((grant) -> "'" + LogText.names(grant.names()) + "'")
			.collect(Collectors.joining(", "));
		int more = Math.max(0, grants.size() - MOST_NAMES);
		logger
			.warn(("The lock engine of this instance stopped while %d of its locks were held: %s%s. They were released; "
					+ "the integrity of what they protect may be compromised: check it, and let their work end before the stop")
				.formatted(grants.size(), names, (more > 0) ? " and " + more + " more" : ""));
	}

	private void notify(Grant grant, List<Holder> losers, String reason) {
		for (Holder loser : losers) {
			LockLostEvent event = new LockLostEvent(grant.names(), grant.owner(), Duration.ofNanos(heldNanos(loser)),
					reason);
			this.listeners.lost(loser.request(), event);
			loser.lost(event);
		}
	}

}
