package io.quorlock.engine;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply;

/**
 * What replies of all kinds have in common.
 */
final class Replies {

	private Replies() {
	}

	static boolean isCarriedOut(NodeReply reply) {
		return !(reply instanceof NodeReply.Failed) && !isRefused(reply);
	}

	static boolean isRefused(NodeReply reply) {
		return reply instanceof NodeReply.Refused || reply instanceof NodeReply.NotHeld;
	}

	static boolean isNotSent(NodeReply reply) {
		return reply instanceof NodeReply.Failed failed && failed.cause() == NodeReply.Failed.Cause.NOT_SENT;
	}

	static long @Nullable [] fences(NodeReply reply) {
		if (reply instanceof NodeReply.Granted granted) {
			return granted.fences();
		}
		return (reply instanceof NodeReply.Refused refused) ? refused.fences() : null;
	}

	static @Nullable String owner(NodeReply reply) {
		return (reply instanceof NodeReply.Refused refused)
				? refused.owners().stream().filter(Objects::nonNull).findFirst().orElse(null) : null;
	}

	static long remainingMillis(NodeReply reply) {
		return (reply instanceof NodeReply.Refused refused) ? Math.max(0, refused.remainingMillis()) : 0;
	}

	static int listeners(NodeReply reply) {
		return (reply instanceof NodeReply.Released released) ? released.listeners() : 0;
	}

	static @Nullable String error(NodeReply reply) {
		return (reply instanceof NodeReply.Failed failed) ? failed.message() : null;
	}

}
