package io.quorlock.engine;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;

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

}
