package io.quorlock.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.quorlock.LockLostEvent;
import io.quorlock.engine.event.RequestObservation;
import io.quorlock.store.Grant;

/**
 * Reports what happens to a lease to the listeners and to its holders.
 */
final class LeaseReports {

	private static final Log logger = LogFactory.getLog(LeaseReports.class);

	private final Listeners listeners;

	private final EngineClock clock;

	private final Grant grant;

	LeaseReports(Listeners listeners, EngineClock clock, Grant grant) {
		this.listeners = listeners;
		this.clock = clock;
		this.grant = grant;
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
		left.caller().observed().ended(RequestObservation::onReleased);
		this.listeners.released(left.request(), Duration.ofNanos(heldNanos(left)));
	}

	/**
	 * Report a loss to those of the holders whose end was not reported yet. The loss of
	 * an unused lease is not reported.
	 */
	void lost(Holder longest, Collection<Holder> holders, String reason) {
		List<Holder> losers = holders.stream().filter(Holder::end).toList();
		if (losers.isEmpty()) {
			return;
		}
		logger.warn("Lock '%s' was lost after %d ms: %s. The integrity of what it protects may be compromised"
			.formatted(LogText.escape(String.join(",", this.grant.names())), heldNanos(longest) / 1_000_000, reason));
		for (Holder loser : losers) {
			LockLostEvent event = new LockLostEvent(this.grant.names(), this.grant.owner(),
					Duration.ofNanos(heldNanos(loser)), reason);
			this.listeners.lost(loser.request(), event);
			loser.lost(event);
		}
	}

}
