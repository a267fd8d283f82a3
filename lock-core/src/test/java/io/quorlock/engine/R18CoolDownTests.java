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
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.LockUnavailableException;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.quorum.node.NodeStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R18: {@code holdAtLeast} keeps the keys after the release.
 */
@Timeout(60)
class R18CoolDownTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void coolDownIsWhatIsLeftOfHoldAtLeast() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.holdAtLeast(Duration.ofMinutes(5))).join();
		cluster.time.advance(Duration.ofSeconds(4));
		lock.closeAsync();
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(0).last().command();
		assertThat(release.cooldownMillis()).isEqualTo(Duration.ofMinutes(5).minusSeconds(4).toMillis());
	}

	@Test
	void holdOfTheHandleReplacesThatOfTheRequest() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.holdAtLeast(Duration.ofMinutes(5))).join();
		cluster.time.advance(Duration.ofSeconds(4));
		lock.holdAtLeast(Duration.ofSeconds(30));
		cluster.time.advance(Duration.ofSeconds(1));
		lock.closeAsync();
		assertThat(lastCooldown(cluster)).isEqualTo(Duration.ofSeconds(29));
	}

	@Test
	void holdOfZeroEndsThatOfTheRequest() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.holdAtLeast(Duration.ofMinutes(5))).join();
		lock.holdAtLeast(Duration.ZERO);
		lock.closeAsync();
		assertThat(lastCooldown(cluster)).isEqualTo(Duration.ZERO);
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> lock.holdAtLeast(Duration.ofSeconds(1)));
	}

	@Test
	void coolDownIsAlsoSetAtShutDown() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.acquire(ORDER.holdAtLeast(Duration.ofMinutes(5))).join();
		cluster.engine.stop();
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(0).last().command();
		assertThat(release.cooldownMillis()).isEqualTo(Duration.ofMinutes(5).toMillis());
	}

	@Test
	void coolDownOfADowngradedWriterOutlivesReadersThatJoined() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle reader = readerBesideAWriterThatLeft(cluster);
		cluster.time.advance(Duration.ofSeconds(4));
		reader.closeAsync();
		assertThat(lastCooldown(cluster)).isEqualTo(Duration.ofHours(1).minusSeconds(4));
	}

	@Test
	void coolDownOfADowngradedWriterThatLeftIsAlsoSetAtShutDown() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		readerBesideAWriterThatLeft(cluster);
		cluster.engine.stop();
		assertThat(lastCooldown(cluster)).isEqualTo(Duration.ofHours(1));
	}

	private static LockHandle readerBesideAWriterThatLeft(ScriptedCluster cluster) {
		LockHandle writer = cluster.acquire(ORDER.holdAtLeast(Duration.ofHours(1))).join();
		writer.downgrade();
		LockHandle reader = cluster.acquire(ORDER.shared()).join();
		writer.closeAsync();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "renew");
		return reader;
	}

	private static Duration lastCooldown(ScriptedCluster cluster) {
		NodeCommand.Release release = (NodeCommand.Release) cluster.nodes.get(0).last().command();
		return Duration.ofMillis(release.cooldownMillis());
	}

	/** It lasts longer than any lease, and so do the repetitions. */
	@Test
	void coolDownIsSentAgainToANodeThatReturnsBeforeItsEnd() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER.holdAtLeast(Duration.ofMinutes(10))).join();
		ScriptedNode away = cluster.nodes.get(1);
		away.script = (command) -> new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		away.status = NodeStatus.of(NodeStatus.State.DOWN, "connection closed");
		lock.closeAsync();
		cluster.time.advance(Duration.ofMinutes(5));
		away.granting();
		away.connected();
		assertThat(away.operations()).containsExactly("acquire", "release", "release");
		NodeCommand.Release again = (NodeCommand.Release) away.last().command();
		assertThat(again.cooldownMillis()).isEqualTo(Duration.ofMinutes(5).toMillis());
	}

	@Test
	void requestsOfThisInstanceAreKeptOut() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle first = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> second = cluster.acquire(ORDER, Duration.ofSeconds(5));
		first.holdAtLeast(Duration.ofHours(1));
		cluster.nodes.forEach(ScriptedNode::silent);
		first.closeAsync();
		assertThat(second).isNotDone();
		assertThat(lastCooldown(cluster)).isEqualTo(Duration.ofHours(1));
	}

	@Test
	void leaseThatWouldBeKeptIsNot() {
		FakeStoreEngine fake = new FakeStoreEngine(
				(settings) -> settings.set(EngineSettings::retainTime, Duration.ofSeconds(20)));
		LockHandle lock = fake.held(ORDER);
		lock.holdAtLeast(Duration.ofHours(1));
		lock.closeAsync();
		assertThat(fake.store.releases()).singleElement()
			.satisfies((released) -> assertThat(released.cooldown()).isEqualTo(Duration.ofHours(1)));
	}

	@Test
	void holdThatIsOverKeepsNobodyOfThisInstanceOut() {
		FakeStoreEngine fake = new FakeStoreEngine();
		LockHandle first = fake.held(ORDER);
		CompletableFuture<LockHandle> second = fake.acquire(ORDER);
		first.holdAtLeast(Duration.ofMillis(10));
		fake.time.advance(Duration.ofMillis(10));
		first.closeAsync();
		assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
		assertThat(fake.store.releases()).isEmpty();
	}

	/** Where it cools down on one node only, it is not known to. */
	@Test
	void coolDownOnOneNodeIsNoneOfTheLock() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(0).script = refusing(new Blocker.Cooldown());
		cluster.nodes.get(1).script = refusing(new Blocker.Owner("other@host:1:ab:7"));
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.time.advance(Duration.ofSeconds(1));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.withCauseInstanceOf(LockUnavailableException.class)
			.withMessageContaining("node node0: cooling down");
	}

	private static Function<NodeCommand, NodeReply> refusing(Blocker blocker) {
		return (command) -> (command instanceof NodeCommand.Acquire)
				? new NodeReply.Refused(true, List.of(blocker), 20_000, null, 0) : ScriptedNode.grant(command);
	}

}
