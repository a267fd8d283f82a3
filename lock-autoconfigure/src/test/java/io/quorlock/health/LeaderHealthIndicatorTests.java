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

import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.leader.LeaderElection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeaderHealthIndicator}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderHealthIndicatorTests {

	private final LeaderElection election = mock(LeaderElection.class);

	private final LeaderHealthIndicator indicator = new LeaderHealthIndicator(this.election);

	@Test
	void isUpWhoeverLeadsAndListsTheRolesByName() {
		given(this.election.roles()).willReturn(Set.of("scheduler", "importer", "reporter"));
		given(this.election.isLeader("importer")).willReturn(true);
		given(this.election.currentLeader("importer")).willReturn(Optional.of("shop@a:1"));
		given(this.election.currentLeader("reporter")).willReturn(Optional.of("shop@b:1"));
		given(this.election.currentLeader("scheduler")).willReturn(Optional.empty());
		Health health = this.indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).hasToString("{importer={leader=true, currentLeader=shop@a:1}, "
				+ "reporter={leader=false, currentLeader=shop@b:1}, scheduler={leader=false}}");
	}

	@Test
	void checkThatFailsIsDownAndSaysWhatWasChecked(CapturedOutput output) {
		given(this.election.roles()).willThrow(new IllegalStateException("test"));
		assertThat(this.indicator.health().getStatus()).isEqualTo(Status.DOWN);
		assertThat(output).contains("Leader election health check failed");
	}

}
