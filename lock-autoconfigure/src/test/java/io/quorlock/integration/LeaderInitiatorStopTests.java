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

package io.quorlock.integration;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

import io.quorlock.autoconfigure.LockAutoConfiguration;
import io.quorlock.autoconfigure.integration.LockRegistryAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a stop of Spring Integration's leader initiator, which interrupts its thread
 * and does not wait until it has released the lock.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderInitiatorStopTests {

	@Test
	void stopThatTheApplicationAskedForIsNoLoss(CapturedOutput output) throws InterruptedException {
		ConfigurableApplicationContext instance = new SpringApplicationBuilder(Application.class)
			.properties("spring.main.banner-mode=off", "spring.main.web-application-type=none",
					"distributed-lock.backend=in-memory")
			.run();
		Role role = instance.getBean(Role.class);
		assertThat(role.granted.await(10, TimeUnit.SECONDS)).isTrue();
		instance.close();
		assertThat(role.revoked.await(10, TimeUnit.SECONDS)).as("the candidate learns of its end").isTrue();
		assertThat(output).doesNotContain("integrity");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LockAutoConfiguration.class, LockRegistryAutoConfiguration.class })
	static class Application {

		@Bean
		Role role() {
			return new Role();
		}

		@Bean
		LockRegistryLeaderInitiator leaderInitiator(LockRegistry<?> registry, Role role) {
			return new LockRegistryLeaderInitiator(registry, role);
		}

	}

	static class Role extends AbstractCandidate {

		private final CountDownLatch granted = new CountDownLatch(1);

		private final CountDownLatch revoked = new CountDownLatch(1);

		Role() {
			super(UUID.randomUUID().toString(), "role");
		}

		/** Leads until it is interrupted, and needs a moment to come to an end. */
		@Override
		public void onGranted(Context context) throws InterruptedException {
			this.granted.countDown();
			try {
				this.revoked.await();
			}
			catch (InterruptedException ex) {
				assertThat(this.revoked.await(100, TimeUnit.MILLISECONDS)).isFalse();
				throw ex;
			}
		}

		@Override
		public void onRevoked(Context context) {
			this.revoked.countDown();
		}

	}

}
