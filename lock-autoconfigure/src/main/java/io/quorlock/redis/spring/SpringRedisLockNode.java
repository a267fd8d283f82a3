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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.quorlock.LockKeyException;
import io.quorlock.LogText;
import io.quorlock.quorum.membership.NodeAdmission;
import io.quorlock.quorum.node.Attempt;
import io.quorlock.quorum.node.LockNode;
import io.quorlock.quorum.node.NodeCommand;
import io.quorlock.quorum.node.NodeListener;
import io.quorlock.quorum.node.NodeReply;
import io.quorlock.quorum.node.NodeReply.Failed;
import io.quorlock.quorum.node.NodeStatus;
import io.quorlock.quorum.node.NodeStatus.State;
import io.quorlock.quorum.node.ReplyHandler;
import io.quorlock.redis.LockScript;
import io.quorlock.redis.RedisKeys;
import io.quorlock.redis.RefusedMessages;
import io.quorlock.redis.RespError;
import io.quorlock.redis.ScriptCall;
import io.quorlock.redis.ScriptReply;
import io.quorlock.redis.client.NodeEviction;
import io.quorlock.time.LockClock;

/**
 * One node over a {@link RedisConnectionFactory}: a single server, Sentinel or a Cluster.
 * <p>
 * Unlike an independent node of a quorum it knows no quarantine after a restart: a server
 * that restarts empty, or a replica that takes over before it has heard of a lock, gives
 * the lock away a second time.
 *
 * @since 0.1.0
 */
public final class SpringRedisLockNode implements LockNode {

	private static final Log logger = LogFactory.getLog(SpringRedisLockNode.class);

	private static final long STOP_MILLIS = 500;

	/** The rights may be corrected meanwhile. */
	private static final long REFUSED_PAUSE_MILLIS = 10_000;

	private static final long FAILED_PAUSE_MILLIS = 1_000;

	private static final long PROBE_LEASE_MILLIS = 1_000;

	/** Nothing else keeps callers from filling the memory while a driver hangs. */
	private static final int MOST_PENDING = 32_768;

	private final String name;

	private final boolean cluster;

	private final RedisLink link;

	private final RedisKeys keys;

	private final ReplicaConfirmation replicas;

	private final ReentrantLock order = new ReentrantLock();

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile @Nullable String channel;

	private volatile CompletionStage<?> lastReply = CompletableFuture.completedFuture("none");

	private final LinkHealth health;

	private final LockClock clock;

	private volatile @Nullable LinkMonitor monitor;

	private volatile @Nullable Events events;

	private volatile @Nullable ChannelSubscription subscription;

	/**
	 * Create a node that is not started and votes whenever it replies.
	 * @param factory leads to the Redis
	 * @param keys the keys of locks
	 * @param waitReplicas how many replicas must confirm a lock; 0 for none
	 * @param waitTimeout how long they may take
	 * @param clock the engine's clock
	 */
	public SpringRedisLockNode(RedisConnectionFactory factory, RedisKeys keys, int waitReplicas, Duration waitTimeout,
			LockClock clock) {
		this(factory, keys, waitReplicas, waitTimeout, clock, NodeEviction.WARN, Duration.ZERO);
	}

	/**
	 * Create a node that is not started.
	 * @param factory leads to the Redis
	 * @param keys the keys of locks
	 * @param waitReplicas how many replicas must confirm a lock; 0 for none
	 * @param waitTimeout how long they may take
	 * @param clock the engine's clock
	 * @param eviction what is to happen if it evicts keys
	 * @param quarantine for how long it does not vote once it evicts none any more
	 */
	public SpringRedisLockNode(RedisConnectionFactory factory, RedisKeys keys, int waitReplicas, Duration waitTimeout,
			LockClock clock, NodeEviction eviction, Duration quarantine) {
		this.clock = clock;
		RedisTopology topology = RedisTopology.of(factory);
		this.name = topology.name();
		this.cluster = topology.kind() == RedisTopology.Kind.CLUSTER;
		this.health = new LinkHealth(topology, eviction, clock, new NodeAdmission(quarantine, 0, true));
		this.link = RedisTopology.isLettuce(factory) ? LettuceLink.of(factory, topology, waitReplicas > 0)
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
		return (monitor != null) ? this.health.status(monitor) : NodeStatus.of(State.DOWN, this.health.down());
	}

	/**
	 * Return what is worth knowing of a node that may well vote.
	 * @return the note; empty if there is none
	 */
	public String note() {
		Events events = this.events;
		return LogText.remarks(this.health.note(), (events != null) ? events.note() : "");
	}

	@Override
	public void start(NodeListener listener) {
		Events events = new Events(listener);
		LinkMonitor monitor = new LinkMonitor(this.link, this.clock, this.health, events);
		this.health.onDown("connecting");
		this.events = events;
		this.monitor = monitor;
		monitor.start();
	}

	@Override
	public void submit(NodeCommand command, int slot, ReplyHandler handler) {
		LinkMonitor monitor = this.monitor;
		// A release may have to follow an acquire that is still in the driver.
		boolean release = command instanceof NodeCommand.Release;
		String down = this.health.down();
		if (down.isEmpty() && monitor != null) {
			down = monitor.silence();
		}
		if (monitor == null || !monitor.isOpen() || (!down.isEmpty() && !release)) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, down));
		}
		else if (this.inFlight.get() >= (release ? 2 * MOST_PENDING : MOST_PENDING)) {
			handler.onReply(slot, new Failed(Failed.Cause.NOT_SENT, "too many pending commands"));
		}
		else {
			// A shortening is not sent again, should the server lack the script.
			boolean whole = command instanceof NodeCommand.Renew renew && renew.shorten();
			Sending sending = new Sending(command, ScriptCall.first(command, this.keys), whole, null);
			this.inFlight.incrementAndGet();
			CompletionStage<NodeReply> reply = send(sending);
			this.lastReply = reply;
			reply.whenComplete((result, failure) -> {
				this.inFlight.decrementAndGet();
				NodeReply outcome = (failure != null) ? failed(command, failure) : result;
				this.health.onReply(command, outcome);
				handler.onReply(slot, outcome);
			});
		}
	}

	/** Look for a lock that nobody else uses, in a Cluster in the slot that failed. */
	private void probe(String suspect) {
		String name;
		do {
			name = "probe:" + Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), Character.MAX_RADIX);
		}
		while (slotOf(name) != slotOf(suspect));
		List<String> names = List.of(name);
		Attempt attempt = new Attempt(name + ":1");
		NodeCommand acquire = new NodeCommand.Acquire(names, attempt, PROBE_LEASE_MILLIS, null, 1, 0);
		send(new Sending(acquire, ScriptCall.of(acquire, this.keys), false, null)).whenComplete((reply, failure) -> {
			this.health.onProbe((failure != null) ? failed(acquire, failure) : reply);
			NodeCommand release = new NodeCommand.Release(names, attempt, 0);
			send(new Sending(release, ScriptCall.of(release, this.keys), false, null));
		});
	}

	@Override
	public void check(List<String> names) {
		for (String name : names) {
			if (this.cluster && slotOf(name) != slotOf(names.get(0))) {
				throw new LockKeyException(
						("Locks '%s' and '%s' are in different slots of the Redis Cluster, so that they cannot be locked "
								+ "together. Lock one name for both, or list independent nodes in distributed-lock.nodes")
							.formatted(names.get(0), name));
			}
		}
	}

	private int slotOf(String name) {
		return ClusterSlotHashUtil.calculateSlot(this.keys.lockKey(name));
	}

	/** Send a command, and once more if its reply asks for another form of it. */
	private CompletionStage<NodeReply> send(Sending sending) {
		CompletionStage<NodeReply> reply = runInOrder(sending);
		return reply.handle((result, failure) -> {
			if (failure == null && ScriptReply.isPartial(sending.call().script(), result)) {
				return send(sending.inFull(this.keys, result));
			}
			if (failure != null && !sending.whole() && RedisErrors.error(failure).isNoScript()) {
				return send(sending.withScript());
			}
			if (failure != null && RedisErrors.error(failure).isOfMove() && sending.call().script() == LockScript.RENEW
					&& sending.call().keys().length > sending.command().names().size()) {
				return send(sending.ofLocks(this.keys));
			}
			return reply;
		}).thenCompose(Function.identity());
	}

	/** No handler is called in here: it may wait for a thread that waits to send. */
	private CompletionStage<NodeReply> runInOrder(Sending sending) {
		this.order.lock();
		try {
			NodeReply otherwise = sending.otherwise();
			if (otherwise != null && !sending.command().isResendable()) {
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
		boolean voting = this.health.isVoting();
		CompletionStage<NodeReply> reply = this.link.run(call, command.attempt(), sending.whole())
			.thenApply((raw) -> RefusedMessages.publish(raw, this::publish))
			.thenApply((raw) -> ScriptReply.of(command, raw, voting));
		return this.replicas.isRequired()
				? reply.thenCompose((result) -> (result instanceof NodeReply.Granted)
						? this.replicas.confirm(result, call.keys()[0]) : CompletableFuture.completedFuture(result))
				: reply;
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
		RespError error = RedisErrors.error(failure);
		return error.isOfKeys() ? new Failed(Failed.Cause.ERROR, error.describe(command.target(), this.keys))
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
		ChannelSubscription before = this.subscription;
		if (events == null || !channel.equals(this.channel) || (before != null && before.isFor(channel))) {
			return;
		}
		unsubscribe();
		ChannelSubscription subscription = new ChannelSubscription(this.link::openSubscription, channel, events);
		this.subscription = subscription;
		subscription.start();
	}

	private void unsubscribe() {
		ChannelSubscription subscription = this.subscription;
		this.subscription = null;
		if (subscription != null) {
			subscription.close();
		}
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
			ChannelSubscription subscription = this.subscription;
			unsubscribe();
			if (subscription != null) {
				subscription.awaitEnd(deadline - System.nanoTime());
			}
			this.health.onDown("stopped");
		}
	}

	private final class Events implements LinkMonitor.Listener, ChannelSubscription.Listener {

		private final NodeListener listener;

		private volatile String logged = "";

		Events(NodeListener listener) {
			this.listener = listener;
		}

		@Override
		public void onOpen() {
			unsubscribe(); // it may lead elsewhere
			subscribeAgain();
		}

		@Override
		public void onUp() {
			LinkMonitor monitor = SpringRedisLockNode.this.monitor;
			ChannelSubscription subscription = SpringRedisLockNode.this.subscription;
			if (monitor == null) {
				return;
			}
			if (subscription != null) {
				subscription.check();
			}
			if (SpringRedisLockNode.this.health.onConnection("", monitor)) {
				this.listener.onConnected(SpringRedisLockNode.this);
			}
			String suspect = SpringRedisLockNode.this.health.suspect();
			if (suspect != null) {
				probe(suspect);
			}
		}

		@Override
		public void onDown(String reason) {
			LinkMonitor monitor = SpringRedisLockNode.this.monitor;
			if (monitor != null) {
				SpringRedisLockNode.this.health.onConnection(reason, monitor);
			}
		}

		private void subscribeAgain() {
			String channel = SpringRedisLockNode.this.channel;
			if (channel != null) {
				subscribeSoon(channel);
			}
		}

		@Override
		public void onSubscribed() {
			this.logged = "";
			this.listener.onListening(SpringRedisLockNode.this);
		}

		@Override
		public void onFailure(Throwable failure) {
			LinkMonitor monitor = SpringRedisLockNode.this.monitor;
			String reason = RedisErrors.describe(failure);
			boolean refused = reason.matches("(NOPERM|ERR) .*"); // others, as BUSY, pass
			if (refused) {
				log(reason);
			}
			if (monitor != null) {
				monitor.execute(this::subscribeAgain, refused ? REFUSED_PAUSE_MILLIS : FAILED_PAUSE_MILLIS);
			}
		}

		private void log(String reason) {
			if (!reason.equals(this.logged)) {
				this.logged = reason;
				logger.warn("Lock " + note() + "; let the user of the connections subscribe to it");
			}
		}

		String note() {
			return this.logged.isEmpty() ? "" : "claims of this instance are not notified of offers, and wait longer: "
					+ this.logged + " for channel " + LogText.bounded(String.valueOf(SpringRedisLockNode.this.channel));
		}

		@Override
		public void onMessage(String message) {
			this.listener.onMessage(SpringRedisLockNode.this, message);
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

		Sending ofLocks(RedisKeys keys) {
			return new Sending(this.command, ScriptCall.ofLocks((NodeCommand.Renew) this.command, keys), this.whole,
					new Failed(Failed.Cause.ERROR,
							"the lock's slot is moved, and a later command of the attempt may have been sent"));
		}

		Sending inFull(RedisKeys keys, NodeReply partial) {
			return new Sending(this.command, ScriptCall.of(this.command, keys), false, partial);
		}

	}

}
