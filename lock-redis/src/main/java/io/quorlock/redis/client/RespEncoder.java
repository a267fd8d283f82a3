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
import java.util.Arrays;
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

	/** As much as nearly all commands need. */
	private static final int USUAL_SIZE = 320;

	/** A type, ten digits, and the end of the line. */
	private static final int LONGEST_HEADER = 13;

	private byte[] bytes = new byte[USUAL_SIZE];

	private int size;

	/** Begin a command that has so many parts. */
	private RespEncoder(int parts) {
		header('*', parts, 0);
	}

	static byte[] command(String... parts) {
		return command(bytes(List.of(parts)));
	}

	static byte[] publish(byte[] channel, byte[] message) {
		return command(new byte[][] { "PUBLISH".getBytes(StandardCharsets.US_ASCII), channel, message });
	}

	private static byte[] command(byte[][] encoded) {
		RespEncoder resp = new RespEncoder(encoded.length);
		resp.bulks(encoded);
		return resp.toBytes();
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
		RespEncoder resp = new RespEncoder(3 + keys.length + args.length);
		resp.put(evalsha);
		resp.put(count);
		resp.bulks(keys);
		resp.bulks(args);
		return resp.toBytes();
	}

	private static byte[] bulkOf(int number) {
		String text = Integer.toString(number);
		return ("$" + text.length() + "\r\n" + text + "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

	private void bulks(byte[][] parts) {
		for (byte[] part : parts) {
			header('$', part.length, part.length + 2);
			System.arraycopy(part, 0, this.bytes, this.size, part.length);
			this.size += part.length;
			this.bytes[this.size++] = '\r';
			this.bytes[this.size++] = '\n';
		}
	}

	/** Write a header, with room for what follows it. */
	private void header(char type, int number, int following) {
		if (this.bytes.length - this.size < LONGEST_HEADER + following) {
			this.bytes = Arrays.copyOf(this.bytes, 2 * this.bytes.length + following);
		}
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

	/** Write what every command begins with, for which there is room. */
	private void put(byte[] part) {
		System.arraycopy(part, 0, this.bytes, this.size, part.length);
		this.size += part.length;
	}

	private byte[] toBytes() {
		return Arrays.copyOf(this.bytes, this.size);
	}

}
