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

package io.quorlock.redis.client;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.RespError;
import io.quorlock.redis.ScriptErrors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerErrors}: what servers of other versions say.
 */
class ServerErrorsTests {

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
		assertThat(ServerErrors.isUnusable(new RespError(code + " why"))).isTrue();
		assertThat(ServerErrors.isCannotWrite(new RespError(code + " why"))).isFalse();
	}

	/** As Redis 6.2, and Redis 7 and Valkey have it: other keys may well be allowed. */
	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to access one of the keys used as arguments",
			"NOPERM No permissions to access a key", "NOPERM No permissions to access a channel",
			"NOPERM ACL failure in script: User locks has no permissions to run the 'zadd' command" })
	void serverThatRefusesSomeKeysIsUsable(String message) {
		assertThat(ServerErrors.isUnusable(new RespError(message))).isFalse();
		assertThat(describe(message)).startsWith("denies a permission");
	}

	/** Locks that are held need their connection. */
	@ParameterizedTest
	@ValueSource(strings = { "OOM", "MISCONF", "NOREPLICAS", "NOSCRIPT", "WRONGTYPE", "FENCE", "BUSY", "ERR" })
	void serverThatRefusesSomeCommandsIsUsable(String code) {
		RespError error = new RespError(code + " why");
		assertThat(ServerErrors.isUnusable(error)).isFalse();
		assertThat(ServerErrors.isCannotWrite(error)).isEqualTo(List.of("OOM", "MISCONF", "NOREPLICAS").contains(code));
		assertThat(ScriptErrors.isOfKeys(error.message())).isEqualTo(code.equals("WRONGTYPE") || code.equals("FENCE"));
	}

	/** As Redis 6.2 has it, which puts the script in front of its error. */
	@ParameterizedTest
	@ValueSource(strings = { "OOM", "MISCONF", "NOREPLICAS", "READONLY", "WRONGTYPE" })
	void errorInsideAScriptIsThatOfTheCommandThere(String code) {
		RespError plain = new RespError(code + " why");
		for (String dash : List.of("@user_script: 22: -", "")) {
			RespError error = new RespError(IN_SCRIPT + dash + plain.message());
			assertThat(ServerErrors.isUnusable(error)).isEqualTo(ServerErrors.isUnusable(plain));
			assertThat(ServerErrors.isCannotWrite(error)).isEqualTo(ServerErrors.isCannotWrite(plain));
			assertThat(ScriptErrors.isOfKeys(error.message())).isEqualTo(ScriptErrors.isOfKeys(plain.message()));
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
		return ServerErrors.describe(new RespError(error));
	}

}
