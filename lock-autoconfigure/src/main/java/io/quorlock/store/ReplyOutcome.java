package io.quorlock.store;

/**
 * Outcomes of requests to nodes, as metrics name them.
 *
 * @since 0.1.0
 */
public enum ReplyOutcome {

	/**
	 * The request was carried out.
	 */
	OK,

	/**
	 * The request was not carried out, because another owner holds the name.
	 */
	REFUSED,

	/**
	 * The node replied with an error.
	 */
	ERROR,

	/**
	 * The connection was lost before the reply: the request may have been carried out.
	 */
	LOST,

	/**
	 * The request did not leave this process.
	 */
	NOT_SENT

}
