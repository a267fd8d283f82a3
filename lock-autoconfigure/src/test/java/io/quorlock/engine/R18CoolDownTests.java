package io.quorlock.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Blocker.Cooldown;
import io.quorlock.quorum.node.NodeReply.Failed.Cause;

import static org.assertj.core.api.Assertions.assertThat;

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

	@Test
	void coolDownThatANodeForgotIsPutBackThere() {
		assertThat(cooldownAfterRefusal(ORDER, new Cooldown())).isEqualTo(7_000);
	}

	@Test
	void coolDownOfOneNameLocksNoOtherName() {
		assertThat(cooldownAfterRefusal(LockRequest.ofAll("a", "b"), new Cooldown(), null)).isZero();
		assertThat(cooldownAfterRefusal(LockRequest.ofAll("a", "b"), null, new Cooldown())).isZero();
	}

	/** The reply contains how long the last of them takes. */
	@Test
	void longestCoolDownOfSeveralNamesLocksNoOtherName() {
		assertThat(cooldownAfterRefusal(LockRequest.ofAll("a", "b"), new Cooldown(), new Cooldown())).isZero();
	}

	@Test
	void coolDownOfAnotherInstanceIsPutBackOnANodeThatIsConnectedAgain() {
		ScriptedCluster cluster = coolingDown();
		cluster.time.advance(Duration.ofSeconds(2));
		cluster.nodes.get(0).granting().connected();
		assertThat(cluster.nodes.get(0).operations()).endsWith("acquire", "release");
		assertThat(((NodeCommand.Release) cluster.nodes.get(0).last().command()).cooldownMillis()).isEqualTo(5_000);
		cluster.time.advance(Duration.ofSeconds(6));
		int before = cluster.nodes.get(0).requests.size();
		cluster.nodes.get(0).connected();
		assertThat(cluster.nodes.get(0).requests).hasSize(before);
	}

	@Test
	void lockThatIsToPutACoolDownBackIsTurnedIntoItThoughTheReplyWasLost() {
		ScriptedCluster cluster = coolingDown();
		ScriptedNode node = cluster.nodes.get(0);
		node.script = (command) -> (command instanceof NodeCommand.Acquire) ? new NodeReply.Granted(true, null, 0)
				: new NodeReply.Failed(Cause.CONNECTION_LOST, "connection closed");
		node.connected();
		NodeCommand lost = node.last().command();
		node.refusing();
		cluster.time.advance(Duration.ofSeconds(1));
		List<NodeCommand.Release> repeated = node.requests.stream()
			.map(ScriptedNode.Request::command)
			.filter((command) -> command != lost && command.attempt() == lost.attempt())
			.filter(NodeCommand.Release.class::isInstance)
			.map(NodeCommand.Release.class::cast)
			.toList();
		assertThat(repeated).singleElement().extracting(NodeCommand.Release::cooldownMillis).isEqualTo(6_000L);
	}

	@Test
	void coolDownThatAnOperatorEndedIsNotPutBack() {
		ScriptedCluster cluster = coolingDown();
		cluster.grant();
		new LockInspector(cluster.engine).forceRelease("order");
		int before = cluster.nodes.get(0).requests.size();
		cluster.nodes.get(0).connected();
		assertThat(cluster.nodes.get(0).requests).hasSize(before);
	}

	@Test
	void coolDownBeforeAGrantIsNotPutBack() {
		ScriptedCluster cluster = coolingDown();
		cluster.grant();
		cluster.acquire(ORDER).join().closeAsync();
		int before = cluster.nodes.get(0).requests.size();
		cluster.nodes.get(0).connected();
		assertThat(cluster.nodes.get(0).requests).hasSize(before);
	}

	/** All nodes refuse, since what another instance released cools down. */
	private static ScriptedCluster coolingDown() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (ScriptedNode node : cluster.nodes) {
			node.script = (command) -> (command instanceof NodeCommand.Acquire)
					? new NodeReply.Refused(true, List.of(new Cooldown()), 7_000, new long[1])
					: new NodeReply.Released(true, 0);
		}
		assertThat(cluster.acquire(ORDER)).isCompletedExceptionally();
		return cluster;
	}

	/** Two of three nodes refuse; returns how the third is released. */
	private static long cooldownAfterRefusal(LockRequest request, @Nullable Blocker... blockers) {
		ScriptedCluster cluster = new ScriptedCluster(3);
		for (ScriptedNode node : cluster.nodes.subList(1, 3)) {
			node.script = (command) -> (command instanceof NodeCommand.Acquire)
					? new NodeReply.Refused(true, Arrays.asList(blockers), 7_000, new long[blockers.length])
					: new NodeReply.Released(true, 0);
		}
		assertThat(cluster.acquire(request)).isCompletedExceptionally();
		return ((NodeCommand.Release) cluster.nodes.get(0).last().command()).cooldownMillis();
	}

}
