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
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.CommandHeader;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Ticket;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts get the lock keys of the names.
 */
class ScriptCallTests {

	private static final RedisKeys KEYS = new RedisKeys("caf\u00e9:");

	private static final String ORDER = "\u8ba2\u5355";

	private static final List<String> TWO = List.of("a", ORDER);

	private static final Attempt ATTEMPT = new Attempt("shop-1:x:1");

	private static final Ticket TICKET = new Ticket("0000000000000001:w:200:shop-1:x:claim", 1_000);

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

}
