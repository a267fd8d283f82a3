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

import java.util.List;
import java.util.Set;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import io.quorlock.engine.LockInspector;
import io.quorlock.leader.LeaderElection;
import io.quorlock.store.StoreStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockGauges}.
 */
class LeaderGaugesTests {

	@Test
	void eachRoleHasAGaugeThatFollowsItsLeader() {
		LeaderElection election = mock(LeaderElection.class);
		given(election.roles()).willReturn(Set.of("scheduler", "importer"));
		given(election.isLeader("importer")).willReturn(true);
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		LockInspector inspector = mock(LockInspector.class);
		given(inspector.status()).willReturn(new StoreStatus(true, 1, List.of()));
		new LockGauges(inspector, new LockTags(), election).bindTo(registry);
		assertThat(registry.get("distributed.lock.leader").tag("role", "importer").gauge().value()).isOne();
		assertThat(registry.get("distributed.lock.leader").tag("role", "scheduler").gauge().value()).isZero();
		given(election.isLeader("importer")).willReturn(false);
		assertThat(registry.get("distributed.lock.leader").tag("role", "importer").gauge().value()).isZero();
	}

}
