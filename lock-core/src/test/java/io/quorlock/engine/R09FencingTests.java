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
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.QuorumSettings;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R9: fencing tokens strictly increase.
 */
@Timeout(60)
class R09FencingTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void tokenIsTheGreatestVoteAndOneRoundIsEnoughIfAMajorityStoresIt() {
		ScriptedCluster cluster = new ScriptedCluster(5, TestSettings::withoutHandover);
		long token = cluster.acquire(ORDER).join().fencingToken();
		assertThat(token).isEqualTo(cluster.time.wallMicros());
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire"));
	}

	/** A node that is connected afterwards checks the clock by its own. */
	@Test
	void attemptCarriesTheClockOfThisMachineUntilANodeHasToldItsTime() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER).join();
		assertThat(cluster.nodes.get(2).last().command().attempt().unconfirmedMicros())
			.isEqualTo(cluster.time.wallMicros());
		cluster.nodes.get(0).status = new NodeStatus(NodeStatus.State.VOTING, "", Duration.ZERO, "run", null,
				OptionalLong.of(cluster.time.wallMicros()));
		cluster.nodes.get(0).connected();
		cluster.acquire(LockRequest.of("other")).join();
		assertThat(cluster.nodes.get(2).last().command().attempt().unconfirmedMicros()).isZero();
	}

	@Test
	void fenceIsRaisedWhereAMajorityIsNotKnownToStoreIt() {
		ScriptedCluster cluster = new ScriptedCluster(5, TestSettings::withoutHandover);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		long high = cluster.time.wallMicros() + 1_000_000;
		cluster.nodes.get(0).last().reply(new NodeReply.Granted(true, new long[] { high }));
		cluster.nodes.get(1).last().grant();
		cluster.nodes.get(2).last().grant();
		assertThat(lock).isNotDone();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "raise"));
		cluster.nodes.get(3).last().reply(new NodeReply.Done(true));
		assertThat(lock).isNotDone();
		cluster.nodes.get(4).last().reply(new NodeReply.Done(true));
		assertThat(lock.join().fencingToken()).isEqualTo(high);
	}

	/** Each permit has a fence of its own. */
	@Test
	void fenceIsRaisedOfThePermitThatIsGranted() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER.permits(4));
		long high = cluster.time.wallMicros() + 1_000_000;
		cluster.nodes.get(0).last().reply(new NodeReply.Granted(true, new long[] { high }, 3));
		cluster.nodes.get(1).last().reply(new NodeReply.Granted(true, new long[] { high - 1 }, 3));
		assertThat(lock).isNotDone();
		assertThat(((NodeCommand.Raise) cluster.nodes.get(1).last().command()).permit()).isEqualTo(3);
		cluster.nodes.get(1).last().reply(new NodeReply.Done(true));
		assertThat(lock.join().fencingToken()).isEqualTo(high);
	}

	@Test
	void bothRoundsShareOneOperationTimeout() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.time.advance(Duration.ofMillis(60));
		cluster.nodes.get(0)
			.last()
			.reply(new NodeReply.Granted(true, new long[] { cluster.time.wallMicros() + 1_000_000 }));
		cluster.nodes.get(1).last().grant();
		cluster.time.advance(Duration.ofMillis(40));
		assertThat(lock).isCompletedExceptionally();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "raise", "release");
	}

	/** As after a correction by NTP, with nodes that have forgotten their fences. */
	@Test
	void stepOfTheClockOfThisMachineTakesNoTokenBack() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		long offset = cluster.time.wallMicros() - cluster.time.nanoTime() / 1_000;
		cluster.nodes.forEach((node) -> node.status = new NodeStatus(NodeStatus.State.VOTING, "", Duration.ZERO, "run",
				null, OptionalLong.of(offset)));
		long first = cluster.acquire(LockRequest.of("a")).join().fencingToken();
		assertThat(first).isEqualTo(cluster.time.wallMicros());
		cluster.time.setWallMicros(cluster.time.wallMicros() - 60_000_000);
		cluster.time.advance(Duration.ofSeconds(5));
		assertThat(cluster.acquire(LockRequest.of("b")).join().fencingToken()).isEqualTo(first + 5_000_000);
		cluster.time.setWallMicros(cluster.time.wallMicros() + Duration.ofDays(20_000).toMillis() * 1_000);
		cluster.time.advance(Duration.ofSeconds(5));
		assertThat(cluster.acquire(LockRequest.of("c")).join().fencingToken()).isEqualTo(first + 10_000_000);
	}

	@Test
	void proposalIsMoreThanAnyFenceSeen() {
		ScriptedCluster cluster = new ScriptedCluster(3, TestSettings::withoutHandover);
		long first = cluster.acquire(ORDER).join().fencingToken();
		// The wall clock jumps back.
		cluster.time.setWallMicros(cluster.time.wallMicros() - 60_000_000);
		cluster.engine.stop();
		cluster.engine.start();
		assertThat(cluster.acquire(ORDER).join().fencingToken()).isGreaterThan(first);
	}

	/**
	 * What the nodes store may be older than a token of the store where the name was
	 * before.
	 */
	@Test
	void readerTakesNoTokenBelowTheFloor() {
		long floor = 1_800_000_000_000_000L;
		ScriptedCluster cluster = new ScriptedCluster(3, (engine) -> {
		}, (quorum) -> quorum.set(QuorumSettings::fencingFloor, floor));
		cluster.silence();
		CompletableFuture<LockHandle> reader = cluster.acquire(ORDER.shared());
		assertThat(((NodeCommand.Acquire) cluster.nodes.get(0).last().command()).proposed()).containsExactly(floor);
		cluster.nodes.forEach((node) -> node.last().grant());
		assertThat(reader.join().fencingToken()).isEqualTo(floor);
	}

}
