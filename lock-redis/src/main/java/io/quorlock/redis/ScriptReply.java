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
import java.util.Objects;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.quorlock.LockRequest;
import io.quorlock.quorum.node.CommandVisitor;
import io.quorlock.quorum.node.LockTarget;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Blocker;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeReply.Inspected.Holder;
import io.quorlock.quorum.node.OperatorCommand;

/**
 * Reads what a {@link LockScript} returned. Whatever has another shape than the script
 * can return is an error of that node.
 *
 * @since 0.1.0
 */
public final class ScriptReply {

	/** The owner of a name that cools down. */
	private static final String COOLDOWN = "~cooldown";

	/** The owner of a name that readers hold. */
	private static final String SHARED = "~shared";

	/** Before the ticket of a claim that stands in front. */
	private static final String TICKET = "~ticket:";

	/** The elements of a refusal that are not about a name. */
	private static final int FEWEST_ELEMENTS = 4;

	/** So many readers are named, besides the array that holds them. */
	private static final int READERS = 65;

	/** The channels and texts of messages that the server refuses, and their frame. */
	private static final int MESSAGES = 64;

	/** 1,000 readers, tickets and permits. */
	private static final int INSPECTED_ELEMENTS = 8_192;

	/** Before what a script returns that the server did not let publish. */
	private static final String UNPUBLISHED = "~publish";

	private static final String SENT_TWICE = "the driver sent the command again, and the first reply is lost";

	private static final long LARGEST_FENCE = (1L << 53) - 1;

	private ScriptReply() {
	}

	/**
	 * Publish what a script was not allowed to: the channel of an instance lies outside
	 * of the slot of the script's keys.
	 * @param raw the reply as drivers give it
	 * @param publisher publishes a text on a channel
	 * @return what the script would have returned otherwise; the reply itself if it
	 * published by itself
	 */
	public static @Nullable Object publish(@Nullable Object raw, BiConsumer<byte[], byte[]> publisher) {
		if (!(raw instanceof List<?> list && list.size() == 3 && list.get(0) instanceof byte[] mark
				&& list.get(2) instanceof List<?> texts
				&& UNPUBLISHED.equals(new String(mark, StandardCharsets.US_ASCII)))) {
			return raw;
		}
		for (int i = 0; i + 1 < texts.size(); i += 2) {
			if (texts.get(i) instanceof byte[] channel && texts.get(i + 1) instanceof byte[] text) {
				publisher.accept(channel, text);
			}
		}
		return list.get(1);
	}

	/**
	 * Translate a reply.
	 * @param command the command
	 * @param raw the reply as drivers give it: {@link Long}, {@code byte[]} or a
	 * {@link List} of those
	 * @param voting whether the node was voting when the command was sent
	 * @return the reply to the command
	 */
	public static NodeReply of(NodeCommand command, @Nullable Object raw, boolean voting) {
		try {
			NodeReply reply = command.accept(new Reader(raw, voting));
			return (command instanceof NodeCommand.Acquire && isRefusedByItself(command, reply))
					? new Failed(Failed.Cause.CONNECTION_LOST, SENT_TWICE) : reply;
		}
		catch (UnexpectedReplyException ex) {
			return new Failed(Failed.Cause.ERROR, String.valueOf(ex.getMessage()));
		}
	}

	/** Some drivers send a command again whose reply they did not get in time. */
	private static boolean isRefusedByItself(NodeCommand command, NodeReply reply) {
		return reply instanceof NodeReply.Refused refused && refused.blockers()
			.stream()
			.anyMatch((blocker) -> blocker instanceof Blocker.Owner owner && command.attempt().isOf(owner.value()));
	}

	/**
	 * Translate the reply to renewals that shared a command.
	 * @param commands the renewals
	 * @param raw the reply as drivers give it, with the text of an error in place of the
	 * reply to a renewal that failed by itself
	 * @param voting whether the node was voting when the command was sent
	 * @param keys name the keys that such a text is about
	 * @return the replies in the same order
	 */
	public static List<NodeReply> ofAll(List<NodeCommand.Renew> commands, @Nullable Object raw, boolean voting,
			RedisKeys keys) {
		List<?> each = (raw instanceof List<?> list && list.size() == commands.size()) ? list : null;
		List<NodeReply> replies = new ArrayList<>(commands.size());
		for (int i = 0; i < commands.size(); i++) {
			NodeCommand command = commands.get(i);
			Object reply = (each != null) ? each.get(i) : null;
			replies.add((reply instanceof byte[] error)
					? failed(command, new String(error, StandardCharsets.UTF_8), keys) : of(command, reply, voting));
		}
		return replies;
	}

	private static Failed failed(NodeCommand command, String message, RedisKeys keys) {
		RespError error = new RespError(message);
		return new Failed(Failed.Cause.ERROR, error.isOfKeys() ? error.describe(command.target(), keys) : message);
	}

	/**
	 * Return how large the reply to so many renewals may be that share a command.
	 * @param renewals how many
	 * @return the limits
	 */
	public static RespReader.Limits limits(int renewals) {
		return RespReader.Limits.of(2 * renewals, FEWEST_ELEMENTS);
	}

	/**
	 * Return whether a reply is a refusal by a {@linkplain LockScript#isPlain() plain}
	 * script that leaves something open: which readers hold the name, or whether the
	 * claims are alive that wait for a name that is free.
	 * @param script the script
	 * @param reply its reply, translated
	 * @return whether the command in full may bring another reply
	 */
	public static boolean isPartial(LockScript script, NodeReply reply) {
		return script.isPlain() && reply instanceof NodeReply.Refused refused
				&& (refused.blockers().get(0) instanceof Blocker.Readers
						|| refused.blockers().get(0) instanceof Blocker.Waiting);
	}

	/**
	 * Return how large the reply to a command may be.
	 * @param command the command
	 * @return the limits
	 */
	public static RespReader.Limits limits(NodeCommand command) {
		if (command instanceof OperatorCommand) {
			return RespReader.Limits.of(LockRequest.MAX_PERMITS, INSPECTED_ELEMENTS);
		}
		int names = command.names().size();
		return RespReader.Limits.of(names + command.target().permits(), FEWEST_ELEMENTS + MESSAGES + READERS * names);
	}

	private record Reader(@Nullable Object raw, boolean voting) implements CommandVisitor<NodeReply> {

		@Override
		public NodeReply acquire(NodeCommand.Acquire command) {
			int names = command.names().size();
			boolean fenced = command.proposed() != null;
			// The tokens above f - range are handed out, so the first is at least 1
			long min = (command.target().kind() == LockTarget.Kind.SHARED) ? 1 : Math.max(1, command.range());
			if (command.target().kind() == LockTarget.Kind.PERMIT) {
				return permit(command.target().permits(), fenced, min);
			}
			if (this.raw instanceof Long number) {
				if (!fenced) {
					return new NodeReply.Granted(this.voting, null);
				}
				check(names == 1);
				return new NodeReply.Granted(this.voting, new long[] { fence(number, min) });
			}
			List<?> list = list(this.raw);
			if (fenced && names > 1 && list.size() == names) {
				return new NodeReply.Granted(this.voting, fences(list, 0, names, min));
			}
			int last = 1 + (fenced ? 2 * names : names);
			check(list.size() == last + 1);
			return refused(list.get(0), list.subList(1, 1 + names), fenced ? fences(list, 1 + names, names, 0) : null,
					count(list.get(last)));
		}

		private NodeReply permit(int permits, boolean fenced, long min) {
			if (!fenced && this.raw instanceof Long permit) {
				return new NodeReply.Granted(this.voting, null, permitOf(permit, permits));
			}
			List<?> list = list(this.raw);
			if (list.size() == 3 && list.get(1) instanceof List<?> owners) {
				check(owners.size() == permits);
				return refused(list.get(0), owners, null, count(list.get(2)));
			}
			check(fenced && list.size() == 2);
			return new NodeReply.Granted(this.voting, fences(list, 1, 1, min), permitOf(number(list.get(0)), permits));
		}

		private static int permitOf(long permit, int permits) {
			check(permit >= 1 && permit <= permits);
			return (int) permit;
		}

		@Override
		public NodeReply raise(NodeCommand.Raise command) {
			return (number(this.raw) == 1) ? new NodeReply.Done(this.voting) : new NodeReply.NotHeld(this.voting);
		}

		@Override
		public NodeReply renew(NodeCommand.Renew command) {
			if (this.raw instanceof Long) {
				return done();
			}
			List<?> list = list(this.raw);
			check(list.size() == 1 + command.names().size());
			return refused(list.get(0), list.subList(1, list.size()), null, 0);
		}

		private NodeReply done() {
			check(number(this.raw) == 1);
			return new NodeReply.Done(this.voting);
		}

		@Override
		public NodeReply release(NodeCommand.Release command) {
			return released();
		}

		@Override
		public NodeReply drop(NodeCommand.Drop command) {
			return released();
		}

		private NodeReply released() {
			return new NodeReply.Released(this.voting, count(this.raw));
		}

		private static int count(@Nullable Object raw) {
			long count = number(raw);
			check(count >= 0);
			return (int) Math.min(count, Integer.MAX_VALUE);
		}

		@Override
		public NodeReply withdraw(NodeCommand.Withdraw command) {
			return done();
		}

		@Override
		public NodeReply inspect(OperatorCommand.Inspect command) {
			List<?> list = list(this.raw);
			check(list.size() == 6);
			List<Holder> holders = new ArrayList<>();
			String owner = text(list.get(0));
			if (owner != null && !owner.equals(SHARED)) {
				holders.add(holder(owner, LockTarget.Kind.EXCLUSIVE, 0, list.get(1)));
			}
			List<?> readers = list(list.get(3));
			for (int i = 0; i + 1 < readers.size(); i += 2) {
				holders.add(holder(text(readers.get(i)), LockTarget.Kind.SHARED, 0, readers.get(i + 1)));
			}
			List<?> permits = list(list.get(4));
			for (int i = 0; i + 2 < permits.size(); i += 3) {
				holders.add(holder(text(permits.get(i + 1)), LockTarget.Kind.PERMIT, (int) number(permits.get(i)),
						permits.get(i + 2)));
			}
			return new NodeReply.Inspected(this.voting, List.copyOf(holders),
					list(list.get(5)).stream().map(Reader::requiredText).sorted().toList(),
					fence(number(list.get(2)), 0));
		}

		private static Holder holder(@Nullable String owner, LockTarget.Kind kind, int permit,
				@Nullable Object remaining) {
			return new Holder(COOLDOWN.equals(owner) ? null : owner, kind, permit, remaining(remaining));
		}

		@Override
		public NodeReply forceRelease(OperatorCommand.ForceRelease command) {
			return done();
		}

		@Override
		public NodeReply requestRelease(OperatorCommand.RequestRelease command) {
			return new NodeReply.PassedOn(this.voting, count(this.raw));
		}

		private NodeReply refused(@Nullable Object remaining, List<?> raw, long @Nullable [] fences, int rank) {
			List<@Nullable Blocker> blockers = new ArrayList<>(raw.size());
			raw.forEach((element) -> blockers.add(blocker(element)));
			check(blockers.stream().anyMatch(Objects::nonNull));
			return new NodeReply.Refused(this.voting, blockers, remaining(remaining), fences, rank);
		}

		private static @Nullable Blocker blocker(@Nullable Object raw) {
			if (raw instanceof List<?> readers) {
				return new Blocker.Readers(readers.stream().map(Reader::requiredText).toList());
			}
			String text = text(raw);
			if (text == null) {
				return null;
			}
			if (text.startsWith(TICKET)) {
				return new Blocker.Waiting(text.substring(TICKET.length()));
			}
			if (text.equals(SHARED)) {
				return new Blocker.Readers(List.of());
			}
			return text.equals(COOLDOWN) ? new Blocker.Cooldown() : new Blocker.Owner(text);
		}

		private static String requiredText(@Nullable Object raw) {
			String text = text(raw);
			check(text != null);
			return String.valueOf(text);
		}

		private static @Nullable String text(@Nullable Object raw) {
			check(raw == null || raw instanceof byte[]);
			return (raw instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
		}

		/** A key that does not expire has -1, one that has just expired -2. */
		private static long remaining(@Nullable Object raw) {
			long millis = number(raw);
			return (millis == -1) ? NodeReply.Refused.NO_EXPIRY : Math.max(0, millis);
		}

		private static long[] fences(List<?> list, int from, int size, long min) {
			long[] fences = new long[size];
			for (int i = 0; i < size; i++) {
				fences[i] = fence(number(list.get(from + i)), min);
			}
			return fences;
		}

		private static long fence(long number, long min) {
			check(number >= min && number <= LARGEST_FENCE);
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
