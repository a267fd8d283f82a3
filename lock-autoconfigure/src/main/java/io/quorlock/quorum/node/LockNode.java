package io.quorlock.quorum.node;

/**
 * One independent master that votes: the engine's view of a Redis server. A driver
 * implements it.
 * <p>
 * Nothing here blocks. Commands that are submitted one after another reach the server in
 * that order, on one connection (R3), and each gets exactly one reply.
 *
 * @since 0.1.0
 */
public interface LockNode {

	/**
	 * The node's address, {@code host:port}, without user, password or parameters. All
	 * instances of the fleet name it alike.
	 * @return the name
	 */
	String name();

	/**
	 * What is known of the node now.
	 * @return the status
	 */
	NodeStatus status();

	/**
	 * Begins to connect, and keeps connecting with a growing back-off until
	 * {@link #stop()}. A stopped node can be started again.
	 * @param listener hears of connections and releases
	 */
	void start(NodeListener listener);

	/**
	 * Sends a command. If the node is down or lags too far behind, the reply is
	 * {@link NodeReply.Outcome#NOT_SENT}, at once.
	 * @param command what to do
	 * @param slot a number that comes back with the reply
	 * @param handler receives the reply
	 */
	void submit(NodeCommand command, int slot, ReplyHandler handler);

	/**
	 * Like {@link #submit}, but may leave it to the next command that is submitted, or to
	 * {@link #flush()}, to send this one as well: one packet instead of two. Without
	 * either, it is sent within a second.
	 * @param command what to do
	 * @param slot a number that comes back with the reply
	 * @param handler receives the reply
	 */
	default void enqueue(NodeCommand command, int slot, ReplyHandler handler) {
		submit(command, slot, handler);
	}

	/**
	 * Sends what {@link #enqueue}, {@link #watch} and {@link #unwatch} left for later.
	 */
	default void flush() {
	}

	/**
	 * Asks for the release messages of a key, behind the commands given before: who
	 * releases and then listens does not hear himself. Idempotent; survives reconnects.
	 * May be sent as late as what is enqueued.
	 * @param lockKey the key
	 */
	void watch(String lockKey);

	/**
	 * Ends {@link #watch}. May be sent as late as what is enqueued.
	 * @param lockKey the key
	 */
	void unwatch(String lockKey);

	/**
	 * Sends what is queued, for a short time at most, then closes all connections.
	 */
	void stop();

}
