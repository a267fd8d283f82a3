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

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockMode;
import io.quorlock.LockRequest;
import io.quorlock.system.Occupation.Claim;
import io.quorlock.system.Occupation.Hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * That {@link RandomSequencesTests} would notice what it looks for.
 */
class OccupationTests {

	private static final LockRequest REQUEST = LockRequest.of("order");

	private final Occupation occupation = new Occupation("seized");

	private boolean undisturbed = true;

	private Claim claim(Object owner, LockRequest request) {
		return this.occupation.claim(owner, "acquire", "", request, (nanos) -> this.undisturbed);
	}

	private List<Hold> hold(Object owner, LockRequest request, LockHandle handle) {
		return claim(owner, request).granted(handle);
	}

	private LockHandle handle(LockMode mode, int permit, long token) {
		LockHandle handle = mock();
		given(handle.names()).willReturn(List.of("order"));
		given(handle.mode()).willReturn(mode);
		given(handle.permit()).willReturn(permit);
		given(handle.fencingToken(anyString())).willReturn(token);
		given(handle.isHeld()).willReturn(true);
		return handle;
	}

	private LockHandle writer(long token) {
		return handle(LockMode.EXCLUSIVE, 0, token);
	}

	private LockHandle reader(long token) {
		return handle(LockMode.SHARED, 0, token);
	}

	private void assertViolations(String... starts) {
		assertThat(this.occupation.violations()).hasSize(starts.length);
		for (int i = 0; i < starts.length; i++) {
			assertThat(this.occupation.violations().get(i)).startsWith(starts[i]);
		}
	}

	@Test
	void twoHoldersAreFound() {
		hold("a", REQUEST, writer(1));
		hold("b", REQUEST, writer(2));
		assertViolations("Two hold it: token 1 ");
	}

	@Test
	void whoLeftOrIsToldOfALossHoldsNothing() {
		hold("a", REQUEST, writer(1)).forEach(Hold::leave);
		LockHandle lost = writer(2);
		hold("b", REQUEST, lost);
		given(lost.isHeld()).willReturn(false);
		hold("c", REQUEST, writer(3));
		assertViolations();
		assertThat(this.occupation.holds()).hasSize(2);
	}

	@Test
	void readersShareAndExcludeWriters() {
		LockHandle downgraded = writer(1);
		hold("a", REQUEST, downgraded);
		given(downgraded.mode()).willReturn(LockMode.SHARED);
		hold("b", REQUEST.shared(), reader(1));
		assertViolations();
		hold("c", REQUEST, writer(2));
		assertViolations("Two hold it: token 1 ", "Two hold it: token 1 ");
	}

	@Test
	void permitIsHeldOnceAndMustExist() {
		LockRequest request = REQUEST.permits(2);
		hold("a", request, handle(LockMode.EXCLUSIVE, 1, 7));
		hold("b", request, handle(LockMode.EXCLUSIVE, 2, 5));
		assertViolations();
		hold("c", request, handle(LockMode.EXCLUSIVE, 1, 8));
		hold("d", request, handle(LockMode.EXCLUSIVE, 3, 1));
		assertViolations("Two hold it: token 7 ", "There is no permit 3 ");
	}

	@Test
	void onlyItsOwnerReenters() {
		hold("a", REQUEST, writer(1));
		hold("a", REQUEST, writer(1));
		assertViolations();
		hold("a", REQUEST, writer(2)).forEach(Hold::leave);
		assertViolations("Two hold it", "Two hold it");
	}

	@Test
	void tokenOfAnotherHolderIsGreater() {
		hold("a", REQUEST, writer(2)).forEach(Hold::leave);
		hold("b", REQUEST.shared(), reader(2)).forEach(Hold::leave);
		assertViolations();
		hold("c", REQUEST.shared(), reader(1)).forEach(Hold::leave);
		hold("d", REQUEST, writer(2)).forEach(Hold::leave);
		assertViolations("Tokens up to 2 of writers ", "Tokens up to 2 of writers ");
	}

	@Test
	void transactionHoldsWhatItKeeps() {
		LockHandle closed = writer(1);
		hold("a", REQUEST, closed).forEach(Hold::keep);
		given(closed.isHeld()).willReturn(false);
		hold("b", REQUEST, writer(2)).forEach(Hold::leave);
		assertViolations("Two hold it: token 1 kept by a transaction ");
		this.undisturbed = false;
		hold("b", REQUEST, writer(3));
		assertViolations("Two hold it: token 1 kept by a transaction ");
	}

	@Test
	void transactionMayLoseWhatHasAFixedLease() {
		LockHandle closed = writer(1);
		hold("a", REQUEST.leaseTime(Duration.ofSeconds(1)), closed).forEach(Hold::keep);
		given(closed.isHeld()).willReturn(false);
		assertThat(claim("a", REQUEST).mayEnd()).isTrue();
		assertThat(claim("b", REQUEST).mayEnd()).isFalse();
		hold("b", REQUEST, writer(2));
		assertViolations();
	}

	@Test
	void seizedLockMayHaveTwoHolders() {
		LockRequest request = LockRequest.of("seized");
		LockHandle handle = writer(1);
		given(handle.names()).willReturn(request.names());
		hold("a", request, handle);
		hold("b", request, handle);
		assertViolations();
		assertThat(this.occupation.mayEndFor("a")).isTrue();
		assertThat(this.occupation.mayEndFor("c")).isFalse();
	}

	@Test
	void refusalIsJustifiedByAnotherClaimThatLastedUntilThen() throws Exception {
		assertThat(claim("a", REQUEST).isContended()).isFalse();
		Claim other = claim("b", REQUEST);
		Claim refused = claim("a", LockRequest.ofAll("order", "stock"));
		assertThat(refused.isContended()).isTrue();
		other.end(true);
		assertThat(refused.isContended()).isTrue();
	}

	@Test
	void refusalIsNotJustifiedByAClaimThatHasEnded() throws Exception {
		claim("a", REQUEST).end(true);
		Thread.sleep(1);
		Claim refused = claim("b", REQUEST);
		assertThat(refused.isContended()).isFalse();
		refused.end(false);
		Thread.sleep(1);
		assertThat(claim("c", REQUEST).isContended()).as("by what has not settled").isTrue();
	}

	@Test
	void refusalIsNotJustifiedByOtherReadersOrByTooFewPermits() {
		claim("a", REQUEST.shared());
		assertThat(claim("b", REQUEST.shared()).isContended()).isFalse();
		LockRequest permit = LockRequest.of("export").permits(2);
		claim("a", permit);
		assertThat(claim("b", permit).isContended()).isFalse();
		assertThat(claim("c", permit).isContended()).isTrue();
	}

}
