package io.quorlock.quorum.node;

/**
 * One independent master that votes: a Redis server, as the quorum sees it. Implemented
 * by a driver.
 * <p>
 * No method blocks, except {@link #stop()}. Commands that are submitted one after another
 * reach the server in that order, on one connection (R3), and each gets exactly one
 * reply.
 * <p>
 * <strong>Callers must not hold a lock</strong> while they call {@link #submit},
 * {@link #enqueue}, {@link #flush}, {@link #watch} or {@link #start}: where the reply is
 * known at once ({@link NodeReply.Failed.Cause#NOT_SENT}, or the reply of a node in
 * memory) the handler or listener may be called on the calling thread, before the method
 * returns. A driver in turn holds no lock of its own while it calls a handler or a
 * listener.
 *
 * @since 0.1.0
 */
public interface LockNode {

	/**
	 * What a watched name begins with that is no lock, but the instance part of tokens:
	 * the messages are {@link InstanceMessage}s (R24). A lock with such a name is merely
	 * not watched.
	 */
	String INSTANCE = "~instance:";

	/**
	 * Return the node's address, {@code host:port}, without user, password or parameters.
	 * All instances of the fleet use the same name for it.
	 * @return the name
	 */
	String name();

	/**
	 * Return what is known of the node now.
	 * @return the status
	 */
	NodeStatus status();

	/**
	 * Begin to connect, and keep connecting with a growing back-off until
	 * {@link #stop()}. A stopped node can be started again.
	 * @param listener is notified of connections and releases
	 */
	void start(NodeListener listener);

	/**
	 * Send a command. If the node is down or too many commands are pending, the reply is
	 * {@link NodeReply.Failed} with {@link NodeReply.Failed.Cause#NOT_SENT}.
	 * @param command the command
	 * @param slot a number that comes back with the reply
	 * @param handler receives the reply; see above for the thread that calls it
	 */
	void submit(NodeCommand command, int slot, ReplyHandler handler);

	/**
	 * Like {@link #submit}, but the command may be sent together with the next one that
	 * is submitted, or upon {@link #flush()}: one packet instead of two. Without either,
	 * it is sent within a second.
	 * @param command the command
	 * @param slot a number that comes back with the reply
	 * @param handler receives the reply
	 */
	default void enqueue(NodeCommand command, int slot, ReplyHandler handler) {
		submit(command, slot, handler);
	}

	/**
	 * Send what {@link #enqueue}, {@link #watch} and {@link #unwatch} have queued.
	 */
	default void flush() {
	}

	/**
	 * Subscribe to the release messages of a lock, behind the commands that were given
	 * before: the message of a release that was submitted earlier is not received.
	 * Idempotent; survives reconnects. May be sent as late as an enqueued command.
	 * @param name the lock
	 */
	void watch(String name);

	/**
	 * End {@link #watch}. May be sent as late as an enqueued command.
	 * @param name the lock
	 */
	void unwatch(String name);

	/**
	 * Send what is queued, for a short time at most, then close all connections. Blocks
	 * for that time.
	 */
	void stop();

}
