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

package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R15: user code that blocks, throws or never returns prevents neither a renewal nor
 * another request.
 */
@Timeout(60)
@ExtendWith(LogCaptureExtension.class)
class R15UserCodeTests {

	private final CountDownLatch never = new CountDownLatch(1);

	@Test
	void listenerThatNeverReturnsStopsNoRenewal() {
		LockListener stuck = new LockListener() {
			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
				block();
			}

			@Override
			public void onRenewed(LockRequest request, boolean success) {
				throw new IllegalStateException("not my day");
			}
		};
		assertRenewedWhile(stuck, (fixture) -> {
		});
	}

	@Test
	@Tag("long")
	void lossCallbackThatNeverReturnsStopsNoRenewal() throws Exception {
		CountDownLatch notified = new CountDownLatch(1);
		assertRenewedWhile(new LockListener() {
		}, (fixture) -> {
			LockHandle other = fixture.template.acquire(LockRequest.of("other").leaseTime(Duration.ofMillis(500)));
			other.onLost((event) -> {
				notified.countDown();
				block();
			});
			other.onLost((event) -> {
				throw new IllegalStateException("not my day");
			});
		});
		assertThat(notified.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	@Tag("long")
	void continuationThatNeverReturnsStopsNoRenewal() {
		CompletableFuture<Void> begun = new CompletableFuture<>();
		assertRenewedWhile(new LockListener() {
		}, (fixture) -> {
			LockHandle first = fixture.template.acquire(LockRequest.of("other"));
			fixture.template.acquireAsync(LockRequest.of("other")).thenAccept((lock) -> {
				begun.complete(null);
				block();
			});
			first.close(); // so that the continuation is there before the lock is
		});
		assertThat(begun).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void observerThatThrowsLosesNoVote() {
		ManualTime time = new ManualTime();
		LockEngine engine = TestEngines.create(TestSettings.defaults("app"),
				List.of(new ScriptedNode("node0").granting()), time, time, Runnable::run, List.of(),
				List.of((node, operation, outcome, error, nanos) -> {
					throw new IllegalStateException("not my day");
				}));
		engine.start();
		assertThat(engine.acquireAsync(LockRequest.of("order"), Duration.ZERO)).isCompleted();
	}

	/** Nobody else would hear of them. */
	@Test
	void whatUserCodeThrowsIsLogged(CapturedLog output) {
		ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {
			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited, int attempts) {
				throw new AssertionError("not my day 1");
			}
		});
		LockHandle lock = cluster.acquire(ScriptedCluster.ORDER).join();
		lock.onReleaseRequested((request) -> {
			throw new AssertionError("not my day 2");
		});
		lock.onAtRisk((event) -> {
			throw new AssertionError("not my day 3");
		});
		lock.onLost((event) -> {
			throw new AssertionError("not my day 4");
		});
		ScriptedNode node = cluster.nodes.get(0);
		node.announceRequest(node.requests.get(0).command().attempt().owner());
		cluster.silence();
		cluster.time.advance(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isFalse();
		assertThat(output).contains("Lock listener ", "not my day 1")
			.contains("A callback on a request to release lock 'order' failed", "not my day 2")
			.contains("A callback on the risk of lock 'order' failed", "not my day 3")
			.contains("A callback on the loss of lock 'order' failed", "not my day 4");
	}

	private void assertRenewedWhile(LockListener listener, Consumer<EngineFixture> code) {
		Duration lease = Duration.ofSeconds(3);
		try (EngineFixture fixture = new EngineFixture(EngineFixture.settings(lease, Duration.ofMillis(500)),
				EngineFixture.nodes(3), listener)) {
			try (LockHandle lock = fixture.template.acquire(LockRequest.of("order"))) {
				code.accept(fixture);
				long start = System.nanoTime();
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> System.nanoTime() - start > lease.plusSeconds(1).toNanos());
				assertThat(lock.isHeld()).isTrue();
				assertThat(fixture.template.tryExecute("another", () -> {
				})).isTrue();
			}
		}
		finally {
			this.never.countDown();
		}
	}

	private void block() {
		try {
			this.never.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
