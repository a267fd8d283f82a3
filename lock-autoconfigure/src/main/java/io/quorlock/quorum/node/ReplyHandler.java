package io.quorlock.quorum.node;

/**
 * Receives the replies of a round, exactly one for each command submitted, however late.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ReplyHandler {

	/**
	 * Called once per submitted command, on a thread of the node's driver or, if the
	 * reply is known at once, on the submitting thread. Must not block.
	 * @param slot the number that was given with the command
	 * @param reply the reply
	 */
	void onReply(int slot, NodeReply reply);

}
