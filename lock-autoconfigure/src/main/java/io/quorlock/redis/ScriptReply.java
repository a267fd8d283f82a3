package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;

/**
 * Reads what a {@link LockScript} returned. Whatever has another shape than the script
 * can return is an error of that node.
 *
 * @since 0.1.0
 */
public final class ScriptReply {

	private static final long LARGEST_FENCE = (1L << 53) - 1;

	private ScriptReply() {
	}

	/**
	 * Translate a reply.
	 * @param command the command
	 * @param raw the reply as drivers give it: {@link Long}, {@code byte[]} or a
	 * {@link List} of those
	 * @param voting whether the node was voting when the command was sent (R10)
	 * @return the reply to the command
	 */
	public static NodeReply of(NodeCommand command, @Nullable Object raw, boolean voting) {
		try {
			return command.accept(new Reader(raw, voting));
		}
		catch (UnexpectedReplyException ex) {
			return new Failed(Failed.Cause.ERROR, String.valueOf(ex.getMessage()));
		}
	}

	private record Reader(@Nullable Object raw, boolean voting) implements NodeCommand.Visitor<NodeReply> {

		@Override
		public NodeReply acquire(NodeCommand.Acquire command) {
			int names = command.names().size();
			boolean fenced = command.proposed() != null;
			if (this.raw instanceof Long number) {
				if (!fenced) {
					return new NodeReply.Granted(this.voting, null);
				}
				check(names == 1);
				return new NodeReply.Granted(this.voting, new long[] { fence(number, 1) });
			}
			List<?> list = list(this.raw);
			if (fenced && names > 1 && list.size() == names) {
				return new NodeReply.Granted(this.voting, fences(list, 0, names, 1));
			}
			check(list.size() == 1 + (fenced ? 2 * names : names));
			return refused(list, names, fenced ? fences(list, 1 + names, names, 0) : null);
		}

		@Override
		public NodeReply raise(NodeCommand.Raise command) {
			return (number(this.raw) == 1) ? new NodeReply.Done(this.voting) : new NodeReply.NotHeld(this.voting);
		}

		@Override
		public NodeReply renew(NodeCommand.Renew command) {
			if (this.raw instanceof Long number) {
				check(number == 1);
				return new NodeReply.Done(this.voting);
			}
			List<?> list = list(this.raw);
			check(list.size() == 1 + command.names().size());
			return refused(list, command.names().size(), null);
		}

		@Override
		public NodeReply release(NodeCommand.Release command) {
			long listeners = number(this.raw);
			check(listeners >= 0);
			return new NodeReply.Released(this.voting, (int) Math.min(listeners, Integer.MAX_VALUE));
		}

		@Override
		public NodeReply inspect(NodeCommand.Inspect command) {
			List<?> list = list(this.raw);
			check(list.size() == 3);
			String owner = owner(list.get(0));
			return new NodeReply.Inspected(this.voting, owner, (owner != null) ? remaining(list.get(1)) : 0,
					NodeReply.COOLDOWN.equals(owner), fence(number(list.get(2)), 0));
		}

		@Override
		public NodeReply forceRelease(NodeCommand.ForceRelease command) {
			check(number(this.raw) >= 0);
			return new NodeReply.Done(this.voting);
		}

		private NodeReply refused(List<?> list, int names, long @Nullable [] fences) {
			List<@Nullable String> owners = new ArrayList<>(names);
			boolean taken = false;
			for (int i = 0; i < names; i++) {
				String owner = owner(list.get(1 + i));
				owners.add(owner);
				taken |= owner != null;
			}
			check(taken);
			return NodeReply.Refused.of(this.voting, owners, remaining(list.get(0)), fences);
		}

		private static @Nullable String owner(@Nullable Object raw) {
			check(raw == null || raw instanceof byte[]);
			return (raw instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
		}

		/** A key that does not expire has -1, one that has just expired -2. */
		private static long remaining(@Nullable Object raw) {
			long millis = number(raw);
			return (millis == -1) ? NodeReply.Refused.NO_EXPIRY : Math.max(0, millis);
		}

		private static long[] fences(List<?> list, int from, int size, long least) {
			long[] fences = new long[size];
			for (int i = 0; i < size; i++) {
				fences[i] = fence(number(list.get(from + i)), least);
			}
			return fences;
		}

		private static long fence(long number, long least) {
			check(number >= least && number <= LARGEST_FENCE);
			return number;
		}

		private static long number(@Nullable Object raw) {
			if (raw instanceof Long number) {
				return number;
			}
			throw new UnexpectedReplyException();
		}

		private static List<?> list(@Nullable Object raw) {
			if (raw instanceof List<?> list) {
				return list;
			}
			throw new UnexpectedReplyException();
		}

		private static void check(boolean expected) {
			if (!expected) {
				throw new UnexpectedReplyException();
			}
		}

	}

	private static final class UnexpectedReplyException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnexpectedReplyException() {
			super("unexpected reply of a lock script; do all clients of this node use the same version?", null, false,
					false);
		}

	}

}
