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

package io.quorlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.RespConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The commands that docs/setup.md and docs/changes.md give an operator do on real servers
 * what the pages say.
 */
class OperatorCommandsTests {

	private static final String USERS_AS_IN_THE_FILE = "admin on >another-secret ~* &* +@all";

	private final String page = read("docs/setup.md") + read("docs/changes.md");

	@Test
	void migrateCopiesFencesWithTheirTimeToLive() {
		try (EmbeddedRedisNode old = server(); EmbeddedRedisNode replacement = server()) {
			List<String> migrate = new ArrayList<>(List.of(command(" MIGRATE (.*)$").group(1).split(" ")));
			migrate.replaceAll((word) -> switch (word) {
				case "redis-6" -> "127.0.0.1";
				case "6379" -> Integer.toString(replacement.port());
				case "''" -> "";
				default -> word;
			});
			migrate.add(0, "MIGRATE");
			try (RespConnection admin = admin(old); RespConnection other = admin(replacement)) {
				for (String name : List.of("a", "b c")) {
					String key = "lock:{" + name + "}:fence";
					admin.execute("SET", key, "42", "PX", "600000");
					migrate.add(key);
				}
				assertThat(admin.execute(migrate.toArray(String[]::new))).isEqualTo("OK");
				assertThat(admin.execute("EXISTS", "lock:{a}:fence")).isEqualTo(1L);
				assertThat(other.execute("GET", "lock:{b c}:fence")).isEqualTo("42");
				assertThat((Long) other.execute("PTTL", "lock:{b c}:fence")).isBetween(500_000L, 600_000L);
			}
		}
	}

	/** A connection that is logged in stays, and either password works in between. */
	@Test
	void passwordIsRotatedWithoutARefusedLogIn() {
		try (EmbeddedRedisNode server = EmbeddedRedisNode.builder()
			.user("quorlock on >secret ~lock:* &lock:* +@all")
			.user(USERS_AS_IN_THE_FILE)
			.start(); RespConnection admin = admin(server); RespConnection instance = RespConnection.to(server)) {
			assertThat(instance.execute("AUTH", "quorlock", "secret")).isEqualTo("OK");
			List<MatchResult> steps = Pattern.compile("ACL SETUSER quorlock '(.*)'")
				.matcher(this.page)
				.results()
				.toList();
			assertThat(steps).hasSize(2);
			admin.execute("ACL", "SETUSER", "quorlock", steps.get(0).group(1));
			assertThat(instance.execute("AUTH", "quorlock", "secret")).isEqualTo("OK");
			assertThat(instance.execute("AUTH", "quorlock", "new-secret")).isEqualTo("OK");
			admin.execute("ACL", "SETUSER", "quorlock", steps.get(1).group(1));
			assertThat(instance.execute("GET", "lock:{a}")).isNull();
			assertThatExceptionOfType(EmbeddedServerException.class)
				.isThrownBy(() -> instance.execute("AUTH", "quorlock", "secret"))
				.withMessageContaining("WRONGPASS");
			assertThat(instance.execute("AUTH", "quorlock", "new-secret")).isEqualTo("OK");
		}
	}

	/**
	 * The documented nodes have no default user, so that a command without one is
	 * refused.
	 */
	@Test
	void everyCommandNamesItsUser() {
		List<String> commands = Pattern.compile("redis-cli [^|`\n]*")
			.matcher(this.page + read("docs/operations.md"))
			.results()
			.map(MatchResult::group)
			.toList();
		assertThat(commands).hasSizeGreaterThan(6).allMatch((command) -> command.contains(" --user admin "));
	}

	private MatchResult command(String pattern) {
		Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(this.page);
		assertThat(matcher.find()).as(pattern).isTrue();
		return matcher.toMatchResult();
	}

	private static String read(String page) {
		return Documentation.read(Documentation.ROOT.resolve(page));
	}

	private static EmbeddedRedisNode server() {
		return EmbeddedRedisNode.builder().user(USERS_AS_IN_THE_FILE).start();
	}

	private static RespConnection admin(EmbeddedRedisNode server) {
		RespConnection connection = RespConnection.to(server);
		connection.execute("AUTH", "admin", "another-secret");
		return connection;
	}

}
