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
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.quorum.node.LockTarget;
import io.quorlock.redis.RespReader.Limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what is read of a server: {@link RespReader} and {@link RespError}.
 */
class RespReaderTests {

	private static final Limits LIMITS = Limits.of(1, 3);

	private static final RedisKeys KEYS = new RedisKeys("lock:");

	private static final String IN_SCRIPT = "ERR Error running script (call to f_" + LockScript.ACQUIRE.sha1()
			+ "): @user_script:22: ";

	@Test
	void repliesOfAllKindsAreRead() throws IOException {
		assertThat(read("+OK\r\n")).isEqualTo("OK".getBytes(StandardCharsets.UTF_8));
		assertThat(read(":-9223372036854775808\r\n")).isEqualTo(Long.MIN_VALUE);
		assertThat(read(":9223372036854775807\r\n")).isEqualTo(Long.MAX_VALUE);
		assertThat(read(":+5\r\n")).isEqualTo(5L);
		assertThat(read(":-0\r\n")).isEqualTo(0L);
		assertThat(read("$3\r\na\r\n\r\n")).isEqualTo("a\r\n".getBytes(StandardCharsets.UTF_8));
		assertThat(read("$-1\r\n")).isNull();
		assertThat(read("*-1\r\n")).isNull();
		assertThat(read("_\r\n")).isNull();
		assertThat(read("#t\r\n")).isEqualTo(1L);
		assertThat(read("#f\r\n")).isEqualTo(0L);
		assertThat(read("*2\r\n:1\r\n*1\r\n:2\r\n")).isEqualTo(List.of(1L, List.of(2L)));
		assertThat(read("%1\r\n:1\r\n:2\r\n")).isEqualTo(List.of(1L, 2L));
		assertThat(read("~1\r\n:1\r\n")).isEqualTo(List.of(1L));
		assertThat(read("-NOSCRIPT none\r\n")).isEqualTo(new RespError("NOSCRIPT none"));
		assertThat(read("!8\r\nERR a\r\nb\r\n")).isEqualTo(new RespError("ERR a\r\nb"));
	}

	@Test
	void repliesThatArriveByteByByteAreRead() throws IOException {
		byte[] bytes = "*3\r\n:1\r\n$5\r\nhello\r\n+x\r\n>1\r\n:2\r\n".getBytes(StandardCharsets.UTF_8);
		RespReader reader = new RespReader(new ByteArrayInputStream(bytes) {

			@Override
			public synchronized int read(byte[] target, int offset, int length) {
				return super.read(target, offset, Math.min(1, length));
			}

		});
		assertThat(reader.nextIsPush()).isFalse();
		assertThat((List<?>) reader.read(LIMITS)).hasSize(3);
		assertThat(reader.nextIsPush()).isTrue();
		assertThat(reader.read(LIMITS)).isEqualTo(List.of(2L));
	}

	@ParameterizedTest
	@ValueSource(strings = { "$1500000000\r\n", "$2000000\r\n", "$-2\r\n", "*2147483647\r\n", "*6\r\n", "%3\r\n",
			"*-2\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", ":9223372036854775808\r\n", ":1a\r\n", ":\r\n", ":-\r\n",
			":9999999999999999999\r\n", ":-9223372036854775809\r\n", ":00000000000000000001\r\n", ":+\r\n", ":+-1\r\n",
			":1\n", ":1\rx", "*1a\r\n", "$1\r\nab\r\n", "$1\r\na\rb", "$1\r\nab\n", "+a\nb\r\n", "+a\rb", "x\r\n",
			"HTTP/1.1 400 Bad Request\r\n", "#x\r\n", "_x\r\n", "|1\r\n", "\u0015\u0003\u0003" })
	void whatIsNoReplyOrTooLargeIsRefused(String text) {
		assertThatExceptionOfType(RespFormatException.class).isThrownBy(() -> read(text))
			.withMessage("does not speak the Redis protocol");
	}

	@Test
	void alertOfAServerThatExpectsTlsIsKnown() {
		assertThatExceptionOfType(RespFormatException.class).isThrownBy(() -> read("\u0015\u0003\u0003"))
			.returns(true, RespFormatException::isTlsAlert);
		assertThatExceptionOfType(RespFormatException.class).isThrownBy(() -> read("HTTP/1.1 400 Bad Request\r\n"))
			.returns(false, RespFormatException::isTlsAlert);
	}

	/** One reply is held in memory at a time, whatever it consists of. */
	@ParameterizedTest
	@CsvSource({ "$4#abcd#, $5#abcde#", "+abcd#, +abcde#", "*2#$2#ab#$2#cd#, *2#$2#ab#$3#cde#",
			"*2#+ab#+cd#, *2#+ab#+cde#", "*2#+ab#$2#cd#, *2#+ab#$3#cde#", "*4#:1#:2#:3#:4#, *5#:1#:2#:3#:4#:5#",
			"*2#*1#:1#*1#:2#, *2#*1#:1#*2#:2#:3#", "*1#*0#, *1#*1#*0#" })
	void limitsAreThoseOfTheWholeReply(String largest, String tooLarge) throws IOException {
		Limits limits = new Limits(4, 4, 2);
		assertThat(reader(largest.replace("#", "\r\n")).read(limits)).isNotNull();
		assertThatExceptionOfType(RespFormatException.class)
			.isThrownBy(() -> reader(tooLarge.replace("#", "\r\n")).read(limits));
	}

	@Test
	void longestLineIsRead() throws IOException {
		String longest = "x".repeat(64 * 1024);
		assertThat((byte[]) read("+" + longest + "\r\n")).hasSize(longest.length());
		assertThatExceptionOfType(RespFormatException.class).isThrownBy(() -> read("+" + longest + "x\r\n"));
	}

	@Test
	void lookAtTheNextReplyLosesNoneThatArrivedWithIt() throws IOException {
		RespReader reader = reader(":1\r\n>1\r\n:2\r\n:3\r\n");
		assertThat(reader.nextIsPush()).isFalse();
		assertThat(reader.read(LIMITS)).isEqualTo(1L);
		assertThat(reader.nextIsPush()).isTrue();
		assertThat(reader.read(LIMITS)).isEqualTo(List.of(2L));
		assertThat(reader.read(() -> LIMITS)).isEqualTo(3L);
	}

	@Test
	void lineWithoutAnEndIsRefused() {
		assertThatExceptionOfType(RespFormatException.class)
			.isThrownBy(() -> new RespReader(new Endless()).read(LIMITS));
	}

	@Test
	void limitsAreAskedForUnlessTheReplyIsANumber() throws IOException {
		AtomicInteger asked = new AtomicInteger();
		Supplier<RespReader.Limits> limits = () -> {
			asked.incrementAndGet();
			return LIMITS;
		};
		assertThat(reader(":7\r\n").read(limits)).isEqualTo(7L);
		assertThat(asked).hasValue(0);
		for (String text : new String[] { "$1\r\na\r\n", "*1\r\n:1\r\n", "-ERR no\r\n", "_\r\n" }) {
			asked.set(0);
			assertThat(reader(text).read(limits)).isEqualTo(reader(text).read(LIMITS));
			assertThat(asked).hasValue(1);
		}
		assertThatExceptionOfType(RespFormatException.class).isThrownBy(() -> reader("$2000000\r\n").read(limits));
	}

	@Test
	void connectionThatEndsIsNoFormatError() {
		for (String text : new String[] { "", "+OK", "$5\r\nab", "*2\r\n:1\r\n" }) {
			assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(text));
		}
	}

	@Test
	void whateverAServerSendsEndsInAReplyOrAnIoException() {
		Random random = new Random(42);
		byte[][] seeds = Arrays
			.stream(new String[] { "*3\r\n:12\r\n$5\r\nowner\r\n:7\r\n", "$-1\r\n", "%1\r\n+a\r\n_\r\n",
					">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$0\r\n\r\n", "-ERR no\r\n", "*2\r\n*1\r\n:1\r\n*1\r\n:2\r\n" })
			.map((text) -> text.getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		for (int i = 0; i < 50_000; i++) {
			byte[] bytes = seeds[random.nextInt(seeds.length)].clone();
			for (int change = random.nextInt(4); change >= 0; change--) {
				bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean()
						? "*$:+-%>~\r\n0123456789".charAt(random.nextInt(20)) : random.nextInt(256));
			}
			RespReader reader = new RespReader(new ByteArrayInputStream(bytes));
			try {
				reader.read(() -> LIMITS);
			}
			catch (IOException ex) {
				// Either is fine; anything else fails the test.
			}
		}
	}

	private static @Nullable Object read(String text) throws IOException {
		return reader(text).read(LIMITS);
	}

	private static RespReader reader(String text) {
		return new RespReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
	}

	@Test
	void permissionThatAScriptLacksIsNamedAsRedis8NamesIt() {
		String error = "ERR ACL failure in script: User locker has no permissions to run the 'publish' command";
		assertThat(describe(error)).isEqualTo("denies a permission that a lock script needs: PUBLISH");
	}

	@Test
	void limitOfClientsIsNotTakenForTls() {
		assertThat(describe("ERR max number of clients reached"))
			.isEqualTo("replied: ERR max number of clients reached");
	}

	/** Until a new handshake. */
	@ParameterizedTest
	@ValueSource(strings = { "NOAUTH", "LOADING", "READONLY", "MASTERDOWN", "NOPERM" })
	void serverThatRefusesEveryCommandIsUnusable(String code) {
		assertThat(new RespError(code + " why").isUnusable()).isTrue();
		assertThat(new RespError(code + " why").isCannotWrite()).isFalse();
	}

	/** As Redis 6.2, and Redis 7 and Valkey have it: other keys may well be allowed. */
	@ParameterizedTest
	@ValueSource(strings = { "NOPERM this user has no permissions to access one of the keys used as arguments",
			"NOPERM No permissions to access a key", "NOPERM No permissions to access a channel",
			"NOPERM ACL failure in script: User locks has no permissions to run the 'zadd' command" })
	void serverThatRefusesSomeKeysIsUsable(String message) {
		assertThat(new RespError(message).isUnusable()).isFalse();
		assertThat(describe(message)).startsWith("denies a permission");
	}

	/** Locks that are held need their connection. */
	@ParameterizedTest
	@ValueSource(strings = { "OOM", "MISCONF", "NOREPLICAS", "NOSCRIPT", "WRONGTYPE", "FENCE", "BUSY", "ERR" })
	void serverThatRefusesSomeCommandsIsUsable(String code) {
		RespError error = new RespError(code + " why");
		assertThat(error.isUnusable()).isFalse();
		assertThat(error.isCannotWrite()).isEqualTo(List.of("OOM", "MISCONF", "NOREPLICAS").contains(code));
		assertThat(error.isOfKeys()).isEqualTo(code.equals("WRONGTYPE") || code.equals("FENCE"));
	}

	/** As Redis 6.2 has it, which puts the script in front of its error. */
	@ParameterizedTest
	@ValueSource(strings = { "OOM", "MISCONF", "NOREPLICAS", "READONLY", "WRONGTYPE" })
	void errorInsideAScriptIsThatOfTheCommandThere(String code) {
		RespError plain = new RespError(code + " why");
		for (String dash : List.of("@user_script: 22: -", "")) {
			RespError error = new RespError(IN_SCRIPT + dash + plain.message());
			assertThat(error.isUnusable()).isEqualTo(plain.isUnusable());
			assertThat(error.isCannotWrite()).isEqualTo(plain.isCannotWrite());
			assertThat(error.isOfKeys()).isEqualTo(plain.isOfKeys());
			assertThat(code.equals("WRONGTYPE") || describe(error.message()).equals(describe(plain.message())))
				.isTrue();
		}
	}

	@Test
	void permissionThatAScriptLacksIsNamedWhereRedis6NamesItsLine() {
		String source = LockScript.ACQUIRE.source();
		int line = (int) source.substring(0, source.indexOf("'SET'")).lines().count();
		assertThat(describe(IN_SCRIPT.replace(":22:", ":" + line + ":") + "@user_script: " + line
				+ ": The user executing the script can't run this command or subcommand"))
			.isEqualTo("denies a permission that a lock script needs: SET");
	}

	private static String describe(String error) {
		return new RespError(error).describe();
	}

	@Test
	void unusableFenceIsNamed() {
		assertThat(describe("FENCE unusable", LockTarget.exclusive(List.of("order"))))
			.isEqualTo("holds no usable fencing token under lock:{order}:fence (not a number, or more than a day ahead "
					+ "of the clocks): delete the key");
	}

	@Test
	void unusableFenceOfAPermitIsThatOfOneOfThem() {
		assertThat(describe("FENCE unusable", LockTarget.permits("table", 3)))
			.contains(" under lock:{table}:permit:1:fence to lock:{table}:permit:3:fence (");
		assertThat(describe("FENCE unusable", LockTarget.permits("table", 1)))
			.contains(" under lock:{table}:permit:1:fence (");
	}

	@Test
	void fewOfManyNamesAreListed() {
		assertThat(describe("WRONGTYPE Operation against", LockTarget.exclusive(List.of("a", "b", "c", "d", "e"))))
			.isEqualTo("holds a value of another type under a key that begins with lock:{a}, lock:{b}, lock:{c} "
					+ "and 2 more: delete that key");
	}

	/** As Redis 6.2 has it. */
	@Test
	void errorBehindTheCallOfItsScriptIsOfTheKeysAllTheSame() {
		String error = "ERR Error running script (call to f_" + "0".repeat(40)
				+ "): @user_script:5: WRONGTYPE Operation";
		assertThat(new RespError(error).isOfKeys()).isTrue();
		assertThat(new RespError("ERR WRONGTYPE").isOfKeys()).isFalse();
	}

	private static String describe(String message, LockTarget target) {
		return new RespError(message).describe(target, KEYS);
	}

	private static final class Endless extends InputStream {

		@Override
		public int read() {
			return '+';
		}

	}

}
