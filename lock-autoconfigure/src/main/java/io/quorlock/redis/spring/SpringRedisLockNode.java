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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.LogText;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RefusedMessages;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptErrors;
import io.quorlock.redis.ScriptReply;
import io.quorlock.redis.spring.RedisLink.ChannelListener;
import io.quorlock.time.LockClock;

/**
 * One node over a {@link RedisConnectionFactory}: a single server, Sentinel or a Cluster.
 * <p>
 * It votes whenever it replies. Unlike an independent node of a quorum it knows no
 * quarantine: a server that restarts empty, or a replica that takes over before it has
 * heard of a lock, gives the lock away a second time.
 *
 * @since 0.1.0
 */
public final class SpringRedisLockNode implements LockNode {

	private static final Log logger = LogFactory.getLog(SpringRedisLockNode.class);

	private static final long STOP_MILLIS = 500;

	/** The rights may be corrected meanwhile. */
	private static final long REFUSED_PAUSE_MILLIS = 10_000;

	private static final long FAILED_PAUSE_MILLIS = 1_000;

	/** Nothing else keeps callers from filling the memory while a driver hangs. */
	private static final int MOST_PENDING = 32_768;

	private static final NodeStatus UP = NodeStatus.of(State.VOTING, "");

	private final String name;

	private final RedisLink link;

	private final RedisKeys keys;

	private final ReplicaConfirmation replicas;

	private final ReentrantLock order = new ReentrantLock();

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile @Nullable String channel;

	private volatile CompletionStage<?> lastReply = CompletableFuture.completedFuture("none");

	private volatile NodeStatus status = NodeStatus.of(State.DOWN, "not started");

	private final LockClock clock;

	private volatile @Nullable LinkMonitor monitor;

	private volatile @Nullable Events events;

	/**
	 * Create a node that is not started.
	 * @param factory leads to the Redis
	 * @param keys the keys of locks
	 * @param waitReplicas how many replicas must confirm a lock; 0 for none
	 * @param waitTimeout how long they may take
	 * @param clock the engine's clock
	 */
	public SpringRedisLockNode(RedisConnectionFactory factory, RedisKeys keys, int waitReplicas, Duration waitTimeout,
			LockClock clock) {
		this.clock = clock;
		RedisTopology topology = RedisTopology.of(factory);
		this.name = topology.name();
		this.link = RedisTopology.isLettuce(factory) ? LettuceLinks.of(factory, topology, waitReplicas > 0)
				: new BlockingLink(factory, clock);
		this.keys = keys;
		this.replicas = new ReplicaConfirmation(this.link, waitReplicas, waitTimeout);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public NodeStatus status() {
		LinkMonitor monitor = this.monitor;
		NodeStatus status = this.status;
		if (monitor == null || !status.isVoting()) {
			return status;
		}
		String silence = monitor.silence();
		return silence.isEmpty()
				? new NodeStatus(State.VOTING, "", Duration.ZERO, null, null, monitor.clockOffsetMicros())
				: NodeStatus.of(State.DOWN, silence);
	}

	@Override
	public void start(NodeListener listener) {
		this.status = NodeStatus.of(State.DOWN, "connecting");
		this.events = new Events(listener);
		this.monitor = new LinkMonitor(this.link, this.clock, this.events);
		this.monitor.start();
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		LinkMonitor monitor = this.monitor;
		// A release may have to follow an acquire that is still in the driver (R3).
		boolean release = command instanceof NodeCommand.Release;
		NodeStatus status = status();
		if (monitor == null || !monitor.isOpen() || !status.isVoting() && !release) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, status.reason()));
		}
		else if (this.inFlight.get() >= (release ? 2 * MOST_PENDING : MOST_PENDING)) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, "too many pending commands"));
		}
		else {
			// R3: a shortening is not sent again, should the server lack the script.
			boolean whole = command instanceof NodeCommand.Renew renew && renew.shorten();
			Sending sending = new Sending(command, ScriptCall.first(command, this.keys, 0), whole, null);
			this.inFlight.incrementAndGet();
			CompletionStage<NodeReply> reply = send(sending);
			this.lastReply = reply;
			reply.whenComplete((result, failure) -> {
				this.inFlight.decrementAndGet();
				handler.onReply(slot, (failure != null) ? failed(command, failure) : result);
			});
		}
	}

	/** Send a command, and once more if its reply asks for another form of it. */
	private CompletionStage<NodeReply> send(Sending sending) {
		CompletionStage<NodeReply> reply = runInOrder(sending);
		return reply.handle((result, failure) -> {
			if (failure == null && ScriptReply.isPartial(sending.call().script(), result)) {
				return send(sending.inFull(this.keys, result));
			}
			if (failure != null && !sending.whole() && RedisErrors.isNoScript(failure)) {
				return send(sending.withScript());
			}
			return reply;
		}).thenCompose(Function.identity());
	}

	/** No handler is called in here: it may wait for a thread that waits to send. */
	private CompletionStage<NodeReply> runInOrder(Sending sending) {
		this.order.lock();
		try {
			NodeReply otherwise = sending.otherwise();
			if (otherwise != null && !sending.command().isResendable()) { // R3
				return CompletableFuture.completedFuture(otherwise);
			}
			return run(sending);
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
		finally {
			this.order.unlock();
		}
	}

	private CompletionStage<NodeReply> run(Sending sending) {
		NodeCommand command = sending.command();
		ScriptCall call = sending.call();
		CompletionStage<NodeReply> reply = this.link.run(call, command.attempt(), sending.whole())
			.thenApply(this::published)
			.thenApply((raw) -> ScriptReply.of(command, raw, true));
		return this.replicas.isRequired()
				? reply.thenCompose((result) -> (result instanceof NodeReply.Granted)
						? this.replicas.confirm(result, call.keys()[0]) : CompletableFuture.completedFuture(result))
				: reply;
	}

	private @Nullable Object published(@Nullable Object raw) {
		RefusedMessages refused = RefusedMessages.of(raw);
		if (refused == null) {
			return raw;
		}
		refused.messages().forEach(this::publish);
		return refused.reply();
	}

	/**
	 * The reply counts all the same. Whoever waits for the message asks by itself, later.
	 */
	private void publish(RefusedMessages.Message message) {
		try {
			this.link.publish(message);
		}
		catch (RuntimeException ex) {
			logger.debug("A message was not published", ex);
		}
	}

	private NodeReply failed(NodeCommand command, Throwable failure) {
		String message = RedisErrors.describe(failure);
		return ScriptErrors.isOfKeys(message)
				? new Failed(Failed.Cause.ERROR, ScriptErrors.describe(message, command.target(), this.keys))
				: RedisErrors.toReply(failure);
	}

	@Override
	public void listen(String instance) {
		String before = this.channel;
		String wanted = this.keys.instanceChannel(instance);
		this.channel = wanted;
		LinkMonitor monitor = this.monitor;
		if (monitor == null || !monitor.isOpen() || wanted.equals(before)) {
			return;
		}
		if (before != null) {
			monitor.execute(() -> this.link.unsubscribe(before), 0);
		}
		// It has a connection of its own, on which it would overtake the commands.
		this.lastReply.whenComplete((reply, failure) -> subscribeSoon(wanted));
	}

	private void subscribeSoon(String channel) {
		LinkMonitor monitor = this.monitor;
		if (monitor != null) {
			monitor.execute(() -> subscribe(channel));
		}
	}

	private void subscribe(String channel) {
		Events events = this.events;
		if (events == null || !channel.equals(this.channel)) {
			return;
		}
		if (events.failed) {
			events.failed = false;
			this.link.closeSubscriptions();
		}
		try {
			this.link.subscribe(channel, events);
		}
		catch (RuntimeException ex) {
			if (!isRefusal(ex)) {
				throw ex; // tried again soon
			}
			events.onFailure(channel, ex);
		}
	}

	private static boolean isRefusal(Throwable failure) {
		return RedisErrors.toReply(failure).cause() == Failed.Cause.ERROR;
	}

	@Override
	public void stop() {
		LinkMonitor monitor = this.monitor;
		this.monitor = null;
		if (monitor != null) {
			long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
			while (this.inFlight.get() > 0 && deadline - System.nanoTime() > 0) {
				LockSupport.parkNanos(1_000_000);
			}
			monitor.stop();
			this.status = NodeStatus.of(State.DOWN, "stopped");
		}
	}

	private final class Events implements LinkMonitor.Listener, ChannelListener {

		private final NodeListener listener;

		/** Whether the channel is not listened to. */
		private volatile boolean failed;

		private volatile String logged = "";

		Events(NodeListener listener) {
			this.listener = listener;
		}

		@Override
		public void onOpen() {
			String channel = SpringRedisLockNode.this.channel;
			if (channel != null) {
				subscribeSoon(channel);
			}
		}

		@Override
		public void onUp() {
			if (!SpringRedisLockNode.this.status.isVoting()) {
				SpringRedisLockNode.this.status = UP;
				logger.info("Redis " + name() + " is connected for locks");
				this.listener.onConnected(SpringRedisLockNode.this);
			}
		}

		@Override
		public void onDown(String reason) {
			NodeStatus before = SpringRedisLockNode.this.status;
			SpringRedisLockNode.this.status = NodeStatus.of(State.DOWN, reason);
			if (!before.reason().equals(reason)) {
				logger.warn("Redis " + name() + " cannot be used for locks: " + reason);
			}
		}

		@Override
		public void onSubscribed(String channel) {
			if (channel.equals(SpringRedisLockNode.this.channel)) {
				this.logged = "";
				this.listener.onListening(SpringRedisLockNode.this);
			}
		}

		@Override
		public void onFailure(String channel, Throwable failure) {
			LinkMonitor monitor = SpringRedisLockNode.this.monitor;
			if (monitor == null || !channel.equals(SpringRedisLockNode.this.channel)) {
				return;
			}
			this.failed = true;
			boolean refusal = isRefusal(failure);
			if (refusal) {
				log(channel, RedisErrors.describe(failure));
			}
			monitor.execute(() -> {
				if (this.failed) {
					subscribeSoon(channel);
				}
			}, refusal ? REFUSED_PAUSE_MILLIS : FAILED_PAUSE_MILLIS);
		}

		private void log(String channel, String reason) {
			if (!reason.equals(this.logged)) {
				this.logged = reason;
				logger.warn("Lock claims of this instance are not notified of offers, and wait longer: " + reason
						+ " for channel " + LogText.bounded(channel));
			}
		}

		@Override
		public void onMessage(String channel, String message) {
			if (channel.equals(SpringRedisLockNode.this.channel)) {
				this.listener.onMessage(SpringRedisLockNode.this, message);
			}
		}

	}

	/**
	 * A command on its way.
	 *
	 * @param whole whether the script is sent with it
	 * @param otherwise the reply if a later command of the attempt may have been sent;
	 * {@code null} when this one is sent for the first time
	 */
	private record Sending(NodeCommand command, ScriptCall call, boolean whole, @Nullable NodeReply otherwise) {

		Sending withScript() {
			return new Sending(this.command, this.call, true, new Failed(Failed.Cause.ERROR,
					"a script was missing, and a later command of the attempt may have been sent"));
		}

		Sending inFull(RedisKeys keys, NodeReply partial) {
			return new Sending(this.command, ScriptCall.of(this.command, keys), false, partial);
		}

	}

}
