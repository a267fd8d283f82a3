package io.quorlock.memory;

import io.quorlock.engine.SystemClock;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.SealContract;

/**
 * Seals of {@link InMemoryLockNode}.
 */
class InMemorySealTests extends SealContract {

	private final InMemoryLockNode node = new InMemoryLockNode("memory", new SystemClock());

	@Override
	protected LockNode createNode(int version) {
		return this.node.withLayout(version);
	}

	@Override
	protected void seal(int version) {
		this.node.seal(version);
	}

}
