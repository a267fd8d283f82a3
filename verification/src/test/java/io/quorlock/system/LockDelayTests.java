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

package io.quorlock.system;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R25 and the mode of releases, on real nodes.
 */
@Timeout(120)
class LockDelayTests {

	private static EmbeddedRedis redis;

	private static RealEngine delayed;

	private static RealEngine other;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(3);
		delayed = RealEngine.start("app@host:1", redis.uris(), (engine) -> {
		}, (quorum) -> quorum.lockDelay(Duration.ofSeconds(4)));
		other = RealEngine.start("app@host:2", redis.uris(), (engine) -> engine.confirmingReleases(false), (quorum) -> {
		});
	}

	@AfterAll
	static void stop() {
		delayed.close();
		other.close();
		redis.close();
	}

	private static LockRequest request(String kind) {
		LockRequest request = LockRequest.of("delay-" + kind.equals("permit")).waitTime(Duration.ZERO);
		return switch (kind) {
			case "shared" -> request.shared();
			case "permit" -> request.permits(1);
			default -> request;
		};
	}

	private static boolean isFree(String kind) {
		// A reader keeps writers out, not other readers.
		LockRequest asked = request(kind.equals("permit") ? kind : "exclusive").waitTime(Duration.ZERO);
		return other.template.tryAcquire(asked).map((handle) -> {
			handle.close();
			return true;
		}).orElse(false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "exclusive", "shared", "permit" })
	void lockStaysTakenForTheDelayBehindALossAndIsFreeBehindARelease(String kind) {
		// Its last holder does not wait until its release is confirmed.
		delayed.template.acquire(request(kind).waitTime(Duration.ofSeconds(5))).close();
		assertThat(isFree(kind)).isTrue();
		LockHandle lost = delayed.template
			.acquire(request(kind).waitTime(Duration.ofSeconds(5)).leaseTime(Duration.ofMillis(500)));
		long start = System.nanoTime();
		Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> !lost.isHeld());
		lost.close();
		assertThat(isFree(kind)).isFalse();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> isFree(kind));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(4_300));
	}

	@Test
	void lockWhoseReleaseWasOnlySentIsGrantedAgainBehindIt() {
		for (int i = 0; i < 200; i++) {
			LockHandle lock = other.template.acquire(LockRequest.of("sent").waitTime(Duration.ZERO));
			lock.close();
		}
		assertThat(delayed.template.tryAcquire(LockRequest.of("sent").waitTime(Duration.ofSeconds(5)))).isPresent();
	}

}
