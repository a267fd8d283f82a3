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

package io.quorlock.quorum;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseTerm}.
 */
class LeaseTermTests {

	private static final long LEASE = Duration.ofSeconds(30).toNanos();

	private final Timing timing = new Timing(QuorumSettings.builder("app@host:1").build());

	private final LeaseTerm renewed = new LeaseTerm(this.timing, true, LEASE, 0, LEASE);

	private final LeaseTerm fixed = new LeaseTerm(this.timing, false, LEASE, 0, LEASE);

	@Test
	void leaseThatWasTurnedIntoASharedOnePassesToNoWriter() {
		assertThat(this.renewed.downgrade(0)).isTrue();
		assertThat(this.renewed.passOn(1)).isFalse();
	}

	@Test
	void leaseThatPassedToTheNextWriterIsNotTurnedByTheOneBefore() {
		assertThat(this.renewed.passOn(1)).isTrue();
		assertThat(this.renewed.downgrade(0)).isFalse();
		assertThat(this.renewed.passOn(2)).isTrue();
	}

	@Test
	void onlyALeaseThatIsKeptAliveBeginsAnewWhenItIsTurned() {
		long now = LEASE / 2;
		assertThat(this.renewed.leaseToRenewNanos(now)).isEqualTo(LEASE);
		assertThat(this.fixed.leaseToRenewNanos(now)).isEqualTo(LEASE - now);
	}

	/** It is at risk more than ever. */
	@Test
	void leaseWhoseRenewalIsStoppedIsStillAtRisk() {
		assertThat(this.renewed.takeRisk(LEASE * 2 / 3)).isTrue();
		assertThat(this.renewed.stopRenewal("it was held for too long")).isTrue();
		assertThat(this.renewed.isAtRisk()).isTrue();
	}

}
