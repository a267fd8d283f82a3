package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.quorum.QuorumStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for requests that are cancelled at the moment at which they begin to wait (R4).
 * They call the contender under its lock, which {@code LockOrderTests} would take for a
 * violation in {@link R04WaitingTests}.
 */
class R04WaitingRaceTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	/**
	 * Cancels under the contender's lock, since no other place is between the begin of
	 * the pause and the subscription. Another thread would get the lock just behind it.
	 */
	@Test
	void waiterThatGivesUpAsItBeginsToWaitUnsubscribes() {
		ManualTime time = new ManualTime();
		AtomicReference<CompletableFuture<LockHandle>> waiting = new AtomicReference<>();
		List<ScriptedNode> nodes = Stream.of("node0", "node1", "node2").map(ScriptedNode::new).toList();
		EngineTimer timer = (delayNanos, task) -> {
			EngineTimer.Timeout timeout = time.schedule(delayNanos, task);
			CompletableFuture<LockHandle> lock = waiting.get();
			if (lock != null && isCalledBy("pauseFor")) {
				lock.cancel(false);
			}
			return timeout;
		};
		LockEngine engine = LockEngine
			.builder(TestSettings.defaults("app@host:1").engineBuilder().build(),
					new QuorumStore(TestSettings.defaults("app@host:1").quorumBuilder(() -> 42).build(), nodes, time,
							timer, List.of()),
					time, time)
			.callbacks(Runnable::run)
			.build();
		engine.start();
		waiting.set(engine.acquireAsync(ORDER, Duration.ofSeconds(5)));
		nodes.forEach((node) -> node.last().reply(ScriptedNode.refusal(true)));
		assertThat(waiting.get()).isCancelled();
		assertThat(nodes).allSatisfy((node) -> {
			assertThat(node.sent).contains("watch");
			assertThat(node.watched).isEmpty();
		});
	}

	private static boolean isCalledBy(String method) {
		return StackWalker.getInstance()
			.walk((frames) -> frames.limit(4).anyMatch((frame) -> frame.getMethodName().equals(method)));
	}

}
