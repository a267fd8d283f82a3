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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.RequestObserver;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.time.LockTimer;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What may come between two steps of the engine: another thread, a stop, or messages that
 * do not end. Each test carries the number of its rule.
 */
@Timeout(60)
class EngineRaceTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private static final String KEY = "order";

	private final ManualTime time = new ManualTime();

	private final List<ScriptedNode> nodes = new ArrayList<>();

	private LockEngine engine(int count, LockTimer timer, RequestObserver... observers) {
		for (int i = 0; i < count; i++) {
			this.nodes.add(new ScriptedNode("node" + i).granting());
		}
		LockEngine engine = TestEngines.create(TestSettings.defaults("app@host:1"), this.nodes, this.time, timer,
				Runnable::run, List.of(), List.of(), List.of(observers));
		engine.start();
		return engine;
	}

	/** How many commands the attempts have cost. */
	private long asked() {
		return this.nodes.stream().flatMap((node) -> node.operations().stream()).filter("acquire"::equals).count();
	}

	@Test
	void r4OffersOfNodesThatGrantedAreNoNews() {
		LockEngine engine = engine(5, this.time);
		this.nodes.get(2).silent();
		this.nodes.get(3).refusing();
		this.nodes.get(4).refusing();
		engine.acquireAsync(ORDER, Duration.ofSeconds(60));
		this.time.advance(Duration.ofMillis(100));
		assertThat(asked()).isEqualTo(5);
		// Two granted in time, and the failed attempt was released there.
		String ticket = this.nodes.get(0).lastTicket();
		this.nodes.subList(0, 2).forEach((node) -> node.offer(ticket, KEY));
		this.time.advance(Duration.ofMillis(5));
		assertThat(asked()).isEqualTo(5);
		this.nodes.get(3).offer(ticket, KEY);
		this.time.advance(Duration.ofMillis(1)); // the last two may follow
		assertThat(asked()).isGreaterThan(5);
	}

	@Test
	void r6OfTwoConcurrentExtensionsTheLaterOneReachesTheNodesLast() throws Exception {
		AtomicReference<@Nullable Runnable> whenRenewing = new AtomicReference<>();
		LockEngine engine = engine(3, (delayNanos, task) -> {
			// A renewal is about to be sent.
			Runnable interloper = (delayNanos == Duration.ofMillis(100).toNanos()) ? whenRenewing.getAndSet(null)
					: null;
			if (interloper != null) {
				interloper.run();
			}
			return this.time.schedule(delayNanos, task);
		});
		LockHandle lock = engine.acquireAsync(ORDER.leaseTime(Duration.ofSeconds(30)), Duration.ZERO).join();
		Thread later = new Thread(() -> lock.extend(Duration.ofSeconds(60)));
		whenRenewing.set(() -> {
			later.start();
			Awaitility.await()
				.until(() -> later.getState() == Thread.State.WAITING || later.getState() == Thread.State.TERMINATED);
		});
		lock.extend(Duration.ofSeconds(5));
		later.join(10_000);
		assertThat(later.isAlive()).isFalse();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(59));
		assertThat(this.nodes).allSatisfy((node) -> {
			NodeCommand.Renew last = (NodeCommand.Renew) node.last().command();
			assertThat(last.leaseMillis()).as("the keys live as long as the handle says").isEqualTo(60_000);
		});
	}

	@Test
	void r14RequestThatTheStopDidNotSeeAsksForNothing() {
		AtomicReference<@Nullable LockEngine> stopped = new AtomicReference<>();
		LockEngine engine = engine(3, this.time, (request) -> {
			LockEngine running = stopped.get();
			if (running != null) {
				running.stop(); // between the look at its state and the first command
			}
			return null;
		});
		stopped.set(engine);
		CompletableFuture<LockHandle> lock = engine.acquireAsync(ORDER, Duration.ZERO);
		assertThat(lock).isCompletedExceptionally();
		this.time.advance(Duration.ofSeconds(60));
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.operations()).isEmpty());
	}

}
