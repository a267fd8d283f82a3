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

package io.quorlock.redis.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.RespReader;
import io.quorlock.redis.ScriptCall;

import static org.assertj.core.api.Assertions.assertThat;

class RespEncoderTests {

	@Test
	void commandIsArrayOfStrings() {
		assertThat(text(RespEncoder.command("HELLO", "3", ""))).isEqualTo("*3\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$0\r\n\r\n");
	}

	@Test
	void scriptIsCalledByItsDigest() {
		byte[] call = RespEncoder.evalsha(LockScript.RECORD, "k", 0, List.of("1", "ü"));
		assertThat(text(call)).isEqualTo("*6\r\n$7\r\nEVALSHA\r\n$40\r\n" + LockScript.RECORD.sha1()
				+ "\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\n1\r\n$2\r\nü\r\n");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 12_345, 100_000 })
	void partsOfAnyLengthAreReadAgain(int length) throws IOException {
		String part = "x".repeat(length);
		assertThat(read(RespEncoder.command("SET", part, part))).containsExactly("SET", part, part);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 9, 10, 97, 100, 1000 })
	void anyNumberOfKeysIsReadAgain(int keys) throws IOException {
		byte[][] each = Collections.nCopies(keys, bytes("key")).toArray(byte[][]::new);
		byte[] call = RespEncoder.evalsha(new ScriptCall(LockScript.RELEASE, each, new byte[][] { bytes("a") }));
		List<String> parts = read(call);
		assertThat(parts).hasSize(4 + keys).contains(String.valueOf(keys)).endsWith("key", "a");
		assertThat(parts.get(2)).isEqualTo(String.valueOf(keys));
	}

	private static List<String> read(byte[] command) throws IOException {
		ByteArrayInputStream in = new ByteArrayInputStream(command);
		Object parts = new RespReader(in).read(new RespReader.Limits(1_000_000, 10_000, 1));
		assertThat(in.available()).isZero();
		assertThat(parts).isInstanceOf(List.class);
		return ((List<?>) parts).stream().map((part) -> text((byte[]) part)).toList();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
