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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R3: the commands of an attempt reach a node in order.
 */
@Timeout(60)
class R03CommandOrderTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void nothingOfAnAttemptFollowsItsRelease() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		lock.closeAsync();
		cluster.time.advance(LEASE.multipliedBy(2));
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void nodeToWhichNothingWasSentIsNotReleased() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(2).down();
		cluster.acquire(ORDER).join().closeAsync();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
		assertThat(cluster.nodes.get(2).operations()).containsExactly("acquire");
	}

	/**
	 * The lock is closed, and its release waits until the renewal was sent to all nodes.
	 */
	@Test
	void releaseBehindARenewalThatIsBeingSentIsNotLeftUnsent() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> next = cluster.acquire(ORDER.leaseTime(LEASE), Duration.ofSeconds(20));
		AtomicBoolean closed = new AtomicBoolean();
		Function<NodeCommand, NodeReply> granting = Objects.requireNonNull(cluster.nodes.get(0).script);
		cluster.nodes.get(0).script = (command) -> {
			if (command instanceof NodeCommand.Renew && closed.compareAndSet(false, true)) {
				lock.closeAsync();
			}
			return granting.apply(command);
		};
		cluster.time.advance(LEASE.dividedBy(3));
		assertThat(closed).isTrue();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).startsWith("acquire", "renew", "release"));
		assertThat(next).isCompletedWithValueMatching(LockHandle::isHeld);
	}

}
