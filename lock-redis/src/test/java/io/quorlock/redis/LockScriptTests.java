/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.embedded.RespConnection;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.TestCommands;
import io.quorlock.quorum.node.Ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the scripts leave on a server, beside what every node must do.
 */
class LockScriptTests {

	private static final long LIMIT = 1L << 53;

	@AutoClose
	private static EmbeddedRedisNode redis = EmbeddedRedisNode.start();

	@BeforeEach
	void flush() {
		redis.execute("FLUSHALL");
	}

	@ParameterizedTest
	@EnumSource
	void serverKnowsTheScriptByItsDigest(LockScript script) {
		assertThat(redis.execute("SCRIPT", "LOAD", script.source())).isEqualTo(script.sha1());
	}

	/** They are sent though the attempt is over. */
	@ParameterizedTest
	@EnumSource
	void releaseIsKnownAsSuch(LockScript script) {
		assertThat(script.isRelease()).isEqualTo(script.name().startsWith("RELEASE"));
	}

	@Test
	void lockIsWhatEveryRedlockClientWrites() {
		run(acquire(null, "order"));
		assertThat(redis.execute("GET", "lock:{order}")).isEqualTo("a1");
		assertThat((Long) redis.execute("PTTL", "lock:{order}")).isBetween(1L, 20_000L);
		assertThat(redis.execute("DBSIZE")).isEqualTo(1L);
	}

	@Test
	void keysAreThoseThatRedisKeysNames() {
		RedisKeys keys = new RedisKeys("lock:");
		try (RespConnection waiters = RespConnection.to(redis)) {
			waiters.execute("SUBSCRIBE", "lock:instance:b:1");
			run(kind(LockTarget.shared(List.of("a")), "r1", false));
			run(kind(LockTarget.exclusive(List.of("a")), "w1", true));
			run(kind(LockTarget.shared(List.of("a")), "r2", true));
			run(kind(LockTarget.permits("p", 2), "p1", false));
		}
		assertThat((List<?>) redis.execute("KEYS", "*")).map(String::valueOf)
			.containsExactlyInAnyOrder(keys.lockKey("a"), keys.lockKey("a") + ":readers", keys.lockKey("a") + ":line",
					keys.lockKey("a") + ":ends", keys.fenceKey("a"), keys.permitKey("p", 1),
					keys.permitFenceKey("p", 1));
	}

	@Test
	void fencesAreStoredAsPlainDigitsForTheirOwnTime() {
		run(acquire(new long[] { 1_795_123_456_789_012L }, "order"));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("1795123456789012");
		assertThat((Long) redis.execute("PTTL", "lock:{order}:fence")).isBetween(20_001L, 60_000L);
		run(TestCommands.raise(List.of("order"), new Attempt("a1"), new long[] { 1_795_123_456_789_013L }, 50_000));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("1795123456789013");
		run(TestCommands.renew(List.of("order"), new Attempt("a1"), 20_000, false, new long[] { LIMIT - 1 }, 50_000));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("9007199254740991");
	}

	@Test
	void fencesThatNumbersCannotHoldAreRefusedWithoutATrace() {
		assertOutOfRange(acquire(new long[] { LIMIT }, "order"));
		assertOutOfRange(acquire(new long[] { 1, LIMIT }, "a", "b"));
		assertOutOfRange(
				TestCommands.renew(List.of("order"), new Attempt("a1"), 20_000, false, new long[] { LIMIT }, 50_000));
		assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
		run(acquire(new long[] { LIMIT - 1 }, "order"));
		assertOutOfRange(TestCommands.raise(List.of("order"), new Attempt("a1"), new long[] { LIMIT }, 50_000));
		run(new NodeCommand.Release(List.of("order"), new Attempt("a1"), 0));
		assertOutOfRange(acquire(new long[] { LIMIT - 1 }, "order"));
		assertThat(redis.execute("KEYS", "*")).isEqualTo(List.of("lock:{order}:fence"));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("9007199254740991");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nan", "NaN", "inf", "-inf", "-5", "1.5", "garbage", "1e300", "9007199254740990",
			"86400000006" })
	void garbageInAFenceKeyIsAnErrorAndIsNeitherSpreadNorRaised(String garbage) {
		redis.execute("SET", "lock:{b}:fence", garbage);
		assertUnusable(acquire(new long[] { 5 }, "b"));
		assertUnusable(acquire(new long[] { 5, 5 }, "a", "b"));
		assertUnusable(kind(LockTarget.shared(List.of("a", "b")), "r1", false));
		assertThat(redis.execute("KEYS", "*")).isEqualTo(List.of("lock:{b}:fence"));
		redis.execute("RENAME", "lock:{b}:fence", "lock:{b}:permit:1:fence");
		assertUnusable(kind(LockTarget.permits("b", 1), "p1", false));
		assertThat(redis.execute("KEYS", "*")).isEqualTo(List.of("lock:{b}:permit:1:fence"));
		redis.execute("RENAME", "lock:{b}:permit:1:fence", "lock:{b}:fence");
		redis.execute("SET", "lock:{b}", "another:1:1");
		assertUnusable(acquire(new long[] { 5 }, "b"));
		assertThat(redis.execute("GET", "lock:{b}:fence")).isEqualTo(garbage);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nan", "inf", "-5", "1.5", "garbage" })
	void garbageInAFenceKeyFailsRenewalAndRaiseWithoutATrace(String garbage) {
		run(acquire(new long[] { 5 }, "a"));
		redis.execute("SET", "lock:{a}:fence", garbage);
		Attempt attempt = new Attempt("a1");
		assertUnusable(TestCommands.raise(List.of("a"), attempt, new long[] { 9 }, 50_000));
		assertUnusable(TestCommands.renew(List.of("a"), attempt, 40_000, false, new long[] { 9 }, 50_000));
		assertThat((Long) redis.execute("PTTL", "lock:{a}")).isLessThanOrEqualTo(20_000L);
		assertThat(redis.execute("GET", "lock:{a}:fence")).isEqualTo(garbage);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nan", "inf", "-5", "1.5", "garbage" })
	void garbageInAFenceKeyFailsRenewalAndRaiseOfReadersWithoutATrace(String garbage) {
		LockTarget shared = LockTarget.shared(List.of("a", "b"));
		run(kind(shared, "r1", false));
		redis.execute("SET", "lock:{b}:fence", garbage);
		CommandHeader header = new CommandHeader(shared, new Attempt("r1"));
		assertUnusable(new NodeCommand.Raise(header, new long[] { 9, 9 }, 50_000, 0));
		assertUnusable(new NodeCommand.Renew(header, 40_000, false, new long[] { 9, 9 }, 50_000, true, 0));
		assertThat((Long) redis.execute("PTTL", "lock:{a}")).isLessThanOrEqualTo(20_000L);
		assertThat(redis.execute("GET", "lock:{a}:fence")).isEqualTo("5");
		assertThat(redis.execute("GET", "lock:{b}:fence")).isEqualTo(garbage);
	}

	@Test
	void tokenBelowOneIsNeverVotedFor() {
		assertOutOfRange(acquire(new long[] { -15 }, 0, "order"));
		assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
	}

	@Test
	void renewalKeepsAFenceThatIsGreater() {
		run(acquire(new long[] { 50 }, "order"));
		run(TestCommands.renew(List.of("order"), new Attempt("a1"), 20_000, false, new long[] { 9 }, 50_000));
		assertThat(redis.execute("GET", "lock:{order}:fence")).isEqualTo("50");
	}

	@Test
	void fencesOfSeveralNamesOutliveTheLease() {
		run(acquire(new long[] { 5, 6 }, "a", "b"));
		assertThat((Long) redis.execute("PTTL", "lock:{a}")).isLessThanOrEqualTo(20_000L);
		assertThat((Long) redis.execute("PTTL", "lock:{a}:fence")).isBetween(20_001L, 60_000L);
		assertThat((Long) redis.execute("PTTL", "lock:{b}:fence")).isBetween(20_001L, 60_000L);
	}

	@Test
	void votesForSeveralNamesAreAboveWhatIsStoredByTheWholeRange() {
		run(acquire(new long[] { 5, 6 }, "a", "b"));
		redis.execute("DEL", "lock:{a}", "lock:{b}");
		assertThat(run(acquire(new long[] { 1, 1 }, 16, "a", "b"))).isEqualTo(List.of(21L, 22L));
	}

	/** Whichever of them it is. */
	@Test
	void refusalOfSeveralNamesTellsTheLongestLease() {
		redis.execute("SET", "lock:{a}", "another:1:1", "PX", "20000");
		redis.execute("SET", "lock:{b}", "another:1:2", "PX", "1000");
		for (List<String> names : List.of(List.of("a", "b"), List.of("b", "a"))) {
			for (LockTarget target : List.of(LockTarget.exclusive(names), LockTarget.shared(names))) {
				assertThat(run(kind(target, "a1", false))).asInstanceOf(InstanceOfAssertFactories.LIST)
					.first(InstanceOfAssertFactories.LONG)
					.as("%s", target)
					.isGreaterThan(10_000);
			}
		}
	}

	@Test
	void claimOfSeveralNamesPassesNobodyWhoWaitsForOneOfThem() {
		for (LockTarget first : List.of(LockTarget.shared(List.of("b")), LockTarget.exclusive(List.of("b")))) {
			redis.execute("FLUSHALL");
			redis.execute("SET", "lock:{b}", "another:1:1");
			run(kind(first, "t1", true));
			redis.execute("DEL", "lock:{b}");
			assertThat(run(acquire(null, "a", "b"))).as("%s", first)
				.asInstanceOf(InstanceOfAssertFactories.LIST)
				.element(2)
				.isEqualTo("~ticket:" + Ticket.of(1, first, 5_000, "b:1:t1").text());
		}
	}

	@Test
	void raiseGivesTheFenceItsWholeLifeAgain() {
		run(acquire(new long[] { 5 }, "order"));
		redis.execute("PEXPIRE", "lock:{order}:fence", "1000");
		run(TestCommands.raise(List.of("order"), new Attempt("a1"), new long[] { 5 }, 50_000));
		assertThat((Long) redis.execute("PTTL", "lock:{order}:fence")).isBetween(2_000L, 50_000L);
	}

	@Test
	void severalThousandNamesAreLockedAndRefused() {
		String[] names = IntStream.range(0, 9_000).mapToObj((i) -> "name" + i).toArray(String[]::new);
		long[] proposed = new long[names.length];
		Arrays.fill(proposed, 7);
		assertThat((List<?>) run(acquire(proposed, names))).hasSize(9_000).allMatch(Long.valueOf(7)::equals);
		assertThat((List<?>) run(acquire(proposed, names))).hasSize(18_002);
		assertThat((List<?>) run(acquire(null, names))).hasSize(9_002);
	}

	@Test
	void hugeValueUnderALockKeyIsCut() {
		redis.execute("SET", "lock:{a}", "x".repeat(1_000_000));
		NodeCommand renewal = TestCommands.renew(List.of("a"), new Attempt("a1"), 1_000, false, null, 0);
		for (NodeCommand command : List.of(acquire(null, "a"), acquire(new long[] { 1 }, "a"), acquire(null, "a", "b"),
				acquire(new long[] { 1, 1 }, "a", "b"), renewal)) {
			assertThat(run(command)).asInstanceOf(InstanceOfAssertFactories.LIST)
				.element(1, InstanceOfAssertFactories.STRING)
				.hasSize(512);
		}
		assertThat(run(new OperatorCommand.Inspect("a"))).asInstanceOf(InstanceOfAssertFactories.LIST)
			.element(0, InstanceOfAssertFactories.STRING)
			.hasSize(512);
	}

	@Test
	void memoryThatIsFullStopsAcquiresAndNeitherRenewalsNorReleases() {
		try (EmbeddedRedisNode full = EmbeddedRedisNode.start()) {
			run(full, acquire(new long[] { 5, 5 }, "a", "b"));
			run(full, acquire(null, "c"));
			full.execute("CONFIG", "SET", "maxmemory", "1");
			for (NodeCommand refused : List.of(acquire(null, "d"), acquire(null, "d", "e"),
					kind(LockTarget.shared(List.of("d")), "r1", false),
					kind(LockTarget.permits("d", 2), "p1", false))) {
				assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> run(full, refused))
					.withMessageContaining("OOM");
			}
			Attempt attempt = new Attempt("a1");
			run(full, TestCommands.renew(List.of("a", "b"), attempt, 1_000, false, new long[] { 9, 9 }, 60_000));
			assertThat(full.execute("GET", "lock:{b}:fence")).isEqualTo("9");
			assertThat(full.execute("EXISTS", "lock:{a}")).isEqualTo(1L);
			run(full, new NodeCommand.Release(List.of("c"), attempt, 5_000));
			assertThat(full.execute("GET", "lock:{c}")).isEqualTo("~cooldown");
			run(full, new NodeCommand.Release(List.of("a", "b"), attempt, 0));
			assertThat(full.execute("EXISTS", "lock:{a}", "lock:{b}")).isEqualTo(0L);
		}
	}

	@Test
	void memoryThatIsFullStopsNeitherReadersNorPermitsThatAreHeld() {
		LockTarget shared = LockTarget.shared(List.of("a", "b"));
		LockTarget permits = LockTarget.permits("p", 2);
		CommandHeader readers = new CommandHeader(shared, new Attempt("a1"));
		CommandHeader turned = new CommandHeader(LockTarget.shared(List.of("w")), new Attempt("a1"));
		CommandHeader permit = new CommandHeader(permits, new Attempt("a1"));
		try (EmbeddedRedisNode full = EmbeddedRedisNode.start()) {
			run(full, kind(shared, "a1", false));
			run(full, kind(permits, "a1", false));
			run(full, acquire(null, "w"));
			full.execute("CONFIG", "SET", "maxmemory", "1");
			run(full, new NodeCommand.Renew(readers, 30_000, false, new long[] { 9, 9 }, 60_000, true, 0));
			run(full, new NodeCommand.Renew(permit, 30_000, false, new long[] { 9 }, 60_000, true, 1));
			assertThat((Long) full.execute("PTTL", "lock:{b}")).isGreaterThan(20_000);
			assertThat((Long) full.execute("PTTL", "lock:{p}:permit:1")).isGreaterThan(20_000);
			run(full, new NodeCommand.Release(readers, 5_000));
			run(full, new NodeCommand.Release(turned, 5_000));
			run(full, new NodeCommand.Release(permit, 5_000));
			assertThat((Long) full.execute("PTTL", "lock:{a}")).isBetween(1L, 5_000L);
			assertThat((Long) full.execute("PTTL", "lock:{b}")).isBetween(1L, 5_000L);
			assertThat(full.execute("GET", "lock:{w}")).isEqualTo("~cooldown");
			assertThat(full.execute("GET", "lock:{p}:permit:1")).isEqualTo("~cooldown");
			run(full, new NodeCommand.Release(readers, 0));
			assertThat(full.execute("EXISTS", "lock:{a}", "lock:{b}")).isEqualTo(0L);
		}
	}

	@Test
	void keysOfAnotherKindAreAnErrorWithoutATrace() {
		redis.execute("LPUSH", "lock:{order}:fence", "x");
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> run(acquire(new long[] { 1 }, "order")))
			.withMessageContaining("WRONGTYPE");
		assertThatExceptionOfType(EmbeddedServerException.class)
			.isThrownBy(() -> run(acquire(new long[] { 1, 1 }, "a", "order")))
			.withMessageContaining("FENCE unusable");
		assertThat(redis.execute("DBSIZE")).isEqualTo(1L);
	}

	@Test
	void renewalWithoutFencingTouchesNoFence() {
		run(TestCommands.renew(List.of("a", "b"), new Attempt("a1"), 20_000, false, null, 0));
		assertThat(redis.execute("EXISTS", "lock:{a}", "lock:{b}")).isEqualTo(2L);
		assertThat(redis.execute("DBSIZE")).isEqualTo(2L);
	}

	@Test
	void renewalRaisesNoFenceOfALockThatAnotherHolds() {
		run(acquire(new long[] { 5 }, "a"));
		run(TestCommands.renew(List.of("a", "b"), new Attempt("a2"), 20_000, false, new long[] { 9, 9 }, 50_000));
		assertThat(redis.execute("GET", "lock:{a}:fence")).isEqualTo("5");
		assertThat(redis.execute("GET", "lock:{b}:fence")).isEqualTo("9");
	}

	@Test
	void releaseReportsHowManyWait() {
		run(acquire(null, "a", "b"));
		assertThat(run(kind(LockTarget.exclusive(List.of("b")), "w1", true))).isInstanceOf(List.class);
		try (RespConnection waiter = RespConnection.to(redis)) {
			waiter.execute("SUBSCRIBE", "lock:instance:b:1");
			assertThat(run(new NodeCommand.Release(List.of("a", "b"), new Attempt("a1"), 0))).isEqualTo(1L);
			assertThat(waiter.receive())
				.isEqualTo(List.of("message", "lock:instance:b:1", "offer\n0000000000000001:w:5000:b:1:w1\nb"));
		}
	}

	/** Its instance writes it again if it is still there. */
	@ParameterizedTest
	@ValueSource(strings = { "w", "r", "2" })
	void ticketFromBeforeTheClockWasSetBackKeepsNobodyOut(String kind) {
		String ticket = "0000000000000001:" + kind + ":5000:b:1:t1";
		long ends = System.currentTimeMillis() + 3_600_000;
		redis.execute("ZADD", "lock:{a}:line", "1", ticket);
		redis.execute("ZADD", "lock:{a}:ends", Long.toString(ends), ticket);
		assertThat(run(new OperatorCommand.Inspect("a"))).asInstanceOf(InstanceOfAssertFactories.LIST)
			.element(5)
			.isEqualTo(List.of());
		assertThat(run(kind(LockTarget.permits("a", 1), "p1", false))).isEqualTo(List.of(1L, 5L));
		assertThat(run(acquire(null, "a"))).isEqualTo(1L);
		assertThat(redis.execute("EXISTS", "lock:{a}:line", "lock:{a}:ends")).isEqualTo(0L);
	}

	@Test
	void ticketOfAWriterFromBeforeTheClockWasSetBackKeepsNoReaderOut() {
		long ends = System.currentTimeMillis() + 3_600_000;
		redis.execute("ZADD", "lock:{a}:line", "1", "0000000000000001:w:5000:b:1:t1");
		redis.execute("ZADD", "lock:{a}:ends", Long.toString(ends), "0000000000000001:w:5000:b:1:t1");
		assertThat(run(kind(LockTarget.shared(List.of("a")), "r1", false))).isEqualTo(5L);
	}

	@Test
	void whatTheRecordSaysOfItselfIsNoList() {
		assertThat(record("found", "")).hasSize(5);
		assertThat(record("stay", "clock")).hasSize(5).element(4).isEqualTo("clock");
		assertThat(record("stay", "")).hasSize(5);
		assertThat((List<?>) redis.execute("HKEYS", "lock:nodes")).map(String::valueOf)
			.containsExactlyInAnyOrder("since", "doubted", "a:1,b:1");
		redis.execute("HSET", "lock:nodes", "a:1,c:1", "1 other#1");
		assertThat(record("stay", "")).hasSize(5);
		assertThat(redis.execute("HEXISTS", "lock:nodes", "a:1,c:1")).isEqualTo(0L);
	}

	/** Leases of two days need a quarantine of two days. */
	@Test
	void recordIsNotOneSinceTheBeginningBeforeALongQuarantineIsOver() {
		long since = System.currentTimeMillis() / 1_000 - 90_000;
		redis.execute("HSET", "lock:nodes", "since", Long.toString(since));
		assertThat(record("stay", "", "172801")).first().isEqualTo(since);
		assertThat(record("stay", "")).first().isEqualTo(0L);
	}

	/** Somebody wrote it by hand. */
	@Test
	void recordWhoseBeginIsUnreadableBeginsAnew() {
		redis.execute("HSET", "lock:nodes", "since", "garbage");
		Object since = record("stay", "").get(0);
		assertThat(since).isInstanceOf(Long.class);
		assertThat(redis.execute("HGET", "lock:nodes", "since")).isEqualTo(String.valueOf(since));
	}

	@Test
	void latestDoubtIsReportedAtOnce() {
		record("found", "clock");
		assertThat(record("stay", "")).element(4).isEqualTo("clock");
		redis.execute("HSET", "lock:nodes", "doubted", "1 clock");
		List<?> record = record("stay", "eviction");
		assertThat(record).element(3).isEqualTo(0L);
		assertThat(record).element(4).isEqualTo("eviction");
	}

	/** Its instance's clock was ahead, or that of the server was set back. */
	@Test
	void listFromTheFutureIsReportedAsOneOfNow() {
		record("found", "");
		redis.execute("HSET", "lock:nodes", "a:1,c:1", "9999999999 other#1");
		assertThat(record("stay", "")).element(6).isEqualTo(0L);
	}

	/** Clients read no more of a reply. */
	@Test
	void recordReportsSomeOfManyListsAndOnlyTheirBegin() {
		record("found", "");
		String now = String.valueOf(System.currentTimeMillis() / 1_000);
		for (int i = 0; i < 40; i++) {
			redis.execute("HSET", "lock:nodes", "x".repeat(5_000) + i, now + " " + "y".repeat(5_000));
		}
		List<?> record = record("stay", "");
		assertThat(record).hasSize(5 + 3 * 32);
		assertThat(record).element(5, InstanceOfAssertFactories.STRING).hasSize(4_096);
		assertThat(record).element(7, InstanceOfAssertFactories.STRING).hasSize(256);
	}

	/** Of an instance that remembers lists for a minute. */
	private static List<?> record(String action, String doubt) {
		return record(action, doubt, "60");
	}

	private static List<?> record(String action, String doubt, String rememberedSeconds) {
		Object reply = redis.execute("EVAL", LockScript.RECORD.source(), "1", "lock:nodes", action, "a:1,b:1",
				rememberedSeconds, doubt, "own#1");
		return (List<?>) Objects.requireNonNull(reply);
	}

	@Test
	void requestToLetGoReachesTheHoldersOfPermits() {
		String channel = "lock:instance:app@host:1:7f";
		redis.execute("SET", "lock:{order}:permit:2", "app@host:1:7f:2");
		redis.execute("SET", "lock:{order}:permit:1000", "app@host:1:7f:3");
		CommandHeader header = new CommandHeader(LockTarget.exclusive(List.of("order")), new Attempt("asker:1:1"));
		try (RespConnection holder = RespConnection.to(redis)) {
			holder.execute("SUBSCRIBE", channel);
			assertThat(run(new OperatorCommand.RequestRelease(header, 3_000))).isEqualTo(2L);
			for (String token : List.of("app@host:1:7f:2", "app@host:1:7f:3")) {
				assertThat(holder.receive()).isEqualTo(List.of("message", channel, "3000\nasker:1:1\n" + token));
			}
		}
	}

	@Test
	void inspectionTellsForHowLongEachReaderAndPermitIsHeld() {
		redis.execute("SET", "lock:{order}", "~shared", "PX", "50000");
		long now = System.currentTimeMillis();
		redis.execute("ZADD", "lock:{order}:readers", Long.toString(now + 50_000), "r1", Long.toString(now + 20_000),
				"r2");
		redis.execute("SET", "lock:{order}:permit:1", "p1", "PX", "30000");
		assertThat(run(new OperatorCommand.Inspect("order"))).asInstanceOf(InstanceOfAssertFactories.LIST)
			.satisfies((reply) -> {
				List<?> readers = (List<?>) reply.get(3);
				assertThat(readers).hasSize(4);
				assertThat((Long) readers.get(1)).isGreaterThan(20_000);
				assertThat((Long) readers.get(3)).isBetween(1L, 20_000L);
				assertThat((Long) ((List<?>) reply.get(4)).get(2)).isBetween(20_001L, 30_000L);
			});
	}

	@Test
	void nothingIsPublishedIfNobodyWaits() {
		redis.execute("CONFIG", "RESETSTAT");
		run(acquire(new long[] { 5 }, "a"));
		assertThat(run(new NodeCommand.Release(List.of("a"), new Attempt("a1"), 0))).isEqualTo(0L);
		assertThat(String.valueOf(redis.execute("INFO", "commandstats"))).contains("cmdstat_del")
			.doesNotContain("cmdstat_publish", "cmdstat_time");
	}

	@Test
	void releaseByForceLeavesWhatAnInstanceGotMeanwhile() {
		redis.execute("SET", "lock:{order}", "app@host:2:7f:r1");
		run(new OperatorCommand.ForceRelease("order", 0, Set.of("app@host:1:7f:1")));
		assertThat(redis.execute("GET", "lock:{order}")).isEqualTo("app@host:2:7f:r1");
		run(new OperatorCommand.ForceRelease("order", 0, Set.of("app@host:2:7f:r1")));
		assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
	}

	@Test
	void releaseByForceFreesWhatNoInstanceHasWritten() {
		List<List<String>> values = List.of(List.of("SET", "lock:{order}", "", "PX", "50000"),
				List.of("SET", "lock:{order}", "x".repeat(2_000)), List.of("SET", "lock:{order}", "~cooldown"),
				List.of("SET", "lock:{order}", "550e8400-e29b-41d4-a716-446655440000:17"),
				List.of("RPUSH", "lock:{order}", "app@host:1:7f:1"), List.of("SET", "lock:{order}", "~shared"),
				List.of("SADD", "lock:{order}:readers", "x"), List.of("SET", "lock:{order}:permit:2", "x"),
				List.of("SET", "lock:{order}:permit:1000", "x"));
		for (List<String> value : values) {
			redis.execute(value.toArray(String[]::new));
			run(new OperatorCommand.ForceRelease("order", 0, Set.of()));
			assertThat(redis.execute("DBSIZE")).as(value.toString()).isEqualTo(0L);
		}
	}

	@Test
	void readersBeyondThoseThatAnInspectionNamesAreReleasedByForceAsWell() {
		readers(1_001);
		run(new OperatorCommand.ForceRelease("order", 0, Set.of()));
		assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
	}

	/** As many as an inspection names. */
	@Test
	void thousandReadersAreReleasedByForceIfTheyWereSeen() {
		readers(1_000);
		run(new OperatorCommand.ForceRelease("order", 0, Set.of("app@host:1:7f:1000")));
		assertThat(redis.execute("ZCARD", "lock:{order}:readers")).isEqualTo(999L);
		Set<String> seen = IntStream.range(1, 1_000).mapToObj((i) -> "app@host:1:7f:" + i).collect(Collectors.toSet());
		run(new OperatorCommand.ForceRelease("order", 0, seen));
		assertThat(redis.execute("DBSIZE")).isEqualTo(0L);
	}

	private static void readers(int count) {
		redis.execute("SET", "lock:{order}", "~shared");
		List<String> words = new ArrayList<>(List.of("ZADD", "lock:{order}:readers"));
		for (int i = 1; i <= count; i++) {
			words.addAll(List.of("9999999999999", "app@host:1:7f:" + i));
		}
		redis.execute(words.toArray(String[]::new));
	}

	@Test
	void releaseOfAPermitByForceLeavesTheLockOfTheSameName() {
		redis.execute("SET", "lock:{order}", "app@host:1:7f:1");
		redis.execute("SET", "lock:{order}:permit:2", "app@host:1:7f:2");
		run(new OperatorCommand.ForceRelease("order", 2, Set.of("app@host:1:7f:1", "app@host:1:7f:2")));
		assertThat(redis.execute("KEYS", "*")).isEqualTo(List.of("lock:{order}"));
	}

	@Test
	void readersThatAreLeftAreThereUntilTheLastOfThemEnds() {
		long now = System.currentTimeMillis();
		redis.execute("SET", "lock:{order}", "~shared", "PX", "60000");
		redis.execute("ZADD", "lock:{order}:readers", Long.toString(now + 60_000), "app@host:1:7f:1");
		redis.execute("ZADD", "lock:{order}:readers", Long.toString(now + 30_000), "app@host:2:7f:1");
		redis.execute("PEXPIRE", "lock:{order}:readers", "60000");
		run(new OperatorCommand.ForceRelease("order", 0, Set.of("app@host:1:7f:1")));
		assertThat(redis.execute("ZRANGE", "lock:{order}:readers", "0", "-1")).isEqualTo(List.of("app@host:2:7f:1"));
		for (String key : List.of("lock:{order}", "lock:{order}:readers")) {
			assertThat((Long) redis.execute("PTTL", key)).isBetween(1L, 30_000L);
		}
	}

	private static void assertOutOfRange(NodeCommand command) {
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> run(command))
			.withMessageContaining("fence out of range");
	}

	private static void assertUnusable(NodeCommand command) {
		assertThatExceptionOfType(EmbeddedServerException.class).isThrownBy(() -> run(command))
			.withMessageContaining("FENCE");
	}

	private static NodeCommand acquire(long @Nullable [] proposed, String... names) {
		return acquire(proposed, 1, names);
	}

	private static NodeCommand acquire(long @Nullable [] proposed, int range, String... names) {
		return new NodeCommand.Acquire(List.of(names), new Attempt("a1"), 20_000, proposed, range, 60_000);
	}

	private static NodeCommand kind(LockTarget target, String token, boolean waits) {
		Ticket ticket = waits ? Ticket.of(token.charAt(1) - '0', target, 5_000, "b:1:" + token).living(5_000) : null;
		long[] proposed = target.names().stream().mapToLong((name) -> 5).toArray();
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), 20_000, proposed, 1, 60_000,
				ticket, 1);
	}

	private static @Nullable Object run(NodeCommand command) {
		return run(redis, command);
	}

	private static @Nullable Object run(EmbeddedRedisNode redis, NodeCommand command) {
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
