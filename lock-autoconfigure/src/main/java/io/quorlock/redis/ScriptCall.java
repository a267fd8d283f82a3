package io.quorlock.redis;

import java.nio.charset.StandardCharsets;

import io.quorlock.quorum.node.LockKeys;
import io.quorlock.quorum.node.NodeCommand;

/**
 * A command of the engine as the call of a script.
 *
 * @param script what to run
 * @param keys its keys
 * @param args its arguments
 * @since 0.1.0
 */
public record ScriptCall(LockScript script, byte[][] keys, byte[][] args) {

	/**
	 * Translates a command.
	 * @param command what the engine asks for
	 * @return the call, the same for all nodes
	 */
	public static ScriptCall of(NodeCommand command) {
		if (command instanceof NodeCommand.Acquire acquire) {
			return acquire(acquire);
		}
		if (command instanceof NodeCommand.Release release) {
			return new ScriptCall(LockScript.RELEASE, keys(release.keys(), false),
					args(release, release.cooldownMillis()));
		}
		if (command instanceof NodeCommand.Renew renew) {
			return renew(renew);
		}
		if (command instanceof NodeCommand.Raise raise) {
			return new ScriptCall(LockScript.RAISE, keys(raise.keys(), true),
					args(raise, raise.fences(), raise.fenceMillis()));
		}
		if (command instanceof NodeCommand.Inspect inspect) {
			LockKeys keys = inspect.keys();
			return new ScriptCall(LockScript.INSPECT, new byte[][] { bytes(keys.lockKey(0)), bytes(keys.fenceKey(0)) },
					new byte[0][]);
		}
		return new ScriptCall(LockScript.FORCE_RELEASE, keys(command.keys(), false), new byte[0][]);
	}

	private static ScriptCall acquire(NodeCommand.Acquire command) {
		boolean single = command.keys().size() == 1;
		long[] proposed = command.proposed();
		if (proposed == null) {
			return new ScriptCall(single ? LockScript.ACQUIRE : LockScript.ACQUIRE_ALL, keys(command.keys(), false),
					args(command, command.leaseMillis()));
		}
		return new ScriptCall(single ? LockScript.ACQUIRE_FENCED : LockScript.ACQUIRE_ALL_FENCED,
				keys(command.keys(), true),
				args(command, proposed, command.leaseMillis(), command.fenceMillis(), command.range()));
	}

	private static ScriptCall renew(NodeCommand.Renew command) {
		long[] fences = command.fences();
		long shorten = command.shorten() ? 1 : 0;
		if (fences == null) {
			return new ScriptCall(LockScript.RENEW, keys(command.keys(), false),
					args(command, command.leaseMillis(), shorten));
		}
		return new ScriptCall(LockScript.RENEW, keys(command.keys(), true),
				args(command, fences, command.leaseMillis(), shorten, command.fenceMillis()));
	}

	private static byte[][] keys(LockKeys keys, boolean fences) {
		int size = keys.size();
		byte[][] result = new byte[fences ? 2 * size : size][];
		for (int i = 0; i < size; i++) {
			result[i] = bytes(keys.lockKey(i));
			if (fences) {
				result[size + i] = bytes(keys.fenceKey(i));
			}
		}
		return result;
	}

	private static byte[][] args(NodeCommand command, long... numbers) {
		return args(command, new long[0], numbers);
	}

	private static byte[][] args(NodeCommand command, long[] fences, long... numbers) {
		byte[][] args = new byte[1 + numbers.length + fences.length][];
		int next = 0;
		args[next++] = bytes(command.attempt().token());
		for (long number : numbers) {
			args[next++] = bytes(Long.toString(number));
		}
		for (long fence : fences) {
			args[next++] = bytes(Long.toString(fence));
		}
		return args;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
