package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.OperatorCommand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The keys of the scripts are those that {@link RedisKeys} names.
 */
class ScriptCallTests {

	private static final RedisKeys KEYS = new RedisKeys("caf\u00e9:");

	private static final String ORDER = "\u8ba2\u5355";

	private static final List<String> TWO = List.of("a", ORDER);

	private static final Attempt ATTEMPT = new Attempt("shop-1:x:1");

	@Test
	void exclusiveLocksOfSeveralNames() {
		LockTarget target = LockTarget.exclusive(TWO);
		assertThat(keys(acquire(target, new long[] { 1, 2 }), 0)).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER), KEYS.waitersKey("a"), KEYS.waitersKey(ORDER), KEYS.readersKey("a"),
				KEYS.readersKey(ORDER), KEYS.fenceKey("a"), KEYS.fenceKey(ORDER));
		assertThat(keys(new NodeCommand.Release(header(target), 0), 0)).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER), KEYS.waitersKey("a"), KEYS.waitersKey(ORDER));
		assertThat(keys(new NodeCommand.Withdraw(header(target), "ticket"), 0)).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER), KEYS.waitersKey("a"), KEYS.waitersKey(ORDER));
	}

	@Test
	void withoutFencingThereAreNoFences() {
		assertThat(keys(acquire(LockTarget.exclusive(List.of(ORDER)), null), 0)).containsExactly(KEYS.lockKey(ORDER),
				KEYS.waitersKey(ORDER), KEYS.readersKey(ORDER));
	}

	@Test
	void sharedLocks() {
		LockTarget target = LockTarget.shared(List.of(ORDER));
		assertThat(keys(new NodeCommand.Raise(header(target), new long[] { 1 }, 1, 0), 0))
			.containsExactly(KEYS.lockKey(ORDER), KEYS.readersKey(ORDER), KEYS.fenceKey(ORDER));
		assertThat(keys(new NodeCommand.Renew(header(target), 1, false, null, 1, 0), 0))
			.containsExactly(KEYS.lockKey(ORDER), KEYS.readersKey(ORDER));
		assertThat(keys(new NodeCommand.Release(header(target), 0), 0)).containsExactly(KEYS.lockKey(ORDER),
				KEYS.waitersKey(ORDER), KEYS.readersKey(ORDER));
	}

	@Test
	void permits() {
		LockTarget target = LockTarget.permits(ORDER, 3);
		assertThat(keys(acquire(target, new long[] { 1 }), 0)).containsExactly(KEYS.lockKey(ORDER),
				KEYS.waitersKey(ORDER));
		assertThat(keys(new NodeCommand.Renew(header(target), 1, false, new long[] { 1 }, 1, 2), 0))
			.containsExactly(KEYS.permitKey(ORDER, 2), KEYS.permitKey(ORDER, 2) + ":fence");
	}

	@Test
	void recordOfTheNodeListComesLast() {
		assertThat(keys(acquire(LockTarget.exclusive(List.of(ORDER)), null), 3)).endsWith(KEYS.readersKey(ORDER),
				KEYS.recordKey());
	}

	@Test
	void inspection() {
		assertThat(keys(new OperatorCommand.Inspect(header(LockTarget.exclusive(List.of(ORDER)))), 0))
			.containsExactly(KEYS.lockKey(ORDER), KEYS.waitersKey(ORDER), KEYS.readersKey(ORDER), KEYS.fenceKey(ORDER));
	}

	private static NodeCommand acquire(LockTarget target, long @Nullable [] proposed) {
		return new NodeCommand.Acquire(header(target), 1_000, proposed, 1, 1_000, null, 1);
	}

	private static CommandHeader header(LockTarget target) {
		return new CommandHeader(target, ATTEMPT);
	}

	private static List<String> keys(NodeCommand command, int version) {
		return Arrays.stream(ScriptCall.of(command, KEYS, version).keys())
			.map((key) -> new String(key, StandardCharsets.UTF_8))
			.toList();
	}

}
