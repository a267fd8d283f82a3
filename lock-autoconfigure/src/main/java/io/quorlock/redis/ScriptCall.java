package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.quorlock.quorum.node.NodeCommand;

/**
 * A command as the call of a script.
 *
 * @param script the script
 * @param keys its keys
 * @param args its arguments
 * @since 0.1.0
 */
public record ScriptCall(LockScript script, byte[][] keys, byte[][] args) {

	/**
	 * Translate a command.
	 * @param command the command
	 * @param keys makes the keys
	 * @return the call, the same for all nodes
	 */
	public static ScriptCall of(NodeCommand command, RedisKeys keys) {
		return command.accept(new Translator(keys));
	}

	private record Translator(RedisKeys keys) implements NodeCommand.Visitor<ScriptCall> {

		@Override
		public ScriptCall acquire(NodeCommand.Acquire command) {
			boolean single = command.names().size() == 1;
			long[] proposed = command.proposed();
			if (proposed == null) {
				return new ScriptCall(single ? LockScript.ACQUIRE : LockScript.ACQUIRE_ALL, lockKeys(command.names()),
						args(command, command.leaseMillis()));
			}
			return new ScriptCall(single ? LockScript.ACQUIRE_FENCED : LockScript.ACQUIRE_ALL_FENCED,
					lockAndFenceKeys(command.names()),
					args(command, proposed, command.leaseMillis(), command.fenceMillis(), command.range()));
		}

		@Override
		public ScriptCall raise(NodeCommand.Raise command) {
			return new ScriptCall(LockScript.RAISE, lockAndFenceKeys(command.names()),
					args(command, command.fences(), command.fenceMillis()));
		}

		@Override
		public ScriptCall renew(NodeCommand.Renew command) {
			long[] fences = command.fences();
			long shorten = command.shorten() ? 1 : 0;
			if (fences == null) {
				return new ScriptCall(LockScript.RENEW, lockKeys(command.names()),
						args(command, command.leaseMillis(), shorten));
			}
			return new ScriptCall(LockScript.RENEW, lockAndFenceKeys(command.names()),
					args(command, fences, command.leaseMillis(), shorten, command.fenceMillis()));
		}

		@Override
		public ScriptCall release(NodeCommand.Release command) {
			return new ScriptCall(LockScript.RELEASE, lockKeys(command.names()),
					args(command, command.cooldownMillis()));
		}

		@Override
		public ScriptCall inspect(NodeCommand.Inspect command) {
			return new ScriptCall(LockScript.INSPECT, lockAndFenceKeys(command.names()), new byte[0][]);
		}

		@Override
		public ScriptCall forceRelease(NodeCommand.ForceRelease command) {
			return new ScriptCall(LockScript.FORCE_RELEASE, lockKeys(command.names()), new byte[0][]);
		}

		private byte[][] lockKeys(List<String> names) {
			byte[][] result = new byte[names.size()][];
			for (int i = 0; i < result.length; i++) {
				result[i] = bytes(this.keys.lockKey(names.get(i)));
			}
			return result;
		}

		private byte[][] lockAndFenceKeys(List<String> names) {
			int size = names.size();
			byte[][] result = new byte[2 * size][];
			for (int i = 0; i < size; i++) {
				result[i] = bytes(this.keys.lockKey(names.get(i)));
				result[size + i] = bytes(this.keys.fenceKey(names.get(i)));
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

}
