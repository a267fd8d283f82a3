package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;
import io.quorlock.quorum.node.CommandVisitor;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.OperatorCommand;
import io.quorlock.quorum.node.Ticket;

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
		return of(command, keys, 0);
	}

	/**
	 * Translate a command of an instance that moves names (R23).
	 * @param command the command
	 * @param keys makes the keys
	 * @param version the version of its layout, 0 if names do not move
	 * @return the call, the same for all nodes
	 */
	public static ScriptCall of(NodeCommand command, RedisKeys keys, int version) {
		return command.accept(new Translator(keys, version));
	}

	private record Translator(RedisKeys redisKeys, int version) implements CommandVisitor<ScriptCall> {

		@Override
		public ScriptCall acquire(NodeCommand.Acquire command) {
			LockTarget target = command.target();
			boolean fenced = command.proposed() != null;
			Builder call = call(target.names());
			Ticket ticket = command.ticket();
			call.arg(command.attempt().token()).arg(command.leaseMillis());
			call.arg((ticket != null) ? ticket.text() : "");
			call.arg((ticket != null) ? ticket.registration().ordinal() : 0);
			call.arg((ticket != null) ? ticket.patienceMillis() : 0);
			if (target.kind() == LockTarget.Kind.PERMIT) {
				call.arg(target.permits()).arg(command.hint());
			}
			if (fenced) {
				call.arg(command.fenceMillis()).arg(command.range());
			}
			call.args(command.proposed()).version(this.redisKeys, this.version);
			return call.build(switch (target.kind()) {
				case EXCLUSIVE -> (fenced && target.names().size() == 1) ? LockScript.ACQUIRE : LockScript.ACQUIRE_ALL;
				case SHARED -> LockScript.ACQUIRE_SHARED;
				case PERMIT -> LockScript.ACQUIRE_PERMIT;
			});
		}

		@Override
		public ScriptCall raise(NodeCommand.Raise command) {
			Builder call = call(command.target().names(), command.permit());
			call.arg(command.attempt().token()).arg(command.fenceMillis()).args(command.fences());
			call.version(this.redisKeys, this.version);
			return call.build(isShared(command) ? LockScript.RAISE_SHARED : LockScript.RAISE);
		}

		@Override
		public ScriptCall renew(NodeCommand.Renew command) {
			boolean fenced = command.fences() != null;
			Builder call = call(command.target().names(), command.permit());
			call.arg(command.attempt().token()).arg(command.leaseMillis()).arg(command.shorten() ? 1 : 0);
			if (fenced) {
				call.arg(command.fenceMillis());
			}
			call.args(command.fences()).version(this.redisKeys, this.version);
			return call.build(isShared(command) ? LockScript.RENEW_SHARED : LockScript.RENEW);
		}

		private Builder call(List<String> names) {
			return call(names, 0);
		}

		private Builder call(List<String> names, int permit) {
			return new Builder(this.redisKeys, names, permit);
		}

		private static boolean isShared(NodeCommand command) {
			return command.target().kind() == LockTarget.Kind.SHARED;
		}

		@Override
		public ScriptCall release(NodeCommand.Release command) {
			return release(command, command.cooldownMillis(), 0);
		}

		@Override
		public ScriptCall drop(NodeCommand.Drop command) {
			return release(command, 0, command.permit());
		}

		private ScriptCall release(NodeCommand command, long cooldownMillis, int permitToKeep) {
			LockTarget target = command.target();
			Builder call = call(target.names());
			call.arg(command.attempt().token());
			return switch (target.kind()) {
				case EXCLUSIVE -> call.arg(cooldownMillis).build(LockScript.RELEASE);
				case SHARED -> call.arg(cooldownMillis).build(LockScript.RELEASE_SHARED);
				case PERMIT ->
					call.arg(cooldownMillis).arg(target.permits()).arg(permitToKeep).build(LockScript.RELEASE_PERMIT);
			};
		}

		@Override
		public ScriptCall withdraw(NodeCommand.Withdraw command) {
			return call(command.names()).arg(command.ticket()).build(LockScript.WITHDRAW);
		}

		@Override
		public ScriptCall inspect(OperatorCommand.Inspect command) {
			return call(command.names()).arg(LockRequest.MAX_PERMITS).build(LockScript.INSPECT);
		}

		@Override
		public ScriptCall forceRelease(OperatorCommand.ForceRelease command) {
			return call(command.names()).arg(LockRequest.MAX_PERMITS)
				.arg(command.permit())
				.build(LockScript.FORCE_RELEASE);
		}

		@Override
		public ScriptCall requestRelease(OperatorCommand.RequestRelease command) {
			return call(command.names()).arg(this.redisKeys.instanceChannel(""))
				.arg(command.attempt().token())
				.arg(command.deadlineMillis())
				.arg(LockRequest.MAX_PERMITS)
				.build(LockScript.REQUEST_RELEASE);
		}

	}

	private static final class Builder {

		private final List<byte[]> keys = new ArrayList<>();

		private final List<byte[]> args = new ArrayList<>();

		private Builder(RedisKeys redisKeys, List<String> names, int permit) {
			for (String name : names) {
				this.keys.add(bytes((permit > 0) ? redisKeys.permitKey(name, permit) : redisKeys.lockKey(name)));
			}
		}

		Builder arg(String text) {
			this.args.add(bytes(text));
			return this;
		}

		Builder arg(long number) {
			return arg(Long.toString(number));
		}

		Builder args(long @Nullable [] numbers) {
			for (int i = 0; numbers != null && i < numbers.length; i++) {
				arg(numbers[i]);
			}
			return this;
		}

		/** Behind everything else. */
		void version(RedisKeys redisKeys, int version) {
			if (version > 0) {
				this.keys.add(bytes(redisKeys.recordKey()));
				arg("v" + version);
			}
		}

		ScriptCall build(LockScript script) {
			return new ScriptCall(script, this.keys.toArray(byte[][]::new), this.args.toArray(byte[][]::new));
		}

		private static byte[] bytes(String text) {
			return text.getBytes(StandardCharsets.UTF_8);
		}

	}

}
