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

package io.quorlock.fencing;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.RedisClient;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RedisFenceTests {

	private static final EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	private static final RedisClient jedis = RedisClient.create(redis.uri());

	private final RedisFence fence = new RedisFence(jedis::eval);

	@AfterAll
	static void stopRedis() {
		jedis.close();
		redis.close();
	}

	@BeforeEach
	void empty() {
		jedis.flushAll();
	}

	@Test
	void aHolderSetsAValueTwice() {
		this.fence.set("price", "10", 7);
		this.fence.set("price", "11", 7);
		assertThat(jedis.get("price")).isEqualTo("11");
		assertThat(jedis.get("{price}:fence")).isEqualTo("7");
	}

	@Test
	void anEarlierHolderIsRefusedAndSetsNothing() {
		this.fence.set("price", "10", 8);
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> this.fence.set("price", "9", 7))
			.withMessage("Fencing token 7 is stale: 'price' has seen 8");
		assertThat(jedis.get("price")).isEqualTo("10");
	}

	@Test
	void aHolderThatChecksBeforeItReadsRefusesEarlierOnesThatHaveNotWrittenYet() {
		this.fence.set("price", "10", 7);
		this.fence.check("price", 8);
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> this.fence.set("price", "9", 7));
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> this.fence.check("price", 7))
			.withMessage("Fencing token 7 is stale: 'price' has seen 8");
		assertThat(jedis.get("price")).isEqualTo("10");
		this.fence.set("price", "11", 8);
		assertThat(jedis.get("price")).isEqualTo("11");
	}

	@Test
	void theFenceOutlivesTheValue() {
		this.fence.set("price", "10", 8);
		jedis.del("price");
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> this.fence.set("price", "9", 7));
	}

	@Test
	void tokensAreComparedAsNumbersUpToTheGreatest() {
		long greatest = (1L << 53) - 1;
		this.fence.set("price", "10", 999);
		this.fence.set("price", "11", 1_000);
		this.fence.set("price", "12", greatest);
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> this.fence.set("price", "9", greatest - 1))
			.satisfies((ex) -> assertThat(ex.stored()).isEqualTo(greatest));
		assertThat(jedis.get("price")).isEqualTo("12");
	}

	@Test
	void itWorksThroughATemplateOfSpring() {
		JedisConnectionFactory connections = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		connections.afterPropertiesSet();
		connections.start();
		try {
			StringRedisTemplate template = new StringRedisTemplate(connections);
			RedisFence fence = new RedisFence((script, keys, arguments) -> template
				.execute(RedisScript.of(script, Long.class), keys, arguments.toArray()));
			fence.set("price", "10", 8);
			assertThat(template.opsForValue().get("price")).isEqualTo("10");
			assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> fence.set("price", "9", 7));
		}
		finally {
			connections.destroy();
		}
	}

	@Test
	void aReplyThatIsNoNumberIsAnError() {
		RedisFence fence = new RedisFence((script, keys, arguments) -> List.of());
		assertThatIllegalStateException().isThrownBy(() -> fence.set("price", "9", 7))
			.withMessage("Redis replied [] to a script that returns a number");
	}

	@ParameterizedTest
	@CsvSource({ "price, {price}:fence", "{item}:price, {item}:price:fence", "{i}:price, {i}:price:fence",
			"{}price, {{}price}:fence", "price}, {price}}:fence", "{price, {{price}:fence" })
	void theFenceIsInTheSlotOfItsKey(String key, String fenceKey) {
		assertThat(RedisFence.fenceKey(key)).isEqualTo(fenceKey);
	}

}
