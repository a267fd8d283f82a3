/*
 * Copyright 2026-present the Quorlock authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.quorlock.redis.spring;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * A connection that listens to a channel, through the interfaces of Spring Data alone, so
 * that it is the same for each driver, whether its {@code subscribe} blocks or not.
 * <p>
 * A firewall or a load balancer may drop a connection without a word, and who only
 * listens does not notice. It is therefore pinged by an {@code UNSUBSCRIBE} from a
 * channel that it is not subscribed to, which the server confirms.
 */
final class ChannelSubscription implements MessageListener, SubscriptionListener {

	private static final Log logger = LogFactory.getLog(ChannelSubscription.class);

	private static final int MAX_SILENT_CHECKS = 5;

	private static final long IDLE_THREAD_SECONDS = 5;

	private static final CustomizableThreadFactory THREADS = new CustomizableThreadFactory(
			"quorlock-redis-subscription-");

	static {
		THREADS.setDaemon(true);
	}

	private final Supplier<RedisConnection> connections;

	private final String channel;

	private final byte[] pings;

	private final Listener listener;

	/**
	 * Whoever borrows a connection of Jedis after this must not find the reply to a ping
	 * on it: pings and the end follow each other, and nothing follows the end.
	 */
	private final Executor writer = new ThreadPoolExecutor(0, 1, IDLE_THREAD_SECONDS, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), THREADS);

	/**
	 * Jedis may read a reply while the thread that wrote has not yet emptied the buffer,
	 * into which the next borrower would write.
	 */
	private final Object writing = new Object();

	private final CountDownLatch connecting = new CountDownLatch(1);

	private final CountDownLatch over = new CountDownLatch(1);

	private final AtomicBoolean ended = new AtomicBoolean();

	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile @Nullable RedisConnection connection;

	private volatile boolean blocking;

	private volatile boolean subscribed;

	/** Whether subscribe has returned: it does not block, or has come to the end. */
	private volatile boolean returned;

	private volatile boolean confirmed;

	/** Whether it is a connection of Jedis that nobody else may have. */
	private volatile boolean broken;

	private int silentChecks;

	/**
	 * Create a subscription that is not started.
	 * @param connections opens a connection
	 * @param channel the channel
	 * @param listener is notified on any thread
	 */
	ChannelSubscription(Supplier<RedisConnection> connections, String channel, Listener listener) {
		this.connections = connections;
		this.channel = channel;
		this.pings = bytes(channel + ":ping");
		this.listener = listener;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return whether it listens to a channel, or is about to.
	 */
	boolean isFor(String channel) {
		return !this.ended.get() && channel.equals(this.channel);
	}

	void start() {
		THREADS.newThread(this::listen).start();
	}

	private void listen() {
		try {
			RedisConnection connection = this.connections.get();
			this.blocking = !RedisTopology.isLettuce(connection);
			if (this.blocking) {
				this.connecting.countDown();
			}
			this.connection = connection;
			if (!this.ended.get()) {
				connection.subscribe(this, bytes(this.channel));
			}
			this.returned = true;
			Subscription subscription = connection.getSubscription();
			if (subscription == null || !subscription.isAlive()) {
				close(connection);
			}
		}
		catch (RuntimeException | Error ex) {
			this.broken = RedisTopology.JEDIS && ex instanceof RedisConnectionFailureException;
			this.returned = true;
			fail(ex);
		}
		finally {
			this.connecting.countDown();
		}
	}

	/**
	 * Wait until the connection is closed after {@link #close()}, or failed. Lettuce,
	 * which connects as it subscribes, forgets a connection on its way when its factory
	 * is stopped: the socket would stay open for as long as the process. It closes one
	 * that is being closed once more, and warns of that.
	 */
	void awaitEnd(long nanos) {
		long deadline = System.nanoTime() + nanos;
		try {
			if (this.connecting.await(nanos, TimeUnit.NANOSECONDS) && this.subscribed) {
				this.over.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Called about once a second, by one thread. */
	void check() {
		if (this.connection == null || this.ended.get()) {
			return;
		}
		if (this.confirmed) {
			this.confirmed = false;
			this.silentChecks = 0;
			this.writer.execute(this::ping);
		}
		else if (++this.silentChecks == MAX_SILENT_CHECKS) {
			fail(new TimeoutException("no reply to pings"));
		}
	}

	private void ping() {
		try {
			if (!this.ended.get()) {
				send((subscription) -> subscription.unsubscribe(this.pings));
			}
		}
		catch (RuntimeException ex) {
			if (!this.ended.get()) {
				fail(ex);
			}
		}
	}

	private void send(Consumer<Subscription> command) {
		Subscription subscription = subscription();
		if (subscription == null) {
			return;
		}
		try {
			synchronized (this.writing) {
				command.accept(subscription);
			}
		}
		finally {
			if (this.broken) {
				// Jedis may have connected again to send it, without logging in.
				JedisConnections.disconnect(subscription);
			}
		}
	}

	private @Nullable Subscription subscription() {
		RedisConnection connection = this.connection;
		return (connection != null) ? connection.getSubscription() : null;
	}

	/**
	 * Listen no longer. The listener is not notified any more.
	 */
	void close() {
		// A subscription that is on its way would outlive an UNSUBSCRIBE before it.
		if (this.ended.compareAndSet(false, true) && this.subscribed) {
			this.writer.execute(this::end);
		}
	}

	private void end() {
		try {
			send(Subscription::close);
			RedisConnection connection = this.connection;
			if (connection != null && this.returned) {
				close(connection);
			}
		}
		catch (RuntimeException ex) {
			logger.debug("A subscription was not closed", ex);
		}
		finally {
			this.over.countDown();
		}
	}

	/** Twice would take it away from the next borrower. */
	private void close(RedisConnection connection) {
		if (this.closed.compareAndSet(false, true)) {
			connection.close();
		}
	}

	private void fail(Throwable failure) {
		boolean first = this.ended.compareAndSet(false, true);
		RedisConnection connection = this.connection;
		if (connection != null && this.closed.compareAndSet(false, true)) {
			discard(connection);
		}
		this.over.countDown();
		if (first) {
			this.listener.onFailure(failure);
		}
	}

	/**
	 * Keep it away from the application's pool. Spring Data sends an {@code UNSUBSCRIBE}
	 * as it closes a connection of Jedis, and reads no reply: the next borrower would get
	 * it as the reply to a command of its own, and all later replies one command late. A
	 * connection that is back in the pool stays connected: Jedis would connect it again
	 * without logging in. One that failed is not back, and what is sent may connect it
	 * again.
	 */
	private void discard(RedisConnection connection) {
		try {
			if (!this.blocking) {
				connection.close();
			}
			else if (RedisTopology.JEDIS) {
				JedisConnections.discard(connection);
				if (!this.returned) {
					this.broken = true;
				}
				if (this.broken) {
					JedisConnections.disconnect(connection.getSubscription());
				}
			}
		}
		catch (RuntimeException ex) {
			logger.debug("A subscription was not closed", ex);
		}
	}

	@Override
	public void onChannelSubscribed(byte[] channel, long count) {
		this.subscribed = true;
		this.confirmed = true;
		if (this.ended.get()) {
			this.writer.execute(this::end);
		}
		else {
			this.listener.onSubscribed();
		}
	}

	/** Lettuce subscribes again after a reconnect, and keeps to itself if it may not. */
	@Override
	public void onChannelUnsubscribed(byte[] channel, long count) {
		if (count == 0 && Arrays.equals(channel, this.pings)) {
			fail(new IllegalStateException("no longer subscribed"));
		}
		if (!this.blocking) {
			this.confirmed = true;
		}
		else {
			synchronized (this.writing) {
				this.confirmed = true;
			}
		}
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		if (!this.ended.get()) {
			this.listener.onMessage(new String(message.getBody(), StandardCharsets.UTF_8));
		}
	}

	/**
	 * Is notified of what happens on the channel.
	 */
	interface Listener {

		/** Messages from now on arrive. Called again after a reconnect. */
		void onSubscribed();

		void onMessage(String message);

		/**
		 * The channel is not listened to any more. The last call.
		 * @param failure why
		 */
		void onFailure(Throwable failure);

	}

}
