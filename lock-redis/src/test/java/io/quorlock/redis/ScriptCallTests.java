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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.LockRequest;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.TestCommands;
import io.quorlock.quorum.node.Ticket;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScriptCall} and {@link ScriptReply}.
 */
class ScriptCallTests {

	private static final RedisKeys KEYS = new RedisKeys("caf\u00e9:");

	private static final String ORDER = "\u8ba2\u5355";

	private static final List<String> TWO = List.of("a", ORDER);

	private static final Attempt ATTEMPT = new Attempt("shop-1:x:1");

	private static final Ticket TICKET = new Ticket("0000000000000001:w:200:shop-1:x:claim", 1_000);

	private static final byte[] OWNER = "other:1:1".getBytes(StandardCharsets.UTF_8);

	private static final NodeCommand ONE = acquire(new long[] { 5 }, "a");

	private static final NodeCommand TWO_NAMES = acquire(new long[] { 5, 5 }, "a", "b");

	private static final NodeCommand UNFENCED = acquire(null, "a", "b");

	private static final NodeCommand RENEW = TestCommands.renew(List.of("a", "b"), new Attempt("a1"), 1_000, false,
			null, 0);

	private static final NodeCommand RAISE = TestCommands.raise(List.of("a"), new Attempt("a1"), new long[] { 5 },
			60_000);

	private static final NodeCommand RELEASE = new NodeCommand.Release(List.of("a"), new Attempt("a1"), 0);

	private static final NodeCommand INSPECT = new OperatorCommand.Inspect("a");

	private static final NodeCommand FORCE_RELEASE = new OperatorCommand.ForceRelease("a", 0, Set.of());

	@Test
	void namesComeAsTheirLockKeys() {
		LockTarget target = LockTarget.exclusive(TWO);
		assertThat(keys(acquire(target, new long[] { 1, 2 }))).startsWith(KEYS.lockKey("a"), KEYS.lockKey(ORDER));
		assertThat(keys(new NodeCommand.Release(header(target), 0))).containsExactly(KEYS.lockKey("a"),
				KEYS.lockKey(ORDER), KEYS.lockKey("a") + ":line", KEYS.lockKey("a") + ":ends",
				KEYS.lockKey(ORDER) + ":line", KEYS.lockKey(ORDER) + ":ends");
		assertThat(keys(new OperatorCommand.Inspect(header(LockTarget.exclusive(List.of(ORDER))))))
			.startsWith(KEYS.lockKey(ORDER));
	}

	@Test
	void keysOfAllPermitsAreDeclared() {
		LockTarget target = LockTarget.permits(ORDER, 2);
		assertThat(keys(acquire(target, new long[] { 1 }))).containsExactly(KEYS.lockKey(ORDER),
				KEYS.lockKey(ORDER) + ":line", KEYS.lockKey(ORDER) + ":ends", KEYS.permitKey(ORDER, 1),
				KEYS.permitKey(ORDER, 2), KEYS.permitFenceKey(ORDER, 1), KEYS.permitFenceKey(ORDER, 2));
	}

	@Test
	void permitThatIsHeldComesAsItsOwnKey() {
		LockTarget target = LockTarget.permits(ORDER, 3);
		assertThat(keys(new NodeCommand.Renew(header(target), 1, false, new long[] { 1 }, 1, true, 2)))
			.containsExactly(KEYS.permitKey(ORDER, 2), KEYS.permitFenceKey(ORDER, 2));
		assertThat(keys(new NodeCommand.Raise(header(target), new long[] { 1 }, 1, 2)))
			.containsExactly(KEYS.permitKey(ORDER, 2), KEYS.permitFenceKey(ORDER, 2));
	}

	@Test
	void oneNameIsFirstLockedWithFewerKeys() {
		ScriptCall call = ScriptCall.first(acquire(LockTarget.exclusive(List.of(ORDER)), new long[] { 7 }), KEYS);
		assertThat(call.script().isPlain()).isTrue();
		assertThat(texts(call.keys())).containsExactly(KEYS.lockKey(ORDER), KEYS.fenceKey(ORDER),
				KEYS.lockKey(ORDER) + ":line");
		assertThat(texts(call.args())).containsExactly(ATTEMPT.owner(), "1000", "1000", "7", "1");
	}

	/**
	 * Each argument costs the node as much as a key, and the fifth as much as a command.
	 */
	@Test
	void oneNameIsLockedWithFewArgumentsWhereNothingIsUnusual() {
		CommandHeader header = header(LockTarget.exclusive(List.of(ORDER)));
		assertThat(arguments(new NodeCommand.Acquire(header, 1_000, new long[] { 7 }, 16, 2_000, null, 1)))
			.containsExactly(ATTEMPT.owner(), "1000", "2000", "7");
		assertThat(arguments(new NodeCommand.Acquire(header, 1_000, null, 3, 2_000, null, 1)))
			.containsExactly(ATTEMPT.owner(), "1000", "0");
		assertThat(arguments(new NodeCommand.Release(header, 0))).containsExactly(ATTEMPT.owner());
		assertThat(arguments(new NodeCommand.Release(header, 5))).containsExactly(ATTEMPT.owner(), "5");
		assertThat(arguments(new NodeCommand.Release(header, 0, TICKET, true))).containsExactly(ATTEMPT.owner(), "0",
				TICKET.text(), "1000", "1");
	}

	private static List<String> arguments(NodeCommand command) {
		return texts(ScriptCall.first(command, KEYS).args());
	}

	/** A partial reply would cost one round trip more. */
	@Test
	void whateverNeedsMoreKeysIsSentInFullAtOnce() {
		LockTarget one = LockTarget.exclusive(List.of(ORDER));
		for (NodeCommand command : List.of(acquire(LockTarget.shared(List.of(ORDER)), null),
				acquire(LockTarget.exclusive(TWO), null), acquire(LockTarget.permits(ORDER, 2), null),
				new NodeCommand.Acquire(header(one), 1_000, null, 1, 1_000, TICKET, 1),
				new NodeCommand.Release(header(one), 0),
				new NodeCommand.Renew(header(one), 1, false, null, 1, true, 0))) {
			LockScript script = ScriptCall.first(command, KEYS).script();
			assertThat(script).as(command.toString()).isEqualTo(ScriptCall.of(command, KEYS).script());
			assertThat(script.isPlain()).as(command.toString()).isFalse();
		}
	}

	private static NodeCommand acquire(LockTarget target, long @Nullable [] proposed) {
		return new NodeCommand.Acquire(header(target), 1_000, proposed, 1, 1_000, null, 1);
	}

	private static CommandHeader header(LockTarget target) {
		return new CommandHeader(target, ATTEMPT);
	}

	private static List<String> keys(NodeCommand command) {
		return texts(ScriptCall.of(command, KEYS).keys());
	}

	private static List<String> texts(byte[][] parts) {
		return Arrays.stream(parts).map((part) -> new String(part, StandardCharsets.UTF_8)).toList();
	}

	/**
	 * R9: a grant hands out the tokens above f - range, the first of which is at least 1.
	 */
	@Test
	void voteForTokensThatAreNotPositiveIsRefused() {
		NodeCommand range = new NodeCommand.Acquire(List.of("a"), new Attempt("a1"), 1_000, new long[] { 5 }, 16,
				60_000);
		assertThat(read(range, 1L)).isInstanceOf(NodeReply.Failed.class);
		assertThat(read(range, 15L)).isInstanceOf(NodeReply.Failed.class);
		assertThat(votes(range, 16L)).containsExactly(16);
		NodeCommand two = new NodeCommand.Acquire(List.of("a", "b"), new Attempt("a1"), 1_000, new long[] { 5, 5 }, 16,
				60_000);
		assertThat(read(two, List.of(16L, 15L))).isInstanceOf(NodeReply.Failed.class);
		assertThat(votes(two, List.of(16L, 17L))).containsExactly(16, 17);
	}

	/** Jedis with a Cluster sends a command again whose reply did not come in time. */
	@Test
	void refusalByTheAttemptItselfIsTheSecondReplyToIt() {
		NodeCommand claim = new NodeCommand.Acquire(List.of("a", "b"), new Attempt("a:1:", 7, 0), 1_000, null, 1, 0);
		NodeReply.Failed failed = (NodeReply.Failed) read(claim,
				Arrays.asList(90L, "a:1:7".getBytes(StandardCharsets.US_ASCII), null, 0L));
		assertThat(failed.cause()).isEqualTo(NodeReply.Failed.Cause.CONNECTION_LOST);
		assertThat(failed.message()).contains("sent the command again");
		assertThat(read(claim, Arrays.asList(90L, "a:1:8".getBytes(StandardCharsets.US_ASCII), null, 0L)))
			.isInstanceOf(NodeReply.Refused.class);
	}

	@Test
	void repliesOfTheScriptsAreRead() {
		assertThat(votes(ONE, 7L)).containsExactly(7);
		assertThat(votes(TWO_NAMES, List.of(7L, 8L))).containsExactly(7, 8);
		assertThat(read(UNFENCED, 1L)).isEqualTo(new NodeReply.Granted(true, null));
		NodeReply.Refused refused = (NodeReply.Refused) read(TWO_NAMES, Arrays.asList(90L, null, OWNER, 0L, 8L, 3L));
		assertThat(refused.blockers()).containsExactly(null, new NodeReply.Blocker.Owner("other:1:1"));
		assertThat(refused.remainingMillis()).isEqualTo(90);
		assertThat(refused.fences()).containsExactly(0, 8);
		assertThat(refused.rank()).isEqualTo(3);
		assertThat(read(RENEW, 1L)).isEqualTo(new NodeReply.Done(true));
		assertThat(read(RENEW, Arrays.asList(90L, OWNER, null))).isInstanceOf(NodeReply.Refused.class);
		assertThat(read(RAISE, 0L)).isEqualTo(new NodeReply.NotHeld(true));
		assertThat(read(RELEASE, 3L)).isEqualTo(new NodeReply.Released(true, 3));
		assertThat(read(INSPECT, Arrays.asList(null, -2L, 4L, List.of(), List.of(), List.of())))
			.isEqualTo(new NodeReply.Inspected(true, List.of(), List.of(), 4));
	}

	@Test
	void repliesToAClaimForAPermitAreRead() {
		NodeCommand fenced = permit(new long[] { 5 });
		assertThat(read(fenced, List.of(2L, 7L))).isInstanceOfSatisfying(NodeReply.Granted.class, (granted) -> {
			assertThat(granted.permit()).isEqualTo(2);
			assertThat(granted.fences()).containsExactly(7);
		});
		assertThat(read(permit(null), 2L)).isEqualTo(new NodeReply.Granted(true, null, 2));
		byte[] ticket = "~ticket:t".getBytes(StandardCharsets.UTF_8);
		byte[] cooldown = "~cooldown".getBytes(StandardCharsets.UTF_8);
		assertThat(read(fenced, List.of(90L, List.of(ticket, cooldown), 3L))).isEqualTo(new NodeReply.Refused(true,
				List.of(new NodeReply.Blocker.Waiting("t"), new NodeReply.Blocker.Cooldown()), 90, null, 3));
		for (Object raw : new Object[] { 2L, List.of(0L, 7L), List.of(3L, 7L), List.of(2L, 0L),
				List.of(90L, List.of(OWNER), 0L), List.of(90L, List.of(OWNER, OWNER, OWNER), 0L),
				List.of(90L, List.of(OWNER, OWNER), -1L) }) {
			assertThat(read(fenced, raw)).as(String.valueOf(raw)).isInstanceOf(Failed.class);
		}
		assertThat(read(permit(null), 0L)).isInstanceOf(Failed.class);
		assertThat(read(permit(null), 3L)).isInstanceOf(Failed.class);
	}

	private static NodeCommand permit(long @Nullable [] proposed) {
		return new NodeCommand.Acquire(new CommandHeader(LockTarget.permits("p", 2), new Attempt("a1")), 1_000,
				proposed, 1, 60_000, null, 1);
	}

	@Test
	void readersInFrontAreRead() {
		NodeReply.Refused refused = (NodeReply.Refused) read(ONE, List.of(90L, List.of(OWNER, bytes("b")), 5L, 0L));
		assertThat(refused.blockers()).containsExactly(new NodeReply.Blocker.Readers(List.of("other:1:1", "b")));
		assertThat(refused.fences()).containsExactly(5);
		assertThat(((NodeReply.Refused) read(ONE, List.of(90L, bytes("~shared"), 5L, 0L))).blockers())
			.containsExactly(new NodeReply.Blocker.Readers(List.of()));
	}

	@Test
	void everyHolderAndWaiterOfANameIsRead() {
		Object raw = List.of(bytes("~shared"), -2L, 4L, List.of(OWNER, 50L),
				List.of(2L, bytes("~cooldown"), 60L, 3L, OWNER, -1L), List.of(bytes("z"), bytes("y")));
		assertThat(read(INSPECT, raw)).isEqualTo(new NodeReply.Inspected(true, List
			.of(new NodeReply.Inspected.Holder("other:1:1", LockTarget.Kind.SHARED, 0, 50),
					new NodeReply.Inspected.Holder(null, LockTarget.Kind.PERMIT, 2, 60), new NodeReply.Inspected.Holder(
							"other:1:1", LockTarget.Kind.PERMIT, 3, NodeReply.Refused.NO_EXPIRY)),
				List.of("y", "z"), 4));
	}

	@Test
	void repliesToOtherCommandsAreRead() {
		CommandHeader header = new CommandHeader(LockTarget.permits("p", 2), new Attempt("a1"));
		assertThat(read(new NodeCommand.Drop(header, 1), 2L)).isEqualTo(new NodeReply.Released(true, 2));
		assertThat(read(new NodeCommand.Withdraw(header, "t"), 1L)).isEqualTo(new NodeReply.Done(true));
		assertThat(read(new OperatorCommand.RequestRelease(header, 10), 2L)).isEqualTo(new NodeReply.PassedOn(true, 2));
	}

	/** Sixty-four readers are listed at most. */
	@Test
	void largestRefusalIsWithinTheLimits() throws IOException {
		String readers = "*64\r\n" + "$1\r\nr\r\n".repeat(64);
		String names = "*6\r\n:90\r\n" + readers + readers + ":1\r\n:2\r\n:3\r\n";
		assertThat(read(TWO_NAMES, resp(names, TWO_NAMES))).isInstanceOf(NodeReply.Refused.class);
		NodeCommand permit = new NodeCommand.Acquire(
				new CommandHeader(LockTarget.permits("p", 1_000), new Attempt("a1")), 1_000, null, 1, 60_000, null, 1);
		String owners = "*3\r\n:90\r\n*1000\r\n" + "$1\r\no\r\n".repeat(1_000) + ":0\r\n";
		assertThat(read(permit, resp(owners, permit))).isInstanceOf(NodeReply.Refused.class);
		String inspected = "*6\r\n$1\r\no\r\n:1\r\n:4\r\n*0\r\n*0\r\n*5000\r\n" + "$1\r\nw\r\n".repeat(5_000);
		assertThat(read(INSPECT, resp(inspected, INSPECT))).isInstanceOf(NodeReply.Inspected.class);
	}

	private static @Nullable Object resp(String text, NodeCommand command) throws IOException {
		return new RespReader(new ByteArrayInputStream(bytes(text))).read(ScriptReply.limits(command));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void keyWithoutExpiryIsReported() {
		assertThat(read(INSPECT, Arrays.asList(OWNER, -1L, 4L, List.of(), List.of(), List.of())))
			.isEqualTo(new NodeReply.Inspected(true, List.of(new NodeReply.Inspected.Holder("other:1:1",
					LockTarget.Kind.EXCLUSIVE, 0, NodeReply.Refused.NO_EXPIRY)), List.of(), 4));
		assertThat(((NodeReply.Refused) read(ONE, Arrays.asList(-1L, OWNER, 4L, 0L))).remainingMillis())
			.isEqualTo(NodeReply.Refused.NO_EXPIRY);
	}

	@Test
	void anyOtherShapeIsAnErrorOfTheNode() {
		for (Object raw : new @Nullable Object[] { null, 0L, -5L, 1L << 53, OWNER, List.of(), List.of(5L),
				Arrays.asList(5L, "x", List.of()), Arrays.asList(90L, OWNER, 0L),
				Arrays.asList(90L, null, null, 1L, 1L), Arrays.asList(90L, OWNER, OWNER, 1L),
				Arrays.asList(90L, OWNER, OWNER, 1L, -1L), Arrays.asList(null, OWNER, OWNER, 1L, 1L), List.of(0L, 1L),
				List.of(1L, 1L << 53), List.of(1L, 1L, 1L) }) {
			assertThat(read(TWO_NAMES, raw)).as(String.valueOf(raw)).isInstanceOf(Failed.class);
		}
		assertThat(read(ONE, Arrays.asList(5L, "x", List.of()))).isInstanceOf(Failed.class);
		assertThat(read(RELEASE, -1L)).isInstanceOf(Failed.class);
		for (NodeCommand done : List.of(RENEW, FORCE_RELEASE)) {
			assertThat(read(done, 1L)).isEqualTo(new NodeReply.Done(true));
			assertThat(read(done, 0L)).as("not done").isInstanceOf(Failed.class);
			assertThat(read(done, 2L)).as("done twice").isInstanceOf(Failed.class);
		}
		assertThat(read(INSPECT, Arrays.asList(OWNER, 1L, Long.MIN_VALUE))).isInstanceOf(Failed.class);
	}

	@Test
	void whateverIsReturnedIsReadWithoutAnException() {
		Random random = new Random(42);
		for (int i = 0; i < 20_000; i++) {
			Object raw = any(random, 3);
			for (NodeCommand command : List.of(ONE, TWO_NAMES, UNFENCED, RENEW, RAISE, RELEASE, INSPECT,
					FORCE_RELEASE)) {
				read(command, raw);
			}
		}
	}

	private static @Nullable Object any(Random random, int depth) {
		return switch (random.nextInt((depth > 0) ? 5 : 4)) {
			case 0 -> null;
			case 1 -> OWNER;
			case 2 -> random.nextLong();
			case 3 -> (long) random.nextInt(4) - 1;
			default -> {
				List<@Nullable Object> list = new ArrayList<>();
				for (int left = random.nextInt(7); left > 0; left--) {
					list.add(any(random, depth - 1));
				}
				yield list;
			}
		};
	}

	private static long @Nullable [] votes(NodeCommand command, Object raw) {
		return ((NodeReply.Granted) read(command, raw)).fences();
	}

	private static NodeReply read(NodeCommand command, @Nullable Object raw) {
		return ScriptReply.of(command, raw, true);
	}

	private static NodeCommand acquire(long @Nullable [] proposed, String... names) {
		return new NodeCommand.Acquire(List.of(names), new Attempt("a1"), 1_000, proposed, 1, 60_000);
	}

	/** A reply that is too large would cost the connection, and so would the next one. */
	@Test
	void refusalOfManyNamesThatManyReadersShareIsNotTooLarge() throws IOException {
		List<String> names = IntStream.range(0, LockRequest.MAX_NAMES).mapToObj((i) -> "part:" + i).toList();
		String reader = "inventory-service@ip-10-0-112-34.eu-central-1.compute.internal:4242:0123456789abcdef:1234567";
		StringBuilder reply = new StringBuilder("*" + (2 + names.size()) + "\r\n:60000\r\n");
		for (int i = 0; i < names.size(); i++) {
			reply.append("*64\r\n").append(("$" + reader.length() + "\r\n" + reader + "\r\n").repeat(64));
		}
		reply.append(":0\r\n");
		NodeCommand acquire = new NodeCommand.Acquire(names, new Attempt("a"), 60_000, null, 1, 0);
		RespReader resp = new RespReader(
				new ByteArrayInputStream(reply.toString().getBytes(StandardCharsets.US_ASCII)));
		assertThat(ScriptReply.of(acquire, resp.read(ScriptReply.limits(acquire)), true))
			.isInstanceOf(NodeReply.Refused.class);
	}

}
