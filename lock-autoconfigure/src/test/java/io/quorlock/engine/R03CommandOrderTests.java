package io.quorlock.engine;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

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

}
