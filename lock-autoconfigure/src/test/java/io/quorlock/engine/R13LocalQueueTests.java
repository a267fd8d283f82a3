package io.quorlock.engine;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R13: the requests of one JVM queue locally, and only the head asks the nodes.
 */
@Timeout(60)
class R13LocalQueueTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void onlyTheHeadOfAQueueAsksTheNodes() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire");
	}

}
