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

package io.quorlock.sample.watch;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class VisitLogTests {

	private final VisitLog log = new VisitLog();

	private final Visit first = this.log.called("shop-1", "shoe", "Ada");

	private final Visit second = this.log.called("shop-2", "shoe", "Bob");

	@Test
	void twoThatBelieveToHoldTheLockAtOnceAreSeen() {
		this.log.entered(this.first, handle(true));
		this.log.entered(this.second, handle(true));
		assertThat(this.log.overlaps()).isEqualTo(1);
		assertThat(this.log.unguardedOverlaps()).isZero();
		assertThat(this.first.isOverlapped()).isTrue();
		assertThat(this.second.isOverlapped()).isTrue();
	}

	@Test
	void visitThatLostTheLockDoesNotOverlapWithTheNext() {
		this.log.entered(this.first, handle(false));
		this.log.entered(this.second, handle(true));
		assertThat(this.log.overlaps()).isZero();
		assertThat(this.first.isOverlapped()).isFalse();
		assertThat(this.first.lostNanos()).isPositive();
	}

	@Test
	void visitThatHasEndedDoesNotOverlapWithTheNext() {
		this.log.entered(this.first, handle(true));
		this.first.leave();
		this.log.entered(this.second, handle(true));
		assertThat(this.log.overlaps()).isZero();
	}

	@Test
	void visitWithoutALockIsCountedApart() {
		this.log.entered(this.first, null);
		this.log.entered(this.second, handle(true));
		assertThat(this.log.overlaps()).isZero();
		assertThat(this.log.unguardedOverlaps()).isEqualTo(1);
	}

	@Test
	void differentArticlesDoNotOverlap() {
		Visit other = this.log.called("shop-2", "hat", "Eve");
		this.log.entered(this.first, handle(true));
		this.log.entered(other, handle(true));
		assertThat(this.log.overlaps()).isZero();
	}

	@Test
	void whatEndedIsReportedOnce() {
		this.log.ended(this.first, Visit.Outcome.SOLD);
		long reported = this.log.endedCount();
		this.log.ended(this.second, Visit.Outcome.SOLD_OUT);
		assertThat(this.log.endedSince(0)).containsExactly(this.first, this.second);
		assertThat(this.log.endedSince(reported)).containsExactly(this.second);
		assertThat(this.log.open()).isEmpty();
	}

	private static LockHandle handle(boolean held) {
		LockHandle handle = mock();
		given(handle.isHeld()).willReturn(held);
		given(handle.fencingToken()).willReturn(1L);
		return handle;
	}

}
