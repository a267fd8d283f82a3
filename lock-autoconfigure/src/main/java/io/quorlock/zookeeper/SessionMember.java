package io.quorlock.zookeeper;

/**
 * Takes part in a session and is notified of what becomes of it, on threads of the store.
 */
interface SessionMember {

	/**
	 * A heartbeat was replied to.
	 * @param proven whether the session is proven now
	 */
	default void onHeartbeat(boolean proven) {
	}

	/**
	 * The proof ended: the session may have expired, and another may have been granted
	 * what it held.
	 */
	default void onLapse() {
	}

	/**
	 * The session is over, and its ephemeral nodes with it.
	 * @param reason why
	 */
	void onOver(String reason);

}
