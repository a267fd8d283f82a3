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
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Move;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R23: what may happen between the grants of the two groups of a name that moves.
 */
class R23JointGrantTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final ManualTime time = new ManualTime();

	private final ScriptedNode old = new ScriptedNode("old").granting();

	private final ScriptedNode next = new ScriptedNode("next").granting();

	private final LockEngine engine = start();

	private LockEngine start() {
		TestSettings settings = TestSettings.defaults("app@host:1");
		Map<String, QuorumStore> stores = new TreeMap<>();
		Map.of("a", this.old, "b", this.next)
			.forEach((id, node) -> stores.put(id, new QuorumStore(settings.quorumBuilder(() -> 42).build(),
					List.of(node), this.time, this.time, List.of())));
		GroupedLeaseStore store = new GroupedLeaseStore(new Sharding(List.of("b"), Sharding.By.NAME),
				Move.begun(new Sharding(List.of("a"), Sharding.By.NAME)), stores, Duration.ZERO, this.time::nanoTime);
		LockEngine started = LockEngine.builder(settings.engineBuilder().build(), store, this.time, this.time)
			.callbacks(Runnable::run)
			.build();
		started.start();
		return started;
	}

	@Test
	void leaseThatEndedBeforeBothGroupsStoredItsTokenIsNotGranted() {
		this.old.silent();
		this.next.silent();
		CompletableFuture<LockHandle> lock = this.engine.acquireAsync(ORDER, Duration.ofMinutes(5));
		this.old.last().grant();
		this.next.last().reply(new NodeReply.Granted(true, new long[] { this.time.wallMicros + 1_000_000 }));
		ScriptedNode.Request raise = this.old.last();
		assertThat(this.old.operations()).containsExactly("acquire", "raise");
		CompletableFuture<LockHandle> immediate = this.engine.acquireAsync(ORDER, Duration.ZERO);
		this.old.granting();
		this.next.granting();
		this.time.pause(Duration.ofSeconds(31));
		raise.grant();
		assertThat(this.old.operations()).containsExactly("acquire", "raise", "release", "acquire");
		assertThat(lock.join().isHeld()).isTrue();
		// Since somebody holds it by now.
		assertThat(immediate).isCompletedExceptionally();
	}

	/** A node that lost its fence gets the token of the joint lock back, not its own. */
	@Test
	void renewalCarriesTheTokensOfTheJointLock() {
		long far = this.time.wallMicros + 1_000_000;
		this.next.script = (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Granted(true, new long[] { far }) : ScriptedNode.grant(command);
		LockHandle lock = this.engine.acquireAsync(ORDER, Duration.ofSeconds(5)).join();
		assertThat(this.old.operations()).containsExactly("acquire", "raise");
		this.time.advance(Duration.ofSeconds(11));
		assertThat(lock.isHeld()).isTrue();
		for (ScriptedNode node : List.of(this.old, this.next)) {
			assertThat(node.last().command()).isInstanceOfSatisfying(NodeCommand.Renew.class,
					(renew) -> assertThat(renew.fences()).isNotNull()
						.satisfies((fences) -> assertThat(fences[0]).isGreaterThanOrEqualTo(lock.fencingToken())));
		}
	}

	@Test
	void claimDoesNotAskAgainWhenItsWaitIsOver() {
		this.old.silent();
		this.next.silent();
		CompletableFuture<LockHandle> lock = this.engine.acquireAsync(ORDER, Duration.ofSeconds(1));
		this.old.last().grant();
		this.next.last().reply(new NodeReply.Granted(true, new long[] { this.time.wallMicros + 1_000_000 }));
		ScriptedNode.Request raise = this.old.last();
		this.time.pause(Duration.ofSeconds(31));
		raise.grant();
		assertThat(this.old.operations()).containsExactly("acquire", "raise", "release");
		assertThat(lock).isCompletedExceptionally();
	}

}
