package io.quorlock.engine;

import java.time.Duration;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Blocker.Cooldown;

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
	void coolDownThatANodeForgotIsPutBackThere() {
		assertThat(cooldownAfterRefusal(ORDER, new Cooldown())).isEqualTo(7_000);
	}

	@Test
	void coolDownOfOneNameLocksNoOtherName() {
		assertThat(cooldownAfterRefusal(LockRequest.ofAll("a", "b"), null, new Cooldown())).isZero();
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
