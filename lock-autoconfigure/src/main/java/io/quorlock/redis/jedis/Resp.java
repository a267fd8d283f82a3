package io.quorlock.redis.jedis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.quorlock.redis.LockScript;
import io.quorlock.redis.ScriptCall;

/**
 * Encodes commands as the bytes that go over the wire, once for all nodes.
 */
final class Resp {

	private static final byte[][] EVALSHA = new byte[LockScript.values().length][];

	static {
		for (LockScript script : LockScript.values()) {
			EVALSHA[script.ordinal()] = ("$7\r\nEVALSHA\r\n$40\r\n" + script.sha1() + "\r\n")
				.getBytes(StandardCharsets.US_ASCII);
		}
	}

	private Resp() {
	}

	static byte[] command(String... parts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(64);
		number(out, '*', parts.length);
		for (String part : parts) {
			bulk(out, part.getBytes(StandardCharsets.UTF_8));
		}
		return out.toByteArray();
	}

	static byte[] evalsha(LockScript script, List<String> keys, List<String> args) {
		return evalsha(new ScriptCall(script, bytes(keys), bytes(args)));
	}

	private static byte[][] bytes(List<String> texts) {
		return texts.stream().map((text) -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

	static byte[] evalsha(ScriptCall call) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(256);
		number(out, '*', 3 + call.keys().length + call.args().length);
		out.writeBytes(EVALSHA[call.script().ordinal()]);
		bulk(out, Integer.toString(call.keys().length).getBytes(StandardCharsets.US_ASCII));
		for (byte[] key : call.keys()) {
			bulk(out, key);
		}
		for (byte[] arg : call.args()) {
			bulk(out, arg);
		}
		return out.toByteArray();
	}

	private static void bulk(ByteArrayOutputStream out, byte[] bytes) {
		number(out, '$', bytes.length);
		out.writeBytes(bytes);
		out.write('\r');
		out.write('\n');
	}

	private static void number(ByteArrayOutputStream out, char type, int number) {
		out.write(type);
		out.writeBytes(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
		out.write('\r');
		out.write('\n');
	}

}
