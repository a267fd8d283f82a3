package io.quorlock.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.quorlock.leader.LeaderElection;

/**
 * A gauge for each role: 1 on the instance that leads it, 0 on all others.
 *
 * @since 0.1.0
 */
public final class LeaderGauges implements MeterBinder {

	private final LeaderElection election;

	/**
	 * Create the gauges.
	 * @param election knows the roles and their leaders
	 */
	public LeaderGauges(LeaderElection election) {
		this.election = election;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String role : this.election.roles()) {
			Gauge.builder("distributed.lock.leader", this.election, (election) -> election.isLeader(role) ? 1 : 0)
				.description("1 if this instance leads the role")
				.tag("role", role)
				.register(registry);
		}
	}

}
