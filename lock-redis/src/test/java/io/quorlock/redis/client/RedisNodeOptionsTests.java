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

import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import io.quorlock.time.SystemClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisNodeOptions}.
 */
class RedisNodeOptionsTests {

	@Test
	void valuesOutOfRangeAreRefused() {
		refuses((builder) -> builder.operationTimeout(Duration.ZERO), "operation timeout: PT0S");
		refuses((builder) -> builder.connectTimeout(Duration.ZERO), "connect timeout: PT0S");
		refuses((builder) -> builder.quarantine(Duration.ofMillis(-1)), "quarantine: PT-0.001S");
		refuses((builder) -> builder.driftFactor(0.2), "drift factor: 0.2");
	}

	@Test
	void everyValueIsTaken() {
		SystemClock clock = new SystemClock();
		Supplier<SSLContext> context = () -> Mockito.mock(SSLContext.class);
		Supplier<SSLParameters> parameters = SSLParameters::new;
		RedisCredentialsProvider credentials = () -> new DefaultRedisCredentials("app", "secret");
		RedisNodeOptions options = RedisNodeOptions.builder(clock)
			.keyPrefix("k:")
			.operationTimeout(Duration.ofMillis(101))
			.connectTimeout(Duration.ofMillis(102))
			.clientName("shop")
			.sslContext(context)
			.sslParameters(parameters)
			.credentials(credentials)
			.quarantine(Duration.ofMillis(103))
			.longestLease(Duration.ofMillis(104))
			.driftFactor(0.1)
			.trustFirstSeen(true)
			.failOnMismatch(true)
			.replicasAllowed(true)
			.nodeEviction(NodeEviction.WARN)
			.instanceId("a")
			.build();
		assertThat(options).isEqualTo(new RedisNodeOptions(clock, "k:", Duration.ofMillis(101), Duration.ofMillis(102),
				"shop", context, parameters, credentials, Duration.ofMillis(103), Duration.ofMillis(104), 0.1, true,
				true, true, NodeEviction.WARN, "a"));
	}

	@Test
	void whatIsNotSetIsSafe() {
		RedisNodeOptions options = RedisNodeOptions.builder(new SystemClock()).build();
		assertThat(options.operationTimeout()).isEqualTo(Duration.ofMillis(100));
		assertThat(options.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(options.quarantine()).isEqualTo(Duration.ofSeconds(60));
		assertThat(options.driftFactor()).isEqualTo(0.01);
		assertThat(options.trustFirstSeen()).isFalse();
		assertThat(options.failOnMismatch()).isFalse();
		assertThat(options.replicasAllowed()).isFalse();
		assertThat(options.nodeEviction()).isEqualTo(NodeEviction.EXCLUDE_ALLKEYS);
	}

	@Test
	void connectionIsDeadAfterTwentyTimeoutsAndFiveSecondsAtLeast() {
		RedisNodeOptions.Builder builder = RedisNodeOptions.builder(new SystemClock());
		assertThat(builder.build().deadAfterNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
		assertThat(builder.operationTimeout(Duration.ofSeconds(1)).build().deadAfterNanos())
			.isEqualTo(Duration.ofSeconds(20).toNanos());
	}

	private static void refuses(UnaryOperator<RedisNodeOptions.Builder> change, String message) {
		RedisNodeOptions.Builder builder = change.apply(RedisNodeOptions.builder(new SystemClock()));
		assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining(message);
	}

}
