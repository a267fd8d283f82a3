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

import javax.net.ssl.SSLParameters;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.JedisClientConfigurationBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.ThrowawayCertificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What docs/backends.md says of {@code rediss://} and a certificate for another name, for
 * the connections of the application, which the {@code redis} backend uses.
 */
class HostNameVerificationTests {

	private static EmbeddedRedisNode redis;

	private static ApplicationContextRunner runner;

	@BeforeAll
	static void start() {
		ThrowawayCertificates certificates = ThrowawayCertificates.create();
		redis = certificates.server()
			.config("tls-cert-file " + certificates.clientPem())
			.config("tls-key-file " + certificates.clientKeyPem())
			.start();
		runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, DataRedisAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.url=rediss://localhost:" + redis.port(),
					"spring.data.redis.ssl.bundle=redis",
					"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.authorityPem());
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void lettuceRefusesIt() {
		assertRefused(runner.withPropertyValues("spring.data.redis.client-type=lettuce"));
	}

	@Test
	void jedisTakesIt() {
		runner.withPropertyValues("spring.data.redis.client-type=jedis")
			.run((context) -> assertThat(ping(context.getBean(RedisConnectionFactory.class))).isEqualTo("PONG"));
	}

	@Test
	void jedisRefusesItWithACustomizer() {
		SSLParameters parameters = new SSLParameters();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		assertRefused(runner.withPropertyValues("spring.data.redis.client-type=jedis")
			.withBean(JedisClientConfigurationBuilderCustomizer.class,
					() -> (builder) -> builder.useSsl().sslParameters(parameters)));
	}

	private static void assertRefused(ApplicationContextRunner runner) {
		runner.run((context) -> assertThatExceptionOfType(RedisConnectionFailureException.class)
			.isThrownBy(() -> ping(context.getBean(RedisConnectionFactory.class)))
			.withStackTraceContaining("No name matching localhost found"));
	}

	private static String ping(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			return connection.commands().ping();
		}
	}

}
