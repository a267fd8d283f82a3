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
 * @param keys every key that it may touch
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
		return command.accept(new Translator(keys, false));
	}

	/**
	 * Translate a command as it is sent first: if it may be plain, so that it costs the
	 * node less.
	 * @param command the command
	 * @param keys makes the keys
	 * @return the call, the same for all nodes; if its script is
	 * {@linkplain LockScript#isPlain() plain} and the reply
	 * {@linkplain ScriptReply#isPartial partial}, the command is to be sent in full, as
	 * {@link #of(NodeCommand, RedisKeys)} translates it, provided that it is
	 * {@linkplain NodeCommand#isResendable() resendable}
	 */
	public static ScriptCall first(NodeCommand command, RedisKeys keys) {
		boolean plain = command instanceof NodeCommand.Acquire acquire && acquire.ticket() == null
				&& command.target().kind() == LockTarget.Kind.EXCLUSIVE && command.names().size() == 1;
		return command.accept(new Translator(keys, plain));
	}

	/**
	 * Translate a renewal that leaves the fences alone, and so touches the locks alone: a
	 * Cluster that moves their slot may have them already, or still, and not the fences.
	 * @param renewal the command; of writers or permits
	 * @param keys makes the keys
	 * @return the call
	 */
	public static ScriptCall ofLocks(NodeCommand.Renew renewal, RedisKeys keys) {
		return of(new NodeCommand.Renew(renewal.header(), renewal.leaseMillis(), renewal.shorten(), null, 0, false,
				renewal.permit()), keys);
	}

	/**
	 * Translate renewals that share one command.
	 * @param renewals renewals of one key each, alike but for names, permits, attempts
	 * and fences
	 * @param keys makes the keys
	 * @return the call, the same for all nodes; {@link ScriptReply#ofAll} reads its reply
	 */
	public static ScriptCall ofAll(List<NodeCommand.Renew> renewals, RedisKeys keys) {
		NodeCommand.Renew first = renewals.get(0);
		boolean fenced = first.fences() != null;
		byte[][] locks = new byte[renewals.size()][];
		for (int i = 0; i < locks.length; i++) {
			NodeCommand.Renew renewal = renewals.get(i);
			locks[i] = Builder.bytes(keyOf(renewal.names().get(0), renewal.permit(), keys));
		}
		Builder call = new Builder(locks);
		call.arg(first.leaseMillis()).arg(fenced ? first.fenceMillis() : 0).arg(first.prolong() ? 1 : 0);
		renewals.forEach((renewal) -> call.arg(renewal.attempt().owner()));
		renewals.forEach((renewal) -> call.args(renewal.fences()));
		return call.build(LockScript.RENEW_ALL);
	}

	private static String keyOf(String name, int permit, RedisKeys keys) {
		return (permit > 0) ? keys.permitKey(name, permit) : keys.lockKey(name);
	}

	private record Translator(RedisKeys redisKeys, boolean plain) implements CommandVisitor<ScriptCall> {

		/**
		 * Of a lock that may be handed over as often as by default; acquire-free.lua
		 * knows it.
		 */
		private static final int USUAL_RANGE = 16;

		@Override
		public ScriptCall acquire(NodeCommand.Acquire command) {
			LockTarget target = command.target();
			boolean fenced = command.proposed() != null;
			Builder call = call(target.names());
			call.arg(command.attempt().owner()).arg(command.leaseMillis());
			call.arg(fenced ? command.fenceMillis() : 0).args(command.proposed());
			if (!this.plain || (fenced && command.range() != USUAL_RANGE)) {
				call.arg(command.range());
			}
			if (target.kind() == LockTarget.Kind.PERMIT) {
				call.permits(target.permits()).arg(target.permits()).arg(command.hint());
			}
			call.ticket(command.ticket());
			return call.build(switch (target.kind()) {
				case EXCLUSIVE -> this.plain ? LockScript.ACQUIRE_PLAIN
						: (target.names().size() == 1) ? LockScript.ACQUIRE : LockScript.ACQUIRE_ALL;
				case SHARED -> LockScript.ACQUIRE_SHARED;
				case PERMIT -> LockScript.ACQUIRE_PERMIT;
			});
		}

		@Override
		public ScriptCall raise(NodeCommand.Raise command) {
			Builder call = call(command.target().names(), command.permit());
			call.arg(command.attempt().owner()).arg(command.fenceMillis()).args(command.fences());
			return call.build(isShared(command) ? LockScript.RAISE_SHARED : LockScript.RAISE);
		}

		@Override
		public ScriptCall renew(NodeCommand.Renew command) {
			boolean fenced = command.fences() != null;
			Builder call = call(command.target().names(), command.permit());
			call.arg(command.attempt().owner()).arg(command.leaseMillis()).arg(command.shorten() ? 1 : 0);
			if (fenced) {
				call.arg(command.fenceMillis()).args(command.fences()).arg(command.prolong() ? 1 : 0);
			}
			return isShared(command) ? call.build(LockScript.RENEW_SHARED) : call.build(LockScript.RENEW, fenced);
		}

		private Builder call(List<String> names) {
			return call(names, 0);
		}

		private Builder call(List<String> names, int permit) {
			byte[][] locks = new byte[names.size()][];
			for (int i = 0; i < locks.length; i++) {
				locks[i] = Builder.bytes(keyOf(names.get(i), permit, this.redisKeys));
			}
			return new Builder(locks);
		}

		private static boolean isShared(NodeCommand command) {
			return command.target().kind() == LockTarget.Kind.SHARED;
		}

		@Override
		public ScriptCall release(NodeCommand.Release command) {
			return release(command, command.cooldownMillis(), 0, command.ticket(), command.failed());
		}

		@Override
		public ScriptCall drop(NodeCommand.Drop command) {
			return release(command, 0, command.permit(), null, false);
		}

		private ScriptCall release(NodeCommand command, long cooldownMillis, int permitToKeep, @Nullable Ticket ticket,
				boolean failed) {
			LockTarget target = command.target();
			Builder call = call(target.names());
			call.arg(command.attempt().owner());
			if (cooldownMillis > 0 || ticket != null || target.kind() != LockTarget.Kind.EXCLUSIVE) {
				call.arg(cooldownMillis);
			}
			if (target.kind() == LockTarget.Kind.PERMIT) {
				call.permits(target.permits()).arg(target.permits()).arg(permitToKeep);
			}
			call.ticket(ticket);
			if (ticket != null && failed) {
				call.arg(1);
			}
			return call.build(switch (target.kind()) {
				case EXCLUSIVE -> LockScript.RELEASE;
				case SHARED -> LockScript.RELEASE_SHARED;
				case PERMIT -> LockScript.RELEASE_PERMIT;
			});
		}

		@Override
		public ScriptCall withdraw(NodeCommand.Withdraw command) {
			return call(command.names()).permits(command.target().permits())
				.arg(command.ticket())
				.arg(command.names().size())
				.build(LockScript.WITHDRAW);
		}

		@Override
		public ScriptCall inspect(OperatorCommand.Inspect command) {
			return call(command.names()).permits(LockRequest.MAX_PERMITS).build(LockScript.INSPECT);
		}

		@Override
		public ScriptCall forceRelease(OperatorCommand.ForceRelease command) {
			Builder call = call(command.names()).permits(LockRequest.MAX_PERMITS).arg(command.permit());
			command.owners().forEach(call::arg);
			return call.build(LockScript.FORCE_RELEASE);
		}

		@Override
		public ScriptCall requestRelease(OperatorCommand.RequestRelease command) {
			return call(command.names()).permits(LockRequest.MAX_PERMITS)
				.arg(command.attempt().owner())
				.arg(command.deadlineMillis())
				.build(LockScript.REQUEST_RELEASE);
		}

	}

	private static final class Builder {

		private final byte[][] locks;

		private int permits;

		private final List<byte[]> args = new ArrayList<>();

		private Builder(byte[][] locks) {
			this.locks = locks;
		}

		Builder permits(int permits) {
			this.permits = permits;
			return this;
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

		Builder ticket(@Nullable Ticket ticket) {
			return (ticket != null) ? arg(ticket.text()).arg(ticket.lifeMillis()) : this;
		}

		ScriptCall build(LockScript script) {
			return build(script, true);
		}

		ScriptCall build(LockScript script, boolean moreKeys) {
			return new ScriptCall(script, moreKeys ? script.keys(this.locks, this.permits) : this.locks,
					this.args.toArray(byte[][]::new));
		}

		private static byte[] bytes(String text) {
			return text.getBytes(StandardCharsets.UTF_8);
		}

	}

}
