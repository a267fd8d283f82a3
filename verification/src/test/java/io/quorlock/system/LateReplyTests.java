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
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.LoopbackProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Replies that come after the operation timeout (R1, R3).
 */
class LateReplyTests {

	@Test
	void acquireWhoseRepliesAreHeldBackOnTwoNodesLeavesNoKey() {
		heldBack(2);
	}

	@Test
	void acquireWhoseRepliesAreHeldBackOnAMajorityIsUnavailableAndLeavesNoKey() {
		heldBack(3);
	}

	private void heldBack(int slow) {
		List<LoopbackProxy> proxies = new ArrayList<>();
		try (EmbeddedRedis redis = EmbeddedRedis.start(5)) {
			redis.nodes().forEach((node) -> proxies.add(LoopbackProxy.to(node)));
			try (RealEngine engine = RealEngine.start(
					RealEngine.settings("late@test:1", Duration.ofSeconds(30), Duration.ofMillis(500)),
					proxies.stream().map(LoopbackProxy::uri).toList())) {
				proxies.subList(0, slow).forEach(LoopbackProxy::holdReplies);
				LockRequest request = LockRequest.of("order:42").waitTime(Duration.ZERO);
				if (slow < 3) {
					try (LockHandle lock = engine.template.acquire(request)) {
						assertThat(lock.isHeld()).isTrue();
					}
				}
				else {
					assertThatExceptionOfType(LockUnavailableException.class)
						.isThrownBy(() -> engine.template.acquire(request))
						.withMessageContaining("no reply within 500 ms");
				}
				proxies.forEach(LoopbackProxy::releaseReplies);
				for (EmbeddedRedisNode node : redis.nodes()) {
					Awaitility.await().until(() -> node.execute("EXISTS", "lock:{order:42}").equals(0L));
				}
				engine.template.acquire(request).close();
			}
		}
		finally {
			proxies.forEach(LoopbackProxy::close);
		}
	}

}
