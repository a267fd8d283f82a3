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

package io.quorlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.store.Claim;
import io.quorlock.store.Grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ZooKeeperGrant}.
 */
class ZooKeeperGrantTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final StoppedTime time = new StoppedTime();

	private final Session session = mock();

	private final ClaimNodes entry = mock();

	private ZooKeeperGrant grant() {
		return grant(false, (reason) -> {
		});
	}

	private ZooKeeperGrant grant(boolean renewed, Grant.Listener listener) {
		ZooKeeperSettings settings = ZooKeeperSettings.builder("localhost:2181", "app").build();
		Sessions sessions = new Sessions(settings, this.time, this.time, (node, operation, outcome, error, nanos) -> {
		});
		given(this.session.isProven(anyInt())).willReturn(true);
		given(this.session.laterWatches()).willReturn(new LaterWatches((delayNanos, task) -> () -> {
		}));
		given(this.entry.session()).willReturn(this.session);
		Claim claim = Claim.builder(List.of("a"))
			.lease(LEASE.toNanos(), renewed)
			.waiting(this.time.nanoTime(), 0)
			.build();
		ZooKeeperGrant grant = new ZooKeeperGrant(new StoreContext(settings, sessions, this.time, this.time), claim,
				this.entry, "app:1:1", null, 0, 1);
		grant.keep(listener);
		return grant;
	}

	@Test
	void leaseThatIsExtendedOverAndOverHasOneTimer() {
		ZooKeeperGrant grant = grant();
		for (int i = 0; i < 100; i++) {
			this.time.advance(LEASE.dividedBy(3));
			assertThat(grant.extend(LEASE, 0)).isCompletedWithValue(true);
		}
		assertThat(this.time.pending()).isEqualTo(1);
		this.time.advance(LEASE.minusNanos(1));
		assertThat(this.time.pending()).isEqualTo(1);
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.time.pending()).isZero();
		assertThat(grant.isValid()).isFalse();
	}

	@Test
	void heartbeatThatProvesNothingIsNoRenewal() {
		List<Boolean> renewals = new ArrayList<>();
		ZooKeeperGrant grant = grant(true, new Grant.Listener() {

			@Override
			public void onLost(String reason) {
			}

			@Override
			public void onRenewed(boolean confirmed) {
				renewals.add(confirmed);
			}

		});
		grant.onHeartbeat(true);
		grant.onHeartbeat(false);
		assertThat(renewals).containsExactly(true, false);
	}

	@Test
	void leaseThatIsShortenedEndsEarlier() {
		ZooKeeperGrant grant = grant();
		assertThat(grant.extend(Duration.ofSeconds(1), 0)).isCompletedWithValue(true);
		assertThat(this.time.isDueIn(Duration.ofSeconds(1))).isTrue();
		assertThat(this.time.pending()).isEqualTo(1);
	}

}
