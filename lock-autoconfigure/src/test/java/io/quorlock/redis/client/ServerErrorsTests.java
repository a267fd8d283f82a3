package io.quorlock.redis.client;

import org.junit.jupiter.api.Test;

import io.quorlock.redis.RespError;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerErrors}: what servers of other versions say.
 */
class ServerErrorsTests {

	@Test
	void permissionThatAScriptLacksIsNamedAsRedis8NamesIt() {
		String error = "ERR ACL failure in script: User locker has no permissions to run the 'publish' command";
		assertThat(describe(error)).isEqualTo("denies a permission that a lock script needs: publish");
	}

	@Test
	void limitOfClientsIsNotTakenForTls() {
		assertThat(describe("ERR max number of clients reached"))
			.isEqualTo("replied: ERR max number of clients reached");
	}

	private static String describe(String error) {
		return ServerErrors.describe(new RespError(error));
	}

}
