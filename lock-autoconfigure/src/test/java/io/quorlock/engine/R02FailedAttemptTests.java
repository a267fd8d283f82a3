package io.quorlock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.quorlock.LockHandle;
import io.quorlock.LockNotAcquiredException;
import io.quorlock.LockRequest;
import io.quorlock.quorum.node.NodeCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * R2: a failed attempt is released on all nodes.
 */
@Timeout(60)
class R02FailedAttemptTests {

	private static final LockRequest ORDER = ScriptedCluster.ORDER;

	@Test
	void failedAttemptIsReleasedOnAllNodesWhateverTheyReplied() {
		ScriptedCluster cluster = new ScriptedCluster(5);
		cluster.silence();
		CompletableFuture<LockHandle> lock = cluster.acquire(ORDER);
		cluster.nodes.get(0).last().grant();
		for (int i = 1; i < 4; i++) {
			cluster.nodes.get(i).last().reply(ScriptedNode.refusal(true));
		}
		assertThatExceptionOfType(CompletionException.class).isThrownBy(lock::join)
			.havingCause()
			.isInstanceOf(LockNotAcquiredException.class)
			.withMessageContaining("other@host:1 holds it, for another 20000 ms");
		assertThat(cluster.nodes)
			.allSatisfy((node) -> assertThat(node.operations()).containsExactly("acquire", "release"));
	}

	@Test
	void everyAttemptHasATokenOfItsOwn() {
		ScriptedCluster cluster = new ScriptedCluster(3);
		cluster.nodes.forEach(ScriptedNode::refusing);
		cluster.acquire(ORDER, Duration.ofSeconds(5));
		cluster.time.advance(Duration.ofSeconds(5));
		List<String> tokens = cluster.nodes.stream()
			.flatMap((node) -> node.requests.stream())
			.filter((request) -> request.command() instanceof NodeCommand.Acquire)
			.map((request) -> request.command().attempt().token())
			.distinct()
			.toList();
		assertThat(tokens).hasSizeGreaterThan(5).allMatch((token) -> token.startsWith("app@host:1:"));
	}

}
