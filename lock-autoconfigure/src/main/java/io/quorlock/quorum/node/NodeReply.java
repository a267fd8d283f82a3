package io.quorlock.quorum.node;

import org.jspecify.annotations.Nullable;

/**
 * What a node answered, or why it did not.
 *
 * @param outcome what happened
 * @param counted whether the node counted towards majorities when the command was
 * <em>sent</em>, for the run id then connected (R10)
 * @param fences the votes of a grant, or the stored fences of a refusal; {@code null}
 * without fencing
 * @param owner the token of who holds the lock, for a refusal
 * @param remainingMillis how long that holder's key lives; 0 if unknown
 * @param listeners how many connections heard the release message; 0 if unknown
 * @param error what the node or the connection said, for {@link Outcome#ERROR},
 * {@link Outcome#LOST} and {@link Outcome#NOT_SENT}
 * @since 0.1.0
 */
public record NodeReply(Outcome outcome, boolean counted, long @Nullable [] fences, @Nullable String owner,
		long remainingMillis, int listeners, @Nullable String error) {

	/**
	 * The command was carried out.
	 * @param counted whether the node counts
	 * @param fences the fences, or {@code null}
	 * @return the reply
	 */
	public static NodeReply ok(boolean counted, long @Nullable [] fences) {
		return new NodeReply(Outcome.OK, counted, fences, null, 0, 0, null);
	}

	/**
	 * A release was carried out.
	 * @param counted whether the node counts
	 * @param listeners how many connections heard of it
	 * @return the reply
	 */
	public static NodeReply released(boolean counted, int listeners) {
		return new NodeReply(Outcome.OK, counted, null, null, 0, listeners, null);
	}

	/**
	 * Another attempt holds one of the names.
	 * @param counted whether the node counts
	 * @param owner its token
	 * @param remainingMillis how long its key lives
	 * @param fences the stored fences, or {@code null}
	 * @return the reply
	 */
	public static NodeReply refused(boolean counted, @Nullable String owner, long remainingMillis,
			long @Nullable [] fences) {
		return new NodeReply(Outcome.REFUSED, counted, fences, owner, remainingMillis, 0, null);
	}

	/**
	 * The command has no result.
	 * @param outcome {@link Outcome#ERROR}, {@link Outcome#LOST} or
	 * {@link Outcome#NOT_SENT}
	 * @param error what went wrong, without secrets
	 * @return the reply
	 */
	public static NodeReply failed(Outcome outcome, String error) {
		return new NodeReply(outcome, false, null, null, 0, 0, error);
	}

	/**
	 * What happened to a command.
	 */
	public enum Outcome {

		/**
		 * It was carried out.
		 */
		OK,

		/**
		 * It was not carried out, because another attempt holds a name.
		 */
		REFUSED,

		/**
		 * The node answered with an error; what it did, if anything, does not count.
		 */
		ERROR,

		/**
		 * The connection broke before the answer: it may or may not have been carried
		 * out.
		 */
		LOST,

		/**
		 * It never left this process: the node is down or lags too far behind.
		 */
		NOT_SENT

	}

}
