package io.quorlock.memory;

import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.quorlock.engine.EngineClock;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.LockNodeContract;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.OperatorCommand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryLockNode}.
 */
class InMemoryLockNodeTests extends LockNodeContract {

	private final AtomicLong offset = new AtomicLong();

	private final EngineClock clock = new EngineClock() {

		@Override
		public long nanoTime() {
			return System.nanoTime() + InMemoryLockNodeTests.this.offset.get();
		}

		@Override
		public long wallMicros() {
			return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
		}

	};

	@Override
	protected LockNode createNode() {
		return new InMemoryLockNode("memory", this.clock);
	}

	@Test
	void lateReleaseIsNotMistakenForARunningLease() {
		InMemoryStore store = new InMemoryStore(this.clock);
		List<String> names = List.of("a");
		store.execute(new NodeCommand.Acquire(names, new Attempt("a1"), 1_000, null, 1, 0), new HashMap<>());
		this.offset.addAndGet(TimeUnit.MILLISECONDS.toNanos(1_000));
		assertThat(store.execute(new NodeCommand.Acquire(names, new Attempt("a2"), 1_000, null, 1, 0), new HashMap<>()))
			.isInstanceOf(NodeReply.Granted.class);
		store.execute(new NodeCommand.Release(names, new Attempt("a1"), 0), new HashMap<>());
		assertThat(store.execute(new OperatorCommand.Inspect("a"), new HashMap<>())).isInstanceOfSatisfying(
				NodeReply.Inspected.class,
				(inspected) -> assertThat(inspected.holders().get(0).owner()).isEqualTo("a2"));
	}

	@Test
	void expiredKeysAreForgotten() {
		InMemoryStore store = new InMemoryStore(this.clock);
		for (int i = 0; i < 5_000; i++) {
			store.execute(
					new NodeCommand.Acquire(List.of("lock" + i), new Attempt("a" + i), 10, new long[] { 1 }, 1, 20),
					new HashMap<>());
			this.offset.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
		}
		assertThat(store.size()).isLessThan(2_200);
	}

}
