package io.quorlock.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R14: what is held when the engine stops is released.
 */
@Timeout(60)
class R14ShutDownTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void stopReleasesHeldLocksAndFailsWaitingRequests() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		LockHandle lock = cluster.acquire(ORDER).join();
		CompletableFuture<LockHandle> waiting = cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.engine.stop();
		assertThat(waiting).isCompletedExceptionally();
		assertThat(lock.isHeld()).isFalse();
		cluster.time.advance(LEASE);
		assertThat(cluster.nodes.get(0).operations()).containsExactly("acquire", "release");
	}

	@Test
	void lockGrantedWhileTheEngineStopsIsReleased() throws Exception {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		Thread stopping = new Thread(cluster.engine::stop);
		stopping.start();
		Awaitility.await().until(() -> lock.isDone() && !cluster.engine.isRunning());
		cluster.nodes.forEach((node) -> node.last().grant());
		stopping.join(10_000);
		assertThat(lock).isCompletedExceptionally();
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

}
