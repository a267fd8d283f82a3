package io.quorlock.groups;

import java.util.List;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;

/**
 * Commands of another instance.
 */
final class TestAcquires {

	private TestAcquires() {
	}

	static NodeCommand of(String name, String token) {
		return new NodeCommand.Acquire(List.of(name), new Attempt(token), 60_000, new long[] { 5 }, 1, 60_000);
	}

}
