package io.quorlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.ScriptCall;

/**
 * Encodes commands as the bytes that go over the connection, once for all nodes.
 */
final class RespEncoder {

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
		byte[][] encoded = bytes(List.of(parts));
		RespEncoder resp = new RespEncoder(header(encoded.length) + bulks(encoded));
		resp.number('*', encoded.length);
		resp.bulk(encoded);
		return resp.bytes;
	}

	static byte[] evalsha(LockScript script, List<String> keys, List<String> args) {
		return evalsha(new ScriptCall(script, bytes(keys), bytes(args)));
	}

	private static byte[][] bytes(List<String> texts) {
		return texts.stream().map((text) -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

	static byte[] evalsha(ScriptCall call) {
		byte[] evalsha = EVALSHA[call.script().ordinal()];
		int keys = call.keys().length;
		int parts = 3 + keys + call.args().length;
		RespEncoder resp = new RespEncoder(header(parts) + evalsha.length + header(digits(keys)) + digits(keys) + 2
				+ bulks(call.keys()) + bulks(call.args()));
		resp.number('*', parts);
		resp.put(evalsha);
		resp.number('$', digits(keys));
		resp.decimal(keys);
		resp.end();
		resp.bulk(call.keys());
		resp.bulk(call.args());
		return resp.bytes;
	}

	// ---- how long it will be

	private static int bulks(byte[][] parts) {
		int size = 0;
		for (byte[] part : parts) {
			size += header(part.length) + part.length + 2;
		}
		return size;
	}

	private static int header(int number) {
		return 1 + digits(number) + 2;
	}

	private static int digits(int number) {
		int digits = 1;
		for (int rest = number / 10; rest > 0; rest /= 10) {
			digits++;
		}
		return digits;
	}

	// ---- what is in it

	private void bulk(byte[][] parts) {
		for (byte[] part : parts) {
			number('$', part.length);
			put(part);
			end();
		}
	}

	private void number(char type, int number) {
		this.bytes[this.size++] = (byte) type;
		decimal(number);
		end();
	}

	private void decimal(int number) {
		int digits = digits(number);
		int rest = number;
		for (int i = digits - 1; i >= 0; i--) {
			this.bytes[this.size + i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		this.size += digits;
	}

	private void put(byte[] part) {
		System.arraycopy(part, 0, this.bytes, this.size, part.length);
		this.size += part.length;
	}

	private void end() {
		this.bytes[this.size++] = '\r';
		this.bytes[this.size++] = '\n';
	}

}
