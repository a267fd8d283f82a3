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
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockLostEvent;
import io.quorlock.LockLostException;
import io.quorlock.LockRequest;
import io.quorlock.engine.event.LockListener;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.IdleNodeListener;
import io.quorlock.quorum.node.InMemoryLockNode;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.store.Claim;
import io.quorlock.store.ClaimFailure;
import io.quorlock.store.Contender;
import io.quorlock.store.Grant;
import io.quorlock.store.NodeReport;
import io.quorlock.store.TestClaim;
import io.quorlock.time.ManualTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R7: a lock whose validity ended without a renewal is lost.
 */
@Timeout(60)
class R07LossTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void lockIsLostAtTheFirstCallAfterAPauseBeforeAnyTimerRan() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.time.pause(LEASE);
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.remaining()).isZero();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld);
	}

	@Test
	void claimBehindALeaseThatWasLostIsNotRefusedBecauseOfIt() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER).join();
		// No timer has run, so that the lease is still in the queue.
		cluster.time.pause(LEASE);
		assertThat(cluster.acquire(ORDER).join().isHeld()).isTrue();
	}

	@Test
	void lossIsNotifiedOnceAndReleasedBehindTheLastRenewal() {
		List<LockLostEvent> events = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {
			@Override
			public void onLost(LockRequest request, LockLostEvent event) {
				events.add(event);
			}
		});
		LockHandle lock = cluster.acquire(ORDER).join();
		List<LockLostEvent> notified = new ArrayList<>();
		lock.onLost(notified::add);
		cluster.silence();
		cluster.time.advance(LEASE);
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.name()).isEqualTo("order");
			assertThat(event.heldFor()).isBetween(Duration.ofSeconds(29), LEASE);
			assertThat(event.reason()).contains("no quorum confirmed its renewal");
		});
		assertThat(notified).isEqualTo(events);
		assertThat(cluster.nodes.get(0).operations()).endsWith("renew", "release");
	}

	@Test
	void lockIsLostOnceAQuorumRepliesThatAnotherOwnerHoldsIt() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.nodes.subList(0, 2).forEach(ScriptedNode::refusing);
		cluster.nodes.subList(2, 4).forEach(ScriptedNode::silent);
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(lock.isHeld()).isTrue(); // two of five, and two may still confirm
		cluster.nodes.get(2).last().reply(ScriptedNode.refusal(true));
		assertThat(lock.isHeld()).isFalse();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("a majority of the nodes says that another owner holds it");
		cluster.time.advance(Duration.ofMillis(1));
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("renew", "release"));
	}

	/** Before the renewal fails that no node replies to. */
	@Test
	void leaseThatWasShortenedIsLostAtItsNewEnd() {
		List<LockLostEvent> events = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		lock.onLost(events::add);
		cluster.silence();
		((Handle) lock).extendAsync(Duration.ofMillis(60));
		cluster.time.advance(Duration.ofMillis(50));
		assertThat(events).isEmpty();
		cluster.time.advance(Duration.ofMillis(10));
		assertThat(events).hasSize(1);
	}

	@Test
	void lossCarriesTheReasonsOfTheNodes() {
		List<LockLostEvent> events = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER).join().onLost(events::add);
		cluster.nodes.get(0).script = (command) -> new NodeReply.Failed(NodeReply.Failed.Cause.ERROR,
				"denies a permission that a lock script needs: SET");
		cluster.nodes.get(1).silent();
		cluster.time.advance(LEASE);
		assertThat(events).singleElement()
			.extracting(LockLostEvent::reason)
			.asString()
			.contains("node node0: denies a permission that a lock script needs: SET")
			.contains("node node1: no reply")
			.doesNotContain("node2")
			.doesNotContain("another owner");
	}

	@Test
	void refusalsWithoutAVoteOrTooLateLoseNothing() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = cluster.nodes.stream().map(ScriptedNode::last).toList();
		renewals.get(0).reply(ScriptedNode.refusal(true));
		renewals.get(1).reply(ScriptedNode.refusal(false));
		assertThat(lock.isHeld()).isTrue();
		cluster.nodes.subList(1, 3).forEach(ScriptedNode::granting);
		cluster.time.advance(Duration.ofSeconds(4)); // retried, and confirmed by a quorum
		renewals.get(2).reply(ScriptedNode.refusal(true));
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(28));
	}

	@Test
	void lostLockIsNeverRevived() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(Duration.ofSeconds(10));
		List<ScriptedNode.Request> renewals = cluster.nodes.stream().map(ScriptedNode::last).toList();
		cluster.time.pause(Duration.ofSeconds(20));
		renewals.forEach(ScriptedNode.Request::grant);
		assertThat(lock.isHeld()).isFalse();
		cluster.time.catchUp();
		assertThat(lock.isHeld()).isFalse();
	}

	/** Its handle is still open, and its commands are still under way. */
	@Test
	void leaseThatWasLostKeepsNothingFromTheNextOneOfTheSameName() {
		List<Boolean> renewed = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3, new LockListener() {
			@Override
			public void onRenewed(LockRequest request, boolean success) {
				renewed.add(success);
			}
		});
		List<Function<NodeCommand, NodeReply>> keys = cluster.nodes.stream()
			.map((node) -> keysInMemory(cluster.time))
			.toList();
		connect(cluster, keys);
		LockHandle lost = cluster.acquire(ORDER).join();
		cluster.silence();
		cluster.time.advance(LEASE);
		assertThat(lost.isHeld()).isFalse();
		List<List<ScriptedNode.Request>> late = cluster.nodes.stream()
			.map((node) -> List.copyOf(node.requests.subList(1, node.requests.size())))
			.toList();
		assertThat(late.get(0)).extracting((request) -> request.command().operation()).contains("renew", "release");
		connect(cluster, keys);
		renewed.clear();
		LockHandle next = cluster.acquire(ORDER).join();
		String owner = cluster.nodes.get(0).last().command().attempt().owner();
		cluster.nodes.forEach((node) -> node.requests.clear());
		// All nodes still owe replies to the lost lease.
		cluster.time.advance(Duration.ofSeconds(10));
		assertThat(renewed).containsExactly(true);
		for (int slot = 0; slot < 3; slot++) {
			Function<NodeCommand, NodeReply> node = keys.get(slot);
			late.get(slot).forEach((request) -> request.reply(node.apply(request.command())));
		}
		assertThat(keys).allSatisfy((node) -> assertThat(ownerOfOrder(node)).isEqualTo(owner));
		lost.close();
		assertThat(keys).allSatisfy((node) -> assertThat(ownerOfOrder(node)).isEqualTo(owner));
		cluster.time.advance(LEASE.multipliedBy(2));
		assertThat(renewed).hasSize(7).containsOnly(true);
		assertThat(next.remaining()).isGreaterThan(Duration.ofSeconds(19));
		assertThat(cluster.nodes).allSatisfy((node) -> {
			assertThat(node.operations()).hasSize(7).containsOnly("renew");
			assertThat(node.requests).allMatch((request) -> request.command().attempt().owner().equals(owner));
		});
	}

	private static void connect(ScriptedCluster cluster, List<Function<NodeCommand, NodeReply>> keys) {
		for (int slot = 0; slot < keys.size(); slot++) {
			cluster.nodes.get(slot).script = keys.get(slot);
		}
	}

	/** What a node replies that has keys, and time that a test lets go on. */
	private static Function<NodeCommand, NodeReply> keysInMemory(ManualTime time) {
		InMemoryLockNode node = new InMemoryLockNode("keys", time);
		node.start(new IdleNodeListener());
		return (command) -> {
			AtomicReference<NodeReply> reply = new AtomicReference<>();
			node.submit(command, 0, (slot, received) -> reply.set(received));
			return reply.get();
		};
	}

	private static @Nullable String ownerOfOrder(Function<NodeCommand, NodeReply> node) {
		List<NodeReply.Inspected.Holder> holders = ((NodeReply.Inspected) node
			.apply(new OperatorCommand.Inspect("order"))).holders();
		return holders.isEmpty() ? null : holders.get(0).owner();
	}

	/** Nothing else may be sent to the nodes until the first renewal. */
	@Test
	void holderListensToOperatorsAtOnce() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER).join();
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.listening).containsExactly("app@host:1:2a"));
	}

	@Test
	void lockThatAnOperatorReleasedElsewhereIsLostAtOnce() {
		List<LockLostEvent> events = new ArrayList<>();
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		lock.onLost(events::add);
		ScriptedNode node = cluster.nodes.get(2);
		node.announceForced(node.requests.get(0).command().attempt().owner(), 0);
		assertThat(lock.isHeld()).isFalse();
		assertThat(events).singleElement()
			.extracting(LockLostEvent::reason)
			.asString()
			.contains("an operator released it by force");
	}

	/**
	 * A node that is freed before they have all said who holds the lock would grant it to
	 * another, and name that one.
	 */
	@Test
	void lockThatIsReleasedByForceIsLostAtOnceAndReleasedWhenTheNodesHaveSaidWhoHoldsIt() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		Attempt attempt = cluster.nodes.get(0).last().command().attempt();
		String owner = attempt.owner();
		cluster.silence();
		CompletableFuture<?> released = new LockInspector(cluster.engine).forceRelease("order");
		assertThat(lock.isHeld()).isFalse();
		assertThat(attempt.isReleasing()).as("so that no renewal is sent again").isTrue();
		cluster.nodes.subList(0, 2).forEach((node) -> node.last().reply(named("app@host:2:7f:1", 0)));
		assertThat(cluster.nodes).allSatisfy((node) -> assertThat(node.operations()).endsWith("acquire", "inspect"));
		cluster.nodes.get(2).last().reply(named(owner, 0));
		assertThat(cluster.nodes).allSatisfy((node) -> {
			assertThat(node.operations()).endsWith("inspect", "release", "force-release");
			assertThat(node.last().command()).isInstanceOfSatisfying(OperatorCommand.ForceRelease.class,
					(command) -> assertThat(command.owners()).containsExactlyInAnyOrder("app@host:2:7f:1", owner));
		});
		assertThat(released).isNotDone();
		cluster.nodes.forEach((node) -> node.last().reply(new NodeReply.Done(true)));
		assertThat(released).isDone();
	}

	@Test
	void operatorWhoReleasesOnePermitNamesItsHoldersAlone() {
		ScriptedCluster cluster = new ScriptedCluster(1);
		ScriptedNode node = cluster.nodes.get(0);
		node.silent();
		new LockInspector(cluster.engine).forceRelease("order", 2);
		node.last()
			.reply(new NodeReply.Inspected(true, Stream.of(1, 2).map((permit) -> holder("p" + permit, permit)).toList(),
					List.of(), 0));
		assertThat(node.last().command()).isInstanceOfSatisfying(OperatorCommand.ForceRelease.class, (command) -> {
			assertThat(command.permit()).isEqualTo(2);
			assertThat(command.owners()).containsExactly("p2");
		});
	}

	@Test
	void releaseByForceGoesOnWithoutNodesThatDoNotSayWhoHoldsTheLock() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<List<NodeReport>> released = new LockInspector(cluster.engine).forceRelease("order");
		cluster.nodes.get(0).last().reply(named("app@host:2:7f:1", 0));
		Duration timeout = TestSettings.defaults("app@host:1").operationTimeout();
		cluster.time.advance(timeout);
		assertThat(cluster.nodes.get(2).last().command()).isInstanceOfSatisfying(OperatorCommand.ForceRelease.class,
				(command) -> assertThat(command.owners()).containsExactly("app@host:2:7f:1"));
		cluster.time.advance(timeout);
		assertThat(released.join()).allSatisfy((report) -> assertThat(report.error()).isNotNull());
	}

	private static NodeReply named(String owner, int permit) {
		return new NodeReply.Inspected(true, List.of(holder(owner, permit)), List.of(), 0);
	}

	private static NodeReply.Inspected.Holder holder(String owner, int permit) {
		LockTarget.Kind kind = (permit > 0) ? LockTarget.Kind.PERMIT : LockTarget.Kind.EXCLUSIVE;
		return new NodeReply.Inspected.Holder(owner, kind, permit, 10_000);
	}

	/** A node granted another permit at first, which is not released there yet. */
	@Test
	void permitOutlivesTheForcedReleaseOfAnother() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.permits(2)).join();
		ScriptedNode node = cluster.nodes.get(2);
		String token = node.requests.get(0).command().attempt().owner();
		node.announceForced(token, 3 - lock.permit());
		assertThat(lock.isHeld()).isTrue();
		node.announceForced(token, lock.permit());
		assertThat(lock.isHeld()).isFalse();
	}

	@Test
	void lossFromBeforeTheLeaseIsKeptIsReported() {
		ManualTime time = new ManualTime();
		QuorumStore store = new QuorumStore(TestSettings.defaults("app@host:1").quorum(() -> 42),
				List.of(new ScriptedNode("node0").granting()), time, time, List.of());
		store.start();
		List<String> reasons = new ArrayList<>();
		Claim claim = TestClaim.of("order").at(time.nanoTime());
		store.contend(claim, new Contender.Listener() {

			@Override
			public void onWaiting() {
			}

			@Override
			public void onGranted(Grant grant) {
				time.pause(LEASE);
				assertThat(grant.isValid()).isFalse();
				grant.keep(reasons::add);
			}

			@Override
			public void onFailed(ClaimFailure failure) {
			}

		}).start();
		assertThat(reasons).singleElement().asString().contains("its validity ended without a renewal");
	}

}
