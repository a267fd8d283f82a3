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

package io.quorlock.quorum.membership;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.membership.Membership.RecordAction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Membership} (R10).
 */
class MembershipTests {

	private static final long FOUNDING = Membership.FOUNDING.toNanos();

	private static final long JOINING = Membership.JOINING.toNanos();

	private final Membership group = new Membership(List.of("c:1", "a:1", "b:1"));

	@Test
	void groupIsFoundedOnceAllNodesAreKnownToBeEmpty() {
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(2, false, 2)).isEqualTo(RecordAction.FOUND);
		assertThat(this.group.examine(0, false, 3)).isEqualTo(RecordAction.FOUND);
		assertThat(this.group.examine(1, false, 4)).isEqualTo(RecordAction.FOUND);
	}

	@Test
	void groupIsFoundedByAMajorityIfTheOthersStayAway() {
		this.group.examine(0, false, 0);
		assertThat(this.group.examine(1, false, FOUNDING - 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, FOUNDING)).isEqualTo(RecordAction.FOUND);
	}

	@Test
	void nodeThatWasAwayWhenTheGroupWasFoundedIsANewcomer() {
		this.group.examine(0, false, 0);
		this.group.examine(1, false, FOUNDING);
		assertThat(this.group.examine(2, false, FOUNDING + JOINING - 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(2, false, FOUNDING + JOINING)).isEqualTo(RecordAction.JOIN);
	}

	/** The time is that of the machine, which has run for a while. */
	@Test
	void nodesThatWereNotReadYetAreWaitedForSinceTheFirstWas() {
		long now = 100 * FOUNDING;
		assertThat(this.group.examine(0, false, now)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, now + FOUNDING - 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, now + FOUNDING)).isEqualTo(RecordAction.FOUND);
	}

	/** The others tell again and again that they have a record. */
	@Test
	void newcomerWaitsForAFounderSinceTheFirstRecordWasSeen() {
		assertThat(this.group.examine(0, true, 0)).isEqualTo(RecordAction.NONE);
		assertThat(this.group.examine(0, true, JOINING - 1)).isEqualTo(RecordAction.NONE);
		assertThat(this.group.examine(1, false, JOINING - 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, JOINING)).isEqualTo(RecordAction.JOIN);
	}

	@Test
	void serverThatIsConnectedAgainIsTheOneThatWasRead() {
		for (int node = 0; node < 3; node++) {
			this.group.claim(node, "r" + node);
			this.group.claim(0, "r0");
			assertThat(this.group.examine(node, false, 0))
				.isEqualTo((node < 2) ? RecordAction.WAIT : RecordAction.FOUND);
		}
		this.group.claim(1, "r1");
		assertThat(this.group.examine(1, false, 0)).isEqualTo(RecordAction.FOUND);
	}

	@Test
	void minorityFoundsNothing() {
		assertThat(this.group.examine(0, false, 0)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(0, false, 100 * JOINING)).isEqualTo(RecordAction.WAIT);
	}

	@Test
	void oneRecordMakesAllOthersNewcomers() {
		this.group.examine(0, false, 0);
		this.group.examine(1, false, 0);
		assertThat(this.group.examine(2, true, 0)).isEqualTo(RecordAction.NONE);
		assertThat(this.group.examine(0, false, JOINING - 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(0, false, JOINING)).isEqualTo(RecordAction.JOIN);
	}

	@Test
	void founderIsWaitedForSoThatInstancesThatStartTogetherAgree() {
		Membership other = new Membership(List.of("a:1", "b:1", "c:1"));
		for (int node = 0; node < 3; node++) {
			this.group.examine(node, false, 0);
		}
		assertThat(other.examine(0, true, 1)).isEqualTo(RecordAction.NONE);
		assertThat(other.examine(1, false, 2)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, 3)).isEqualTo(RecordAction.FOUND);
		assertThat(other.examine(1, true, 4)).isEqualTo(RecordAction.NONE);
	}

	@Test
	void serverThatLostItsRecordLaterIsANewcomerAtOnce() {
		for (int node = 0; node < 3; node++) {
			this.group.examine(node, true, 0);
		}
		assertThat(this.group.examine(1, false, 2 * JOINING)).isEqualTo(RecordAction.JOIN);
	}

	@Test
	void founderDoesNotTakeAServerThatWasSwappedForTheOneThatItRead() {
		for (int node = 0; node < 3; node++) {
			this.group.claim(node, "r" + node);
			this.group.examine(node, false, 0);
		}
		this.group.claim(1, "another");
		assertThat(this.group.examine(1, false, JOINING)).isEqualTo(RecordAction.JOIN);
	}

	/** It had one of this founder by then: what it has lost since are leases. */
	@Test
	void founderTakesAServerThatLostItsRecordForANewcomer() {
		for (int node = 0; node < 3; node++) {
			this.group.examine(node, false, 0);
		}
		assertThat(this.group.examine(1, true, 1)).isEqualTo(RecordAction.NONE);
		assertThat(this.group.examine(1, false, JOINING - 1)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(1, false, JOINING)).isEqualTo(RecordAction.JOIN);
	}

	@Test
	void serverThatIsInTheGroupTwiceIsNoticed() {
		assertThat(this.group.claim(0, "r1")).isNull();
		assertThat(this.group.claim(0, "r1")).isNull();
		assertThat(this.group.claim(1, "r1")).isEqualTo("c:1");
		assertThat(this.group.claim(0, "r2")).isNull();
		assertThat(this.group.claim(1, "r1")).isNull();
	}

	@Test
	void nodesThatChangePlacesBothComeBack() {
		this.group.claim(0, "r0");
		this.group.claim(1, "r1");
		assertThat(this.group.claim(0, "r1")).isEqualTo("a:1");
		assertThat(this.group.claim(1, "r0")).isNull();
		assertThat(this.group.claim(0, "r1")).isNull();
	}

	@Test
	void identityIsTheSameInEveryOrder() {
		assertThat(this.group.identity()).isEqualTo("a:1,b:1,c:1");
	}

	@Test
	void votesCountOnceAllNodesWereTried() {
		for (int node = 0; node < 3; node++) {
			this.group.onStart(node);
			this.group.onTried(0);
			assertThat(this.group.isTried()).isFalse();
		}
		this.group.onTried(1);
		this.group.onStop(2);
		assertThat(this.group.isTried()).isTrue();
		this.group.onStop(0);
		this.group.onStop(1);
		this.group.onStart(1);
		assertThat(this.group.isTried()).isFalse();
	}

	@Test
	void groupIsNotFoundedBeforeTheRecordOfAServerThatWasSwappedIsRead() {
		for (int node = 0; node < 3; node++) {
			this.group.claim(node, "r" + node);
		}
		this.group.examine(0, false, 0);
		this.group.examine(1, false, 1);
		this.group.claim(0, "another");
		assertThat(this.group.examine(2, false, 2)).isEqualTo(RecordAction.WAIT);
		assertThat(this.group.examine(0, true, 3)).isEqualTo(RecordAction.NONE);
		assertThat(this.group.examine(2, false, 4)).isEqualTo(RecordAction.WAIT);
	}

	@Test
	void listsUnderOtherNamesHaveInCommonWhatRecordsShow() {
		String renamed = "x:1,y:1,z:1";
		List.of(0, 1).forEach((node) -> this.group.onListed(node, renamed, 100, 0));
		assertThat(this.group.common(renamed)).containsExactlyInAnyOrder("a:1", "c:1");
		assertThat(this.group.isSameServers(renamed)).isFalse();
		this.group.onListed(2, renamed, 100, 0);
		assertThat(this.group.isSameServers(renamed)).isTrue();
		assertThat(this.group.isSameServers("a:1,b:1,c:1,x:1")).isFalse();
	}

	/** The name of the one server of ours that it calls otherwise may be another's. */
	@Test
	void namesDecideOnlyWhileNoRecordContradictsThem() {
		String other = "a:1,b:1,z:1";
		assertThat(this.group.common(other)).containsExactlyInAnyOrder("a:1", "b:1");
		this.group.onListed(1, other, 100, 0);
		assertThat(this.group.common(other)).containsExactlyInAnyOrder("a:1", "b:1");
		this.group.onListed(0, other, 100, 0);
		assertThat(this.group.common(other)).containsExactlyInAnyOrder("a:1", "c:1");
	}

	@Test
	void anotherServerUnderTheSameNameBelongsToNoListBeforeItsRecordSaysSo() {
		this.group.claim(0, "run-1");
		this.group.onListed(0, "x:1", 100, 0);
		this.group.claim(0, "run-1");
		assertThat(this.group.common("x:1")).containsExactly("c:1");
		this.group.claim(0, "run-2");
		assertThat(this.group.common("x:1")).isEmpty();
	}

	@Test
	void serversInCommonAreRememberedWhileAnyNodeRemembersTheList() {
		this.group.onListed(0, "x:1,y:1", 100, 0);
		this.group.onListed(1, "x:1,y:1", 110, 50);
		this.group.onListed(1, "u:1", 200, 105);
		assertThat(this.group.common("x:1,y:1")).containsExactlyInAnyOrder("a:1", "c:1");
		this.group.onListed(1, "u:1", 200, 110);
		assertThat(this.group.common("x:1,y:1")).isEmpty();
	}

	@Test
	void itTakesFiveSecondsToKnowWhetherAListHasTheSameServers() {
		long limit = 5_000_000_000L;
		this.group.onListed(0, "x:1,y:1", 100 * limit, 0);
		assertThat(this.group.isComparing("x:1,y:1", 0)).isFalse();
		assertThat(this.group.isComparing(0)).isFalse();
		this.group.onListed(0, "x:1,y:1,z:1", 100 * limit, 0);
		assertThat(this.group.isComparing("x:1,y:1,z:1", limit - 1)).isTrue();
		assertThat(this.group.isComparing(limit - 1)).isTrue();
		assertThat(this.group.isComparing("x:1,y:1,z:1", limit)).isFalse();
		assertThat(this.group.isComparing(limit)).isFalse();
		this.group.onListed(1, "x:1,y:1,z:1", 100 * limit, 1);
		this.group.onListed(2, "x:1,y:1,z:1", 100 * limit, 1);
		assertThat(this.group.isComparing(1)).isFalse();
	}

}
