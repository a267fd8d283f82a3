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
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.store.LeaseStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * R25: keys outlive the validity of a holder that did not release in time.
 */
@Timeout(60)
class R25LockDelayTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration DELAY = Duration.ofSeconds(15);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	private final ScriptedCluster cluster = new ScriptedCluster(3, (engine) -> {
	}, (quorum) -> quorum.lockDelay(DELAY));

	@Test
	void keysLiveForLeaseAndDelayAndTheValidityCountsFromTheLeaseAlone() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		NodeCommand.Acquire acquire = (NodeCommand.Acquire) this.cluster.nodes.get(0).last().command();
		assertThat(acquire.leaseMillis()).isEqualTo(LEASE.plus(DELAY).toMillis());
		assertThat(lock.remaining()).isLessThan(LEASE);
		this.cluster.time.pause(LEASE);
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void renewalAddsTheDelayToTheKeysAndNotToTheValidity() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		this.cluster.time.advance(LEASE.dividedBy(3));
		NodeCommand.Renew renew = (NodeCommand.Renew) this.cluster.nodes.get(0).last().command();
		assertThat(renew.leaseMillis()).isEqualTo(LEASE.plus(DELAY).toMillis());
		assertThat(lock.remaining()).isBetween(LEASE.minusSeconds(1), LEASE);
		this.cluster.time.pause(LEASE);
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void fenceOutlivesTheDelay() {
		this.cluster.acquire(ORDER).join();
		NodeCommand.Acquire acquire = (NodeCommand.Acquire) this.cluster.nodes.get(0).last().command();
		assertThat(acquire.fenceMillis()).isEqualTo(LEASE.plus(DELAY).plusMinutes(10).toMillis());
	}

	@Test
	void releaseInTimeFreesAtOnce() {
		this.cluster.acquire(ORDER).join().closeAsync();
		assertThat(lastRelease(0).cooldownMillis()).isZero();
	}

	@Test
	void attemptThatFailedFreesAtOnce() {
		this.cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "closed");
		this.cluster.nodes.get(2).script = this.cluster.nodes.get(1).script;
		assertThat(this.cluster.acquire(ORDER)).isCompletedExceptionally();
		assertThat(lastRelease(0).cooldownMillis()).isZero();
	}

	@Test
	void lossLeavesTheRestOfTheDelay() {
		this.cluster.acquire(ORDER).join();
		this.cluster.silence();
		this.cluster.time.advance(LEASE);
		assertThat((double) lastRelease(0).cooldownMillis()).isCloseTo(DELAY.toMillis(), within(400.0));
	}

	@Test
	void releaseAfterTheValidityLeavesTheRestOfTheDelay() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		this.cluster.time.pause(LEASE.plusSeconds(5));
		lock.closeAsync();
		assertThat((double) lastRelease(0).cooldownMillis()).isCloseTo(DELAY.minusSeconds(5).toMillis(), within(400.0));
	}

	@Test
	void releaseAfterTheDelayFreesAtOnce() {
		LockHandle lock = this.cluster.acquire(ORDER).join();
		this.cluster.time.pause(LEASE.plus(DELAY));
		lock.closeAsync();
		assertThat(lastRelease(0).cooldownMillis()).isZero();
	}

	@Test
	void releaseIsRepeatedUntilLeaseAndDelayAreOver() {
		CompletableFuture<LockHandle> lock = this.cluster.acquire(ORDER);
		this.cluster.nodes.get(1).script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "closed");
		lock.join().closeAsync();
		this.cluster.time.advance(Duration.ofSeconds(70)); // the longest lease is 60 s
		int before = this.cluster.nodes.get(1).operations().size();
		this.cluster.nodes.get(1).connected();
		assertThat(this.cluster.nodes.get(1).operations()).hasSizeGreaterThan(before);
	}

	/**
	 * The part of a lease that is valid still protects what its holder may be writing to.
	 */
	@Test
	void releaseBehindTheValidityOfOneGroupKeepsTheNamesOfTheOtherTaken() {
		ManualTime time = this.cluster.time;
		ScriptedNode overdue = new ScriptedNode("overdue").granting();
		ScriptedNode valid = new ScriptedNode("valid").granting();
		LockHandle lock = grouped(overdue, valid).acquireAsync(LockRequest.ofAll("order", "name-in-b3"), Duration.ZERO)
			.join();
		overdue.silent();
		time.advance(LEASE.dividedBy(3));
		valid.silent();
		time.pause(LEASE.dividedBy(3).multipliedBy(2).plusSeconds(5));
		lock.closeAsync();
		for (ScriptedNode node : List.of(overdue, valid)) {
			assertThat(node.last().command()).isInstanceOfSatisfying(NodeCommand.Release.class,
					(release) -> assertThat(release.cooldownMillis()).as(node.name())
						.isBetween(DELAY.minusSeconds(6).toMillis(), DELAY.toMillis()));
		}
	}

	private LockEngine grouped(ScriptedNode a, ScriptedNode b) {
		TestSettings settings = TestSettings.defaults("app@host:1");
		Map<String, QuorumStore> stores = new TreeMap<>();
		Map.of("a", a, "b", b)
			.forEach((id, node) -> stores.put(id,
					new QuorumStore(settings.quorumBuilder(() -> 42).lockDelay(DELAY).build(), List.of(node),
							this.cluster.time, this.cluster.time, List.of())));
		LeaseStore store = new GroupedLeaseStore(new Sharding(List.of("a", "b"), Sharding.By.NAME), stores, DELAY,
				this.cluster.time::nanoTime);
		LockEngine engine = LockEngine.builder(settings.engine(), store, this.cluster.time, this.cluster.time)
			.callbacks(Runnable::run)
			.build();
		engine.start();
		return engine;
	}

	private NodeCommand.Release lastRelease(int node) {
		return (NodeCommand.Release) this.cluster.nodes.get(node).last().command();
	}

}
