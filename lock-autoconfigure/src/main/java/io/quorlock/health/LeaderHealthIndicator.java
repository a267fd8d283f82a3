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

package io.quorlock.health;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import io.quorlock.leader.LeaderElection;

/**
 * Shows for each role whether this instance leads it, and which instance does. Always UP:
 * whether leaders can be elected at all is the health of the locks.
 *
 * @since 0.1.0
 * @see LockHealthIndicator
 */
public class LeaderHealthIndicator extends AbstractHealthIndicator {

	private final LeaderElection election;

	/**
	 * Create a new indicator.
	 * @param election knows the leaders
	 */
	public LeaderHealthIndicator(LeaderElection election) {
		super("Leader election health check failed");
		this.election = election;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		this.election.roles().stream().sorted().forEach((role) -> builder.withDetail(role, describe(role)));
	}

	private Map<String, Object> describe(String role) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("leader", this.election.isLeader(role));
		this.election.currentLeader(role).ifPresent((instance) -> details.put("currentLeader", instance));
		return details;
	}

}
