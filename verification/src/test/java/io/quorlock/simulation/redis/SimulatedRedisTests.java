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

package io.quorlock.simulation.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.quorlock.embedded.EmbeddedRedisNode;
import io.quorlock.embedded.EmbeddedServerException;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Ticket;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.MembershipRecord;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulated server replies as a real one does, and the scripts keep on it what they
 * promise.
 */
class SimulatedRedisTests {

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private static final List<String> NAMES = List.of("a", "b", "c");

	/** A clock that stands still until it is moved. */
	private static final class ManualServer implements SimulatedRedis.Surroundings {

		private final SimulatedRedis redis = new SimulatedRedis(this);

		private final List<String> published = new ArrayList<>();

		private long micros = 1_700_000_000_000_000L;

		/** How many receive a message. */
		private int listeners;

		private ManualServer() {
			Arrays.stream(LockScript.values()).forEach(this.redis::load);
		}

		@Override
		public long micros() {
			return this.micros;
		}

		@Override
		public int publish(String channel, String message) {
			this.published.add(channel);
			return this.listeners;
		}

		@Override
		public void changing(SimulatedRedis.Key key, Object other) {
		}

		private void pass(long millis) {
			this.micros += millis * 1_000;
		}

		private @Nullable Object run(NodeCommand command) {
			return run(ScriptCall.of(command, KEYS), command);
		}

		/** All that the server knows and has told. */
		private String state() {
			return this.redis.keys()
				.stream()
				.map(SimulatedRedis.Key::name)
				.sorted()
				.map((key) -> Stream
					.of(run("PTTL", key), run("GET", key), run("HGETALL", key),
							run("ZRANGE", key, "0", "-1", "WITHSCORES"))
					.map(SimulatedRedisTests::text)
					.collect(Collectors.joining(" ", key + ": ", "\n")))
				.collect(Collectors.joining("", this.published + "\n", ""));
		}

		private @Nullable Object run(ScriptCall call, NodeCommand command) {
			try {
				return this.redis.eval(new SimulatedRedis.Call(call.script(), call.keys(), call.args()),
						command.attempt());
			}
			catch (RedisErrorException ex) {
				return "error " + ex.code();
			}
		}

		private @Nullable Object record(String action, String instance, String doubt, String... server) {
			byte[][] args = Stream.concat(Stream.of(action, "list", "60", doubt, instance), Stream.of(server))
				.map((arg) -> arg.getBytes(StandardCharsets.UTF_8))
				.toArray(byte[][]::new);
			byte[][] keys = { "lock:nodes".getBytes(StandardCharsets.UTF_8) };
			return this.redis.eval(new SimulatedRedis.Call(LockScript.RECORD, keys, args), this);
		}

		private @Nullable Object run(String... words) {
			try {
				return this.redis.command(this, words);
			}
			catch (RedisErrorException ex) {
				return "error " + ex.code();
			}
		}

	}

	@Test
	@Tag("long")
	void scriptsReplyAsOnARealServer() {
		try (EmbeddedRedisNode real = EmbeddedRedisNode.start()) {
			for (int seed = 0; seed < 30; seed++) {
				real.execute("FLUSHALL");
				ManualServer simulated = new ManualServer();
				Random random = new Random(seed);
				for (int i = 0; i < 60; i++) {
					NodeCommand command = randomCommand(random);
					ScriptCall call = random.nextBoolean() ? ScriptCall.first(command, KEYS)
							: ScriptCall.of(command, KEYS);
					assertSame(simulated.run(call, command), run(real, call), "seed " + seed + ", " + command);
					// No two readers' leases end at the same instant, which orders them.
					simulated.pass(1);
					LockSupport.parkNanos(1_100_000);
				}
			}
		}
	}

	/** A partial refusal changes nothing. */
	@Test
	@Tag("long")
	void plainScriptDoesWhatTheOneInFullDoes() {
		int whole = 0;
		int partial = 0;
		for (int seed = 0; seed < 300; seed++) {
			ManualServer server = new ManualServer();
			ManualServer expected = new ManualServer();
			Random random = new Random(seed);
			for (int i = 0; i < 60; i++) {
				NodeCommand command = randomCommandForOneName(random);
				String what = "seed " + seed + ", " + command;
				ScriptCall call = ScriptCall.first(command, KEYS);
				String before = server.state();
				Object reply = server.run(call, command);
				if (ScriptReply.isPartial(call.script(), ScriptReply.of(command, reply, true))) {
					assertThat(server.state()).as(what).isEqualTo(before);
					reply = server.run(command);
					partial++;
				}
				else if (call.script().isPlain()) {
					whole++;
				}
				assertThat(text(reply)).as(what).isEqualTo(text(expected.run(command)));
				assertThat(server.state()).as(what).isEqualTo(expected.state());
				long millis = (random.nextInt(8) == 0) ? 15_000 : 1;
				server.pass(millis);
				expected.pass(millis);
			}
		}
		assertThat(whole).isGreaterThan(1_000);
		assertThat(partial).isGreaterThan(1_000);
	}

	/** The tickets end as retained tokens do. */
	private static NodeCommand randomCommandForOneName(Random random) {
		LockTarget target = (random.nextInt(5) == 0) ? LockTarget.shared(List.of("a"))
				: LockTarget.exclusive(List.of("a"));
		Attempt attempt = new Attempt("t:1:" + List.of("1", "2", "r3").get(random.nextInt(3)));
		CommandHeader header = new CommandHeader(target, attempt);
		Ticket ticket = (random.nextInt(4) > 0) ? null : new Ticket("%016d:%s:200:t:1:r%d".formatted(random.nextInt(5),
				(target.kind() == LockTarget.Kind.SHARED) ? "r" : "w", random.nextInt(3)), 10_000);
		long[] fences = { 1_700_000_000_000_000L + random.nextInt(100) };
		return switch (random.nextInt(7)) {
			case 0, 1, 2 -> new NodeCommand.Acquire(header, 20_000, (random.nextInt(4) == 0) ? null : fences,
					1 + random.nextInt(16), 90_000, ticket, 1);
			case 3, 4, 5 -> new NodeCommand.Release(header, (random.nextInt(4) == 0) ? 30_000 : 0, ticket, false);
			default ->
				new NodeCommand.Withdraw(header, "%016d:w:200:t:1:r%d".formatted(random.nextInt(5), random.nextInt(3)));
		};
	}

	private static String text(@Nullable Object reply) {
		return (reply instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8)
				: (reply instanceof List<?> list) ? list.stream().map(SimulatedRedisTests::text).toList().toString()
						: String.valueOf(reply);
	}

	private static NodeCommand randomCommand(Random random) {
		List<String> names = NAMES.subList(random.nextInt(2), 2 + random.nextInt(2));
		LockTarget target = switch (random.nextInt(4)) {
			case 0 -> LockTarget.shared(names);
			case 1 -> LockTarget.permits("d", 3);
			default -> LockTarget.exclusive(names);
		};
		boolean permits = target.kind() == LockTarget.Kind.PERMIT;
		int permit = permits ? 1 + random.nextInt(3) : 0;
		CommandHeader header = new CommandHeader(target, new Attempt("t:1:" + random.nextInt(3)));
		long[] fences = new long[target.names().size()];
		Arrays.setAll(fences, (i) -> 1_700_000_000_000_000L + random.nextInt(100) * 1_000_000_000L);
		long[] given = (random.nextInt(4) == 0) ? null : fences;
		long lease = 20_000 + random.nextInt(3) * 10_000;
		Ticket ticket = new Ticket("%016d:%s:200:t:1:claim%d".formatted(random.nextInt(5),
				List.of("r", "w", "3").get(random.nextInt(3)), random.nextInt(3)), 30_000);
		return switch (random.nextInt(10)) {
			case 0, 1, 2 -> new NodeCommand.Acquire(header, lease, given, 1 + random.nextInt(16), 90_000,
					random.nextBoolean() ? ticket : null, 1 + random.nextInt(3));
			case 3 -> new NodeCommand.Raise(header, fences, 90_000, permit);
			case 4 -> new NodeCommand.Renew(header, lease, random.nextBoolean(), given, 90_000, true, permit);
			case 5 -> new NodeCommand.Release(header, random.nextBoolean() ? 0 : 30_000,
					random.nextBoolean() ? ticket : null, random.nextBoolean());
			case 6 -> new NodeCommand.Withdraw(header, ticket.text());
			case 7 ->
				new OperatorCommand.ForceRelease(header, permit, Set.of("t:1:0", "t:1:" + (1 + random.nextInt(2))));
			default -> new OperatorCommand.Inspect(target.names().get(0));
		};
	}

	private static @Nullable Object run(EmbeddedRedisNode real, ScriptCall call) {
		List<String> words = new ArrayList<>(
				List.of("EVAL", call.script().source(), String.valueOf(call.keys().length)));
		for (byte[][] part : List.of(call.keys(), call.args())) {
			Arrays.stream(part).map((word) -> new String(word, StandardCharsets.UTF_8)).forEach(words::add);
		}
		return execute(real, words.toArray(String[]::new));
	}

	private static @Nullable Object execute(EmbeddedRedisNode real, String... words) {
		try {
			return real.execute(words);
		}
		catch (EmbeddedServerException ex) {
			return "error";
		}
	}

	/**
	 * The real clock goes on: remaining times differ a little, and leases by ten seconds.
	 */
	private static void assertSame(@Nullable Object simulated, @Nullable Object real, String what) {
		if (simulated instanceof List<?> list && real instanceof List<?> other) {
			assertThat(list).as(what).hasSameSizeAs(other);
			for (int i = 0; i < list.size(); i++) {
				assertSame(list.get(i), other.get(i), what);
			}
		}
		else if (simulated instanceof Long number && real instanceof Long other && number > 1_000 && number < 100_000) {
			assertThat(number).as(what).isBetween(other, other + 9_000);
		}
		else if (simulated instanceof String error && error.startsWith("error")) {
			assertThat(String.valueOf(real)).as(what + ": " + simulated).startsWith("error");
		}
		else {
			assertThat((simulated instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : simulated)
				.as(what)
				.isEqualTo(real);
		}
	}

	@Test
	void commandsReplyAsOnARealServer() {
		String[] commands = { "SET k v PX 20000", "SET k w NX", "GET k", "PTTL k", "PTTL none", "PEXPIRE k 40000 GT",
				"PEXPIRE k 30000 GT", "PEXPIRE k 30000 LT", "PTTL k", "SET k w XX", "PTTL k", "PEXPIRE none 1",
				"EXISTS k", "DEL k none", "EXISTS k", "INCR n", "INCR n", "GET n", "HSET h f 1 g 2", "HSET h f 3",
				"HGET h f", "HGET h none", "HGET none f", "HEXISTS h f", "HLEN h", "HGETALL none", "HGET n f", "GET h",
				"HDEL h f none", "HGETALL h", "HDEL h g", "EXISTS h", "ZADD z 3 c 1 a 2 b", "ZADD z 4 a",
				"ZADD z NX 9 a", "ZADD z XX 9 none", "ZADD z GT CH 1 c 5 b", "ZSCORE z a", "ZSCORE z none",
				"ZADD z 1700000000000.5 big", "ZSCORE z big", "ZADD z 1700000000000 big", "ZSCORE z big", "ZCARD z",
				"ZRANGE z 0 -1", "ZRANGE z 0 1 WITHSCORES", "ZREVRANGE z 0 0 WITHSCORES", "ZRANGE z -2 -1",
				"ZRANGE z 5 9", "ZRANGEBYSCORE z 3 5", "ZRANGEBYSCORE z (3 +inf WITHSCORES",
				"ZRANGEBYSCORE z -inf +inf LIMIT 1 2", "ZCOUNT z -inf (5", "ZREMRANGEBYSCORE z -inf (4",
				"ZREMRANGEBYSCORE z 9 1", "ZRANGE z 0 -1 WITHSCORES", "ZREM z a none", "ZREM z b big c", "EXISTS z",
				"ZADD n 1 x", "PEXPIRE n 0", "EXISTS n", "SET p v PXAT 4000000000000", "PEXPIRETIME p", "PEXPIREAT p 1",
				"GET p", "SET k v PX 0", "HKEYS none" };
		try (EmbeddedRedisNode real = EmbeddedRedisNode.start()) {
			ManualServer simulated = new ManualServer();
			for (String command : commands) {
				assertSame(simulated.run(command.split(" ")), execute(real, command.split(" ")), command);
			}
		}
	}

	@Test
	void keyExpiresByTheServersClock() {
		ManualServer server = new ManualServer();
		server.run("SET", "k", "v", "PX", "100");
		server.pass(100);
		assertThat(server.run("PTTL", "k")).isEqualTo(0L);
		assertThat(server.redis.keys()).hasSize(1);
		server.pass(1);
		assertThat(server.run("GET", "k")).isNull();
		assertThat(server.redis.keys()).isEmpty();
	}

	@Test
	void serverThatCannotWriteFailsBeforeTheFirstWrite() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.redis.ail(SimulatedRedis.Ailment.OOM);
		assertThat(server.run(acquire("t:1:2", 5))).isInstanceOf(String.class);
		assertThat(server.run(renewal("t:1:1", 5))).isEqualTo(1L); // PEXPIRE comes first
		assertThat(server.run(new NodeCommand.Release(List.of("a"), new Attempt("t:1:1"), 0))).isEqualTo(0L);
		server.redis.ail(SimulatedRedis.Ailment.READONLY);
		assertThat(server.run(acquire("t:1:3", 5))).isEqualTo("error READONLY");
		server.redis.ail(null);
		server.redis.forgetScripts();
		assertThat(server.run(acquire("t:1:3", 5))).isEqualTo("error NOSCRIPT");
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name).containsExactly("lock:{a}:fence");
	}

	@Test
	void raiseGivesTheFenceItsWholeLifeAgain() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.pass(15_000);
		server.run(new NodeCommand.Raise(exclusive("t:1:1"), new long[] { 6 }, 60_000, 0));
		assertThat(server.run("PTTL", "lock:{a}:fence")).isEqualTo(60_000L);
	}

	@Test
	void renewalKeepsAFenceThatIsGreater() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 9));
		server.run(renewal("t:1:1", 5));
		assertThat(server.run(acquire("t:1:2", 1))).asInstanceOf(InstanceOfAssertFactories.list(Object.class))
			.element(2)
			.isEqualTo(9L);
	}

	@Test
	void raiseKeepsAFenceThatIsGreater() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 9));
		server.run(new NodeCommand.Raise(exclusive("t:1:1"), new long[] { 6 }, 60_000, 0));
		assertThat(server.run("GET", "lock:{a}:fence")).isEqualTo("9".getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void fenceOutlivesTheLease() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.pass(20_001);
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name).containsExactly("lock:{a}:fence");
	}

	@Test
	void fencesOfSeveralNamesOutliveTheLease() {
		ManualServer server = new ManualServer();
		server.run(new NodeCommand.Acquire(NAMES, new Attempt("t:1:1"), 20_000, new long[] { 5, 6, 7 }, 1, 60_000));
		server.pass(20_001);
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name)
			.containsExactlyInAnyOrder("lock:{a}:fence", "lock:{b}:fence", "lock:{c}:fence");
	}

	@Test
	void fenceOfTheFirstInTheQueueOutlivesTheLease() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		NodeCommand first = new NodeCommand.Acquire(exclusive("t:2:1"), 20_000, new long[] { 6 }, 1, 90_000,
				Ticket.of(1, LockTarget.exclusive(List.of("a")), 200, "t:2:0").living(90_000), 1);
		assertThat(server.run(first)).isInstanceOf(List.class);
		server.run(new NodeCommand.Release(exclusive("t:1:1"), 0));
		assertThat(server.run(first)).isEqualTo(6L);
		server.pass(60_001);
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name).containsExactly("lock:{a}:fence");
	}

	@Test
	void grantRemovesItsTicket() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		NodeCommand first = claim("t:2:1", 90_000);
		assertThat(server.run(first)).isInstanceOf(List.class);
		server.pass(20_001); // nobody is offered anything
		assertThat(server.run(first)).isEqualTo(6L);
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name)
			.containsExactlyInAnyOrder("lock:{a}", "lock:{a}:fence");
	}

	@Test
	void releaseOfSeveralNamesFreesOwnOnesOnly() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(new NodeCommand.Release(List.of("a", "b"), new Attempt("t:2:1"), 0));
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name).contains("lock:{a}");
	}

	@Test
	void ticketEndsWithItsLife() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		assertThat(server.run(claim("t:2:1", 500))).isInstanceOf(List.class);
		server.pass(20_001);
		assertThat(server.run(acquire("t:3:1", 9))).isEqualTo(9L);
	}

	private static NodeCommand claim(String token, long lifeMillis) {
		return new NodeCommand.Acquire(exclusive(token), 20_000, new long[] { 6 }, 1, 90_000,
				Ticket.of(1, LockTarget.exclusive(List.of("a")), 200, token).living(lifeMillis), 1);
	}

	@Test
	void renewalNeverShortensWhatAnExtensionLengthened() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(new NodeCommand.Renew(exclusive("t:1:1"), 50_000, false, null, 0, true, 0));
		server.run(renewal("t:1:1", 5));
		assertThat(server.run("PTTL", "lock:{a}")).isEqualTo(50_000L);
	}

	@Test
	void renewalPutsALostKeyBack() {
		ManualServer server = new ManualServer();
		assertThat(server.run(renewal("t:1:1", 5))).isEqualTo(1L);
		assertThat(server.run("PTTL", "lock:{a}")).isEqualTo(20_000L);
	}

	@Test
	void laterReaderProlongsTheKey() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.pass(15_000);
		server.run(read("t:2:1"));
		server.pass(10_000);
		assertThat(server.run("PTTL", "lock:{a}")).isEqualTo(10_000L);
	}

	/** An older command may have written it behind the loss of a later one. */
	@Test
	void readerRaisesAFenceThatIsTooOld() {
		ManualServer server = new ManualServer();
		assertThat(server.run(acquire("t:1:1", 7))).isEqualTo(7L);
		server.run(new NodeCommand.Release(exclusive("t:1:1"), 0));
		assertThat(server.run(read("t:2:1", 5))).isEqualTo(7L);
		assertThat(server.run(read("t:3:1", 9))).isEqualTo(9L);
		assertThat(server.run(read("t:4:1", 8))).isEqualTo(9L);
	}

	private static NodeCommand read(String token) {
		return read(token, 1);
	}

	private static NodeCommand read(String token, long proposed) {
		return new NodeCommand.Acquire(new CommandHeader(LockTarget.shared(List.of("a")), new Attempt(token)), 20_000,
				new long[] { proposed }, 1, 60_000, null, 1);
	}

	private static NodeCommand acquire(String token, long proposed) {
		return new NodeCommand.Acquire(List.of("a"), new Attempt(token), 20_000, new long[] { proposed }, 1, 60_000);
	}

	private static NodeCommand renewal(String token, long fence) {
		return new NodeCommand.Renew(exclusive(token), 20_000, false, new long[] { fence }, 60_000, true, 0);
	}

	private static CommandHeader exclusive(String token) {
		return new CommandHeader(LockTarget.exclusive(List.of("a")), new Attempt(token));
	}

	@Test
	void renewalNeverShortensTheLeaseOfAReader() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.run(new NodeCommand.Renew(shared("t:1:1"), 50_000, false, null, 0, true, 0));
		server.run(new NodeCommand.Renew(shared("t:1:1"), 20_000, false, null, 0, true, 0));
		assertThat(server.run("PTTL", "lock:{a}")).isEqualTo(50_000L);
	}

	@Test
	void renewalOfAReaderDoesNotShortenTheLeaseOfAnother() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.run(new NodeCommand.Renew(shared("t:1:1"), 50_000, false, null, 0, true, 0));
		server.run(new NodeCommand.Renew(shared("t:2:1"), 20_000, false, null, 0, true, 0));
		assertThat(server.run("PTTL", "lock:{a}")).isEqualTo(50_000L);
	}

	@Test
	void writerWhoseTurnIntoAReaderWasLostIsReleased() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(new NodeCommand.Release(shared("t:1:1"), 0));
		assertThat(server.run("EXISTS", "lock:{a}")).isEqualTo(0L);
	}

	@Test
	void keyEndsWithTheReadersThatAreLeft() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.run(read("t:2:1"));
		server.run(new NodeCommand.Renew(shared("t:2:1"), 50_000, false, null, 0, true, 0));
		server.run(new NodeCommand.Release(shared("t:2:1"), 0));
		assertThat(server.run("PTTL", "lock:{a}")).isEqualTo(20_000L);
		assertThat(server.run("PTTL", "lock:{a}:readers")).isEqualTo(20_000L);
	}

	/**
	 * Also where all of them vanish: nothing is left of names that are not locked any
	 * more.
	 */
	@Test
	void readersEndWithTheLastLease() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		assertThat(server.run("PTTL", "lock:{a}:readers")).isEqualTo(20_000L);
		server.run(new NodeCommand.Renew(shared("t:1:1"), 50_000, false, null, 0, true, 0));
		assertThat(server.run("PTTL", "lock:{a}:readers")).isEqualTo(50_000L);
	}

	/** While there is always one, the key of the readers never ends by itself. */
	@Test
	void readersWhoseLeaseEndedAreForgottenByThoseThatComeAreRenewedOrLeave() {
		for (NodeCommand next : List.of(read("t:3:1"),
				new NodeCommand.Renew(shared("t:2:1"), 50_000, false, null, 0, true, 0),
				new NodeCommand.Release(shared("t:3:1"), 0))) {
			ManualServer server = new ManualServer();
			server.run(read("t:1:1"));
			server.run(new NodeCommand.Renew(shared("t:2:1"), 50_000, false, null, 0, true, 0));
			server.pass(20_001);
			server.run(next);
			assertThat(server.run("ZSCORE", "lock:{a}:readers", "t:1:1")).as("%s", next).isNull();
		}
	}

	/** A client of another kind may hold a lock with an empty token. */
	@Test
	void keyWithAnEmptyValueIsHeld() {
		ManualServer server = new ManualServer();
		server.run("SET", "lock:{a}", "");
		server.run(new NodeCommand.Acquire(List.of("a", "b"), new Attempt("t:1:1"), 20_000, null, 1, 0));
		server.run(new NodeCommand.Renew(exclusive("t:1:1"), 20_000, false, null, 0, true, 0));
		server.run(read("t:2:1"));
		server.run(acquire("t:3:1", 5));
		assertThat(server.run("GETRANGE", "lock:{a}", "0", "9")).isEqualTo(new byte[0]);
		assertThat(server.run("EXISTS", "lock:{b}")).isEqualTo(0L);
	}

	/** Of claims whose instance was stopped, say, and for whose name nobody asks. */
	@Test
	void queueOutlivesItsTicketsByTheirTimeAtMost() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(claim("t:2:1", 3_000));
		server.run(claim("t:3:1", 5_000));
		server.pass(4_000);
		server.run(claim("t:3:1", 5_000));
		server.run(claim("t:2:1", 3_000));
		server.pass(5_000);
		assertThat(server.run("ZCARD", "lock:{a}:line")).isEqualTo(2L);
		assertThat(server.run("ZCARD", "lock:{a}:ends")).isEqualTo(2L);
		server.pass(5_001);
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name)
			.doesNotContain("lock:{a}:line", "lock:{a}:ends");
	}

	@Test
	void queueThatIsFullTakesNoMoreButProlongsWhatItHas() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(claim("t:2:1", 500));
		for (int i = 1; i < 65_536; i++) {
			server.run("ZADD", "lock:{a}:ends", "1700000060000", "ticket" + i);
		}
		server.run(claim("t:3:1", 30_000));
		assertThat(server.run("ZCARD", "lock:{a}:ends")).isEqualTo(65_536L);
		server.run(claim("t:2:1", 30_000));
		server.pass(20_001);
		assertThat(server.run(acquire("t:4:1", 9))).isInstanceOf(List.class);
	}

	/** The two would have a part of the nodes each. */
	@Test
	void ofClaimsThatBeganInTheSameMicrosecondOneGoesFirst() {
		ManualServer server = new ManualServer();
		server.listeners = 1;
		server.run(acquire("t:1:1", 5));
		server.run(claim("t:2:1", 30_000));
		server.run(claim("t:3:1", 30_000));
		server.pass(20_001);
		assertThat(server.run(claim("t:3:1", 30_000))).isInstanceOf(List.class);
		assertThat(server.run(claim("t:2:1", 30_000))).isEqualTo(6L);
	}

	/** Otherwise it would let everybody pass, for as long as its clock is ahead. */
	@Test
	void claimWhoseClockIsAheadStandsInFrontOfThoseThatComeASecondLater() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		Ticket ahead = ticket(server.micros + 600_000_000, "t:2:1");
		server.run(claim(ahead));
		server.pass(1_001);
		Ticket later = ticket(server.micros, "t:3:1");
		server.run(claim(later));
		for (int i = 0; i < 2; i++) {
			assertThat(server.run("ZRANK", "lock:{a}:line", ahead.text())).isEqualTo(0L);
			assertThat(server.run("ZRANK", "lock:{a}:line", later.text())).isEqualTo(1L);
			server.run(claim(ahead)); // it asks again, and keeps its place
		}
	}

	private static Ticket ticket(long stampMicros, String claim) {
		return Ticket.of(stampMicros, LockTarget.exclusive(List.of("a")), 200, claim).living(30_000);
	}

	private static NodeCommand claim(Ticket ticket) {
		return new NodeCommand.Acquire(exclusive(ticket.text()), 20_000, new long[] { 6 }, 1, 90_000, ticket, 1);
	}

	/** Not only those in front: a rank says how soon it is worth asking again. */
	@Test
	void ticketsOfClaimsThatVanishedLeaveTheMiddleOfTheQueue() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(claim("t:2:1", 30_000));
		server.run(claim("t:3:1", 500));
		server.pass(501);
		Ticket last = Ticket.of(16, LockTarget.exclusive(List.of("a")), 200, "t:4:1").living(30_000);
		server.run(new NodeCommand.Acquire(exclusive("t:4:1"), 20_000, new long[] { 6 }, 1, 90_000, last, 1));
		assertThat(server.run("ZCARD", "lock:{a}:line")).isEqualTo(2L);
		assertThat(server.run("ZCARD", "lock:{a}:ends")).isEqualTo(2L);
	}

	@Test
	void recordFromBeforeTheClockWasSetBackBeginsAnew() {
		ManualServer server = new ManualServer();
		server.record("join", "app#1", "");
		server.pass(-3_600_000);
		server.record("stay", "app#1", "");
		server.pass(70_000);
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "")).ageSeconds()).isEqualTo(70);
	}

	@Test
	void doubtFromBeforeTheClockWasSetBackBeginsAnew() {
		ManualServer server = new ManualServer();
		server.record("found", "app#1", MembershipRecord.CLOCK);
		server.pass(-3_600_000);
		server.record("stay", "app#1", "");
		server.pass(70_000);
		MembershipRecord record = MembershipRecord.of(server.record("stay", "app#1", ""));
		assertThat(record.doubtSeconds()).isEqualTo(70);
		assertThat(record.doubt()).isEqualTo(MembershipRecord.CLOCK);
	}

	@Test
	void recordThatIsOlderThanADayDoesNotGetYoungerWhenTheClockIsSetBack() {
		ManualServer server = new ManualServer();
		server.record("join", "app#1", "");
		server.pass(86_401_000);
		server.record("stay", "app#1", "");
		server.pass(-172_800_000);
		server.record("stay", "app#1", "");
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "")).since()).isZero();
	}

	/** Unless the server was restarted since: then its uptime says so. */
	@Test
	void recordThatAnotherServerWroteIsDoubted() {
		ManualServer server = new ManualServer();
		server.record("found", "app#1", "", "r1:0", "0");
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "", "r1:0", "0")).doubt()).isEmpty();
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "", "r2:0", "99999999999")).doubt()).isEmpty();
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "", "r2:m1", "0")).doubt())
			.isEqualTo(MembershipRecord.REPLICA);
	}

	@Test
	void listThatIsNoLongerUsedIsForgottenByThoseThatWrite() {
		ManualServer server = new ManualServer();
		server.record("found", "app#1", "");
		server.run("HSET", "lock:nodes", "another", "1700000000 app#2");
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "")).uses()).hasSize(1);
		server.pass(61_000);
		assertThat(MembershipRecord.of(server.record("stay", "app#1", "")).uses()).isEmpty();
		assertThat(server.run("HEXISTS", "lock:nodes", "another")).isEqualTo(0L);
	}

	@Test
	void listIsNotForgottenByAnInstanceThatIsNotTheLastToUseIt() {
		ManualServer server = new ManualServer();
		server.record("found", "app#1", "");
		server.pass(70_000);
		server.record("stay", "app#2", "");
		server.record("bye", "app#1", "");
		assertThat(server.run("HEXISTS", "lock:nodes", "list")).isEqualTo(1L);
		server.record("bye", "app#2", "");
		assertThat(server.run("HEXISTS", "lock:nodes", "list")).isEqualTo(0L);
	}

	/** However often the last of them has confirmed the list since. */
	@Test
	void listIsNotForgottenWhileAnotherInstanceUsedItLately() {
		ManualServer server = new ManualServer();
		server.record("found", "app#1", "");
		for (int i = 0; i < 3; i++) {
			server.pass(10_000);
			server.record("stay", "app#2", "");
		}
		server.record("bye", "app#2", "");
		assertThat(server.run("HEXISTS", "lock:nodes", "list")).isEqualTo(1L);
	}

	@Test
	void raiseDoesNotCountForAReaderWhoseLeaseHasEnded() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.pass(15_000);
		server.run(read("t:2:1"));
		server.pass(5_001);
		assertThat(server.run(new NodeCommand.Raise(shared("t:1:1"), new long[] { 9 }, 60_000, 0))).isEqualTo(0L);
		assertThat(server.run(new NodeCommand.Raise(shared("t:2:1"), new long[] { 9 }, 60_000, 0))).isEqualTo(1L);
	}

	/** The key of the readers was evicted, or deleted by hand. */
	@Test
	void raiseDoesNotCountForAReaderWhoseNameAWriterHas() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.run("SET", "lock:{a}", "t:2:1");
		assertThat(server.run(new NodeCommand.Raise(shared("t:1:1"), new long[] { 9 }, 60_000, 0))).isEqualTo(0L);
	}

	@Test
	void fencesOfReadersAndPermitsOutliveTheirLeases() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		assertThat(server.run("PTTL", "lock:{a}:fence")).isEqualTo(60_000L);
		server.run(new NodeCommand.Renew(shared("t:1:1"), 20_000, false, new long[] { 1 }, 70_000, true, 0));
		assertThat(server.run("PTTL", "lock:{a}:fence")).isEqualTo(70_000L);
		server.run(new NodeCommand.Raise(shared("t:1:1"), new long[] { 2 }, 80_000, 0));
		assertThat(server.run("PTTL", "lock:{a}:fence")).isEqualTo(80_000L);
		server.run(permit("t:2:1", null));
		assertThat(server.run("PTTL", "lock:{d}:permit:1:fence")).isEqualTo(60_000L);
	}

	@Test
	void renewalGivesTheFenceItsWholeLifeAgain() {
		ManualServer server = new ManualServer();
		server.run(acquire("t:1:1", 5));
		server.run(new NodeCommand.Renew(exclusive("t:1:1"), 20_000, false, new long[] { 5 }, 70_000, true, 0));
		assertThat(server.run("PTTL", "lock:{a}:fence")).isEqualTo(70_000L);
	}

	/** The one that waits has not been told yet that the permit is free. */
	@Test
	void claimWithoutATicketDoesNotPassThoseThatWaitForAPermit() {
		ManualServer server = new ManualServer();
		assertThat(server.run(permit("t:1:1", null))).isEqualTo(List.of(1L, 6L));
		Ticket ticket = Ticket.of(1, LockTarget.permits("d", 1), 200, "t:2:1").living(30_000);
		server.run(permit("t:2:1", ticket));
		server.pass(20_001);
		assertThat(server.run(permit("t:3:1", null))).isInstanceOfSatisfying(List.class,
				(reply) -> assertThat(reply).hasSize(3).endsWith(1L));
	}

	/** No more than sixteen readers are offered the name at once. */
	@Test
	void readerThatIsGrantedPassesTheNameOnToFurtherReaders() {
		ManualServer server = new ManualServer();
		server.listeners = 1;
		server.run(acquire("t:0:1", 5));
		for (int i = 1; i <= 18; i++) {
			assertThat(server.run(queued(i))).isInstanceOf(List.class);
		}
		server.run(new NodeCommand.Release(exclusive("t:0:1"), 0));
		assertThat(server.published).as("sixteen offers, and who is next").hasSize(17);
		server.published.clear();
		assertThat(server.run(queued(1))).isEqualTo(6L);
		assertThat(server.published).containsExactly(KEYS.instanceChannel("t:17"));
	}

	/** A writer behind them would wait for it. */
	@Test
	void readerThatVanishedIsNotOfferedTheNameAmongOthers() {
		ManualServer server = new ManualServer();
		server.listeners = 1;
		server.run(acquire("t:0:1", 5));
		server.run(queued(1));
		server.run(queued(2, 500));
		server.run(queued(3));
		server.pass(501);
		server.run(new NodeCommand.Release(exclusive("t:0:1"), 0));
		assertThat(server.published).containsExactly(KEYS.instanceChannel("t:1"), KEYS.instanceChannel("t:3"));
		assertThat(server.run("ZCARD", "lock:{a}:line")).isEqualTo(2L);
	}

	/** It would ask in vain, and stand only for as long as it may take to ask. */
	@Test
	void writerBehindAReaderIsOfferedNothingWhileThatReads() {
		ManualServer server = new ManualServer();
		server.listeners = 1;
		server.run(acquire("t:0:1", 5));
		server.run(queued(1));
		Ticket writer = ticket(2, "t:2:1");
		server.run(claim(writer));
		server.pass(20_001);
		server.published.clear();
		assertThat(server.run(queued(1))).isEqualTo(6L);
		assertThat(server.published).isEmpty();
		server.run(new NodeCommand.Release(shared("t:1:1"), 0));
		assertThat(server.published).containsExactly(KEYS.instanceChannel("t:2"));
	}

	private static NodeCommand queued(int reader) {
		return queued(reader, 30_000);
	}

	private static NodeCommand queued(int reader, long lifeMillis) {
		LockTarget shared = LockTarget.shared(List.of("a"));
		String token = "t:" + reader + ":1";
		return new NodeCommand.Acquire(new CommandHeader(shared, new Attempt(token)), 20_000, new long[] { 6 }, 0,
				60_000, Ticket.of(reader, shared, 200, token).living(lifeMillis), 1);
	}

	@Test
	void whoIsRefusedAPermitIsToldWhenTheFirstOfThemEnds() {
		ManualServer server = new ManualServer();
		LockTarget two = LockTarget.permits("d", 2);
		server.run(permit(two, "t:1:1", 20_000, 1));
		server.run(permit(two, "t:2:1", 50_000, 2));
		for (int hint = 1; hint <= 2; hint++) {
			assertThat(server.run(permit(two, "t:3:1", 20_000, hint))).isInstanceOfSatisfying(List.class,
					(reply) -> assertThat(reply.get(0)).isEqualTo(20_000L));
		}
	}

	/** Nothing was freed here, but another node may have been slower. */
	@Test
	void ticketThatAReleaseBringsIsOfferedWhatIsFree() {
		for (LockTarget target : List.of(LockTarget.permits("d", 1), LockTarget.shared(List.of("a")),
				LockTarget.exclusive(List.of("a")))) {
			ManualServer server = new ManualServer();
			server.listeners = 1;
			Ticket ticket = Ticket.of(1, target, 200, "t:2:0").living(30_000);
			CommandHeader header = new CommandHeader(target, new Attempt("t:2:1"));
			assertThat(server.run(new NodeCommand.Release(header, 0, ticket, false))).as("%s", target).isEqualTo(1L);
			assertThat(server.published).as("%s", target).containsExactly(KEYS.instanceChannel("t:2"));
		}
	}

	/** A claim that vanished must not keep the others out. */
	@Test
	void ticketThatAReleaseBringsEndsWithItsLife() {
		for (LockTarget target : List.of(LockTarget.permits("a", 1), LockTarget.shared(List.of("a")),
				LockTarget.exclusive(List.of("a")), LockTarget.exclusive(List.of("a", "b")))) {
			ManualServer server = new ManualServer();
			server.run("SET", "lock:{a}", "t:1:1");
			server.run("SET", "lock:{a}:permit:1", "t:1:1");
			Ticket ticket = Ticket.of(1, target, 200, "t:2:0").living(500);
			CommandHeader header = new CommandHeader(target, new Attempt("t:2:1"));
			server.run(new NodeCommand.Release(header, 0, ticket, false));
			assertThat(server.run("ZSCORE", "lock:{a}:ends", ticket.text())).as("%s", target)
				.isEqualTo("1700000000500".getBytes(StandardCharsets.UTF_8));
		}
	}

	/** Otherwise it would try again at once, and so on. */
	@Test
	void roundThatFailedIsNotOfferedWhatItFreedItself() {
		for (LockTarget target : List.of(LockTarget.permits("d", 1), LockTarget.shared(List.of("a")),
				LockTarget.exclusive(List.of("a")), LockTarget.exclusive(List.of("a", "b")))) {
			ManualServer server = new ManualServer();
			server.listeners = 1;
			CommandHeader header = new CommandHeader(target, new Attempt("t:2:1"));
			server.run(new NodeCommand.Acquire(header, 20_000, null, 1, 0, null, 1));
			server.run(new NodeCommand.Release(header, 0, Ticket.of(1, target, 200, "t:2:0").living(30_000), true));
			assertThat(server.published).as("%s", target).isEmpty();
		}
	}

	@Test
	void whoIsNextIsToldWhenAPermitIsFreed() {
		ManualServer server = new ManualServer();
		server.listeners = 1;
		LockTarget target = LockTarget.permits("d", 1);
		server.run(permit("t:1:1", null));
		server.run(permit("t:2:1", Ticket.of(1, target, 200, "t:2:0").living(30_000)));
		server.run(permit("t:3:1", Ticket.of(2, target, 200, "t:3:0").living(30_000)));
		server.run(new NodeCommand.Release(new CommandHeader(target, new Attempt("t:1:1")), 0));
		assertThat(server.published).containsExactly(KEYS.instanceChannel("t:2"), KEYS.instanceChannel("t:3"));
	}

	@Test
	void ticketOfAWriterStandsWhereReadersAre() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		server.run(new NodeCommand.Release(new CommandHeader(both, new Attempt("t:2:1")), 0,
				Ticket.of(1, both, 200, "t:2:0").living(30_000), true));
		assertThat(server.run("ZCARD", "lock:{a}:line")).isEqualTo(1L);
		assertThat(server.run("ZCARD", "lock:{b}:line")).isEqualTo(0L);
	}

	@Test
	void ticketOfAReaderStandsBehindNoOtherReader() {
		ManualServer server = new ManualServer();
		server.listeners = 1;
		server.run(acquire("t:1:1", 5));
		server.run(queued(1));
		server.run(new NodeCommand.Release(exclusive("t:1:1"), 0));
		server.run("SET", "lock:{b}", "t:1:2");
		LockTarget both = LockTarget.shared(List.of("a", "b"));
		Ticket ticket = Ticket.of(2, both, 200, "t:2:0").living(30_000);
		server.run(new NodeCommand.Release(new CommandHeader(both, new Attempt("t:2:1")), 0, ticket, true));
		assertThat(server.run("ZSCORE", "lock:{a}:line", ticket.text())).isNull();
		assertThat(server.run("ZSCORE", "lock:{b}:line", ticket.text())).isNotNull();
	}

	@Test
	void ticketIsWithdrawnFromEachOfItsNames() {
		ManualServer server = new ManualServer();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		server.run(new NodeCommand.Acquire(List.of("a", "b"), new Attempt("t:1:1"), 20_000, null, 1, 0));
		CommandHeader header = new CommandHeader(both, new Attempt("t:2:1"));
		Ticket ticket = Ticket.of(1, both, 200, "t:2:0").living(30_000);
		server.run(new NodeCommand.Acquire(header, 20_000, null, 1, 0, ticket, 1));
		assertThat(server.run("EXISTS", "lock:{a}:line", "lock:{b}:line")).isEqualTo(2L);
		server.run(new NodeCommand.Withdraw(header, ticket.text()));
		assertThat(server.run("EXISTS", "lock:{a}:line", "lock:{b}:line")).isEqualTo(0L);
	}

	@Test
	void ticketOfAReaderStandsWhereAWriterIs() {
		ManualServer server = new ManualServer();
		server.run(read("t:1:1"));
		server.run("SET", "lock:{b}", "t:1:2");
		LockTarget both = LockTarget.shared(List.of("a", "b"));
		server.run(new NodeCommand.Release(new CommandHeader(both, new Attempt("t:2:1")), 0,
				Ticket.of(1, both, 200, "t:2:0").living(30_000), true));
		assertThat(server.run("ZCARD", "lock:{a}:line")).isEqualTo(0L);
		assertThat(server.run("ZCARD", "lock:{b}:line")).isEqualTo(1L);
	}

	/** Somebody wrote it by hand: nothing is to be awaited there. */
	@Test
	void permitThatNeverEndsDoesNotHideOneThatDoes() {
		ManualServer server = new ManualServer();
		LockTarget two = LockTarget.permits("d", 2);
		server.run("SET", "lock:{d}:permit:1", "by hand");
		server.run(permit(two, "t:2:1", 50_000, 1));
		for (int hint = 1; hint <= 2; hint++) {
			assertThat(server.run(permit(two, "t:3:1", 20_000, hint))).isInstanceOfSatisfying(List.class,
					(reply) -> assertThat(reply.get(0)).isEqualTo(50_000L));
		}
	}

	private static NodeCommand permit(LockTarget target, String token, long leaseMillis, int hint) {
		return new NodeCommand.Acquire(new CommandHeader(target, new Attempt(token)), leaseMillis, null, 1, 0, null,
				hint);
	}

	@Test
	void grantRemovesItsTicketsOfAllNamesAndPermits() {
		ManualServer server = new ManualServer();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		server.run(new NodeCommand.Acquire(List.of("a", "b"), new Attempt("t:1:1"), 20_000, null, 1, 60_000));
		NodeCommand next = new NodeCommand.Acquire(new CommandHeader(both, new Attempt("t:2:1")), 20_000, null, 1,
				60_000, Ticket.of(1, both, 200, "t:2:0").living(30_000), 1);
		assertThat(server.run(next)).isInstanceOf(List.class);
		server.run(permit("t:1:2", null));
		NodeCommand permit = permit("t:2:2", Ticket.of(1, LockTarget.permits("d", 1), 200, "t:2:0").living(30_000));
		server.run(permit);
		server.pass(20_001);
		assertThat(server.run(next)).isEqualTo(1L);
		server.run(permit);
		assertThat(server.redis.keys()).extracting(SimulatedRedis.Key::name)
			.noneMatch((name) -> name.endsWith(":line") || name.endsWith(":ends"));
	}

	/**
	 * Of several names, the one with the longest queue decides how soon it is worth
	 * asking again.
	 */
	@Test
	void rankIsThatInTheLongestQueue() {
		ManualServer server = new ManualServer();
		LockTarget both = LockTarget.exclusive(List.of("a", "b"));
		server.run(new NodeCommand.Acquire(List.of("a", "b"), new Attempt("t:1:1"), 20_000, null, 1, 60_000));
		server.run(claim("t:2:1", 30_000));
		server.run(claim("t:3:1", 30_000));
		assertThat(server.run(new NodeCommand.Acquire(new CommandHeader(both, new Attempt("t:4:1")), 20_000, null, 1,
				60_000, Ticket.of(2, both, 200, "t:4:0").living(30_000), 1)))
			.isInstanceOfSatisfying(List.class, (reply) -> assertThat(reply.get(reply.size() - 1)).isEqualTo(2L));
	}

	private static NodeCommand permit(String token, @Nullable Ticket ticket) {
		return new NodeCommand.Acquire(new CommandHeader(LockTarget.permits("d", 1), new Attempt(token)), 20_000,
				new long[] { 6 }, 1, 60_000, ticket, 1);
	}

	private static CommandHeader shared(String token) {
		return new CommandHeader(LockTarget.shared(List.of("a")), new Attempt(token));
	}

}
