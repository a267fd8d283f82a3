package io.quorlock.store;

import org.jspecify.annotations.Nullable;

/**
 * Observes every reply of the nodes of a store, for metrics. It is called on the thread
 * that brings the reply: it is fast, does not block and does not throw.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoreObserver {

	/**
	 * A node replied, or could not be asked.
	 * @param node the name of the node
	 * @param operation what it was asked, in lower case
	 * @param outcome what came of it
	 * @param error what went wrong, or {@code null} if nothing did
	 * @param nanos from the beginning of the round to the reply
	 */
	void onReply(String node, String operation, ReplyOutcome outcome, @Nullable String error, long nanos);

}
