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
