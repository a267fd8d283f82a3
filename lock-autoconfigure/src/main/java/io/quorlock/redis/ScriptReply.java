package io.quorlock.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeReply;

/**
 * Reads what a {@link LockScript} answered.
 *
 * @since 0.1.0
 */
public final class ScriptReply {

	private ScriptReply() {
	}

	/**
	 * Translates an answer.
	 * @param command what was asked
	 * @param raw the answer as drivers give it: {@link Long}, {@code byte[]} or a
	 * {@link List} of those
	 * @param counted whether the node counted when the command was sent (R10)
	 * @return the answer for the engine
	 */
	public static NodeReply of(NodeCommand command, @Nullable Object raw, boolean counted) {
		if (command instanceof NodeCommand.Acquire acquire) {
			return acquired(acquire, raw, counted);
		}
		if (command instanceof NodeCommand.Inspect && raw instanceof List<?> list) {
			return (list.get(0) != null) ? taken(list, counted) : NodeReply.ok(counted, fences(list, 2));
		}
		if (raw instanceof Long number) {
			if (command instanceof NodeCommand.Renew || command instanceof NodeCommand.Raise) {
				return (number == 1) ? NodeReply.ok(counted, null) : NodeReply.refused(counted, null, 0, null);
			}
			return NodeReply.released(counted, number.intValue());
		}
		return unexpected(raw);
	}

	private static NodeReply acquired(NodeCommand.Acquire command, @Nullable Object raw, boolean counted) {
		boolean fenced = command.proposed() != null;
		if (raw instanceof Long number) {
			return NodeReply.ok(counted, fenced ? new long[] { number } : null);
		}
		if (raw instanceof List<?> list && !list.isEmpty()) {
			return (list.get(0) instanceof Long) ? NodeReply.ok(counted, fences(list, 0)) : taken(list, counted);
		}
		return unexpected(raw);
	}

	private static NodeReply taken(List<?> list, boolean counted) {
		String owner = (list.get(0) instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : null;
		long remaining = (list.get(1) instanceof Long number) ? Math.max(0, number) : 0;
		return NodeReply.refused(counted, owner, remaining, (list.size() > 2) ? fences(list, 2) : null);
	}

	private static long[] fences(List<?> list, int from) {
		long[] fences = new long[list.size() - from];
		for (int i = 0; i < fences.length; i++) {
			fences[i] = (list.get(from + i) instanceof Long number) ? number : 0;
		}
		return fences;
	}

	private static NodeReply unexpected(@Nullable Object raw) {
		String type = (raw != null) ? raw.getClass().getSimpleName() : "nothing";
		return NodeReply.failed(NodeReply.Outcome.ERROR, "unexpected answer of type " + type);
	}

}
