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
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.store.Claim;
import io.quorlock.store.Grant;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ZooKeeperGrant}.
 */
class ZooKeeperGrantTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration PROVEN = Duration.ofSeconds(36);

	private final ManualTime time = new ManualTime();

	private final Session session = mock();

	private final ClaimNodes entry = mock();

	private final List<String> told = new ArrayList<>();

	private final Grant.Listener listener = new Grant.Listener() {

		@Override
		public void onLost(String reason) {
			ZooKeeperGrantTests.this.told.add("lost: " + reason);
		}

		@Override
		public void onRenewed(boolean confirmed) {
			ZooKeeperGrantTests.this.told.add("renewed " + confirmed);
		}

		@Override
		public void onRisk() {
			ZooKeeperGrantTests.this.told.add("risk");
		}

	};

	private ZooKeeperGrant grant() {
		return grant(false, (reason) -> {
		});
	}

	private ZooKeeperGrant grant(boolean renewed, Grant.Listener listener) {
		given(this.session.isProven(anyInt())).willReturn(true);
		given(this.session.events()).willReturn(new SessionEvents((delayNanos, task) -> () -> {
		}));
		given(this.session.timeoutMillis()).willReturn(36_000);
		given(this.entry.session()).willReturn(this.session);
		given(this.entry.remove()).willReturn(CompletableFuture.completedFuture(true));
		Claim claim = new Claim(List.of("a"), LockMode.EXCLUSIVE, 0, false, LEASE.toNanos(), renewed, 1,
				this.time.nanoTime(), 0, Integer.MAX_VALUE, false, false);
		ZooKeeperGrant grant = new ZooKeeperGrant(ZooKeeperStores.context(this.time), claim, this.entry, "app:1:1",
				null, 0, 1);
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
		ZooKeeperGrant grant = grant(true, this.listener);
		grant.onHeartbeat(true);
		grant.onHeartbeat(false);
		assertThat(this.told).containsExactly("renewed true", "renewed false");
	}

	@Test
	void leaseThatIsNotRenewedIsToldOfNoHeartbeatAndOfNoRisk() {
		ZooKeeperGrant fixed = grant(false, this.listener);
		ZooKeeperGrant stopped = grant(true, this.listener);
		given(this.session.provenUntil()).willReturn(this.time.nanoTime() + PROVEN.toNanos());
		given(this.session.risk()).willReturn(1);
		stopped.stopRenewal("held for too long", 0);
		for (ZooKeeperGrant grant : List.of(fixed, stopped)) {
			grant.onHeartbeat(true);
			grant.onRisk();
			assertThat(grant.risk()).isNull();
		}
		assertThat(this.told).isEmpty();
	}

	@Test
	void leaseThatIsNotRenewedAnyMoreEndsBeforeTheProofIfItIsShorter() {
		given(this.session.provenUntil()).willReturn(this.time.nanoTime() + PROVEN.toNanos());
		ZooKeeperGrant grant = grant(true, this.listener);
		grant.stopRenewal("held for too long", 0);
		assertThat(grant.validUntilNanos() - this.time.nanoTime()).isEqualTo(LEASE.toNanos());
		this.time.advance(LEASE.minusNanos(1));
		// Once and for all.
		grant.stopRenewal("held for much too long", 0);
		assertThat(this.told).isEmpty();
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.told).containsExactly("lost: held for too long");
	}

	@Test
	void endOfALeaseThatWasNeverRenewedStays() {
		given(this.session.provenUntil()).willReturn(this.time.nanoTime() + PROVEN.multipliedBy(9).toNanos());
		ZooKeeperGrant grant = grant();
		assertThat(grant.extend(LEASE.multipliedBy(5), 0)).isCompletedWithValue(true);
		grant.stopRenewal("held for too long", 0);
		assertThat(grant.validUntilNanos() - this.time.nanoTime()).isEqualTo(LEASE.multipliedBy(5).toNanos());
	}

	@Test
	void formerHolderDoesNotEndTheRenewalForTheNext() {
		given(this.session.provenUntil()).willReturn(this.time.nanoTime() + PROVEN.toNanos());
		ZooKeeperGrant grant = grant(true, this.listener);
		assertThat(grant.passOn()).isTrue();
		grant.stopRenewal("held for too long", 0);
		assertThat(grant.validUntilNanos() - this.time.nanoTime()).isEqualTo(PROVEN.toNanos());
	}

	/** The next one asked for an exclusive lock, which others have by now as well. */
	@Test
	void leaseThatWasDowngradedIsNotPassedOn() {
		given(this.session.provenUntil()).willReturn(this.time.nanoTime() + PROVEN.toNanos());
		ZooKeeperGrant grant = grant(true, this.listener);
		grant.downgrade(0);
		assertThat(grant.isValid()).isTrue();
		assertThat(grant.passOn()).isFalse();
	}

	@Test
	void leaseThatIsShortenedEndsEarlier() {
		ZooKeeperGrant grant = grant();
		assertThat(grant.extend(Duration.ofSeconds(1), 0)).isCompletedWithValue(true);
		assertThat(this.time.isDueIn(Duration.ofSeconds(1))).isTrue();
		assertThat(this.time.pending()).isEqualTo(1);
	}

	@Test
	void leaseThatIsGrantedWhileItsSessionIsAtRiskKnowsItWithoutBeingTold() {
		given(this.session.risk()).willReturn(1);
		ZooKeeperGrant grant = grant(true, this.listener);
		assertThat(this.told).isEmpty();
		assertThat(grant.risk()).extracting(Grant.Risk::episode).isEqualTo(Grant.Episode.BEFORE_GRANT);
		given(this.session.risk()).willReturn(3);
		grant.onRisk();
		assertThat(this.told).containsExactly("risk");
		assertThat(grant.risk()).extracting(Grant.Risk::episode).isEqualTo(Grant.Episode.OF_STORE);
	}

	@Test
	void heartbeatOfAnotherProofIsNoRenewal() {
		ZooKeeperGrant grant = grant(true, this.listener);
		given(this.session.isProven(anyInt())).willReturn(false);
		grant.onHeartbeat(true);
		assertThat(this.told).containsExactly("lost: the session with ZooKeeper is not proven to be alive",
				"renewed false");
	}

	@Test
	void leaseThatIsReleasedLeavesNothingBehind() {
		ZooKeeperGrant grant = grant();
		assertThat(this.time.pending()).isEqualTo(1);
		assertThat(grant.release(Duration.ZERO)).isCompletedWithValue(true);
		assertThat(this.time.pending()).isZero();
		then(this.session).should().leave(grant);
	}

}
