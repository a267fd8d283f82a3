package io.quorlock.engine;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R10: a node in quarantine has no vote.
 */
@Timeout(60)
class R10QuarantineTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void grantOfANodeInQuarantineIsNoVoteAndIsReleasedWithTheLock() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.get(0).silent();
		cluster.nodes.get(1).silent();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.nodes.get(0).last().reply(new NodeReply.Granted(false, new long[] { 1 }));
		assertThat(lock).isNotDone();
		cluster.nodes.get(1).last().grant();
		assertThat(lock).isCompleted();
		lock.join().closeAsync();
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

}
