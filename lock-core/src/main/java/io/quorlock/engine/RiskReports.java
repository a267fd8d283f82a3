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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.LockAtRiskEvent;
import io.quorlock.LockHandle;
import io.quorlock.LogText;
import io.quorlock.store.Grant;

/**
 * Reports to the listeners and to the holders of a lease that it is at risk, and that it
 * is safe again (R26). One thread at a time compares what the grant says with what was
 * reported, so that the reports are in order whatever the order of the notifications.
 */
final class RiskReports {

	private static final Log logger = LogFactory.getLog(RiskReports.class);

	private final HeldLease lease;

	private final Queue<Callback> callbacks = new ConcurrentLinkedQueue<>();

	private final AtomicInteger looks = new AtomicInteger();

	/** Known to the thread that looks. */
	private boolean atRisk;

	private boolean logged;

	RiskReports(HeldLease lease) {
		this.lease = lease;
	}

	void add(LockHandle handle, Consumer<LockAtRiskEvent> code) {
		this.callbacks.add(new Callback(handle, code));
		look();
	}

	void forget(LockHandle handle) {
		this.callbacks.removeIf((callback) -> callback.handle == handle);
	}

	/** Report what has changed. */
	void look() {
		if (this.looks.getAndIncrement() != 0) {
			return; // the thread that looks does so again
		}
		int seen = 1;
		do {
			if (this.lease.isHeld()) { // past the end only the loss is reported
				report(this.lease.grant.risk());
			}
			seen = this.looks.addAndGet(-seen);
		}
		while (seen != 0);
	}

	private void report(Grant.@Nullable Risk risk) {
		boolean now = risk != null;
		boolean begun = risk != null && risk.episode() != Grant.Episode.BEFORE_GRANT;
		if (begun != this.atRisk && !this.lease.holders().isEmpty()) {
			this.atRisk = begun;
			LockAtRiskEvent event = event(risk);
			if (risk != null) {
				this.logged = risk.episode() == Grant.Episode.OF_LEASE;
			}
			if (this.logged) {
				log(event);
			}
			this.lease.holders().forEach((holder) -> this.lease.engine.events.atRisk(holder.request, event));
		}
		for (Callback callback : this.callbacks) {
			if (callback.told != now) {
				callback.told = now;
				callback.tell(event(risk));
			}
		}
	}

	private LockAtRiskEvent event(Grant.@Nullable Risk risk) {
		Grant grant = this.lease.grant;
		Duration remaining = this.lease.remaining();
		if (risk == null) {
			return new LockAtRiskEvent(grant.names(), grant.owner(), false, Duration.ZERO, remaining, grant.nodes(),
					"");
		}
		long sent = this.lease.engine.clock.nanoTime() - risk.confirmedNanos();
		return new LockAtRiskEvent(grant.names(), grant.owner(), true, Duration.ofNanos(sent), remaining, risk.nodes(),
				risk.reason());
	}

	private static void log(LockAtRiskEvent event) {
		String name = LogText.escape(event.name());
		if (event.atRisk()) {
			logger.warn(("Lock '%s' is at risk: it is lost in %d ms unless a renewal is confirmed, and none was for %d "
					+ "ms: %s. See the health of the lock nodes")
				.formatted(name, event.remaining().toMillis(), event.unconfirmedFor().toMillis(), event.reason()));
		}
		else {
			logger.info("Lock '%s' is safe again: its renewal was confirmed, %d ms are left".formatted(name,
					event.remaining().toMillis()));
		}
	}

	/** The code of a user, whose events come one after another. */
	private final class Callback {

		private final LockHandle handle;

		private final Consumer<LockAtRiskEvent> code;

		/** Known to the thread that looks. */
		private boolean told;

		private CompletableFuture<@Nullable Void> last = CompletableFuture.completedFuture(null);

		private Callback(LockHandle handle, Consumer<LockAtRiskEvent> code) {
			this.handle = handle;
			this.code = code;
		}

		private void tell(LockAtRiskEvent event) {
			this.last = this.last.thenRunAsync(() -> run(event), RiskReports.this.lease.engine.events::run);
		}

		private void run(LockAtRiskEvent event) {
			if (this.handle.isHeld()) { // neither closed meanwhile, nor lost
				LockEvents.runHere("A callback on the risk of lock '" + LogText.escape(event.name()) + "'",
						() -> this.code.accept(event));
			}
		}

	}

}
