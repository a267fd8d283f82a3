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

package io.quorlock.redis.spring;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JedisConnections}.
 */
class JedisConnectionsTests {

	/** The next borrower would read what its replies left behind. */
	@Test
	void connectionThatIsDiscardedIsNotLentAgain() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.start()) {
			JedisConnectionFactory factory = new JedisConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
			factory.setUseUnifiedJedis(false);
			factory.afterPropertiesSet();
			factory.start();
			RedisConnection discarded = factory.getConnection();
			long id = clientId(discarded);
			JedisConnections.discard(discarded);
			try (RedisConnection next = factory.getConnection()) {
				assertThat(clientId(next)).isNotEqualTo(id);
			}
			factory.destroy();
		}
	}

	private static long clientId(RedisConnection connection) {
		return ((Jedis) connection.getNativeConnection()).clientId();
	}

}
