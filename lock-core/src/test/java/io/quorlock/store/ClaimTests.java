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

	private static Claim claim(List<String> names) {
		return new Claim(names, LockMode.SHARED, 2, true, 3, false, 4, 5, 6, 7, true, true);
	}

	@Test
	void claimForSomeOfItsNamesIsTheSameOtherwise() {
		assertThat(claim(List.of("a", "b")).only(List.of("b"))).isEqualTo(claim(List.of("b")));
		assertThat(claim(List.of("a")).queuedAt(8))
			.isEqualTo(new Claim(List.of("a"), LockMode.SHARED, 2, true, 3, false, 4, 8, 6, 7, true, true));
	}

	@Test
	void waitCountsFromTheRequestOn() {
		Claim claim = claim(List.of("a"));
		assertThat(claim.remainingNanos(5)).isEqualTo(6);
		assertThat(claim.remainingNanos(12)).isEqualTo(-1);
		assertThat(claim.isImmediate()).isFalse();
		assertThat(TestClaim.of("a").at(5).isImmediate()).isTrue();
	}

	@Test
	void claimForMoreNamesThanARequestTakesIsRefused() {
		assertThat(claim(Collections.nCopies(LockRequest.MAX_NAMES, "a")).names()).hasSize(LockRequest.MAX_NAMES);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> claim(Collections.nCopies(LockRequest.MAX_NAMES + 1, "a")));
	}

}
