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

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.ScriptCall;

/**
 * Encodes commands as the bytes that go over the connection, once for all nodes.
 */
final class RespEncoder {

	/** The numbers of keys that scripts for one name declare. */
	private static final byte[][] COUNTS = IntStream.range(0, 10).mapToObj(RespEncoder::bulkOf).toArray(byte[][]::new);

	private static final byte[][] EVALSHA = new byte[LockScript.values().length][];

	static {
		for (LockScript script : LockScript.values()) {
			EVALSHA[script.ordinal()] = ("$7\r\nEVALSHA\r\n$40\r\n" + script.sha1() + "\r\n")
				.getBytes(StandardCharsets.US_ASCII);
		}
	}

	private final byte[] bytes;

	private int size;

	private RespEncoder(int size) {
		this.bytes = new byte[size];
	}

	static byte[] command(String... parts) {
		return command(bytes(List.of(parts)));
	}

	static byte[] publish(byte[] channel, byte[] message) {
		return command(new byte[][] { "PUBLISH".getBytes(StandardCharsets.US_ASCII), channel, message });
	}

	private static byte[] command(byte[][] encoded) {
		RespEncoder resp = new RespEncoder(headerSize(encoded.length) + size(encoded));
		resp.header('*', encoded.length);
		resp.bulks(encoded);
		return resp.bytes;
	}

	static byte[] evalsha(LockScript script, String key, int permits, List<String> args) {
		return evalsha(new ScriptCall(script, script.keys(bytes(List.of(key)), permits), bytes(args)));
	}

	private static byte[][] bytes(List<String> texts) {
		return texts.stream().map((text) -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

	static byte[] evalsha(ScriptCall call) {
		byte[] evalsha = EVALSHA[call.script().ordinal()];
		byte[][] keys = call.keys();
		byte[][] args = call.args();
		byte[] count = (keys.length < COUNTS.length) ? COUNTS[keys.length] : bulkOf(keys.length);
		int parts = 3 + keys.length + args.length;
		RespEncoder resp = new RespEncoder(headerSize(parts) + evalsha.length + count.length + size(keys) + size(args));
		resp.header('*', parts);
		resp.put(evalsha);
		resp.put(count);
		resp.bulks(keys);
		resp.bulks(args);
		return resp.bytes;
	}

	private static byte[] bulkOf(int number) {
		String text = Integer.toString(number);
		return ("$" + text.length() + "\r\n" + text + "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

	private static int size(byte[][] parts) {
		int size = 0;
		for (byte[] part : parts) {
			// Nearly all are so short; this is written for a JVM that does not inline
			// yet.
			size += ((part.length < 10) ? 4 : headerSize(part.length)) + part.length + 2;
		}
		return size;
	}

	private static int headerSize(int number) {
		int digits = 1;
		for (int rest = number / 10; rest > 0; rest /= 10) {
			digits++;
		}
		return 1 + digits + 2;
	}

	private void bulks(byte[][] parts) {
		byte[] bytes = this.bytes;
		for (byte[] part : parts) {
			header('$', part.length);
			System.arraycopy(part, 0, bytes, this.size, part.length);
			this.size += part.length;
			bytes[this.size++] = '\r';
			bytes[this.size++] = '\n';
		}
	}

	private void header(char type, int number) {
		byte[] bytes = this.bytes;
		int at = this.size;
		bytes[at++] = (byte) type;
		int unit = 1;
		while (number / unit >= 10) {
			unit *= 10;
		}
		for (; unit > 0; unit /= 10) {
			bytes[at++] = (byte) ('0' + number / unit % 10);
		}
		bytes[at++] = '\r';
		bytes[at++] = '\n';
		this.size = at;
	}

	private void put(byte[] part) {
		System.arraycopy(part, 0, this.bytes, this.size, part.length);
		this.size += part.length;
	}

}
