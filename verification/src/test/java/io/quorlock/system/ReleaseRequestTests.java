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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.ReleaseRequest;
import io.quorlock.embedded.EmbeddedRedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R24 between two instances, on real nodes.
 */
@Timeout(120)
class ReleaseRequestTests {

	private static EmbeddedRedis redis;

	private static RealEngine holder;

	private static RealEngine asker;

	@BeforeAll
	static void start() {
		redis = EmbeddedRedis.start(3);
		holder = RealEngine.start(RealEngine.settings("app@host:1"), redis.uris());
		asker = RealEngine.start(RealEngine.settings("app@host:2"), redis.uris());
	}

	@AfterAll
	static void stop() {
		holder.close();
		asker.close();
		redis.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "exclusive", "shared", "permit" })
	void holderInAnotherInstanceLetsGo(String kind) {
		LockRequest request = LockRequest.of("wanted-" + kind);
		LockRequest asked = switch (kind) {
			case "shared" -> request.shared();
			case "permit" -> request.permits(1);
			default -> request;
		};
		Queue<ReleaseRequest> requests = new ConcurrentLinkedQueue<>();
		LockHandle lock = holder.template.acquire(asked);
		assertThat(asker.template.requestRelease("wanted-unheld", Duration.ofSeconds(3))).isFalse();
		lock.onReleaseRequested((wanted) -> {
			requests.add(wanted);
			lock.close();
		});
		Awaitility.await().until(() -> asker.template.requestRelease("wanted-" + kind, Duration.ofSeconds(3)));
		LockRequest wanted = kind.equals("permit") ? asked : request;
		asker.template.acquire(wanted.waitTime(Duration.ofSeconds(20))).close();
		assertThat(requests).first().isEqualTo(new ReleaseRequest(lock.names(), Duration.ofSeconds(3)));
	}

}
