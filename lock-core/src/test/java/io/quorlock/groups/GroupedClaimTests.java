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

package io.quorlock.groups;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.quorlock.store.ClaimFailure;
import io.quorlock.store.FakeGrant;
import io.quorlock.store.FakeLeaseStore;
import io.quorlock.store.Grant;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R23: a claim of names of two groups, which grant, lose and refuse them when the test
 * says so.
 */
class GroupedClaimTests {

	private static final String IN_A = "order"; // as the test vectors say

	private final Sharding sharding = new Sharding(List.of("a", "b"), Sharding.By.NAME);

	private final FakeLeaseStore a = new FakeLeaseStore();

	private final FakeLeaseStore b = new FakeLeaseStore();

	private final GroupedLeaseStore store = new GroupedLeaseStore(this.sharding, Map.of("a", this.a, "b", this.b),
			() -> 0);

	private TestContender claim(Duration wait) {
		String inB = nameInB();
		return TestContender.of(this.store, TestClaim.of(IN_A, inB).waiting(wait), 0).start();
	}

	private String nameInB() {
		for (int i = 0;; i++) {
			if (this.sharding.groupOf("name" + i).equals("b")) {
				return "name" + i;
			}
		}
	}

	private FakeGrant grantInA() {
		return this.a.contender().grant();
	}

	private FakeGrant grantInB() {
		return this.b.contender().grant();
	}

	@Test
	void leaseEndsWithThePartThatEndsFirst() {
		TestContender claim = claim(Duration.ZERO);
		FakeGrant inA = grantInA();
		FakeGrant inB = grantInB();
		Grant lease = claim.granted();
		inA.validUntil(20);
		inB.validUntil(10);
		assertThat(lease.validUntilNanos()).isEqualTo(10);
		inA.validUntil(5);
		assertThat(lease.validUntilNanos()).isEqualTo(5);
	}

	/** Otherwise it could end before the other group grants its part. */
	@Test
	void partIsKeptAliveWhileTheOtherGroupIsAsked() {
		claim(Duration.ofSeconds(5));
		FakeGrant inA = grantInA();
		assertThat(inA.isKept()).isTrue();
	}

	@Test
	void leaseThatOneGroupLostBeforeTheOtherGrantedIsNotHandedOut() {
		TestContender claim = claim(Duration.ZERO);
		FakeGrant inA = grantInA();
		inA.lose("gone");
		FakeGrant inB = grantInB();
		assertThat(claim.failed().toString()).contains("its lease ended before all of its groups had granted it");
		assertThat(this.b.releases()).extracting(FakeLeaseStore.Released::grant).containsExactly(inB);
	}

	@Test
	void bothGroupsAreAskedAgainIfOneLostItsPartInTime() {
		TestContender claim = claim(Duration.ofSeconds(5));
		grantInA().lose("gone");
		grantInB();
		assertThat(claim.hasEnded()).isFalse();
		grantInA();
		grantInB();
		assertThat(claim.granted().isValid()).isTrue();
	}

	@Test
	void claimThatIsNeverValidInBothGroupsEnds() {
		TestContender claim = claim(Duration.ofSeconds(5));
		for (int i = 0; i < 100 && !claim.hasEnded(); i++) {
			grantInA().lose("gone");
			grantInB();
		}
		assertThat(claim.hasEnded()).isTrue();
		assertThat(claim.failed()).isInstanceOf(ClaimFailure.Unavailable.class);
		assertThat(this.a.contenders()).hasSize(8);
	}

	@Test
	void claimThatIsCancelledBetweenTwoGroupsIsCancelledInTheSecond() {
		TestContender claim = claim(Duration.ofSeconds(5));
		this.b.beforeNextClaim(() -> claim.contender().cancel());
		grantInA();
		assertThat(this.b.contender().isStarted()).isFalse();
		assertThat(this.b.contender().isCancelled()).isTrue();
	}

	/** R26. */
	@Test
	void riskFromBeforeTheOtherGroupGrantedIsTold() {
		TestContender claim = claim(Duration.ofSeconds(5));
		grantInA().risk("no reply");
		assertThat(claim.risks()).isEmpty();
		grantInB();
		assertThat(claim.risks()).singleElement()
			.satisfies((risk) -> assertThat(risk.orElseThrow().reason()).isEqualTo("no reply"));
	}

	@Test
	void waitInBothGroupsIsReportedOnce() {
		TestContender claim = claim(Duration.ofSeconds(5));
		this.a.contender().waits();
		grantInA();
		this.b.contender().waits();
		assertThat(claim.waitingReports()).isOne();
	}

}
