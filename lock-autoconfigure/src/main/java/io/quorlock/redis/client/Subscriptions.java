package io.quorlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.quorlock.quorum.node.NodeReply.Failed.Cause;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RespError;
import io.quorlock.redis.SafeText;

/**
 * The subscriptions to release messages on one node. With the third version of the
 * protocol the messages arrive on the connection that carries the commands, so that
 * waiting costs no connection and no thread.
 */
final class Subscriptions {

	private static final Log logger = LogFactory.getLog(Subscriptions.class);

	private final RedisKeys keys;

	private final Set<String> watched = ConcurrentHashMap.newKeySet();

	private final Consumer<String> onWatching;

	private final BiConsumer<String, String> onReleased;

	/** Guards only what is put into queues (R15). */
	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Pipeline pipeline;

	Subscriptions(RedisKeys keys, Consumer<String> onWatching, BiConsumer<String, String> onReleased) {
		this.keys = keys;
		this.onWatching = onWatching;
		this.onReleased = onReleased;
	}

	/**
	 * Subscribe to everything that is watched, on a new connection, which has to be
	 * flushed.
	 */
	void connected(Pipeline pipeline) {
		this.lock.lock();
		try {
			this.pipeline = pipeline;
			this.watched.forEach((name) -> pipeline.enqueue(new Subscribe(name)));
		}
		finally {
			this.lock.unlock();
		}
	}

	void disconnected() {
		this.lock.lock();
		try {
			this.pipeline = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	void watch(String name) {
		this.lock.lock();
		try {
			if (this.watched.add(name) && this.pipeline != null) {
				this.pipeline.enqueue(new Subscribe(name));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void unwatch(String name) {
		this.lock.lock();
		try {
			if (this.watched.remove(name) && this.pipeline != null) {
				this.pipeline.enqueue(new Unsubscribe(this.keys.releasedChannel(name)));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void clear() {
		this.lock.lock();
		try {
			this.watched.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A message that is no reply to a command.
	 */
	void onPush(@Nullable Object push) {
		if (push instanceof List<?> list && list.size() == 3 && "message".equals(text(list.get(0)))) {
			String name = this.keys.nameOfChannel(text(list.get(1)));
			if (this.watched.contains(name)) {
				this.onReleased.accept(name, text(list.get(2)));
			}
		}
	}

	/**
	 * Whether a push message confirms a subscription or its end.
	 */
	static boolean isConfirmation(@Nullable Object push) {
		return push instanceof List<?> list && !list.isEmpty() && text(list.get(0)).endsWith("subscribe");
	}

	private static String text(@Nullable Object raw) {
		return (raw instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : "";
	}

	private final class Subscribe extends PendingCommand {

		private final String name;

		Subscribe(String name) {
			super(RespEncoder.command("SUBSCRIBE", Subscriptions.this.keys.releasedChannel(name)));
			this.name = name;
		}

		@Override
		boolean isConfirmedByPush() {
			return true;
		}

		@Override
		void onReply(@Nullable Object reply) {
			if (reply instanceof RespError error) {
				logger.debug(
						"No release messages of lock " + SafeText.of(this.name) + ": " + ServerErrors.describe(error));
			}
			else if (Subscriptions.this.watched.contains(this.name)) {
				Subscriptions.this.onWatching.accept(this.name);
			}
		}

		@Override
		void onFailure(Cause cause, String reason) {
			// The next connection subscribes again.
		}

	}

	private static final class Unsubscribe extends PendingCommand {

		Unsubscribe(String channel) {
			super(RespEncoder.command("UNSUBSCRIBE", channel));
		}

		@Override
		boolean isConfirmedByPush() {
			return true;
		}

		@Override
		void onReply(@Nullable Object reply) {
			// Nothing waits for it.
		}

		@Override
		void onFailure(Cause cause, String reason) {
			// The connection's end ended the subscription, too.
		}

	}

}
