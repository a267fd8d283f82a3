package io.quorlock.quorum.node;

/**
 * Receives the answers of a round, exactly one for each command submitted, however late.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReplyHandler {

	/**
	 * Called once per submitted command: on a thread of the node's driver or, if the
	 * answer is known at once, on the submitting thread. Never blocks.
	 * @param slot the number that was given with the command
	 * @param reply the answer
	 */
	void onReply(int slot, NodeReply reply);

}
