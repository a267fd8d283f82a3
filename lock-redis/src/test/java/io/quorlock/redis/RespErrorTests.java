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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.quorum.node.LockTarget;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RespError}: what servers of several versions say.
 */
class RespErrorTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private static final String IN_SCRIPT = "ERR Error running script (call to f_" + LockScript.ACQUIRE.sha1()
			+ "): @user_script:22: ";

	@Test
	void permissionThatAScriptLacksIsNamedAsRedis8NamesIt() {
		String error = "ERR ACL failure in script: User locker has no permissions to run the 'publish' command";
		assertThat(describe(error)).isEqualTo("denies a permission that a lock script needs: PUBLISH");
	}

	@Test
	void limitOfClientsIsNotTakenForTls() {
		assertThat(describe("ERR max number of clients reached"))
			.isEqualTo("replied: ERR max number of clients reached");
	}

	/** Until a new handshake. */
	@ParameterizedTest
	@ValueSource(strings = { "NOAUTH", "LOADING", "READONLY", "MASTERDOWN", "NOPERM" })
	void serverThatRefusesEveryCommandIsUnusable(String code) {
		assertThat(new RespError(code + " why").isUnusable()).isTrue();
		assertThat(new RespError(code + " why").isCannotWrite()).isFalse();
	}

	/** As Redis 6.2, and Redis 7 and Valkey have it: other keys may well be allowed. */
	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to access one of the keys used as arguments",
			"NOPERM No permissions to access a key", "NOPERM No permissions to access a channel",
			"NOPERM ACL failure in script: User locks has no permissions to run the 'zadd' command" })
	void serverThatRefusesSomeKeysIsUsable(String message) {
		assertThat(new RespError(message).isUnusable()).isFalse();
		assertThat(describe(message)).startsWith("denies a permission");
	}

	/** Locks that are held need their connection. */
	@ParameterizedTest
	@ValueSource(strings = { "OOM", "MISCONF", "NOREPLICAS", "NOSCRIPT", "WRONGTYPE", "FENCE", "BUSY", "ERR" })
	void serverThatRefusesSomeCommandsIsUsable(String code) {
		RespError error = new RespError(code + " why");
		assertThat(error.isUnusable()).isFalse();
		assertThat(error.isCannotWrite()).isEqualTo(List.of("OOM", "MISCONF", "NOREPLICAS").contains(code));
		assertThat(error.isOfKeys()).isEqualTo(code.equals("WRONGTYPE") || code.equals("FENCE"));
	}

	/** As Redis 6.2 has it, which puts the script in front of its error. */
	@ParameterizedTest
	@ValueSource(strings = { "OOM", "MISCONF", "NOREPLICAS", "READONLY", "WRONGTYPE" })
	void errorInsideAScriptIsThatOfTheCommandThere(String code) {
		RespError plain = new RespError(code + " why");
		for (String dash : List.of("@user_script: 22: -", "")) {
			RespError error = new RespError(IN_SCRIPT + dash + plain.message());
			assertThat(error.isUnusable()).isEqualTo(plain.isUnusable());
			assertThat(error.isCannotWrite()).isEqualTo(plain.isCannotWrite());
			assertThat(error.isOfKeys()).isEqualTo(plain.isOfKeys());
			assertThat(code.equals("WRONGTYPE") || describe(error.message()).equals(describe(plain.message())))
				.isTrue();
		}
	}

	@Test
	void permissionThatAScriptLacksIsNamedWhereRedis6NamesItsLine() {
		String source = LockScript.ACQUIRE.source();
		int line = (int) source.substring(0, source.indexOf("'SET'")).lines().count();
		assertThat(describe(IN_SCRIPT.replace(":22:", ":" + line + ":") + "@user_script: " + line
				+ ": The user executing the script can't run this command or subcommand"))
			.isEqualTo("denies a permission that a lock script needs: SET");
	}

	private static String describe(String error) {
		return new RespError(error).describe();
	}

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
		assertThat(new RespError(error).isOfKeys()).isTrue();
		assertThat(new RespError("ERR WRONGTYPE").isOfKeys()).isFalse();
	}

	private static String describe(String message, LockTarget target) {
		return new RespError(message).describe(target, KEYS);
	}

}
