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

package example;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.client.RestClient;

import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ExampleApplicationTests {

	private static final EmbeddedRedis REDIS = EmbeddedRedis.start(3);

	@AfterAll
	static void stopRedis() {
		REDIS.close();
	}

	@DynamicPropertySource
	static void nodes(DynamicPropertyRegistry registry) {
		registry.add("distributed-lock.nodes", () -> String.join(",", REDIS.uris()));
		// Servers that have just been started have no vote for a minute.
		registry.add("distributed-lock.restart-quarantine", () -> "0s");
	}

	@Test
	void sellsUnderTheLockAndLeavesItsToken(@LocalServerPort int port, @Autowired JdbcTemplate jdbc) {
		RestClient client = RestClient.create("http://127.0.0.1:" + port);
		assertThat(client.post().uri("/sales/watch").retrieve().body(String.class)).isEqualTo("9");
		long token = jdbc.queryForObject("SELECT fence FROM stock WHERE sku = 'watch'", Long.class);
		assertThat(client.post().uri("/sales/watch").retrieve().body(String.class)).isEqualTo("8");
		assertThat(jdbc.queryForObject("SELECT fence FROM stock WHERE sku = 'watch'", Long.class)).isGreaterThan(token);
	}

}
