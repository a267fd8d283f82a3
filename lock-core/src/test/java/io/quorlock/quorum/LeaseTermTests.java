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
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.Settings;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.TestCommands;
import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseTerm}.
 */
class LeaseTermTests {

	private static final long MILLI = 1_000_000;

	private static final long LEASE = Duration.ofSeconds(30).toNanos();

	private static final Renewal.Listener NOBODY = new Renewal.Listener() {
		@Override
		public void onReplied(int slot) {
		}

		@Override
		public boolean onConfirmed(Renewal renewal, long confirmedBy) {
			return false;
		}

		@Override
		public void onAlsoConfirmed(int slot) {
		}

		@Override
		public void onRefused(Renewal renewal) {
		}

		@Override
		public void onFailed(Renewal renewal, String reason) {
		}
	};

	private final Timing timing = new Timing(Settings.quorum("app@host:1").build());

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

	@Test
	void renewalForALaterHolderGoesOn() {
		assertThat(this.renewed.passOn(1)).isTrue();
		assertThat(this.renewed.stopRenewal("it was held for too long", 0)).isFalse();
		assertThat(this.renewed.lossReason()).isEmpty();
		assertThat(this.renewed.takeRenewal(LEASE / 2)).isTrue();
	}

	/** It is at risk more than ever. */
	@Test
	void leaseWhoseRenewalIsStoppedIsStillAtRisk() {
		assertThat(isAtRisk(LEASE * 2 / 3)).isTrue();
		assertThat(this.renewed.stopRenewal("it was held for too long", 0)).isTrue();
		assertThat(this.renewed.isAtRisk()).isTrue();
	}

	/** After each pause of the process the replies that have arrived are read first. */
	@Test
	void riskIsPutOffOncePerRenewalThatWasConfirmed() {
		long late = LEASE * 2 / 3 + MILLI * 6;
		assertThat(isAtRisk(late)).isFalse();
		assertThat(this.renewed.nextLookNanos()).isLessThan(late);
		this.renewed.takeRenewal(late);
		assertThat(this.renewed.nextLookNanos()).isEqualTo(late + 50 * MILLI);
		assertThat(isAtRisk(late + 49 * MILLI)).isFalse();
		assertThat(isAtRisk(late + 60 * MILLI)).isTrue();
		assertThat(this.renewed.confirm(renewal(late, 0, LEASE), late + 70 * MILLI)).isTrue();
		assertThat(this.renewed.isAtRisk()).isFalse();
		long again = late + late;
		assertThat(isAtRisk(again)).isFalse();
		this.renewed.takeRenewal(again);
		assertThat(isAtRisk(again + 49 * MILLI)).isFalse();
		assertThat(isAtRisk(again + 60 * MILLI)).isTrue();
	}

	/** It waited for the process, as its replies will have to be read. */
	@Test
	void everyRenewalThatIsSentLatePutsTheRiskOff() {
		for (long sent = LEASE / 3; sent < LEASE; sent += LEASE / 3) {
			this.renewed.takeRenewal(sent);
			this.renewed.confirm(renewal(sent, 0, LEASE), sent);
		}
		long sent = LEASE * 2 / 3;
		long risk = this.renewed.validUntilNanos() - (this.renewed.validUntilNanos() - sent) / 3;
		assertThat(this.renewed.takeRenewal(risk - 10 * MILLI)).isTrue();
		assertThat(isAtRisk(risk + MILLI)).isFalse();
		assertThat(isAtRisk(risk + 40 * MILLI)).isTrue();
	}

	/** The first one was sent in time, and its replies had time enough. */
	@Test
	void retryPutsTheRiskOffNoMore() {
		long risk = LEASE * 2 / 3;
		assertThat(this.renewed.takeRenewal(LEASE / 3)).isTrue();
		assertThat(this.renewed.takeRenewal(risk - 10 * MILLI)).isTrue();
		assertThat(isAtRisk(risk + MILLI)).isTrue();
	}

	@Test
	void leaseThatNothingRenewsIsNotAtRisk() {
		this.fixed.takeRisk(LEASE * 2 / 3);
		assertThat(this.fixed.isAtRisk()).isFalse();
	}

	@Test
	void leaseWhoseTimeIsOverIsNotAtRiskAnyMore() {
		assertThat(isAtRisk(LEASE)).isFalse();
		assertThat(isAtRisk(LEASE + MILLI)).isFalse();
	}

	/** Little is left, and a quarter of it has to do for the replies. */
	@Test
	void riskIsReportedBeforeTheLeaseEndsHoweverLateThatIs() {
		long late = LEASE - 40 * MILLI;
		assertThat(isAtRisk(late)).isFalse();
		assertThat(isAtRisk(late + 9 * MILLI)).isFalse();
		assertThat(isAtRisk(late + 10 * MILLI)).isTrue();
	}

	@Test
	void retryOfAShortLeaseComesWithinAThirdOfIt() {
		LeaseTerm brief = new LeaseTerm(this.timing, true, 90 * MILLI, 0, 90 * MILLI);
		assertThat(brief.takeRenewal(30 * MILLI)).isTrue();
		assertThat(brief.takeRenewal(59 * MILLI)).isFalse();
		assertThat(brief.takeRenewal(60 * MILLI)).isTrue();
	}

	@Test
	void retryOfALongLeaseComesBehindTheTimeoutOfTheRenewal() {
		assertThat(this.renewed.takeRenewal(LEASE / 3)).isTrue();
		assertThat(this.renewed.takeRenewal(LEASE / 3 + 149 * MILLI)).isFalse();
		assertThat(this.renewed.takeRenewal(LEASE / 3 + 200 * MILLI)).isTrue();
	}

	@Test
	void shorterLeaseIsRenewedAtAThirdOfItsTime() {
		long lease = LEASE / 10;
		assertThat(this.renewed.change(lease, 0)).isTrue();
		assertThat(this.renewed.validUntilNanos()).isEqualTo(lease - this.timing.driftMarginNanos(lease));
		assertThat(this.renewed.epoch()).isOne();
		assertThat(this.renewed.takeRenewal(lease / 3)).isTrue();
	}

	/**
	 * Its keys are written first, so that the validity is raised by their confirmation.
	 */
	@Test
	void longerLeaseChangesNothingYet() {
		assertThat(this.renewed.change(2 * LEASE, 0)).isFalse();
		assertThat(this.renewed.validUntilNanos()).isEqualTo(LEASE);
		assertThat(this.renewed.epoch()).isZero();
	}

	@Test
	void confirmationCountsForTheLeaseThatIsHeldAlone() {
		assertThat(this.renewed.confirm(renewal(0, 1, LEASE), 1)).isFalse();
		assertThat(this.renewed.confirm(renewal(0, 0, 2 * LEASE), LEASE)).isFalse();
		this.renewed.release();
		assertThat(this.renewed.confirm(renewal(0, 0, 2 * LEASE), 1)).isFalse();
		assertThat(this.renewed.validUntilNanos()).isEqualTo(LEASE);
	}

	@Test
	void leaseThatIsOverBelongsToNobodyAndIsNotRenewed() {
		this.renewed.release();
		assertThat(this.renewed.belongsTo(0)).isFalse();
		assertThat(this.renewed.takeRenewal(LEASE / 2)).isFalse();
		assertThat(isAtRisk(LEASE * 2 / 3)).isFalse();
		assertThat(this.renewed.passOn(1)).isFalse();
		assertThat(this.renewed.fail(renewal(0, 0, LEASE), "no quorum")).isFalse();
		assertThat(this.renewed.stopRenewal("it was held for too long", 0)).isFalse();
		assertThat(this.renewed.cutShort("another holds it", 1)).isFalse();
		assertThat(this.renewed.lossReason()).isEmpty();
		assertThat(this.renewed.isLost()).isFalse();
		assertThat(this.renewed.validUntilNanos()).isEqualTo(LEASE);
	}

	@Test
	void leaseThatAnotherOwnerHasEndsAtOnceForThatReason() {
		assertThat(this.fixed.cutShort("another holds it", 1)).isTrue();
		assertThat(this.fixed.isExpired(1)).isTrue();
		assertThat(this.fixed.lossReason()).isEqualTo("another holds it");
		assertThat(this.fixed.cutShort("and another", 2)).isFalse();
		this.fixed.expire(LEASE);
		assertThat(this.fixed.isLost()).isTrue();
		assertThat(this.fixed.lossReason()).isEqualTo("another holds it");
	}

	/** The confirmation is that of an extension: the renewal stays stopped. */
	@Test
	void confirmationDoesNotHideWhyTheRenewalWasStopped() {
		this.renewed.stopRenewal("it was held for too long", 0);
		assertThat(this.renewed.confirm(renewal(0, 0, LEASE), 1)).isTrue();
		assertThat(this.renewed.fail(renewal(0, 0, LEASE), "no quorum")).isFalse();
		assertThat(this.renewed.takeRenewal(LEASE / 2)).isFalse();
		assertThat(this.renewed.lossReason()).isEqualTo("it was held for too long");
		assertThat(this.renewed.nextLookNanos()).isEqualTo(this.renewed.validUntilNanos());
	}

	@Test
	void reasonOfALossSaysWhetherTheLeaseWasToBeRenewed() {
		assertThat(this.renewed.expire(LEASE - 1)).isFalse();
		this.renewed.expire(LEASE);
		assertThat(this.renewed.lossReason()).startsWith("its validity ended without a renewal");
		this.fixed.expire(LEASE);
		assertThat(this.fixed.lossReason()).startsWith("its lease time of 30000 ms ended");
	}

	@Test
	void leaseThatOneHolderExtendedOrCouldNotRenewIsNotThatOfTheNext() {
		assertThat(this.renewed.passOn(1)).isTrue();
		assertThat(this.renewed.belongsTo(0)).isFalse();
		assertThat(this.renewed.belongsTo(1)).isTrue();
		this.renewed.change(LEASE + LEASE / 2, 1);
		assertThat(this.renewed.passOn(1)).isFalse();
		this.fixed.lose("no quorum");
		assertThat(this.fixed.passOn(1)).isFalse();
	}

	private boolean isAtRisk(long now) {
		this.renewed.takeRisk(now);
		return this.renewed.isAtRisk();
	}

	private Renewal renewal(long sentNanos, int epoch, long leaseNanos) {
		SystemClock clock = new SystemClock();
		Voters voters = new Voters(List.of(new InMemoryLockNode("node", clock)));
		NodeCommand.Renew command = (NodeCommand.Renew) TestCommands.renew(List.of("order"),
				new Attempt("app@host:1:ab:1"), leaseNanos / MILLI, false, null, 0);
		return new Renewal(voters, new Messenger(voters, clock, List.of()), command, sentNanos, epoch, leaseNanos,
				NOBODY);
	}

}
