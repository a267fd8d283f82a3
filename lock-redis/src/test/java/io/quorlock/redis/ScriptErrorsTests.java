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

package io.quorlock.redis;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.LockTarget;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptErrorsTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	@Test
	void unusableFenceIsNamed() {
		assertThat(describe("FENCE unusable", LockTarget.exclusive(List.of("order"))))
			.isEqualTo("holds no usable fencing token under lock:{order}:fence (not a number, or more than a day ahead "
					+ "of the clocks): delete the key");
	}

	@Test
	void unusableFenceOfAPermitIsThatOfOneOfThem() {
		assertThat(describe("FENCE unusable", LockTarget.permits("table", 3)))
			.contains(" under lock:{table}:permit:1:fence to lock:{table}:permit:3:fence (");
		assertThat(describe("FENCE unusable", LockTarget.permits("table", 1)))
			.contains(" under lock:{table}:permit:1:fence (");
	}

	@Test
	void fewOfManyNamesAreListed() {
		assertThat(describe("WRONGTYPE Operation against", LockTarget.exclusive(List.of("a", "b", "c", "d", "e"))))
			.isEqualTo("holds a value of another type under a key that begins with lock:{a}, lock:{b}, lock:{c} "
					+ "and 2 more: delete that key");
	}

	/** As Redis 6.2 has it. */
	@Test
	void errorBehindTheCallOfItsScriptIsOfTheKeysAllTheSame() {
		String error = "ERR Error running script (call to f_" + "0".repeat(40)
				+ "): @user_script:5: WRONGTYPE Operation";
		assertThat(ScriptErrors.isOfKeys(error)).isTrue();
		assertThat(ScriptErrors.isOfKeys("ERR WRONGTYPE")).isFalse();
	}

	private static String describe(String message, LockTarget target) {
		return ScriptErrors.describe(message, target, KEYS);
	}

}
