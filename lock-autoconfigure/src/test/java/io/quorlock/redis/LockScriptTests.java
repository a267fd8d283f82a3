package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.RespConnection;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.NodeCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the scripts leave on a server, beside what every node must do.
 */
class LockScriptTests {

	private static final long LIMIT = 1L << 53;

	private static EmbeddedRedisNode redis;

	@BeforeAll
	static void startRedis() {
		redis = EmbeddedRedisNode.start();
	}

	@AfterAll
	static void stopRedis() {
		redis.close();
	}

	@BeforeEach
	void flush() {
		redis.execute("FLUSHALL");
	}

	@ParameterizedTest
	@EnumSource
	void serverKnowsTheScriptByItsDigest(LockScript script) {
		assertThat(redis.execute("SCRIPT", "LOAD", script.source())).isEqualTo(script.sha1());
	}

	@Test
	void lockIsWhatEveryRedlockClientWrites() {
		run(acquire(null, "order"));
		assertThat(redis.execute("GET", "lock:{order}")).isEqualTo("a1");
		assertThat((Long) redis.execute("PTTL", "lock:{order}")).isBetween(1L, 20_000L);
		assertThat(redis.execute("DBSIZE")).isEqualTo(1L);
	}

	@Test
	void fencesAreStoredAsPlainDigitsForTheirOwnTime() {
		run(acquire(new long[] { 1_795_123_456_789_012L }, "order"));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("1795123456789012");
		assertThat((Long) redis.execute("PTTL", "lock:{order}:fence")).isBetween(20_001L, 60_000L);
		run(new NodeCommand.Raise(List.of("order"), new Attempt("a1"), new long[] { 1_795_123_456_789_013L }, 50_000));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("1795123456789013");
		run(new NodeCommand.Renew(List.of("order"), new Attempt("a1"), 20_000, false, new long[] { LIMIT - 1 },
				50_000));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("9007199254740991");
	}

	@Test
	void fencesThatNumbersCannotHoldAreRefusedWithoutATrace() {
		assertOutOfRange(acquire(new long[] { LIMIT }, "order"));
		assertOutOfRange(acquire(new long[] { 1, LIMIT }, "a", "b"));
		assertOutOfRange(new NodeCommand.Renew(List.of("order"), new Attempt("a1"), 20_000, false, new long[] { LIMIT },
				50_000));
		assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
		run(acquire(new long[] { LIMIT - 1 }, "order"));
		assertOutOfRange(new NodeCommand.Raise(List.of("order"), new Attempt("a1"), new long[] { LIMIT }, 50_000));
		run(new NodeCommand.Release(List.of("order"), new Attempt("a1"), 0));
		assertOutOfRange(acquire(new long[] { 1 }, "order"));
		assertThat(redis.execute("KEYS", "*")).isEqualTo(List.of("lock:{order}:fence"));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("9007199254740991");
	}

	@Test
	void keysOfAnotherKindAreAnErrorWithoutATrace() {
		redis.execute("LPUSH", "lock:{order}:fence", "x");
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> run(acquire(new long[] { 1 }, "order")))
			.withMessageContaining("WRONGTYPE");
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> run(acquire(new long[] { 1, 1 }, "a", "order")))
			.withMessageContaining("WRONGTYPE");
		assertThat(redis.execute("DBSIZE")).isEqualTo(1L);
	}

	@Test
	void renewalWithoutFencingTouchesNoFence() {
		run(new NodeCommand.Renew(List.of("a", "b"), new Attempt("a1"), 20_000, false, null, 0));
		assertThat(redis.execute("EXISTS", "lock:{a}", "lock:{b}")).isEqualTo(2L);
		assertThat(redis.execute("DBSIZE")).isEqualTo(2L);
	}

	@Test
	void renewalRaisesNoFenceOfALockThatAnotherHolds() {
		run(acquire(new long[] { 5 }, "a"));
		run(new NodeCommand.Renew(List.of("a", "b"), new Attempt("a2"), 20_000, false, new long[] { 9, 9 }, 50_000));
		assertThat(redis.execute("GET", "lock:{a}:fence")).isEqualTo("5");
		assertThat(redis.execute("GET", "lock:{b}:fence")).isEqualTo("9");
	}

	@Test
	void releaseTellsHowManyHeardOfIt() {
		try (RespConnection subscriber = redis.connect()) {
			subscriber.execute("SUBSCRIBE", "lock:{a}:released");
			run(acquire(null, "a", "b"));
			assertThat(run(new NodeCommand.Release(List.of("a", "b"), new Attempt("a1"), 0))).isEqualTo(1L);
			assertThat(run(new NodeCommand.Release(List.of("a", "b"), new Attempt("a1"), 0))).isEqualTo(0L);
			assertThat(subscriber.receive()).isEqualTo(List.of("message", "lock:{a}:released", ""));
		}
	}

	@Test
	void cooldownIsNotAnnounced() {
		try (RespConnection subscriber = redis.connect()) {
			subscriber.execute("SUBSCRIBE", "lock:{a}:released");
			run(acquire(null, "a"));
			assertThat(run(new NodeCommand.Release(List.of("a"), new Attempt("a1"), 5_000))).isEqualTo(0L);
			assertThat((Long) redis.execute("PTTL", "lock:{a}")).isBetween(1L, 5_000L);
		}
	}

	private static void assertOutOfRange(NodeCommand command) {
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> run(command))
			.withMessageContaining("fence out of range");
	}

	private static NodeCommand acquire(long @Nullable [] proposed, String... names) {
		return new NodeCommand.Acquire(List.of(names), new Attempt("a1"), 20_000, proposed, 1, 60_000);
	}

	private static @Nullable Object run(NodeCommand command) {
		ScriptCall call = ScriptCall.of(command, new RedisKeys("lock:"));
		List<String> words = new ArrayList<>(List.of("EVAL", call.script().source()));
		words.add(Integer.toString(call.keys().length));
		for (byte[] key : call.keys()) {
			words.add(new String(key, StandardCharsets.UTF_8));
		}
		for (byte[] arg : call.args()) {
			words.add(new String(arg, StandardCharsets.UTF_8));
		}
		return redis.execute(words.toArray(String[]::new));
	}

}
