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

package io.quorlock.store;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.LockMode;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Claim}.
 */
class ClaimTests {

	private static Claim.Builder builder(List<String> names) {
		return Claim.builder(names)
			.kind(LockMode.SHARED, 2, true)
			.lease(3, false)
			.retained(true)
			.tokens(4)
			.waiting(5, 6)
			.attempts(7, true);
	}

	@Test
	void claimForSomeOfItsNamesIsTheSameOtherwise() {
		Claim claim = builder(List.of("a", "b")).build();
		assertThat(claim.only(List.of("b"))).isEqualTo(builder(List.of("b")).build());
		assertThat(claim)
			.isEqualTo(new Claim(List.of("a", "b"), LockMode.SHARED, 2, true, 3, false, 4, 5, 6, 7, true, true));
	}

	@Test
	void waitCountsFromTheRequestOn() {
		Claim claim = builder(List.of("a")).build();
		assertThat(claim.remainingNanos(5)).isEqualTo(6);
		assertThat(claim.remainingNanos(12)).isEqualTo(-1);
		assertThat(claim.isImmediate()).isFalse();
		assertThat(Claim.builder(List.of("a")).waiting(5, 0).build().isImmediate()).isTrue();
	}

	@Test
	void claimForMoreNamesThanARequestTakesIsRefused() {
		Claim.Builder most = builder(Collections.nCopies(LockRequest.MAX_NAMES, "a"));
		assertThat(most.build().names()).hasSize(LockRequest.MAX_NAMES);
		Claim.Builder tooMany = builder(Collections.nCopies(LockRequest.MAX_NAMES + 1, "a"));
		assertThatIllegalArgumentException().isThrownBy(tooMany::build);
	}

}
