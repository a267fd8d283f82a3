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

package io.quorlock.system;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.system.ChaosHistory.Outcome;
import io.quorlock.system.ChaosHistory.Phase;
import io.quorlock.system.ChaosHistory.Visit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That a chaos run would notice what it looks for.
 */
class ChaosHistoryTests {

	@Test
	void holdersOneAfterAnotherDoNotOverlap() {
		ChaosHistory history = history(hold(1, 10, 100, 200), hold(1, 11, 201, 300), hold(2, 5, 150, 250));
		assertThat(history.overlaps()).isEmpty();
		assertThat(history.tokensThatDoNotIncrease()).isEmpty();
	}

	@Test
	void twoHoldersAtOneInstantOverlap() {
		assertThat(history(hold(1, 11, 200, 300), hold(1, 10, 100, 200)).overlaps()).hasSize(1);
	}

	@Test
	void longHoldIsComparedWithAllThatFallIntoIt() {
		assertThat(history(hold(1, 10, 100, 900), hold(1, 11, 200, 300), hold(1, 12, 400, 500)).overlaps()).hasSize(2);
	}

	@Test
	void handleThatNeverSaidHeldOverlapsNone() {
		assertThat(history(hold(1, 10, 100, 200), hold(1, 9, 150, 149)).overlaps()).isEmpty();
	}

	@Test
	void sameOrSmallerTokenOfALaterHolderIsFound() {
		assertThat(history(hold(1, 10, 100, 200), hold(1, 10, 300, 400)).tokensThatDoNotIncrease()).hasSize(1);
		assertThat(history(hold(1, 10, 300, 400), hold(1, 11, 100, 200)).tokensThatDoNotIncrease()).hasSize(1);
	}

	@Test
	void readersOverlapWritersOnly() {
		Visit reader = visit(Outcome.READER, 1, 0, 10, 100, 300);
		Visit other = visit(Outcome.READER, 1, 0, 10, 200, 400);
		assertThat(history(reader, other).overlaps()).isEmpty();
		assertThat(history(reader, other).tokensThatDoNotIncrease()).isEmpty();
		assertThat(history(reader, other, hold(1, 11, 350, 500)).overlaps()).hasSize(1);
		assertThat(history(hold(1, 10, 50, 150), reader, other).overlaps()).hasSize(1);
		assertThat(history(hold(1, 10, 50, 150), visit(Outcome.DOWNGRADED, 1, 0, 10, 150, 160)).overlaps()).hasSize(1);
	}

	@Test
	void readersTokenIsNotLessThanThatOfTheWriterBeforeAndLessThanThatOfTheNext() {
		Visit writer = hold(1, 10, 100, 200);
		assertThat(history(writer, visit(Outcome.DOWNGRADED, 1, 0, 10, 201, 300)).tokensThatDoNotIncrease()).isEmpty();
		assertThat(history(writer, visit(Outcome.READER, 1, 0, 9, 201, 300)).tokensThatDoNotIncrease()).hasSize(1);
		Visit reader = visit(Outcome.READER, 1, 0, 12, 201, 300);
		assertThat(history(writer, reader, hold(1, 12, 301, 400)).tokensThatDoNotIncrease()).hasSize(1);
		assertThat(history(writer, reader, visit(Outcome.READER, 1, 0, 11, 250, 400)).tokensThatDoNotIncrease())
			.isEmpty();
	}

	@Test
	void permitsOfOneNumberExcludeEachOther() {
		Visit first = visit(Outcome.PERMIT, 1, 1, 10, 100, 200);
		Visit second = visit(Outcome.PERMIT, 1, 2, 5, 150, 250);
		assertThat(history(first, second).overlaps()).isEmpty();
		assertThat(history(first, second).tokensThatDoNotIncrease()).isEmpty();
		assertThat(history(first, second).maxPermits()).isEqualTo(2);
		assertThat(history(first, second, visit(Outcome.PERMIT, 1, 1, 11, 180, 300)).overlaps()).hasSize(1);
		assertThat(history(first, second, visit(Outcome.PERMIT, 1, 3, 11, 180, 300)).maxPermits()).isEqualTo(3);
		assertThat(history(first, second, visit(Outcome.PERMIT, 2, 1, 11, 180, 300)).maxPermits()).isEqualTo(2);
	}

	@Test
	void onlyRequestsThatBeganAndEndedInAPhaseAreOfIt() {
		ChaosHistory history = history(hold(1, 1, 99, 110), hold(1, 2, 101, 110), hold(1, 3, 201, 210))
			.during(List.of(new Phase("calm", 99, 200)));
		assertThat(history.visits()).extracting(Visit::token).containsExactly(2L);
	}

	@Test
	void resourceAcceptsATokenAgainAndRefusesSmallerOnes() {
		FencedResource resource = new FencedResource();
		assertThat(resource.write(1, 10, 100)).isTrue();
		assertThat(resource.write(1, 10, 100)).isTrue();
		assertThat(resource.write(1, 11, 200)).isTrue();
		assertThat(resource.write(1, 10, 100)).isFalse();
		assertThat(resource.write(2, 3, 100)).isTrue();
		assertThat(resource.accepted()).isEqualTo(4);
		assertThat(resource.refused()).isEqualTo(1);
		assertThat(resource.staleAccepted()).isZero();
	}

	@Test
	void resourceNoticesALateHolderWithAGreaterToken() {
		FencedResource resource = new FencedResource();
		resource.write(1, 10, 200);
		assertThat(resource.write(1, 11, 100)).isTrue();
		assertThat(resource.staleAccepted()).isEqualTo(1);
	}

	private static ChaosHistory history(Visit... visits) {
		return new ChaosHistory(List.of(visits));
	}

	private static Visit hold(int name, long token, long granted, long heldUntil) {
		return visit(Outcome.WRITER, name, 0, token, granted, heldUntil);
	}

	private static Visit visit(Outcome outcome, int name, int permit, long token, long granted, long heldUntil) {
		return new Visit(outcome, name, permit, token, granted - 1, granted, heldUntil);
	}

}
