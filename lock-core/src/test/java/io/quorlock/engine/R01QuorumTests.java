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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.Refusals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R1: a quorum of the configured nodes grants a lock, within the validity of its lease.
 */
@Timeout(60)
class R01QuorumTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void firstAttemptGoesToAllNodesAtOnceAndReturnsAtTheMajority() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire"));
		cluster.nodes.get(0).last().grant();
		cluster.nodes.get(3).last().grant();
		assertThat(lock).isNotDone();
		cluster.nodes.get(4).last().grant();
		assertThat(lock).isCompleted();
	}

	@Test
	void majorityIsOfTheConfiguredNodesNotOfTheReachable() {
		ScriptedCluster cluster = new ScriptedCluster(4);
		cluster.nodes.get(0).down();
		cluster.nodes.get(1).down();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(cluster.acquire(ORDER)::join)
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("2 of 4 nodes vote, 3 are needed")
			.withMessageContaining("node node0: connection refused");
	}

	@Test
	void validityIsLeaseLessElapsedLessDrift() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.time.advance(Duration.ofMillis(40));
		cluster.nodes.get(0).last().grant();
		cluster.time.advance(Duration.ofMillis(30));
		cluster.nodes.get(1).last().grant();
		assertThat(lock.join().remaining()).isEqualTo(LEASE.minusMillis(70).minusMillis(300).minusMillis(2));
	}

	@Test
	void validityCountsFromTheAttemptThatIsGrantedHoweverManyWereRefused() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER, Duration.ofMinutes(1));
		cluster.time.advance(Duration.ofSeconds(20));
		cluster.silence();
		int refused = attempts(cluster);
		cluster.offer(0, 1, 2);
		assertThat(attempts(cluster)).isEqualTo(refused + 1).isGreaterThan(2);
		cluster.time.advance(Duration.ofMillis(40));
		cluster.nodes.get(0).last().grant();
		cluster.time.advance(Duration.ofMillis(30));
		cluster.nodes.get(1).last().grant();
		assertThat(lock.join().remaining()).isEqualTo(LEASE.minusMillis(70).minusMillis(300).minusMillis(2));
	}

	/** The nodes that granted at once have the key since then. */
	@Test
	void validityCountsFromTheFirstQuestionOfAnAttemptThatAsksAgain() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		for (int i = 2; i < 5; i++) {
			String owner = "other@host:%d:ab:7".formatted(i);
			cluster.nodes.get(i).script = (command) -> Refusals.of(true, List.of(owner), 20_000, null);
		}
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		List<ScriptedNode> divided = cluster.nodes.subList(2, 5);
		divided.forEach(ScriptedNode::silent);
		Duration elapsed = Duration.ofMillis(10);
		cluster.time.advance(elapsed);
		assertThat(divided).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "acquire"));
		divided.get(0).last().grant();
		assertThat(lock.join().remaining()).isEqualTo(LEASE.minus(elapsed).minusMillis(300).minusMillis(2));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
	}

	private static int attempts(ScriptedCluster cluster) {
		return Collections.frequency(cluster.nodes.get(0).operations(), "acquire");
	}

	@Test
	void replyLaterThanTheOperationTimeoutIsNoVote() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.nodes.get(0).last().grant();
		cluster.time.pause(TIMEOUT.plusMillis(1)); // the timer has no chance to run
		cluster.nodes.get(1).last().grant();
		assertThat(lock).isCompletedExceptionally();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void leaseThatEndedOnTheWayIsNotHandedOut() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER.leaseTime(Duration.ofMillis(50)));
		cluster.nodes.get(0).last().grant();
		cluster.time.pause(Duration.ofMillis(48)); // lease less 0.5 ms less 2 ms
		cluster.nodes.get(1).last().grant();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("too late for a lease of 50 ms");
	}

	@Test
	void nodeThatWasGivenNoTimeToReplyIsNotSaidToHaveTimedOut() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER.waitTime(Duration.ZERO));
		cluster.time.advance(Duration.ofMillis(4));
		cluster.nodes.get(0)
			.last()
			.reply(new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "OOM command not allowed"));
		cluster.nodes.get(1)
			.last()
			.reply(new NodeReply.Failed(NodeReply.Failed.Cause.ERROR, "OOM command not allowed"));
		// Until then node2 could have named a holder.
		cluster.time.advance(TIMEOUT.dividedBy(2).minusMillis(4));
		assertThat(lock).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("node node1: OOM command not allowed")
			.withMessageContaining("node node2: no reply after 50 ms, when the attempt ended")
			.satisfies((ex) -> assertThat(ex).message().doesNotContain("within"));
	}

	@Test
	void nodeWhoseTimeIsOverIsSaidToHaveTimedOut() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER.waitTime(Duration.ZERO));
		cluster.nodes.get(0).last().grant();
		cluster.time.advance(TIMEOUT.multipliedBy(2));
		assertThat(lock).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockUnavailableException.class)
			.withMessageContaining("node node0: granted")
			.withMessageContaining("node node1: no reply within 100 ms");
	}

	/** Another attempt would take as long. */
	@Test
	void leaseThatEndedOnTheWayIsNotAskedForAgainAsIfTheVotesWereDivided() {
		ScriptedCluster cluster = new ScriptedCluster(3, (engine) -> {
		}, (quorum) -> quorum.set(QuorumSettings::fencing, false));
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER.leaseTime(Duration.ofMillis(50)));
		cluster.nodes.get(0).last().grant();
		cluster.time.pause(Duration.ofMillis(48));
		cluster.nodes.get(1).last().grant();
		assertThat(lock).isCompletedExceptionally();
	}

}
