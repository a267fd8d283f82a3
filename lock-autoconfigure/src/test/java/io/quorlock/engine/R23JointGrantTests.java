package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.quorlock.LockHandle;
import io.quorlock.LockRequest;
import io.quorlock.groups.GroupedLeaseStore;
import io.quorlock.groups.Move;
import io.quorlock.groups.Sharding;
import io.quorlock.quorum.QuorumStore;
import io.quorlock.quorum.node.NodeReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * R23: what may happen between the grants of the two groups of a name that moves.
 */
class R23JointGrantTests {

	private static final LockRequest ORDER = LockRequest.of("order");

	private final ManualTime time = new ManualTime();

	private final ScriptedNode old = new ScriptedNode("old").granting();

	private final ScriptedNode next = new ScriptedNode("next").granting();

	private final LockEngine engine = start();

	private LockEngine start() {
		TestSettings settings = TestSettings.defaults("app@host:1");
		Map<String, QuorumStore> stores = new TreeMap<>();
		Map.of("a", this.old, "b", this.next)
			.forEach((id, node) -> stores.put(id, new QuorumStore(settings.quorumBuilder(() -> 42).build(),
					List.of(node), this.time, this.time, List.of())));
		GroupedLeaseStore store = new GroupedLeaseStore(new Sharding(List.of("b"), Sharding.By.NAME),
				Move.begun(new Sharding(List.of("a"), Sharding.By.NAME)), stores, Duration.ZERO, this.time::nanoTime);
		LockEngine started = LockEngine.builder(settings.engineBuilder().build(), store, this.time, this.time)
			.callbacks(Runnable::run)
			.build();
		started.start();
		return started;
	}

	@Test
	void leaseThatEndedBeforeBothGroupsStoredItsTokenIsNotGranted() {
		this.old.silent();
		this.next.silent();
		CompletableFuture<LockHandle> lock = this.engine.acquireAsync(ORDER, Duration.ofMinutes(5));
		this.old.last().grant();
		this.next.last().reply(new NodeReply.Granted(true, new long[] { this.time.wallMicros + 1_000_000 }));
		ScriptedNode.Request raise = this.old.last();
		assertThat(this.old.operations()).containsExactly("acquire", "raise");
		CompletableFuture<LockHandle> immediate = this.engine.acquireAsync(ORDER, Duration.ZERO);
		this.old.granting();
		this.next.granting();
		this.time.pause(Duration.ofSeconds(31));
		raise.grant();
		assertThat(this.old.operations()).containsExactly("acquire", "raise", "release", "acquire");
		assertThat(lock.join().isHeld()).isTrue();
		assertThat(immediate).isCompletedExceptionally(); // since somebody holds it by
															// now
	}

	@Test
	void claimDoesNotAskAgainWhenItsWaitIsOver() {
		this.old.silent();
		this.next.silent();
		CompletableFuture<LockHandle> lock = this.engine.acquireAsync(ORDER, Duration.ofSeconds(1));
		this.old.last().grant();
		this.next.last().reply(new NodeReply.Granted(true, new long[] { this.time.wallMicros + 1_000_000 }));
		ScriptedNode.Request raise = this.old.last();
		this.time.pause(Duration.ofSeconds(31));
		raise.grant();
		assertThat(this.old.operations()).containsExactly("acquire", "raise", "release");
		assertThat(lock).isCompletedExceptionally();
	}

}
