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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.embedded.EmbeddedRedis;
import io.quorlock.embedded.LoopbackProxy;
import io.quorlock.engine.LockInspector;
import io.quorlock.health.LockHealthIndicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Nodes that are connected, while no lock can be had: the health is not UP, the log says
 * why, and so does the loss of what was held.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailingNodesTests {

	@Test
	@Tag("long")
	void nodesThatAreSlowerThanTheOperationTimeoutAreNotUp(CapturedOutput output) throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				Proxies proxies = new Proxies(redis);
				RealEngine engine = RealEngine.start(
						RealEngine.settings("app@host:1", Duration.ofSeconds(30), Duration.ofMillis(500)),
						proxies.uris())) {
			LockHealthIndicator health = new LockHealthIndicator(new LockInspector(engine.engine), Map::of, false);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			proxies.delay(Duration.ofMillis(600));
			LockRequest request = LockRequest.of("order").waitTime(Duration.ofSeconds(5));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> engine.template.acquire(request));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> health.health().getStatus().equals(Status.DOWN));
			assertThat(health.health().getDetails().toString()).contains("longer than the operation timeout of 500 ms");
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> engine.nodes.forEach((node) -> assertThat(output)
					.containsOnlyOnce("Lock node " + node.name() + " is connected but fails: it takes ")));
			proxies.delay(Duration.ZERO);
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> health.health().getStatus().equals(Status.UP));
		}
	}

	@Test
	void lossForARightThatIsMissingSaysSo() throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				RealEngine engine = RealEngine.start(
						RealEngine.settings("app@host:1", Duration.ofSeconds(3), Duration.ofSeconds(1)),
						redis.uris())) {
			LockHealthIndicator health = new LockHealthIndicator(new LockInspector(engine.engine), Map::of, false);
			BlockingQueue<LockLostEvent> lost = new LinkedBlockingQueue<>();
			LockHandle held = engine.template.acquire(LockRequest.of("order"));
			held.onLost(lost::add);
			redis.nodes().subList(0, 2).forEach((node) -> node.execute("ACL", "SETUSER", "default", "-@write"));
			LockLostEvent event = Objects.requireNonNull(lost.poll(30, TimeUnit.SECONDS));
			assertThat(event.reason()).contains("denies a permission that a lock script needs")
				.doesNotContain("says that another owner");
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> health.health().getStatus().equals(Status.DOWN));
		}
	}

	/** Channels only wake waiting requests. */
	@Test
	void fleetThatLosesItsRightsOnChannelsGoesOnLocking(CapturedOutput output) throws Exception {
		try (EmbeddedRedis redis = EmbeddedRedis.start(3);
				RealEngine one = RealEngine.start(RealEngine.settings("one@host:1"), redis.uris());
				RealEngine two = RealEngine.start(RealEngine.settings("two@host:1"), redis.uris())) {
			LockHandle held = one.template.acquire(LockRequest.of("order"));
			CompletableFuture<LockHandle> waiter = two.template
				.acquireAsync(LockRequest.of("order").waitTime(Duration.ofSeconds(30)))
				.toCompletableFuture();
			redis.nodes().forEach((node) -> node.execute("ACL", "SETUSER", "default", "resetchannels"));
			one.nodes.forEach((node) -> Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(() -> assertThat(output)
					.contains("Lock node " + node.name() + " grants locks, but denies a permission: ")));
			one.awaitCounted(3);
			held.close();
			waiter.get(30, TimeUnit.SECONDS).close();
			try (RealEngine late = RealEngine.start(RealEngine.settings("late@host:1"), redis.uris())) {
				for (int i = 0; i < 8; i++) {
					for (RealEngine engine : List.of(one, two, late)) {
						engine.template.acquire(LockRequest.of("order").waitTime(Duration.ofSeconds(30))).close();
					}
				}
			}
			assertThat(output).doesNotContain("cannot be used");
		}
	}

	private static final class Proxies implements AutoCloseable {

		private final List<LoopbackProxy> proxies = new ArrayList<>();

		Proxies(EmbeddedRedis redis) {
			redis.nodes().forEach((node) -> this.proxies.add(LoopbackProxy.to(node)));
		}

		List<String> uris() {
			return this.proxies.stream().map(LoopbackProxy::uri).toList();
		}

		void delay(Duration eachWay) {
			this.proxies.forEach((proxy) -> proxy.delay(eachWay));
		}

		@Override
		public void close() {
			this.proxies.forEach(LoopbackProxy::close);
		}

	}

}
