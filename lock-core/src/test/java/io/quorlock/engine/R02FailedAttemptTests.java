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
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R2: a failed attempt is released on all nodes.
 */
@Timeout(60)
class R02FailedAttemptTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	/** It owes an earlier reply, so that its vote is not waited for. */
	@Test
	void attemptThatOnlyANodeThatHangsCouldSaveFailsAtOnce() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(2).silent();
		cluster.acquire(LockRequest.of("other")).join();
		cluster.time.advance(Duration.ofMillis(50));
		cluster.nodes.get(1).refusing();
		cluster.acquire(ScriptedCluster.ORDER, Duration.ofSeconds(5));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "acquire", "release");
	}

	@Test
	void failedAttemptIsReleasedOnAllNodesWhateverTheyReplied() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.nodes.get(0).last().grant();
		for (int i = 1; i < 4; i++) {
			cluster.nodes.get(i).last().reply(ScriptedNode.refusal(true));
		}
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("other@host:1 holds it, for another 20000 ms");
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	/** Refusals have nothing to release; they have written the ticket down. */
	@Test
	void claimThatWaitsIsReleasedWhereItIsGrantedLateAndNowhereElse() {
		ScriptedCluster cluster = refusedByAMajorityWhileItWaits();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(lastOperation(node)).isEqualTo("acquire"));
		cluster.nodes.get(3).last().grant();
		cluster.nodes.get(4).last().reply(ScriptedNode.refusal(true));
		assertThat(lastOperation(cluster.nodes.get(3))).isEqualTo("release");
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(3).last().command();
		assertThat(release.ticket()).as("its place in the queue").isNotNull();
		assertThat(lastOperation(cluster.nodes.get(4))).isEqualTo("acquire");
	}

	@Test
	void whatIsNotReleasedYetIsReleasedBeforeTheNextAttempt() {
		ScriptedCluster cluster = refusedByAMajorityWhileItWaits();
		ScriptedNode owing = cluster.nodes.get(4);
		int before = owing.operations().size();
		cluster.time.advance(Duration.ofSeconds(2));
		assertThat(owing.operations().subList(before, before + 2)).containsExactly("release", "acquire");
	}

	@Test
	@Tag("long")
	void whatIsNotReleasedYetIsReleasedWhenTheClaimEnds() {
		ScriptedCluster cluster = refusedByAMajorityWhileItWaits();
		ScriptedNode owing = cluster.nodes.get(4);
		int before = owing.operations().size();
		cluster.engine.stop();
		assertThat(owing.operations().subList(before, before + 2)).containsExactly("release", "withdraw");
	}

	/** What one node granted is gone at once, and so is what others are about to. */
	@Test
	void claimThatOneNodeGrantedIsReleasedWithoutTheRepliesThatAreOwed() {
		ScriptedCluster cluster = waitingWithoutReplies();
		cluster.nodes.get(0).last().grant();
		for (int i = 1; i < 4; i++) {
			cluster.nodes.get(i).last().reply(ScriptedNode.refusal(true));
		}
		assertThat(cluster.nodes).extracting(R02FailedAttemptTests::lastOperation)
			.containsExactly("release", "acquire", "acquire", "acquire", "release");
	}

	@Test
	void claimThatNoQuorumRepliedToInTimeIsReleasedWhereTheReplyIsOwed() {
		ScriptedCluster cluster = waitingWithoutReplies();
		cluster.nodes.get(0).last().reply(ScriptedNode.refusal(true));
		cluster.time.advance(Duration.ofMillis(100));
		assertThat(cluster.nodes).extracting(R02FailedAttemptTests::lastOperation)
			.containsExactly("acquire", "release", "release", "release", "release");
	}

	private static ScriptedCluster refusedByAMajorityWhileItWaits() {
		ScriptedCluster cluster = waitingWithoutReplies();
		for (int i = 0; i < 3; i++) {
			cluster.nodes.get(i).last().reply(ScriptedNode.refusal(true));
		}
		return cluster;
	}

	/** A claim in its second attempt, which brings its ticket. */
	private static ScriptedCluster waitingWithoutReplies() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ORDER, Duration.ofSeconds(30));
		cluster.silence();
		long attempts = acquires(cluster);
		for (int i = 0; i < 100 && acquires(cluster) == attempts; i++) {
			cluster.time.advance(Duration.ofMillis(50));
		}
		return cluster;
	}

	private static long acquires(ScriptedCluster cluster) {
		return cluster.nodes.get(0).operations().stream().filter("acquire"::equals).count();
	}

	private static String lastOperation(ScriptedNode node) {
		return node.operations().get(node.operations().size() - 1);
	}

	@Test
	void everyAttemptHasAnOwnerOfItsOwn() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.time.advance(Duration.ofSeconds(5));
		List<String> tokens = cluster.nodes.stream()
			.flatMap((node) -> node.requests.stream())
			.filter((request) -> request.command() instanceof NodeCommand.Acquire)
			.map((request) -> request.command().attempt().owner())
			.distinct()
			.toList();
		assertThat(tokens).hasSizeGreaterThan(5).allMatch((token) -> token.startsWith("app@host:1:"));
	}

}
