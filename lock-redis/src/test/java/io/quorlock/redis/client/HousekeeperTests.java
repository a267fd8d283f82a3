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

package io.quorlock.redis.client;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import io.quorlock.logging.CapturedLog;
import io.quorlock.logging.LogCaptureExtension;
import io.quorlock.quorum.membership.Membership;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.redis.NodeAddress;
import io.quorlock.redis.client.RedisNodes.Housekeeper;
import io.quorlock.time.SystemClock;
import io.quorlock.time.TestClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The thread that watches all nodes outlives whatever one of them does.
 */
@ExtendWith(LogCaptureExtension.class)
class HousekeeperTests {

	private static final long TIMEOUT_MILLIS = 20_000;

	private final Housekeeper housekeeper = new Housekeeper(new SystemClock(), null);

	private final RedisLockNode failing = node("failing");

	private final RedisLockNode sound = node("sound");

	@AfterEach
	void stop() {
		this.housekeeper.remove(this.failing);
		this.housekeeper.remove(this.sound);
	}

	@Test
	void errorOfOneNodeNeitherEndsTheThreadNorFloodsTheLog(CapturedLog output) {
		BDDMockito
			.willThrow(new StackOverflowError(), new OutOfMemoryError("Java heap space"), new StackOverflowError())
			.given(this.failing)
			.keep(ArgumentMatchers.anyLong());
		this.housekeeper.add(this.failing);
		this.housekeeper.add(this.sound);
		Mockito.verify(this.sound, Mockito.timeout(TIMEOUT_MILLIS).atLeast(4)).keep(ArgumentMatchers.anyLong());
		Mockito.verify(this.failing, Mockito.timeout(TIMEOUT_MILLIS).atLeast(4)).keep(ArgumentMatchers.anyLong());
		assertThat(output.toString().split("Housekeeping of lock node failing failed", -1)).hasSize(2);
	}

	@Test
	void failureThatComesBackLaterIsLoggedAgain(CapturedLog output) {
		BDDMockito.willThrow(new IllegalStateException("first"))
			.willDoNothing()
			.willThrow(new IllegalStateException("second"))
			.willDoNothing()
			.given(this.failing)
			.keep(ArgumentMatchers.anyLong());
		for (int i = 0; i < 4; i++) {
			this.housekeeper.tick(Set.of(this.failing));
		}
		assertThat(output.toString().split("Housekeeping of lock node failing failed", -1)).hasSize(3);
	}

	@Test
	void nodesAreKeptWhileAnyIsLeft() {
		this.housekeeper.add(this.failing);
		this.housekeeper.add(this.sound);
		this.housekeeper.remove(this.failing);
		Mockito.clearInvocations(this.sound);
		Mockito.verify(this.sound, Mockito.timeout(TIMEOUT_MILLIS).atLeast(3)).keep(ArgumentMatchers.anyLong());
	}

	/**
	 * Replies that came during the pause are read first: a connection that has them is
	 * not dead.
	 */
	@Test
	void nothingIsJudgedRightBehindAPauseOfTheProcess() {
		TestClock clock = new TestClock();
		Housekeeper housekeeper = new Housekeeper(clock, null);
		housekeeper.tick(Set.of(this.sound));
		Mockito.verify(this.sound).keep(ArgumentMatchers.anyLong());
		clock.advance(Duration.ofSeconds(10));
		housekeeper.tick(Set.of(this.sound));
		Mockito.verify(this.sound).keep(ArgumentMatchers.anyLong());
		// A process that is always late keeps its nodes all the same.
		clock.advance(Duration.ofSeconds(10));
		housekeeper.tick(Set.of(this.sound));
		Mockito.verify(this.sound, Mockito.times(2)).keep(ArgumentMatchers.anyLong());
	}

	@Test
	void threadEndsWithTheLastNode() {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		BDDMockito.willAnswer((invocation) -> thread.complete(Thread.currentThread()))
			.given(this.sound)
			.keep(ArgumentMatchers.anyLong());
		this.housekeeper.add(this.sound);
		Thread keeping = thread.orTimeout(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).join();
		assertThat(keeping.isDaemon()).isTrue();
		this.housekeeper.remove(this.sound);
		Awaitility.await().until(() -> !keeping.isAlive());
	}

	@Test
	void nodeThatCannotBeConnectedIsSaidToBeDownAndKeptUntilItIsStopped(CapturedLog output) {
		Housekeeper keeping = Mockito.mock(Housekeeper.class);
		RedisLockNode node = new RedisLockNode(NodeAddress.parse("redis://127.0.0.1:1"), NodeProbe.options(),
				new Membership(List.of("127.0.0.1:1")), 0, keeping);
		node.start(Mockito.mock(NodeListener.class));
		Mockito.verify(keeping).add(node);
		NodeProbe.until(() -> output.toString().contains("Lock node 127.0.0.1:1 is down: connection refused"));
		Mockito.verify(keeping, Mockito.never()).remove(node);
		node.stop();
		Mockito.verify(keeping).remove(node);
		assertThat(output).containsOnlyOnce("is down");
	}

	private static RedisLockNode node(String name) {
		RedisLockNode node = Mockito.mock(RedisLockNode.class);
		BDDMockito.given(node.name()).willReturn(name);
		return node;
	}

}
