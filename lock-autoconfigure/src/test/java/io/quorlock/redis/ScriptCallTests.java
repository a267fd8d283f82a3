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
 * Scripts get the lock keys of the names.
 */
class ScriptCallTests {

	private static final RedisKeys KEYS = new RedisKeys("caf\u00e9:");

	private static final String ORDER = "\u8ba2\u5355";

	private static final List<String> TWO = List.of("a", ORDER);

	private static final Attempt ATTEMPT = new Attempt("shop-1:x:1");

	@Test
	void namesComeAsTheirLockKeys() {
		LockTarget target = LockTarget.exclusive(TWO);
		assertThat(keys(acquire(target, new long[] { 1, 2 }), 0)).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER));
		assertThat(keys(new NodeCommand.Release(header(target), 0), 0)).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER));
		assertThat(keys(new OperatorCommand.Inspect(header(LockTarget.exclusive(List.of(ORDER)))), 0))
			.containsExactly(KEYS.lockKey(ORDER));
	}

	@Test
	void permitThatIsHeldComesAsItsOwnKey() {
		LockTarget target = LockTarget.permits(ORDER, 3);
		assertThat(keys(acquire(target, new long[] { 1 }), 0)).containsExactly(KEYS.lockKey(ORDER));
		assertThat(keys(new NodeCommand.Renew(header(target), 1, false, new long[] { 1 }, 1, 2), 0))
			.containsExactly(KEYS.permitKey(ORDER, 2));
		assertThat(keys(new NodeCommand.Raise(header(target), new long[] { 1 }, 1, 2), 0))
			.containsExactly(KEYS.permitKey(ORDER, 2));
	}

	@Test
	void recordOfTheNodeListComesLast() {
		assertThat(keys(acquire(LockTarget.exclusive(TWO), null), 3)).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER), KEYS.recordKey());
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
