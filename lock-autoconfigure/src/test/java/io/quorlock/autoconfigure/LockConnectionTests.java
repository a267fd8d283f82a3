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

package io.quorlock.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.RedisCredentialsProvider;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockTemplate;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.ThrowawayCertificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how properties reach the connections to real nodes.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockConnectionTests {

	@SuppressWarnings("NullAway.Init")
	private static ThrowawayCertificates certificates;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, LockAutoConfiguration.class))
		.withPropertyValues("distributed-lock.restart-quarantine=0s",
				"distributed-lock.connection.operation-timeout=1s");

	@BeforeAll
	static void createCertificates() {
		certificates = ThrowawayCertificates.create();
	}

	@Test
	void bundleWithClientCertificateIsUsed() {
		try (EmbeddedRedisNode redis = certificates.server().config("tls-auth-clients yes").start()) {
			ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
					"distributed-lock.nodes=" + redis.uri(), "distributed-lock.connection.ssl.bundle=redis",
					"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.authorityPem());
			runner
				.withPropertyValues("spring.ssl.bundle.pem.redis.keystore.certificate=file:" + certificates.clientPem(),
						"spring.ssl.bundle.pem.redis.keystore.private-key=file:" + certificates.clientKeyPem())
				.run((context) -> lock(context.getBean(LockTemplate.class), Duration.ofSeconds(20)));
			runner.run((context) -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> lock(context.getBean(LockTemplate.class), Duration.ofMillis(500))));
		}
	}

	@Test
	void bundleThatIsReloadedIsUsedForTheNextConnection() {
		try (EmbeddedRedisNode redis = certificates.server().start()) {
			this.contextRunner
				.withPropertyValues("distributed-lock.nodes=" + redis.uri(),
						"distributed-lock.connection.ssl.bundle=redis",
						"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.clientPem())
				.run((context) -> {
					LockTemplate template = context.getBean(LockTemplate.class);
					assertRefused(template, "valid certification path");
					context.getBean(SslBundleRegistry.class)
						.updateBundle("redis", trusting(certificates.authorityPem()));
					lock(template, Duration.ofSeconds(20));
				});
		}
	}

	private static SslBundle trusting(Path authority) {
		return SslBundle.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate("file:" + authority)));
	}

	@Test
	void serverWithTheCertificateOfAnotherHostIsRefused() {
		try (EmbeddedRedisNode redis = certificates.server()
			// Of the same authority, but not for this host.
			.config("tls-cert-file " + certificates.clientPem())
			.config("tls-key-file " + certificates.clientKeyPem())
			.start()) {
			this.contextRunner
				.withPropertyValues("distributed-lock.nodes=" + redis.uri(),
						"distributed-lock.connection.ssl.bundle=redis",
						"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.authorityPem())
				.run((context) -> assertRefused(context.getBean(LockTemplate.class),
						"TLS handshake failed: No subject alternative names present"));
		}
	}

	@Test
	void bundleThatDoesNotExistStopsTheStart() {
		this.contextRunner
			.withPropertyValues("distributed-lock.nodes=rediss://127.0.0.1:1",
					"distributed-lock.connection.ssl.bundle=missing")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("missing"));
	}

	@Test
	void bundleThatEncryptsNothingIsWarnedOf(CapturedOutput output) {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(
				"distributed-lock.connection.ssl.bundle=redis",
				"spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificates.authorityPem());
		runner.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1,rediss://127.0.0.1:2")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("not encrypted");
		runner.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:1")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("Connections to the lock nodes are not encrypted, although there is an SSL bundle for "
					+ "them: none of 127.0.0.1:1 has a rediss:// URI");
	}

	@Test
	void passwordIsUsedAndNeverShown(CapturedOutput output) {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().password("s3cret").start()) {
			ApplicationContextRunner runner = this.contextRunner
				.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:" + redis.port());
			runner.withPropertyValues("distributed-lock.connection.password=s3cret")
				.run((context) -> lock(context.getBean(LockTemplate.class), Duration.ofSeconds(20)));
			runner.withPropertyValues("distributed-lock.connection.password=wr0ng")
				.run((context) -> assertThatExceptionOfType(LockUnavailableException.class)
					.isThrownBy(() -> lock(context.getBean(LockTemplate.class), Duration.ofMillis(500)))
					.withMessageContaining("127.0.0.1:" + redis.port())
					.withMessageNotContaining("wr0ng"));
			assertThat(output).doesNotContain("s3cret").doesNotContain("wr0ng");
		}
	}

	@Test
	void credentialsOfAProviderAreUsedWhereTheUriHasNone() {
		try (EmbeddedRedisNode redis = EmbeddedRedisNode.builder().password("s3cret").start()) {
			ApplicationContextRunner runner = this.contextRunner
				.withPropertyValues("distributed-lock.nodes=redis://127.0.0.1:" + redis.port())
				.withBean(RedisCredentialsProvider.class, () -> () -> new DefaultRedisCredentials(null, "s3cret"));
			runner.run((context) -> lock(context.getBean(LockTemplate.class), Duration.ofSeconds(20)));
			runner.withPropertyValues("distributed-lock.connection.password=wr0ng")
				.run((context) -> assertThat(context.getStartupFailure()).rootCause()
					.isInstanceOf(InvalidLockConfigurationException.class)
					.hasMessageContaining("there is a RedisCredentialsProvider bean too")
					.hasMessageNotContaining("wr0ng"));
		}
	}

	/** As soon as the context is there, and before the nodes are connected. */
	@Test
	void firstRequestWithoutAWaitLastsUntilTheNodesAreConnected() {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3)) {
			ApplicationContextRunner runner = this.contextRunner
				.withPropertyValues("distributed-lock.nodes=" + String.join(",", redis.uris()));
			for (int i = 0; i < 5; i++) {
				runner.run((context) -> {
					Optional<LockHandle> lock = context.getBean(LockTemplate.class).tryAcquire(LockRequest.of("first"));
					assertThat(lock).isPresent();
					lock.orElseThrow().close();
				});
			}
		}
	}

	/** The first attempt may end before the first connection has failed. */
	private static void assertRefused(LockTemplate template, String reason) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> lock(template, Duration.ofMillis(100)))
				.withMessageContaining(reason));
	}

	private static void lock(LockTemplate template, Duration wait) {
		template.acquire(LockRequest.of("order").waitTime(wait)).close();
	}

}
