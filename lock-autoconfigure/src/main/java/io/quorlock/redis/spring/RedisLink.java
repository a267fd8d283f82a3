package io.quorlock.redis.spring;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.Attempt;
import io.quorlock.redis.ScriptCall;

/**
 * A way to a Redis through one of the drivers of a connection factory. What blocks is
 * called on one thread of the node.
 */
interface RedisLink {

	/**
	 * Connects. Blocks; called again until it succeeds.
	 */
	void open();

	/**
	 * Asks whether the server is there. Blocks.
	 * @param timeout for how long at most
	 * @throws Exception if it is not
	 */
	void ping(Duration timeout) throws Exception;

	/**
	 * Runs a script without blocking. Calls of one attempt reach the server in order
	 * (R3).
	 * @param call the script
	 * @param attempt to whom it belongs
	 * @param whole whether to send the script's text rather than its name
	 * @return the answer
	 */
	CompletionStage<@Nullable Object> run(ScriptCall call, Attempt attempt, boolean whole);

	/**
	 * Runs a script that writes, and has replicas confirm it on the same connection.
	 * @param call the script
	 * @param attempt to whom it belongs
	 * @param whole whether to send the script's text rather than its name
	 * @param replicas how many replicas to wait for
	 * @param timeout for how long
	 * @return the answer, and how many replicas confirmed
	 */
	CompletionStage<Replicated> runReplicated(ScriptCall call, Attempt attempt, boolean whole, int replicas,
			Duration timeout);

	/**
	 * Listens to a channel. Blocks.
	 * @param channel the channel
	 * @param listener hears of it from now on, also after a reconnect
	 */
	void subscribe(String channel, ChannelListener listener);

	/**
	 * Ends {@link #subscribe}. Blocks.
	 * @param channel the channel
	 */
	void unsubscribe(String channel);

	/**
	 * Closes the connection on which nothing is listened to any more. Blocks.
	 */
	void closeSubscriptions();

	/**
	 * Closes all connections of this link. Blocks.
	 */
	void close();

	/**
	 * Hears of a channel.
	 */
	interface ChannelListener {

		void onSubscribed(String channel);

		void onMessage(String channel);

	}

	/**
	 * The answer of a script, and how far it got.
	 *
	 * @param answer what the script answered
	 * @param replicas how many replicas confirmed
	 */
	record Replicated(@Nullable Object answer, long replicas) {
	}

}
