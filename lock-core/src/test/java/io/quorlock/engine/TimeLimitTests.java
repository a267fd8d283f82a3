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
import java.util.concurrent.CompletionStage;

import org.junit.jupiter.api.Test;

import io.quorlock.quorum.QuorumStore;
import io.quorlock.store.Grant;
import io.quorlock.store.NodeReport;
import io.quorlock.store.TestClaim;
import io.quorlock.store.TestContender;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waits for the replies of nodes ends without them, after one operation timeout.
 */
class TimeLimitTests {

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private final ManualTime time = new ManualTime();

	private final List<ScriptedNode> nodes = List.of(node("a"), node("b"), node("c"));

	private final QuorumStore store = new QuorumStore(TestSettings.defaults("app@host:1").quorum(() -> 42), this.nodes,
			this.time, this.time, List.of());

	TimeLimitTests() {
		this.store.start();
	}

	private static ScriptedNode node(String name) {
		return new ScriptedNode(name).granting();
	}

	/** A lease on nodes that do not reply any more. */
	private Grant grant() {
		Grant grant = TestContender.of(this.store, TestClaim.of("order").tokens(4), this.time.nanoTime())
			.start()
			.granted();
		silence();
		return grant;
	}

	private void silence() {
		this.nodes.forEach(ScriptedNode::silent);
	}

	private <T> T awaitEnd(CompletionStage<T> stage) {
		CompletableFuture<T> future = stage.toCompletableFuture();
		this.time.advance(TIMEOUT.minusMillis(1));
		assertThat(future).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(future).isDone();
		return future.join();
	}

	@Test
	void furtherTokensAreNotAwaitedForLonger() {
		Grant grant = grant();
		assertThat(awaitEnd(grant.moreTokens(4))).isFalse();
	}

	@Test
	void extensionIsNotAwaitedForLonger() {
		Grant grant = grant();
		assertThat(awaitEnd(grant.extend(Duration.ofSeconds(40), 0))).isFalse();
	}

	@Test
	void downgradeIsNotAwaitedForLonger() {
		Grant grant = grant();
		assertThat(awaitEnd(grant.downgrade(0))).isFalse();
	}

	@Test
	void operatorsDoNotWaitForLonger() {
		silence();
		assertThat(awaitEnd(this.store.inspect("order"))).extracting(NodeReport::error)
			.containsOnly("no reply within 100 ms");
		assertThat(awaitEnd(this.store.requestRelease("order", Duration.ofSeconds(5)))).isFalse();
	}

	/** The nodes are asked who holds the lock, and then to release it. */
	@Test
	void operatorsDoNotWaitForLongerThanTwoTimeoutsForARelease() {
		silence();
		CompletionStage<List<NodeReport>> released = this.store.forceRelease("order", 0);
		this.time.advance(TIMEOUT);
		assertThat(awaitEnd(released)).extracting(NodeReport::error).containsOnly("no reply within 100 ms");
	}

	/** Nodes that replied in time are not blamed. */
	@Test
	void claimThatFailsWhileThisProcessIsPausedSaysSo() {
		silence();
		assertThat(failureAfterPause(Duration.ZERO)).endsWith("no reply within 100 ms");
		assertThat(failureAfterPause(Duration.ofMillis(700)))
			.endsWith("no reply within 100 ms; this process itself was 700 ms late (a pause, or too little "
					+ "processor time), so that replies may have come without being read");
	}

	private String failureAfterPause(Duration pause) {
		TestContender contender = TestContender.of(this.store, TestClaim.of("order"), this.time.nanoTime()).start();
		this.time.pause(pause.plus(TIMEOUT));
		this.time.catchUp();
		return contender.failed().description();
	}

	/** A reply ends the wait at once, and no timer is left. */
	@Test
	void repliesEndTheWait() {
		Grant grant = grant();
		this.nodes.forEach(ScriptedNode::granting);
		int before = this.time.pending();
		assertThat(grant.moreTokens(4).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(grant.extend(Duration.ofSeconds(40), 0).toCompletableFuture()).isCompletedWithValue(true);
		assertThat(this.store.inspect("order").toCompletableFuture()).isDone();
		assertThat(this.store.requestRelease("order", Duration.ofSeconds(5)).toCompletableFuture()).isDone();
		assertThat(this.time.pending()).isEqualTo(before);
	}

}
