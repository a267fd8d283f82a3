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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.time.LockTimer;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for requests that are cancelled at the moment at which they begin to wait (R4).
 * They call the contender under its lock, which {@code LockOrderTests} would take for a
 * violation in {@link R04WaitingTests}.
 */
class R04WaitingRaceTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	/**
	 * Cancels under the contender's lock, since no other place is in the middle of the
	 * begin of the wait. Another thread would get the lock just behind it.
	 */
	@Test
	void waiterThatGivesUpAsItBeginsToWaitWithdraws() {
		ManualTime time = new ManualTime();
		AtomicReference<CompletableFuture<LockHandle>> waiting = new AtomicReference<>();
		List<ScriptedNode> nodes = Stream.of("node0", "node1", "node2").map(ScriptedNode::new).toList();
		LockTimer timer = (delayNanos, task) -> {
			LockTimer.Timeout timeout = time.schedule(delayNanos, task);
			CompletableFuture<LockHandle> lock = waiting.get();
			if (lock != null && isCalledBy("askIn")) {
				lock.cancel(false);
			}
			return timeout;
		};
		LockEngine engine = new LockEngine(TestSettings.defaults("app@host:1").engineBuilder().build(),
				new QuorumStore(TestSettings.defaults("app@host:1").quorumBuilder(() -> 42).build(), nodes, time, timer,
						List.of()),
				time, time, Runnable::run);
		engine.start();
		waiting.set(engine.acquireAsync(ORDER, Duration.ofSeconds(5)));
		nodes.forEach((node) -> node.last().reply(ScriptedNode.refusal(true)));
		assertThat(waiting.get()).isCancelled();
		assertThat(nodes).allSatisfy((node) -> assertThat(node.sent).contains("listen").endsWith("withdraw"));
	}

	/**
	 * Cancels while the channel of a new run is opened, which is the middle of entering
	 * the queues in front of the first attempt.
	 */
	@Test
	void waiterThatGivesUpAsItEntersTheQueuesIsNotOfferedTheName() {
		AtomicLong runs = new AtomicLong();
		ScriptedCluster cluster = new ScriptedCluster(1, (engine) -> {
		}, (quorum) -> quorum.set(QuorumSettings::random, runs::getAndIncrement)
			.set(QuorumSettings::identity, runs::getAndIncrement));
		ScriptedNode node = cluster.nodes.get(0).refusing();
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.engine.stop();
		cluster.engine.start();
		node.onListen(() -> cluster.engine.acquisitions.forEach((waiting) -> waiting.cancel(waiting.call.cancelled())));
		assertThat(cluster.acquire(ORDER, Duration.ofSeconds(5))).isCompletedExceptionally();
		NodeCommand.Withdraw withdraw = (NodeCommand.Withdraw) node.last().command();
		int before = node.requests.size();
		node.offer(withdraw.ticket(), "order");
		assertThat(node.operations().subList(before, node.requests.size())).as("its reply to the offer")
			.containsExactly("withdraw");
	}

	private static boolean isCalledBy(String method) {
		return StackWalker.getInstance()
			.walk((frames) -> frames.limit(4).anyMatch((frame) -> frame.getMethodName().equals(method)));
	}

}
